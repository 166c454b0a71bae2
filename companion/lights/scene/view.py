"""View: everything that a scene (`scene.Scene`, a board's light) shows, except the time.

The running table makes the views. A ghost is the preview of a pending count (points pressed but not
yet entered), made from the events that the count would cause.
"""

import dataclasses
from dataclasses import dataclass
from enum import StrEnum

from companion.board import Hole, Track, ZoneKind
from companion.errors import RuleError
from companion.lights.scene.motion import Motion, route_after
from companion.network import JoinFailure, NetworkStage
from companion.rules.game import Event, Peg, State, decide, first_landing


class FlashKind(StrEnum):
    """Kinds of flash: short signals by which the lamps answer a button."""

    REFUSED = "refused"
    DEAL_HINT = "deal-hint"
    DEAL_HELD = "deal-held"
    STUCK = "stuck"
    WAKE = "wake"


FLASH_DURATIONS_S = {
    FlashKind.REFUSED: 0.75,
    FlashKind.DEAL_HINT: 2.0,
    FlashKind.DEAL_HELD: 0.5,
    FlashKind.STUCK: 3.0,
    FlashKind.WAKE: 0.5,
}

_STILL = Motion()


@dataclass(frozen=True, slots=True, kw_only=True)
class SignUpView:
    """Sign-up for a new game: the lane of each side that has joined, with its number of people.

    The choices of house rules have numbers from 1 to `choices`; `chosen` is selected.
    """

    people: tuple[tuple[int, int], ...] = ()
    choices: int = 1
    chosen: int = 1


_DEALERS = (FlashKind.DEAL_HINT, FlashKind.DEAL_HELD, FlashKind.WAKE)  # without REFUSED, STUCK


@dataclass(frozen=True, slots=True, kw_only=True)
class Flash:
    """Signal from `t0` seconds on, in a lane or at the dealer's lamp; `WAKE` uses all lights."""

    kind: FlashKind
    side: int | None
    t0: float

    @property
    def end(self) -> float:
        return self.t0 + FLASH_DURATIONS_S[self.kind]

    @property
    def lane(self) -> int | None:
        """Lane that shows the flash, or None if the dealer's lamp or the whole board shows it."""
        return None if self.kind in _DEALERS else self.side


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonTestView:
    """Test of the buttons: the names of those `pressed` so far, and of those `down` now."""

    pressed: frozenset[str] = frozenset()
    down: frozenset[str] = frozenset()


START_STEPS = 4  # steps of a machine's start, see `StartReport`


class MachineFault(StrEnum):
    """Faults of a machine, in the order of the holes that show them."""

    UNDERVOLTAGE = "undervoltage"
    DISK_FULL = "disk full"
    SAFE_START = "safe start"
    NO_NETWORK = "no network"
    CARD_FILE = "card file"


@dataclass(frozen=True, slots=True, kw_only=True)
class StartReport:
    """Report of a start: its step, the machine's faults, and the last number of its IP address.

    `network` is the stage of a board on its way into a network, or the reason why it stays outside.
    """

    step: int = 0
    network: NetworkStage | JoinFailure | None = None
    faults: frozenset[MachineFault] = frozenset()
    address: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Everything that a scene shows, except the time.

    Keep the same view while nothing changes: a scene compares views by identity.

    Attributes:
        state: the game on disk, whose pegs are shown.
        ahead: the game where previews of counts start: `state`, or a newer one not yet on disk.
        pending: sides with the points of their pending counts.
        warned: sides whose pending count expires soon.
        mode_since: time at which the button Mode went down, or None.
        awaited: sides that must count, confirm a result or answer a request.
        is_deal_awaited: True if a hold of the button Deal grants a request.
        start_report: report of the machine's start, which hides the game.
        alert: True while something is not saved.
    """

    state: State
    ahead: State
    pending: tuple[tuple[int, int], ...] = ()
    warned: frozenset[int] = frozenset()
    motion: Motion = _STILL
    flashes: tuple[Flash, ...] = ()
    mode_since: float | None = None
    sign_up: SignUpView | None = None
    awaited: frozenset[int] = frozenset()
    is_deal_awaited: bool = False
    button_test: ButtonTestView | None = None
    start_report: StartReport | None = None
    attract: bool = False
    asleep: bool = False
    alert: bool = False


def flashing(running: tuple[Flash, ...], new: Flash) -> tuple[Flash, ...]:
    """Return the flashes that have not ended, and the new one.

    A lamp shows one flash at a time. A kind that runs or waits at the lamp is not started again;
    another kind starts when the last flash at the lamp ends.
    """
    unfinished = tuple(flash for flash in running if flash.end > new.t0)
    same_lamp = [flash for flash in unfinished if flash.lane == new.lane]
    if any(flash.kind is new.kind for flash in same_lamp):
        return unfinished
    start = max((flash.end for flash in same_lamp), default=new.t0)
    return (*unfinished, dataclasses.replace(new, t0=start))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ghost:
    """Preview of a count that is not entered yet.

    Attributes:
        walked: the holes that the peg walks, up to the finish.
        landing: the hole where the peg lands; its present hole if the rules forfeit the count.
        kind: the kind of the zone that acts on the landing hole, or None.
        route: the holes along which that zone sends the peg.
        beyond: holes 1, 2 and so on, one for each point left over at the finish.
    """

    walked: tuple[Hole, ...]
    landing: Hole
    kind: ZoneKind | None
    route: tuple[Hole, ...]
    beyond: tuple[Hole, ...] = ()

    @property
    def trail(self) -> tuple[Hole, ...]:
        return (*self.walked, *self.beyond)


def ghost(state: State, side: int, points: int) -> Ghost | None:
    """Return the ghost of a pending count, or None if the rules would refuse the count."""
    try:
        count, *rest = decide(state, Peg(side=side, points=points))
    except RuleError:
        return None
    own = [event for event in rest if event.side == side]
    track, pegs = state.setup.track, state.pegs(side)
    walked = track.walk(pegs.front, points, landed=pegs.landed)
    return Ghost(
        walked=walked,
        beyond=tuple(range(1, points - len(walked) + 1)),
        landing=pegs.front if count.to is None else count.to,
        kind=first_landing(rest, side),
        route=tuple(hole for event in own for hole in _route(track, event)),
    )


def _route(track: Track, event: Event) -> tuple[Hole, ...]:
    """Return the holes along which an event sends a peg: at once, or with the side's next count."""
    zone = track.zone_at(event.to) if event.to is not None else None
    if zone and zone.diverts and event.kind.facts.zone is zone.kind:
        return (*zone.path, min(zone.rejoin, track.finish))
    return route_after(track, event, landed=False)
