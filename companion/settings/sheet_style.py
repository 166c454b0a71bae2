"""Style of the printed sheet, and the words on it, from the settings and a language's phrases."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from companion.board import Zone, ZoneKind
from companion.board.drawing.board_drawing import face_of_style
from companion.board.drawing.finish import FINISHES, CountingRow, SheetStyle, SheetWords
from companion.board.drawing.lettering import Face, typeface
from companion.board.layout import Board
from companion.commentary import load_phrases
from companion.commentary.phrases import Phrases
from companion.errors import Fault, SettingsError, Text
from companion.lights import Palette
from companion.lights.palette import side_names
from companion.settings.schema import Settings


def sheet_style(board: Board, settings: Settings) -> SheetStyle:
    """Return the finish, colours, names, title and language of the sheet.

    Raises:
        SettingsError: a name, the title or the board's print has letters that the sheet's
            typefaces lack.
    """
    faults = list(_letter_faults(board, settings))
    if faults:
        raise SettingsError(*faults)
    palette = Palette.make(settings.lights.colours)
    names = side_names(settings.names, palette)
    return SheetStyle(
        finish=FINISHES[settings.sheet.finish],
        colours=list(palette.sides.values())[: board.track.lanes],
        words=sheet_words(board, load_phrases(settings.language), names),
        title=settings.sheet.title,
    )


def _letter_faults(board: Board, settings: Settings) -> Iterator[Fault]:
    for key, face, text in _texts(board, settings):
        lacking = typeface(face).lacks(text)
        if lacking:
            problem = Text("the sheet has no letter {lacking}", lacking=repr(lacking[0]))
            yield Fault(key=key, problem=problem, remedy=Text("write it in Latin letters"))


def _texts(board: Board, settings: Settings) -> Iterator[tuple[str, Face, str]]:
    yield "sheet.title", Face.TITLE, settings.sheet.title.upper()
    for side, name in settings.names.items():
        yield f"names.{side}", Face.TEXT, str(name)
    for number, line in enumerate(board.lettering, start=1):
        yield f"lettering[{number}].text", face_of_style(line.style), line.text
    for mark in board.marks:
        yield "mark.caption", Face.TEXT, mark.caption.upper()


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
