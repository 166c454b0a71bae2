"""Finishes of the sheet: the inks for a print on film, for one on white paper, and for the screen.

*Night* is for a film with lights behind it: dark, with a clear window at each hole. *Day* is for
white paper, with little ink. *Screen* is night with dark windows, over which the web page shows the
lights. A `SheetStyle` is a finish with the colours of the sides and the words of a language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

from companion.board.zone_kinds import ZoneKind

CONTRAST: Final = 1.6
"""Least WCAG contrast of a lane's colour with the ground, and with the colour of any other lane."""
LANE_COLOURS: Final = ("#ffb000", "#ffffff", "#ff60d0")
"""Usual colours of the sides: amber, white and magenta."""

_STEP: Final = 1.04 * CONTRAST
_FLARE: Final = 0.05
"""Light that a surface reflects whatever its ink is; WCAG adds it to each luminance."""
_LINEAR_UP_TO, _LINEAR_SLOPE = 0.04045, 12.92
_WEIGHTS = (0.2126, 0.7152, 0.0722)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """Inks of the sheet; colours are sRGB hex.

    Attributes:
        dark: True if the ground is dark and the lanes are lighter.
        ground: the colour of the sheet.
        district: the colour of the ground of Muggers Alley.
        ink: the ink of texts.
        muted: the ink of fine print.
        gold: the ink of ornaments and marks.
        window: the ink of a hole's window.
        rim: the ink of the ring round the window.
        tint: the opacity of a zone's ink in its box.
        rays: the opacity of the rays behind the title.
    """

    dark: bool
    ground: str
    district: str
    ink: str
    muted: str
    gold: str
    window: str
    rim: str
    tint: float
    rays: float

    def zone(self, kind: ZoneKind) -> str:
        return kind.facts.night_ink if self.dark else kind.facts.day_ink

    def lanes(self, colours: Sequence[str]) -> tuple[str, ...]:
        """Return the sides' colours, changed to contrast with the grounds and with each other."""
        step = _STEP if self.dark else 1 / _STEP
        pick = max if self.dark else min
        base = pick(luminance(ground) for ground in (self.ground, self.district)) + _FLARE
        order = sorted(range(len(colours)), key=lambda n: luminance(colours[n]))
        if not self.dark:
            order.reverse()
        inks = {
            lane: _with_luminance(colours[lane], base * step**rank - _FLARE)
            for rank, lane in enumerate(order, start=1)
        }
        return tuple(inks[lane] for lane in range(len(colours)))


NIGHT: Final = Finish(
    dark=True,
    ground="#0f1118",
    district="#171a26",
    ink="#f4ead4",
    muted="#b9b09c",
    gold="#e8bd63",
    window="#ffffff",
    rim="#0f1118",
    tint=0.3,
    rays=0.035,
)
DAY: Final = Finish(
    dark=False,
    ground="#ffffff",
    district="#f7f1e4",
    ink="#1d1a17",
    muted="#5a5348",
    gold="#8a6414",
    window="#ffffff",
    rim="#1d1a17",
    tint=0.16,
    rays=0.0,
)
SCREEN: Final = replace(NIGHT, window="#0f1118", rim="#f4ead4")
FINISHES: Final = {"night": NIGHT, "day": DAY}
"""Finishes of the printed sheet by their names in the settings."""


def luminance(colour: str) -> float:
    """Return the relative luminance of an sRGB colour, 0 to 1.

    >>> round(luminance("#ffffff"), 3), round(luminance("#ff0000"), 4)
    (1.0, 0.2126)
    """
    return _luminance(linear_parts(colour))


def _luminance(light: Sequence[float]) -> float:
    return sum(weight * part for weight, part in zip(_WEIGHTS, light, strict=True))


def _with_luminance(colour: str, wanted: float) -> str:
    """Return a colour, darkened or mixed with white so that it has the luminance `wanted`."""
    light = linear_parts(colour)
    has = _luminance(light)
    if has >= wanted:
        return _hex([part * wanted / has for part in light])
    share = (wanted - has) / (1 - has)
    return _hex([part + share * (1 - part) for part in light])


def linear_parts(colour: str) -> list[float]:
    """Return red, green and blue of an sRGB colour as linear light, 0 to 1 (IEC 61966-2-1)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return [
        part / _LINEAR_SLOPE if part <= _LINEAR_UP_TO else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    ]


def _hex(light: Sequence[float]) -> str:
    edge = _LINEAR_UP_TO / _LINEAR_SLOPE
    parts = (
        part * _LINEAR_SLOPE if part <= edge else 1.055 * part ** (1 / 2.4) - 0.055
        for part in light
    )
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


class CountingRow(NamedTuple):
    """A line of the counting table: a combination and its points."""

    name: str
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetWords:
    """Words of the sheet in one language.

    `outcomes`, by the id of a zone, and `explanations`, by the kind of zone, describe the effect of
    a landing. `sides` has the names of the sides, in order of their lanes. `play` and `show` are
    the two halves of the counting table, with the headings `in_play` and `in_show`.
    """

    start: str
    finish: str
    dealer: str
    lanes: str
    zones: str
    counting: str
    in_play: str
    in_show: str
    kinds: Mapping[ZoneKind, str]
    outcomes: Mapping[str, str]
    explanations: Mapping[ZoneKind, str]
    sides: Sequence[str]
    play: Sequence[CountingRow]
    show: Sequence[CountingRow]


@dataclass(frozen=True, kw_only=True)
class SheetStyle:
    """Style of a drawing.

    Attributes:
        colours: the colours of the sides, as sRGB hex.
        words: the words; None for a drawing without words.
        title: a title in place of the board's; "" for the board's title.
        bleed_mm: the distance by which the ground extends past the edge of the sheet.
    """

    finish: Finish = SCREEN
    colours: Sequence[str] = LANE_COLOURS
    words: SheetWords | None = None
    title: str = ""
    bleed_mm: float = 0.0

    @cached_property
    def lanes(self) -> tuple[str, ...]:
        return self.finish.lanes(self.colours)


SCREEN_STYLE: Final = SheetStyle()
"""Style for pictures on a screen: dark windows, and no words."""
