"""Style of a drawing of the sheet: its finish, its lanes' inks and its words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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

    `outcomes` tell by a zone's id, and `explanations` by its kind, what a count that ends there
    brings; `sides` are the names of the lanes in turn, `play` and `show` the counting table.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetStyle:
    """Finish of a drawing, its sides' colours as sRGB hex, and its words; without any, no words.

    `title` replaces the board's own; the ground reaches `bleed_mm` beyond the sheet.
    """

    finish: Finish = SCREEN
    colours: Sequence[str] = LANE_COLOURS
    words: SheetWords | None = None
    title: str = ""
    bleed_mm: float = 0.0
    lanes: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lanes", self.finish.lanes(self.colours))


SCREEN_STYLE: Final = SheetStyle()
"""Style of the page: windows unlit, and no explanations, which the page gives itself."""
