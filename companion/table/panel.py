"""The panel: debounced presses become pending counts and commands. No clock, no thread, no game.

Whatever happens by time (holds, warnings, time-outs) happens in `tick`, at the times `deadline`
asks for. What the panel must know of the game it is told by `game_is`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf

from companion.rules.game import Deal, MoveInBox, NewGame, Peg, State, Undo
from companion.table.actions import (
    PAD,
    POINTS,
    Answer,
    Hint,
    HintKind,
    PanelRequest,
    Pending,
    SignUp,
    all_actions,
)
from hardware.debounce import Change

HOLD_S = 1.0
"""Seconds that make an Undo of another's count, or a Deal out of turn, meant."""

STUCK_AFTER_S = 10.0
"""Seconds after which a button that is down is reported and ignored."""

WARN_AFTER_S, CLEAR_AFTER_S = 30.0, 120.0
"""Seconds without a press after which a pending count warns, then clears. It never commits."""

DEMO_HOLD_S, NEW_GAME_HOLD_S = 2.0, 5.0
"""Seconds that Mode is held for the demo, and for a new game; less is the brightness."""

SIGN_UP_S = 10.0
"""Seconds in which sides join a new game; as long again and more waits for Deal."""

SIGN_UP_LIMIT_S = 60.0
"""Seconds after which a new game that nobody has dealt is forgotten."""

PENDING_LIMIT = 29
"""The greatest count (rule S5)."""

_WOKEN = "awake: that press did nothing else"
_SHOWN = "here is your game again, as it was"


@dataclass(slots=True)
class _Down:
    """A button that is down: since when, and what holding it for a second will still do."""

    since: float
    command: Undo | Deal | None = None
    clears: int | None = None
    ignored: bool = False
    reported: bool = False


