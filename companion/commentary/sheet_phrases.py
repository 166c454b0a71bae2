"""Words of the printed sheet, from a language's phrases and the facts of the board."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from companion.board import Zone, ZoneKind
from companion.board.drawing.style import CountingRow, SheetWords
from companion.board.layout import Board
from companion.commentary.phrases import Phrases

_PLAY: Final = (
    ("fifteen", "2"),
    ("pair", "2, 6, 12"),
    ("run", "1"),
    ("thirty-one", "2"),
    ("go", "1"),
)
_SHOW: Final = (
    ("fifteen", "2"),
    ("pair", "2, 6, 12"),
    ("run", "1"),
    ("flush", "4, 5"),
    ("nobs", "1"),
    ("heels", "2"),
)


def sheet_words(
    board: Board, phrases: Phrases, names: Mapping[int, str] = MappingProxyType({})
) -> SheetWords:
    """Return the words of a board's sheet; `names` has the sides' names by their numbers."""
    say = phrases.say
    return SheetWords(
        start=say("sheet.start"),
        finish=say("sheet.finish"),
        dealer=say("sheet.dealer"),
        lanes=say("sheet.lanes"),
        zones=say("sheet.zones"),
        counting=say("sheet.counting"),
        in_play=say("sheet.play"),
        in_show=say("sheet.show"),
        kinds={kind: say(f"zone_kinds.{kind}.title") for kind in ZoneKind},
        outcomes={zone.id: outcome(zone, phrases) for zone in board.track.zones},
        explanations={kind: say(f"zone_kinds.{kind}.legend") for kind in ZoneKind},
        sides=[phrases.side(side, names) for side in range(1, board.track.lanes + 1)],
        play=[CountingRow(say(f"sheet.parts.{part}"), points) for part, points in _PLAY],
        show=[CountingRow(say(f"sheet.parts.{part}"), points) for part, points in _SHOW],
    )


def outcome(zone: Zone, phrases: Phrases) -> str:
    """Return the consequence of a count that ends in a zone (rules Z2 to Z6)."""
    holes = zone.to[0] - zone.box[0] if zone.to else 0
    key = f"zone_kinds.{zone.kind}.outcome" + ("_back" if holes < 0 else "")
    return phrases.say(key, holes=str(abs(holes)), rejoin=str(zone.rejoin))
