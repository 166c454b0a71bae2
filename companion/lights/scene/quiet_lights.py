"""Signs of the lights, and the quiet lights in the order of their priority (`QUIET_LIGHTS`).

A sign is a fact that the lights show, for example that a side is boxed. A quiet light is a level or
rhythm that shows a sign in one area of the board, without relying on hue. If several signs are due
in an area, only the first in `QUIET_LIGHTS` is shown. A front peg is the exception: while
the rhythm of the first light pauses, the second light that is due is shown.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from companion.rules.deal.seats import heels_barred
from companion.rules.game import State
from companion.rules.game.house_rules import SKUNK_GAMES

SLOT_S: Final = 1 / 4  # seconds of a slot; every rhythm has `SLOTS` slots
SLOTS: Final = 16

_EVERY: Final = frozenset(range(SLOTS))
_LONG: Final = frozenset(range(4))
_EVEN: Final = frozenset(slot for slot in range(SLOTS) if slot // 4 % 2 == 0)
_PAIRS: Final = frozenset({0, 2, 8, 10})
_WINK: Final = frozenset({5})
_TWO_WINKS: Final = frozenset({5, 7})


class LightArea(StrEnum):
    """Areas of the board in which quiet lights appear."""

    START_LAMP = "start lamp"
    FRONT_PEG = "front peg"
    DEALER_LAMP = "dealer's lamp"
    LANE = "lane"


class Sign(StrEnum):
    """Signs of the lights, except a peg's landing in a zone, which `ZONE_FACTS` describes."""

    PEGS = "pegs"
    START = "start"
    DEALER = "dealer"
    PENDING = "pending"
    WARNED = "warned"
    BEYOND = "beyond"
    AIMED = "aimed"
    BOXED = "boxed"
    BOX_MOVE = "box-move"
    FREE_NEXT = "free-next"
    FOLDED = "folded"
    TURN = "turn"
    SKUNK = "skunk"
    DOUBLE_SKUNK = "double-skunk"
    HEELS_BAN = "heels-ban"
    MATCH = "match"
    REFUSED = "refused"
    DEAL_HINT = "deal-hint"
    DEAL_HELD = "deal-held"
    STUCK = "stuck"
    UNSAVED = "unsaved"
    MODE = "mode"
    SIGN_UP = "sign-up"
    WIN = "win"
    DEMO = "demo"
    ASLEEP = "asleep"
    POWER_ON = "power-on"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietLight:
    """Light of a sign in an area, in the `slots` of a rhythm; other slots leave the area alone."""

    sign: Sign
    area: LightArea
    slots: frozenset[int] = _EVERY


QUIET_LIGHTS: Final = (
    QuietLight(sign=Sign.REFUSED, area=LightArea.START_LAMP),
    QuietLight(sign=Sign.STUCK, area=LightArea.START_LAMP),
    QuietLight(sign=Sign.BOX_MOVE, area=LightArea.START_LAMP, slots=_EVEN),
    QuietLight(sign=Sign.TURN, area=LightArea.START_LAMP, slots=_PAIRS),
    QuietLight(sign=Sign.FOLDED, area=LightArea.START_LAMP, slots=_LONG),
    QuietLight(sign=Sign.DOUBLE_SKUNK, area=LightArea.FRONT_PEG, slots=_TWO_WINKS),
    QuietLight(sign=Sign.SKUNK, area=LightArea.FRONT_PEG, slots=_WINK),
    QuietLight(sign=Sign.BOXED, area=LightArea.FRONT_PEG, slots=_EVERY - _EVEN),
    QuietLight(sign=Sign.FREE_NEXT, area=LightArea.FRONT_PEG),
    QuietLight(sign=Sign.PEGS, area=LightArea.FRONT_PEG),
    QuietLight(sign=Sign.DEAL_HINT, area=LightArea.DEALER_LAMP),
    QuietLight(sign=Sign.DEAL_HELD, area=LightArea.DEALER_LAMP, slots=_PAIRS),
    QuietLight(sign=Sign.UNSAVED, area=LightArea.DEALER_LAMP),
    QuietLight(sign=Sign.HEELS_BAN, area=LightArea.DEALER_LAMP, slots=_TWO_WINKS),
    QuietLight(sign=Sign.DEALER, area=LightArea.DEALER_LAMP),
    QuietLight(sign=Sign.PENDING, area=LightArea.LANE),
    QuietLight(sign=Sign.BEYOND, area=LightArea.LANE),
    QuietLight(sign=Sign.MATCH, area=LightArea.LANE),
    QuietLight(sign=Sign.WIN, area=LightArea.LANE),
)
"""All quiet lights; of the lights of an area, the most urgent one comes first."""

_BY_SIGN: Final = {light.sign: light for light in QUIET_LIGHTS}  # not all: other signs have none
_SKUNKS: Final = {games: Sign[line.upper()] for line, games in SKUNK_GAMES.items()}


def light_of(sign: Sign) -> QuietLight:
    """Return the quiet light of a sign."""
    return _BY_SIGN[sign]


def first_shown(area: LightArea, due: Mapping[Sign, bool]) -> QuietLight | None:
    """Return the most urgent light of an area among the signs that are due."""
    lights = (light for light in QUIET_LIGHTS if light.area is area)
    return next((light for light in lights if due.get(light.sign)), None)


def start_lamp_light(state: State, side: int, *, is_awaited: bool) -> QuietLight | None:
    """Return a start lamp's light; `is_awaited` is True if the table waits for its side."""
    due = {  # not all: flashes show the other signs of a start lamp
        Sign.BOX_MOVE: state.is_to_move_in_box(side),
        Sign.TURN: is_awaited,
        Sign.FOLDED: state.pegs(side).folded,
    }
    return first_shown(LightArea.START_LAMP, due)


def front_peg_lights(state: State, side: int) -> Iterator[QuietLight]:
    """Yield the lights of a side's front peg; each light is painted over the ones before."""
    boxed, skunked = state.pegs(side).boxed, dict(state.skunked)
    if boxed and boxed.hands:
        yield light_of(Sign.BOXED)
    elif boxed:
        yield light_of(Sign.FREE_NEXT)
    if side in skunked:
        yield light_of(_SKUNKS[skunked[side]])


def is_heels_banned(state: State) -> bool:
    """Return True if a starter jack does not score heels for the dealer (rule T7)."""
    front = state.pegs(state.setup.side_of(state.dealer)).front
    ban, finish = state.setup.rules.heels_ban, state.setup.track.finish
    return heels_barred(front, finish=finish, ban=ban)
