"""Kinds of zone: boxes on the track that send or hold a peg. `ZONE_FACTS` has their facts.

The rules, the drawing, the lights and the page read these facts, so a new kind needs few lines
elsewhere. Its words are in the table `zone_kinds.<kind>` of `companion/commentary/phrases.toml`.

>>> ZoneKind.PENALTY_BOX.facts.moves, ZoneKind.TIME_TRAP.facts.path_leads
(-20, 'back')
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import Final, Literal, TypeAlias

from companion.errors import Text

Shape: TypeAlias = tuple[str | complex, ...]  # SVG path: letters, and points from -1 to 1, y down

PENALTY_HOLES: Final = 20
"""Holes that a side goes back from a penalty box, and that the other sides go on (rule Z6)."""


class LandingEffect(Enum):
    """Light of a zone in which a peg has landed."""

    GLOWS = auto()  # all holes from the landing to the target light up at once
    DRAGS = auto()  # light gathers speed along the side path
    SPEEDS = auto()  # light starts fast along the side path
    SHUTS = auto()  # light closes in on the peg from both sides, like doors


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneFacts:
    """Facts about a kind of zone.

    Attributes:
        target_keys: required keys of a board file that say where the zone sends a peg.
        path_leads: direction of its side path; None if it has no side path.
        moves: number of holes by which the zone moves a peg at once if two sides play; negative
            for a move back, 0 if the board file says where the peg goes.
        is_hazard: True if sides avoid it; holes gained by rule Z6 never end in it (rule Z9).
        lamp_colour: sRGB hex of its light; colour-blind people can tell the kinds apart by it.
        zones_name: name of these zones in a message about their colour.
        night_ink: sRGB hex of its print on a dark sheet.
        day_ink: sRGB hex of its print on a white sheet.
        effect: light of a landing.
        effect_s: seconds that the light lasts.
        rest_s: seconds that a peg stays on the landing hole before the zone moves it.
        tune: notes of a landing in hertz.
    """

    target_keys: tuple[Literal["to", "path", "rejoin"], ...] = ()
    path_leads: Literal["back", "on"] | None = None
    moves: int = 0
    is_hazard: bool
    lamp_colour: str
    zones_name: Text
    night_ink: str
    day_ink: str
    icon: Shape
    effect: LandingEffect
    effect_s: float
    rest_s: float = 0.5
    tune: tuple[int, ...]


class ZoneKind(StrEnum):
    """The four kinds of zone (rules Z2 to Z5)."""

    RED_SLIDE = "red-slide"
    TIME_TRAP = "time-trap"
    GREEN_ADVANCE = "green-advance"
    PENALTY_BOX = "penalty-box"

    @property
    def facts(self) -> ZoneFacts:
        return ZONE_FACTS[self]


# fmt: off
_TWO_ARROWS: Final[Shape] = (
    "M", -0.9 - 0.8j, "L", -0.45 - 0.8j, 0.1 + 0j, -0.45 + 0.8j, -0.9 + 0.8j, -0.35 + 0j, "Z",
    "M", -0.05 - 0.8j, "L", 0.4 - 0.8j, 0.95 + 0j, 0.4 + 0.8j, -0.05 + 0.8j, 0.5 + 0j, "Z",
)
_HOURGLASS: Final[Shape] = (
    "M", -0.75 - 1j, "L", 0.75 - 1j, 0.75 - 0.75j, 0.6 - 0.75j,
    "C", 0.6 - 0.3j, 0.2 - 0.15j, 0.14 + 0j, 0.2 + 0.15j, 0.6 + 0.3j, 0.6 + 0.75j,
    "L", 0.75 + 0.75j, 0.75 + 1j, -0.75 + 1j, -0.75 + 0.75j, -0.6 + 0.75j,
    "C", -0.6 + 0.3j, -0.2 + 0.15j, -0.14 + 0j, -0.2 - 0.15j, -0.6 - 0.3j, -0.6 - 0.75j,
    "L", -0.75 - 0.75j, "Z",
    "M", -0.4 - 0.75j, "C", -0.4 - 0.55j, -0.3 - 0.45j, -0.22 - 0.38j,
    "L", 0.22 - 0.38j, "C", 0.3 - 0.45j, 0.4 - 0.55j, 0.4 - 0.75j, "Z",
)
_ROCKET: Final[Shape] = (
    "M", -1j, "C", 0.45 - 0.7j, 0.5 - 0.1j, 0.42 + 0.3j,
    "L", 0.8 + 0.65j, 0.8 + 0.95j, 0.3 + 0.7j, 0.95j, -0.3 + 0.7j, -0.8 + 0.95j, -0.8 + 0.65j,
    -0.42 + 0.3j, "C", -0.5 - 0.1j, -0.45 - 0.7j, -1j, "Z",
    "M", -0.4j, "L", 0.17 - 0.2j, 0j, -0.17 - 0.2j, "Z",
)
_PADLOCK: Final[Shape] = (
    "M", -0.8 - 0.1j, "L", -0.55 - 0.1j, -0.55 - 0.4j,
    "C", -0.55 - 1.2j, 0.55 - 1.2j, 0.55 - 0.4j, "L", 0.55 - 0.1j, 0.8 - 0.1j, 0.8 + 1j, -0.8 + 1j,
    "Z", "M", -0.28 - 0.1j, "L", 0.28 - 0.1j, 0.28 - 0.4j,
    "C", 0.28 - 0.83j, -0.28 - 0.83j, -0.28 - 0.4j, "Z",
    "M", -0.13 + 0.3j, "L", 0.13 + 0.3j, 0.13 + 0.65j, -0.13 + 0.65j, "Z",
)
# fmt: on

ZONE_FACTS: Final[Mapping[ZoneKind, ZoneFacts]] = {
    ZoneKind.RED_SLIDE: ZoneFacts(
        target_keys=("to",),
        is_hazard=False,
        lamp_colour="#ff0000",
        zones_name=Text("the red zones"),
        night_ink="#ff8168",
        day_ink="#b3261e",
        icon=_TWO_ARROWS,
        effect=LandingEffect.GLOWS,
        effect_s=3.0,
        tune=(330, 392, 494, 587, 740),
    ),
    ZoneKind.TIME_TRAP: ZoneFacts(
        target_keys=("path", "rejoin"),
        path_leads="back",
        is_hazard=True,
        lamp_colour="#0020ff",
        zones_name=Text("the blue zones"),
        night_ink="#7fb4ff",
        day_ink="#1752b8",
        icon=_HOURGLASS,
        effect=LandingEffect.DRAGS,
        effect_s=2.5,
        tune=(392, 311, 247, 196),
    ),
    ZoneKind.GREEN_ADVANCE: ZoneFacts(
        target_keys=("path", "rejoin"),
        path_leads="on",
        is_hazard=False,
        lamp_colour="#00a060",
        zones_name=Text("the green zones"),
        night_ink="#66d390",
        day_ink="#12703f",
        icon=_ROCKET,
        effect=LandingEffect.SPEEDS,
        effect_s=2.0,
        tune=(392, 494, 587),
    ),
    ZoneKind.PENALTY_BOX: ZoneFacts(
        moves=-PENALTY_HOLES,
        is_hazard=True,
        lamp_colour="#6000ff",  # violet, to differ from the trap's blue
        zones_name=Text("the penalty boxes"),
        night_ink="#bda2ff",
        day_ink="#6a2fc0",
        icon=_PADLOCK,
        effect=LandingEffect.SHUTS,
        effect_s=2.5,
        rest_s=1.5,
        tune=(220, 165),
    ),
}
