"""Records for other programs: everything as JSON, the counts as a table for spreadsheets.

Both come piece by piece, a game at a time. Text that players have chosen is never a formula in a
spreadsheet, whatever it takes for a separator.
"""

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Final

import msgspec

from companion.journal.records import ENGLISH, PlayedGame, Records
from companion.journal.replay import ReplayedCount, counts, lead
from companion.rules.game.notation import side_value

FORMAT: Final = "cribwars-records"
VERSION: Final = 1
SIDES: Final = (1, 2, 3)

_FORMULA: Final = re.compile(r"(^\s*|[;,|\t\r\n\"]\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""Places before a sign that a spreadsheet may take for a formula: at the start of a cell,
or after what may separate cells; the last four signs are wide forms."""


def export_json(records: Records, *, language: str = ENGLISH) -> Iterator[bytes]:
    """Yield everything as one JSON object, a line a game, in UTF-8.

    Its keys are `format`, `version`, `games`, `matches` and `statistics`: these come last, as they
    are of all games.
    """
    yield msgspec.json.encode({"format": FORMAT, "version": VERSION})[:-1] + b',"games":['
    separator = b"\n"
    for game in records.whole_games(language=language):
        yield separator + msgspec.json.encode(game)
        separator = b",\n"
    totals = {"matches": records.matches(), "statistics": records.statistics()}
    yield b"\n]," + msgspec.json.encode(totals)[1:] + b"\n"


def export_csv(records: Records, *, language: str = ENGLISH) -> Iterator[bytes]:
    """Yield a row a count under `CSV_COLUMNS`, a game at a time.

    Spreadsheets take the file as UTF-8 by its mark, and split it where their language does: at
    commas in English, at semicolons where the comma is the decimal sign. No value has a fraction.
    """
    separator = "," if language == ENGLISH else ";"
    yield codecs.BOM_UTF8 + _lines([list(CSV_COLUMNS)], separator)
    for game in records.played_games():
        made = (
            _ExportedCount(game, number, count)
            for number, count in enumerate(counts(game.past), start=1)
        )
        yield _lines([[cell(row) for cell in CSV_COLUMNS.values()] for row in made], separator)


def _lines(rows: list[list[object]], separator: str) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator).writerows(rows)
    return text.getvalue().encode()


@dataclass(frozen=True, slots=True)
class _ExportedCount:
    """A count of a game, and its number in the game."""

    game: PlayedGame
    number: int
    count: ReplayedCount


def _time(row: _ExportedCount) -> str:
    t = row.game.past.steps[row.count.step - 1].t
    return datetime.fromtimestamp(t, UTC).isoformat(timespec="seconds")


def _of_side(row: _ExportedCount, team: int, key: str) -> object:
    """Return a value of a side after the count, nothing of one that did not play."""
    after = row.count.after
    return getattr(side_value(after, team), key) if team in after.setup.lanes else ""


CSV_COLUMNS: Final[Mapping[str, Callable[[_ExportedCount], object]]] = {
    "game": lambda row: row.game.number,
    "board": lambda row: harmless(row.game.board),
    "count": lambda row: row.number,
    "time": _time,
    "hand": lambda row: row.count.before.hand,
    "dealer": lambda row: row.count.before.dealer,
    "team": lambda row: row.count.team,
    "name": lambda row: harmless(row.game.names.get(row.count.team, "")),
    "points": lambda row: row.count.points,
    "for": lambda row: row.count.why or "",
    "rule": lambda row: row.count.events[0].rule,
    "from": lambda row: row.count.events[0].origin,
    "to": lambda row: row.count.events[0].to,
    "zone": lambda row: row.count.zone.kind if row.count.zone else "",
    "front": lambda row: _of_side(row, row.count.team, "front"),
    "back": lambda row: _of_side(row, row.count.team, "back"),
    "lead": lambda row: lead(row.count.after, row.count.team),
    **{f"progress_{team}": partial(_of_side, team=team, key="progress") for team in SIDES},
    **{f"boxed_{team}": partial(_of_side, team=team, key="boxed") for team in SIDES},
    "winner": lambda row: row.count.after.winner or "",
}
"""The columns of `export_csv`; docs/records.md describes each."""


def harmless(text: str) -> str:
    """Return a text with a quote before whatever a spreadsheet might take for a formula.

    >>> harmless("=1+1"), harmless("Anna; =1"), harmless("Anna-Lena")
    ("'=1+1", "Anna; '=1", 'Anna-Lena')
    """
    return _FORMULA.sub(r"\1'", text)