class Panel:
    """The state of all buttons and pending counts, `lanes` being those of the board.

    `actions` maps each button to what it does: `1.plus_one`, ..., `deal`, `mode`. Score pads have
    every button that a board of so many lanes can have, whatever is wired.
    """

    def __init__(
        self,
        state: State,
        *,
        actions: Mapping[str, str],
        lanes: int,
        sleep_after: float,
        show_after: float = inf,
        now: float,
    ) -> None:
        self._state = state
        self._last_by: int | None = None
        self._actions = {**actions, **{PAD + action: action for action in all_actions(lanes)}}
        self._lanes = lanes
        self._sleep_after = sleep_after
        self._show_after = show_after
        self._active = now
        self._down: dict[str, _Down] = {}
        self._pending: dict[int, Pending] = {}
        self.sign_up: SignUp | None = None
        self.asleep = False
        self.show = False
        self.visitor = False
        """True while the next press does nothing but let a phone in."""

    @property
    def pending(self) -> Mapping[int, Pending]:
        """The counts being entered, by team."""
        return self._pending

    @property
    def stuck(self) -> tuple[str, ...]:
        """The buttons that have been down too long, and are so still."""
        return tuple(button for button, down in self._down.items() if down.reported)

    @property
    def mode_since(self) -> float | None:
        """Since when Mode is held, if it is and has not been ignored."""
        held = (
            d.since for b, d in self._down.items() if self._actions[b] == "mode" and not d.ignored
        )
        return min(held, default=None)

    def warned(self, now: float) -> frozenset[int]:
        """Return the teams whose pending count will soon be cleared."""
        return frozenset(t for t, p in self._pending.items() if now >= p.last + WARN_AFTER_S)

    def game_is(self, state: State, *, last_by: int | None) -> None:
        """Tell how the game stands; `last_by` is the team whose own count came last, if any.

        A fold, a box or a win clears what the side had pending. A hold that was begun when the
        game stood otherwise comes to nothing: it was meant for what stood then.
        """
        if state is not self._state:
            for down in self._down.values():
                down.command = None
        self._state, self._last_by = state, last_by
        for team in [team for team in self._pending if self._cannot_count(team)]:
            del self._pending[team]

    def ignore(self, button: str, now: float) -> None:
        """Take a button for down that was so from the start: it does nothing until it is up."""
        self._down[button] = _Down(since=now, ignored=True)

    def stir(self, now: float, *, show: bool = False) -> None:
        """Take note that somebody is there without a press; `show` is whether to show off now."""
        if show and not self.show:
            self.sign_up = None
            for down in self._down.values():
                down.ignored = True  # what was held for was not meant for what nobody sees
        self.show, self.asleep, self._active = show, False, now

    # Edges

    def press(self, change: Change) -> list[Answer]:
        """Return the immediate results of a debounced edge."""
        if not change.down:
            return self._up(change)
        self._active = change.t
        if change.button in self._down:
            return []
        down = self._down[change.button] = _Down(since=change.t)
        swallowed = self._swallowed(change.button)
        if swallowed:
            down.ignored = True
            return [swallowed]
        action = self._actions[change.button]
        if action == "deal":
            return self._deal(down)
        if action == "mode":
            return self._mode_down()
        team, _, key = action.partition(".")
        return self._team_key(int(team), key, down)

    def _swallowed(self, button: str) -> Answer | None:
        """Return the result of a press that only wakes the board or lets a phone in, else None."""
        asleep, show = self.asleep, self.show
        self.asleep = self.show = False
        if self.visitor and not button.startswith(PAD):
            self.visitor = False
            return PanelRequest.LET_IN
        if asleep or show:
            return Hint(kind=HintKind.WAKE, team=None, text=_SHOWN if show else _WOKEN)
        return None

    def _team_key(self, team: int, key: str, down: _Down) -> list[Answer]:
        if self.sign_up:
            return self._sign_up_key(team, key, down.since)
        match key:
            case "enter":
                return self._enter(team)
            case "undo":
                return self._undo(team, down)
            case _:
                return self._add(team, POINTS[key], down.since)

    def _up(self, change: Change) -> list[Answer]:
        down = self._down.pop(change.button, None)
        if down is None or down.ignored:
            return []
        self._active = change.t
        action = self._actions[change.button]
        if action == "mode":
            return self._mode_up(change.t - down.since, change.t)
        if isinstance(down.command, Undo):
            team = int(action.partition(".")[0])
            text = "hold Undo for a second to take back what was not yours"
            return [Hint(kind=HintKind.HOLD_UNDO, team=team, text=text)]
        return []

    # Counts

    def _add(self, team: int, points: int, t: float) -> list[Answer]:
        reason = self._cannot_count(team)
        if reason:
            return [_refused(team, reason), *self._hint_if_folded(team)]
        presses = self._pending[team].presses if team in self._pending else ()
        if sum(presses) + points > PENDING_LIMIT:
            return [_refused(team, f"a count is {PENDING_LIMIT} at most")]
        self._pending[team] = Pending(presses=(*presses, points), last=t)
        for down in self._down.values():
            if down.clears == team:
                down.clears = None  # what is pressed during a hold was not meant to go with it
        return []

    def _cannot_count(self, team: int) -> str | None:
        if team not in self._state.setup.lanes:
            return f"side {team} does not play"
        if self._state.winner is not None:
            return "the game is over"
        side = self._state.side(team)
        if side.boxed:
            return f"side {team} sits in the penalty box"
        return f"side {team} has folded until the next deal" if side.folded else None

    def _hint_if_folded(self, team: int) -> list[Answer]:
        if team not in self._state.setup.lanes:
            return []
        side = self._state.side(team)
        if not side.folded or side.boxed or self._state.winner is not None:
            return []
        text = f"side {team} has folded: has somebody forgotten to press Deal?"
        return [Hint(kind=HintKind.DEAL_FORGOTTEN, team=None, text=text)]

    def _enter(self, team: int) -> list[Answer]:
        pending = self._pending.pop(team, None)
        if pending:
            return [Peg(team=team, points=pending.points)]
        boxed = self._state.side(team).boxed if team in self._state.setup.lanes else None
        return [MoveInBox(team=team)] if boxed and boxed.hands and boxed.may_move else []

    def _undo(self, team: int, down: _Down) -> list[Answer]:
        pending = self._pending.get(team)
        if pending:
            self._take_back_press(team, pending, down.since)
            down.clears = team
            return []
        if self._last_by == team:
            return [Undo()]
        down.command = Undo()
        return []

    def _take_back_press(self, team: int, pending: Pending, t: float) -> None:
        if len(pending.presses) > 1:
            self._pending[team] = Pending(presses=pending.presses[:-1], last=t)
        else:
            del self._pending[team]

    # Deal

    def _deal(self, down: _Down) -> list[Answer]:
        if self.sign_up:
            return self._begin_game(self.sign_up)
        out_of_turn = self._state.counts and not self._state.counts_in_hand
        if self._pending or out_of_turn:
            down.command = Deal()
            text = "a count is pending" if self._pending else "nobody has counted since the deal"
            return [
                Hint(kind=HintKind.HOLD_DEAL, team=None, text=f"{text}: hold Deal for a second")
            ]
        return [Deal()]

    # Mode and a new game

    def _mode_down(self) -> list[Answer]:
        self.sign_up = None
        return []

    def _mode_up(self, held: float, t: float) -> list[Answer]:
        if held < DEMO_HOLD_S:
            return [PanelRequest.BRIGHTNESS]
        if held < NEW_GAME_HOLD_S:
            self.show = True
            return [PanelRequest.SHOW]
        self.sign_up = SignUp(since=t)
        return []

    def _sign_up_key(self, team: int, key: str, t: float) -> list[Answer]:
        assert self.sign_up is not None  # noqa: S101  # asked for only then
        if key == "undo":
            self.sign_up = None
            return []
        if not self.sign_up.joining:
            return [_refused(team, "too late to join: Deal starts the new game, Undo calls it off")]
        joins = key == "enter" and t < self.sign_up.since + SIGN_UP_S and team <= self._lanes
        if not joins:
            return [_refused(team, "Enter joins the new game, Deal starts it")]
        joined = tuple(sorted({*self.sign_up.joined, team}))
        self.sign_up = SignUp(since=self.sign_up.since, joined=joined)
        return []

    def _begin_game(self, sign_up: SignUp) -> list[Answer]:
        if len(sign_up.joined) < 2:  # noqa: PLR2004  # a game takes two
            text = "a new game takes two sides: press Enter to join"
            return [Hint(kind=HintKind.SIGN_UP, team=None, text=text)]
        self.sign_up = None
        self._pending.clear()
        return [NewGame(lanes=sign_up.joined)]

    # Time

    def deadline(self, now: float) -> float | None:
        """Return the time of the next `tick` that has something to do; None if there is none."""
        times = [
            down.since + wait for down in self._down.values() for wait in (HOLD_S, STUCK_AFTER_S)
        ]
        times += [
            p.last + wait for p in self._pending.values() for wait in (WARN_AFTER_S, CLEAR_AFTER_S)
        ]
        if self.sign_up:
            times += [self.sign_up.since + wait for wait in (SIGN_UP_S, SIGN_UP_LIMIT_S)]
        times += [self._active + self._sleep_after, self._active + self._show_after]
        return min((t for t in times if now < t < inf), default=None)

    def tick(self, now: float) -> list[Answer]:
        """Return the results that are due by now."""
        answers = [answer for button in list(self._down) for answer in self._held(button, now)]
        for team, pending in list(self._pending.items()):
            if now >= pending.last + CLEAR_AFTER_S:
                del self._pending[team]
        self._end_sign_up(now)
        self._rest(now)
        return answers

    def _rest(self, now: float) -> None:
        """Show the board off, or put it to sleep, when nobody has pressed anything for long."""
        idle = now - self._active
        held = any(not down.ignored for down in self._down.values())
        if self._pending or self.sign_up or held:
            return
        self.show = self.show or idle >= self._show_after
        self.asleep = not self.show and idle >= self._sleep_after

    def _held(self, button: str, now: float) -> list[Answer]:
        down = self._down[button]
        answers: list[Answer] = []
        if now >= down.since + HOLD_S:
            if down.command:
                answers.append(down.command)
            if down.clears:
                self._pending.pop(down.clears, None)
            down.command = down.clears = None
        if not down.reported and now >= down.since + STUCK_AFTER_S:
            down.ignored = down.reported = True
            text = f"button {button} is stuck: it is ignored until it comes up"
            answers.append(Hint(kind=HintKind.STUCK, team=None, text=text))
        return answers

    def _end_sign_up(self, now: float) -> None:
        if self.sign_up is None:
            return
        if now >= self.sign_up.since + SIGN_UP_S:
            self.sign_up = replace(self.sign_up, joining=False)
        too_few = len(self.sign_up.joined) < 2 and not self.sign_up.joining  # noqa: PLR2004  # a game takes two
        if too_few or now >= self.sign_up.since + SIGN_UP_LIMIT_S:
            self.sign_up = None


def _refused(team: int, text: str) -> Hint:
    return Hint(kind=HintKind.REFUSED, team=team, text=text)
