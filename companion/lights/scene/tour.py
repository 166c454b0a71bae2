"""Tour of the lights: it shows each sign of the lights in turn.

A sign is a fact that the lights show, such as a pending count. The tour makes a short game for each
sign, so that the light is the same as in any game. For `Sign.AIMED` a peg is placed 4 holes before
a zone, with 4 points pending; for a landing these 4 points are counted, and the peg moves. The tour
leaves out the signs that a board cannot show: a board without zones has no landings.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from msgspec import structs

from companion.board import Zone, ZoneKind
from companion.lights.scene.motion import Motion, plan
from companion.lights.scene.quiet_lights import SLOT_S, SLOTS, Sign, is_heels_banned
from companion.lights.scene.view import (
    FLASH_DURATIONS_S,
    START_STEPS,
    Flash,
    FlashKind,
    MachineFault,
    SignUpView,
    StartReport,
    View,
)
from companion.rules.game import (
    Command,
    Deal,
    History,
    Match,
    MoveInBox,
    Peg,
    SetPegs,
    Setup,
    new_game,
)
from companion.rules.game.house_rules import SKUNK_GAMES

SIGN_S: Final = SLOTS * SLOT_S
"""Seconds for which a sign is shown: its whole rhythm, and enough for a voice to explain it."""

APPROACH: Final = 4  # holes from a placed peg to the zone or the finish
_FLASHES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SignGame:
    """Board, house rules and time of the game that shows a sign."""

    setup: Setup
    t0: float
    calm: bool = False
    speed: float = 1.0

    def view(self, *commands: Command) -> View:
        """Return the view after these commands, with the motion of the last one."""
        history = History(new_game(self.setup))
        before, entry = history.state, None
        for command in commands:
            before, entry = history.state, history.do(command)
        view = View(state=history.state, ahead=history.state)
        if entry is None or not entry.events:
            return view
        motion = plan(before, entry, self.t0, calm=self.calm, speed=self.speed)
        return replace(view, motion=motion)

    def zone(self, kind: ZoneKind) -> Zone | None:
        track = self.setup.track
        found = (zone for zone in track.zones if zone.kind is kind)
        return next((zone for zone in found if APPROACH < zone.box[0] < track.finish), None)

    @property
    def lane(self) -> int:
        return self.setup.sides[0]


def sign_duration(*, calm: bool, speed: float) -> float:
    """Return the seconds of each sign: twice as many if `calm` (no walks), more if `speed` < 1."""
    return SIGN_S * (2 if calm else 1) / min(1.0, speed)


TourSign: TypeAlias = Sign | ZoneKind
"""A sign of the lights; a kind of zone is the sign of a landing in such a zone."""

_Show: TypeAlias = Callable[[SignGame], View | None]


def sign_views(
    setup: Setup, t0: float, *, calm: bool = False, speed: float = 1.0
) -> Mapping[TourSign, View]:
    """Return the view of each sign that this board has, in order; motions begin at `t0` seconds."""
    lanes = tuple(range(1, setup.track.lanes + 1))
    whole = Setup.make(setup.track, setup.rules, sides=lanes)
    game = SignGame(setup=whole, t0=t0, calm=calm, speed=speed)
    shown = {sign: show(game) for sign, show in SIGNS.items()}
    return {sign: view for sign, view in shown.items() if view is not None}


def _before(lane: int, hole: int) -> SetPegs:
    """Return the command that places pegs so that a count of `APPROACH` ends in a hole."""
    return SetPegs(side=lane, front=hole - APPROACH, back=max(0, hole - 2 * APPROACH))


def _pegs(game: SignGame) -> View:
    finish = game.setup.track.finish
    placed = (
        SetPegs(side=lane, front=finish // 6 + lane, back=finish // 12) for lane in game.setup.sides
    )
    return game.view(*placed)


def _pending(game: SignGame, *, warned: bool = False) -> View:
    sides = frozenset({game.lane}) if warned else frozenset[int]()
    return replace(game.view(), pending=((game.lane, 2 * APPROACH),), warned=sides)


def _beyond(game: SignGame) -> View:
    front = game.setup.track.finish - APPROACH
    placed = SetPegs(side=game.lane, front=front, back=front - APPROACH)
    return replace(game.view(placed), pending=((game.lane, 2 * APPROACH),))


def _aimed(game: SignGame) -> View | None:
    zones = filter(None, map(game.zone, ZoneKind))
    zone = next(zones, None)
    if zone is None:
        return None
    view = game.view(_before(game.lane, zone.box[0]))
    return replace(view, pending=((game.lane, APPROACH),))


def _landing(game: SignGame, kind: ZoneKind, *after: Command) -> View | None:
    zone = game.zone(kind)
    if zone is None:
        return None
    count = Peg(side=game.lane, points=APPROACH)
    return game.view(_before(game.lane, zone.box[0]), count, *after)


def _boxed(game: SignGame, *after: Command) -> View | None:
    """Return the view of a boxed side, or None on boards that box no side, as with two lanes."""
    view = _landing(game, ZoneKind.PENALTY_BOX, *after)
    if view is None or view.state.pegs(game.lane).boxed is None:
        return None
    return replace(view, motion=Motion())


def _folded(game: SignGame) -> View | None:
    rules, track = game.setup.rules, game.setup.track
    two = Setup.make(track, rules, sides=game.setup.sides[:2])
    view = _landing(replace(game, setup=two), ZoneKind.PENALTY_BOX)
    return view and replace(view, motion=Motion())


def _skunked(game: SignGame, line: str) -> View:
    view = _pegs(game)
    state = structs.replace(view.state, skunked=((game.lane, SKUNK_GAMES[line]),))
    return replace(view, state=state, ahead=state)


def _heels_banned(game: SignGame) -> View | None:
    view = game.view(SetPegs(side=game.lane, front=game.setup.track.finish - 1, back=0))
    return view if is_heels_banned(view.state) else None


def _match(game: SignGame) -> View:
    view = game.view()
    first, second, *_ = game.setup.sides
    state = structs.replace(view.state, match=Match(games=((first, 2), (second, 1))))
    return replace(view, state=state, ahead=state)


def _flashing(game: SignGame, kind: FlashKind) -> View:
    period = 2 * FLASH_DURATIONS_S[kind]
    begins = (game.t0 + n * period for n in range(_FLASHES))
    flashes = tuple(Flash(kind=kind, side=game.lane, t0=begin) for begin in begins)
    return replace(_pegs(game), flashes=flashes)


def _sign_up(game: SignGame) -> View:
    people = tuple((lane, 1) for lane in game.setup.sides[:2])
    return replace(game.view(), sign_up=SignUpView(people=people))


def _power_on(game: SignGame) -> View:
    report = StartReport(
        step=START_STEPS, faults=frozenset(MachineFault), address=game.setup.track.finish - 1
    )
    return replace(game.view(), start_report=report)


def _win(game: SignGame) -> View:
    return game.view(
        _before(game.lane, game.setup.track.finish), Peg(side=game.lane, points=APPROACH)
    )


SIGNS: Final[Mapping[TourSign, _Show]] = {
    Sign.START: SignGame.view,
    Sign.PEGS: _pegs,
    Sign.DEALER: lambda game: game.view(Deal()),
    Sign.PENDING: _pending,
    Sign.WARNED: partial(_pending, warned=True),
    Sign.BEYOND: _beyond,
    Sign.AIMED: _aimed,
    **{kind: partial(_landing, kind=kind) for kind in ZoneKind},
    Sign.BOXED: _boxed,
    Sign.BOX_MOVE: lambda game: _boxed(game, Deal()),
    Sign.FREE_NEXT: lambda game: _boxed(game, *(Deal(), MoveInBox(side=game.lane)) * 3),
    Sign.FOLDED: _folded,
    Sign.TURN: lambda game: replace(_pegs(game), awaited=frozenset({game.lane})),
    Sign.SKUNK: partial(_skunked, line="skunk"),
    Sign.DOUBLE_SKUNK: partial(_skunked, line="double_skunk"),
    Sign.HEELS_BAN: _heels_banned,
    Sign.MATCH: _match,
    Sign.REFUSED: partial(_flashing, kind=FlashKind.REFUSED),
    Sign.DEAL_HELD: partial(_flashing, kind=FlashKind.DEAL_HELD),
    Sign.DEAL_HINT: partial(_flashing, kind=FlashKind.DEAL_HINT),
    Sign.STUCK: partial(_flashing, kind=FlashKind.STUCK),
    Sign.UNSAVED: lambda game: replace(_pegs(game), alert=True),
    Sign.MODE: lambda game: replace(_pegs(game), mode_since=game.t0),
    Sign.SIGN_UP: _sign_up,
    Sign.WIN: _win,
    Sign.DEMO: lambda game: replace(game.view(), attract=True),
    Sign.ASLEEP: lambda game: replace(_pegs(game), asleep=True),
    Sign.POWER_ON: _power_on,
}
"""Functions that return the view of each sign in a game, or None if the board cannot show it."""
