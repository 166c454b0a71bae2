"""Style of a drawing of the sheet: its finish (a set of inks), its sides' colours, its words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from companion.board.drawing.finish import LANE_COLOURS, SCREEN, Finish
from companion.board.zone_kinds import ZoneKind


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
        finish: the inks.
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
"""Style for the web page: dark windows, and no words because the page explains the zones."""
