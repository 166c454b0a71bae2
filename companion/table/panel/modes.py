"""Modes in which the panel's buttons enter no counts: sign-up, tour, button test, and idle time.

In the sign-up for a new game, Enter lets a side join, +1 adds a person to it, and +5 changes the
rules. Deal starts the game, and Undo cancels the sign-up. The tour shows each sign of the lights
(each fact that they can show) in turn. The test of buttons and lamps begins if Mode is held at
power-on; each button then lights its own part of the board. After a long time without a press, the
demo begins or the board sleeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final

from companion.buttons import ENTER, PLUS_FIVE, PLUS_ONE, ButtonAction
from companion.lights.scene.tour import TourSign
from companion.lights.scene.view import ButtonTestView
from companion.rules.game import NewGame
from companion.rules.game.state import PLAYERS
from companion.table.panel.actions import HintKind

SIGN_UP_S: Final = 10.0
"""Seconds in which sides may join a new game."""

SIGN_UP_LIMIT_S: Final = 60.0  # seconds after which a sign-up ends without a game
_PEOPLE_LIMIT: Final = 2  # largest number of people on a side (rule T1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignUp:
    """Sign-up for a new game; the sign-up began at `since`.

    Attributes:
        people: the sides that take part, in order, each with its number of people.
        joining: True while more sides may join.
        presets: names of the house rules to choose from; "" means the rules of the settings.
        chosen: index of the chosen name.
    """

    since: float
    people: tuple[tuple[int, int], ...] = ()
    joining: bool = True
    presets: tuple[str, ...] = ("",)
    chosen: int = 0

    @classmethod
    def begin(cls, since: float, presets: tuple[str, ...], preset: str) -> SignUp:
        """Return a sign-up with `preset` chosen, or with the first one if `preset` is missing."""
        chosen = presets.index(preset) if preset in presets else 0
        return cls(since=since, presets=presets, chosen=chosen)

    @property
    def command(self) -> NewGame:
        preset = self.preset if len(self.presets) > 1 else None
        return NewGame(sides=self.joined, players=self.players, preset=preset)

    @property
    def preset(self) -> str:
        return self.presets[self.chosen]

    @property
    def joined(self) -> tuple[int, ...]:
        return tuple(side for side, _ in self.people)

    @property
    def players(self) -> int:
        return sum(people for _, people in self.people)

    @property
    def refusal(self) -> HintKind | None:
        """Reason why these sides cannot begin a game, or None; rule T1 wants sides of one size."""
        if len(self.people) not in PLAYERS:
            return HintKind.TOO_FEW_SIDES
        return None if len({people for _, people in self.people}) == 1 else HintKind.UNEQUAL_SIDES

    def press(self, side: int, action: ButtonAction, *, t: float, lanes: int) -> SignUp | HintKind:
        """Return the sign-up after a side's press (not Undo), or why the press is refused."""
        if action is PLUS_FIVE:
            return self._with_next_preset()
        if action is PLUS_ONE and side in self.joined:
            return self._with_another(side)
        if not self.joining:
            return HintKind.SIGN_UP_CLOSED
        late = t >= self.since + SIGN_UP_S
        if action is not ENTER or late or side > lanes or side in self.joined:
            return HintKind.SIGN_UP
        return replace(self, people=tuple(sorted((*self.people, (side, 1)))))

    def _with_next_preset(self) -> SignUp | HintKind:
        """Return the sign-up with the next preset; the first one follows the last."""
        if len(self.presets) == 1:
            return HintKind.ONE_PRESET
        return replace(self, chosen=(self.chosen + 1) % len(self.presets))

    def _with_another(self, side: int) -> SignUp | HintKind:
        people = dict(self.people)
        people[side] += 1
        if people[side] > _PEOPLE_LIMIT:
            return HintKind.SIDE_FULL
        return replace(self, people=tuple(people.items()))

    def at(self, now: float) -> SignUp | None:
        """Return the sign-up at a time, or None if it has ended without a game."""
        joining = now < self.since + SIGN_UP_S
        too_few = self.refusal is HintKind.TOO_FEW_SIDES
        if now >= self.since + SIGN_UP_LIMIT_S or (too_few and not joining):
            return None
        return self if joining == self.joining else replace(self, joining=joining)

    def deadlines(self) -> tuple[float, float]:
        """Return the times at which the sign-up changes without a press."""
        return self.since + SIGN_UP_S, self.since + SIGN_UP_LIMIT_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Tour:
    """Tour that began at `since` and shows each of its signs for `sign_s` seconds."""

    since: float
    sign_s: float
    signs: tuple[TourSign, ...]

    def start_of(self, sign: TourSign) -> float:
        """Return the time at which a sign begins."""
        return self.since + self.sign_s * self.signs.index(sign)

    def at(self, now: float) -> TourSign | None:
        """Return the sign at a time, or None if the tour has ended."""
        turn = next((n for n, due in enumerate(self.deadlines()) if now < due), None)
        return None if turn is None else self.signs[turn]

    def deadlines(self) -> Iterator[float]:
        """Yield the times at which each sign ends."""
        return (self.since + self.sign_s * n for n in range(1, len(self.signs) + 1))


BUTTON_TEST_IDLE_S: Final = 30.0  # seconds without a press after which the test ends


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonTest:
    """Test of buttons; `last` is the time of the last press, and at first the time of the start."""

    last: float
    view: ButtonTestView = field(default_factory=ButtonTestView)

    def change(self, action: str, *, down: bool, t: float) -> ButtonTest:
        if not down:
            return replace(self, view=replace(self.view, down=self.view.down - {action}))
        pressed, held = self.view.pressed | {action}, self.view.down | {action}
        return replace(self, last=t, view=ButtonTestView(pressed=pressed, down=held))

    @property
    def end(self) -> float:
        return self.last + BUTTON_TEST_IDLE_S


class Idle:
    """Idle time of a table.

    After `sleep_after` seconds without a press, `asleep` becomes True. After `show_after` seconds,
    `show` becomes True: the demo begins, and the board does not sleep.
    """

    def __init__(
        self, *, sleep_after: float = inf, show_after: float = inf, now: float = 0.0
    ) -> None:
        self._sleep_after, self.show_after = sleep_after, show_after
        self._active = now
        self.asleep = False
        self.show = False

    def note_press(self, now: float) -> None:
        """Restart the idle time, but do not wake the board."""
        self._active = now

    def note(self, now: float, *, show: bool) -> None:
        """Wake the board and restart the idle time; `show` starts or ends the demo."""
        self.show, self.asleep, self._active = show, False, now

    def wake(self) -> None:
        """Wake the board, and end the demo."""
        self.asleep = self.show = False

    def deadlines(self) -> tuple[float, float]:
        """Return the times at which the board sleeps and the demo begins."""
        return self._active + self._sleep_after, self._active + self.show_after

    def tick(self, now: float) -> None:
        """Start the demo, or put the board to sleep, when it is time."""
        idle = now - self._active
        self.show = self.show or idle >= self.show_after
        self.asleep = not self.show and idle >= self._sleep_after
