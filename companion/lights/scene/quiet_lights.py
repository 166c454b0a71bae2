"""Quiet lights of a game, in one table of priorities.

Each has an area of the board, and a level or a rhythm of its own there; none is told by its hue
alone. Where several lights have one area, it shows the first of them in the table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from companion.rules.deal.seats import heels_barred
from companion.rules.game import State

SLOT_S: Final = 1 / 4
"""Seconds of each slot of a rhythm; all rhythms are `SLOTS` long."""

SLOTS: Final = 16

_EVERY: Final = frozenset(range(SLOTS))
_LONG: Final = frozenset(range(4))
_EVEN: Final = frozenset(slot for slot in range(SLOTS) if slot // 4 % 2 == 0)
_PAIRS: Final = frozenset({0, 2, 8, 10})
_WINK: Final = frozenset({5})
_TWO_WINKS: Final = frozenset({5, 7})


class LightArea(StrEnum):
    """Areas of the board, each of which shows one light at a time."""

    START_LAMP = "start lamp"
    FRONT_PEG = "front peg"
    DEALER_LAMP = "dealer's lamp"
    LANE = "lane"


class LightKind(StrEnum):
    """Kinds of quiet lights."""

    REFUSED = "refused"
    STUCK = "stuck button"
    BOX_MOVE = "move in the box due"
    TURN = "count awaited"
    FOLDED = "folded"
    DOUBLE_SKUNK = "double skunk"
    SKUNK = "skunk"
    SITTING = "in the penalty box"
    FREE_NEXT = "free with the next deal"
    PEG = "front peg"
    DEAL_HINT = "Deal forgotten"
    DEAL_HELD = "hold Deal"
    UNSAVED = "not saved"
    HEELS_BAN = "no heels"
    DEALER = "dealer"
    PENDING = "count not entered"
    MATCH = "match score"
    WINNER = "winner"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietLight:
    """Light of an area: `slots` of its rhythm in which it differs from what it covers."""

    kind: LightKind
    area: LightArea
    look: str
    slots: frozenset[int] = _EVERY


QUIET_LIGHTS: Final = (
    QuietLight(
        kind=LightKind.REFUSED, area=LightArea.START_LAMP, look="two short blinks, of the pegs too"
    ),
    QuietLight(kind=LightKind.STUCK, area=LightArea.START_LAMP, look="three slow red blinks"),
    QuietLight(
        kind=LightKind.BOX_MOVE,
        area=LightArea.START_LAMP,
        look="a second on, a second off",
        slots=_EVEN,
    ),
    QuietLight(
        kind=LightKind.TURN,
        area=LightArea.START_LAMP,
        look="two short, every two seconds",
        slots=_PAIRS,
    ),
    QuietLight(
        kind=LightKind.FOLDED, area=LightArea.START_LAMP, look="one second in four", slots=_LONG
    ),
    QuietLight(
        kind=LightKind.DOUBLE_SKUNK,
        area=LightArea.FRONT_PEG,
        look="dark twice, every four seconds",
        slots=_TWO_WINKS,
    ),
    QuietLight(
        kind=LightKind.SKUNK,
        area=LightArea.FRONT_PEG,
        look="dark once, every four seconds",
        slots=_WINK,
    ),
    QuietLight(
        kind=LightKind.SITTING,
        area=LightArea.FRONT_PEG,
        look="a second bright, a second dim; as many lit holes of its box as hands to sit",
        slots=_EVERY - _EVEN,
    ),
    QuietLight(kind=LightKind.FREE_NEXT, area=LightArea.FRONT_PEG, look="half bright"),
    QuietLight(kind=LightKind.PEG, area=LightArea.FRONT_PEG, look="bright"),
    QuietLight(kind=LightKind.DEAL_HINT, area=LightArea.DEALER_LAMP, look="four blinks"),
    QuietLight(kind=LightKind.DEAL_HELD, area=LightArea.DEALER_LAMP, look="one blink"),
    QuietLight(kind=LightKind.UNSAVED, area=LightArea.DEALER_LAMP, look="a slow amber pulse"),
    QuietLight(
        kind=LightKind.HEELS_BAN,
        area=LightArea.DEALER_LAMP,
        look="dark twice, every four seconds",
        slots=_TWO_WINKS,
    ),
    QuietLight(kind=LightKind.DEALER, area=LightArea.DEALER_LAMP, look="half bright"),
    QuietLight(
        kind=LightKind.PENDING,
        area=LightArea.LANE,
        look="a dim trail with every fifth hole brighter, and a ghost at its end",
    ),
    QuietLight(
        kind=LightKind.MATCH,
        area=LightArea.LANE,
        look="from hole 1, one for each point, lane after lane for a second",
    ),
    QuietLight(kind=LightKind.WINNER, area=LightArea.LANE, look="the whole lane, dim"),
)
"""All quiet lights, in each area the most urgent first."""

_BY_KIND: Final = {light.kind: light for light in QUIET_LIGHTS}
_SKUNKS: Final = {2: LightKind.SKUNK, 4: LightKind.DOUBLE_SKUNK}


def light_of(kind: LightKind) -> QuietLight:
    """Return the light of a kind."""
    return _BY_KIND[kind]


def first_shown(area: LightArea, due: Collection[LightKind]) -> QuietLight | None:
    """Return the light that an area shows, of those that are due."""
    return next((light for light in QUIET_LIGHTS if light.area is area and light.kind in due), None)


def start_lamp_light(state: State, team: int, awaited: int | None) -> QuietLight | None:
    """Return the light of a side's start lamp; `awaited` is the side that is to count."""
    due = {
        LightKind.BOX_MOVE: state.is_to_move_in_box(team),
        LightKind.TURN: team == awaited,
        LightKind.FOLDED: state.side(team).folded,
    }
    return first_shown(LightArea.START_LAMP, {kind for kind, is_due in due.items() if is_due})


def front_peg_lights(state: State, team: int) -> Iterator[QuietLight]:
    """Yield the lights of a side's front peg, each over those before it."""
    boxed, skunked = state.side(team).boxed, dict(state.skunked)
    if boxed and boxed.hands:
        yield light_of(LightKind.SITTING)
    elif boxed:
        yield light_of(LightKind.FREE_NEXT)
    if team in skunked:
        yield light_of(_SKUNKS[skunked[team]])


def is_heels_banned(state: State) -> bool:
    """Return True if a starter jack is no heels for the dealer (T7)."""
    front = state.side(state.setup.team_of(state.dealer)).front
    ban, finish = state.setup.rules.heels_ban, state.setup.track.finish
    return heels_barred(front, finish=finish, ban=ban)


def priorities_table() -> str:
    """Return the table of all quiet lights in Markdown."""
    rows = "".join(f"| {light.area} | {light.kind} | {light.look} |\n" for light in QUIET_LIGHTS)
    return f"| where | meaning | light |\n| --- | --- | --- |\n{rows}"
