"""Style of the printed sheet, from the settings."""

from collections.abc import Iterator

from companion.board.drawing.board_drawing import face_of_style
from companion.board.drawing.finish import FINISHES
from companion.board.drawing.style import SheetStyle
from companion.board.drawing.typeface import Face, typeface
from companion.board.layout import Board
from companion.commentary import load_phrases
from companion.commentary.sheet_phrases import sheet_words
from companion.errors import Fault, SettingsError, Text
from companion.lights import Palette
from companion.lights.colour.palette import side_names
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
