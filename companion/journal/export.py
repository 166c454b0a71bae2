"""Records for other programs: everything as JSON, the counts as a table for spreadsheets.

Both come piece by piece, a game at a time. Text that players have chosen is never a formula in a
spreadsheet, whatever it takes for a separator.
"""

import csv
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

import msgspec

from companion.journal.records import ENGLISH, PlayedGame, Records
from companion.journal.replay import ReplayedCount, counts, lead
from companion.rules.game import State

FORMAT: Final = "cribwars-records"
VERSION: Final = 1
SIDES: Final = (1, 2, 3)

CSV_COLUMNS: Final = (
    "game",
    "board",
    "count",
    "time",
    "hand",
    "dealer",
    "team",
    "name",
    "points",
    "for",
    "rule",
    "from",
    "to",
    "zone",
    "front",
    "back",
    "lead",
    *(f"progress_{team}" for team in SIDES),
    *(f"boxed_{team}" for team in SIDES),
    "winner",
)
"""The columns of `export_csv`; docs/records.md describes each."""

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


def export_csv(records: Records) -> Iterator[bytes]:
    """Yield a row a count under `CSV_COLUMNS`, a game at a time: UTF-8, as RFC 4180 has it."""
    yield _lines([list(CSV_COLUMNS)])
    for game in records.played_games():
        made = enumerate(counts(game.past), start=1)
        yield _lines([_row(game, number, count) for number, count in made])


def _lines(rows: list[list[object]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def _row(game: PlayedGame, number: int, count: ReplayedCount) -> list[object]:
    after, team = count.after, count.team
    side, zone = after.side(team), count.zone
    time = datetime.fromtimestamp(game.past.steps[count.step - 1].t, UTC)
    return [
        game.number,
        harmless(game.board),
        number,
        time.isoformat(timespec="seconds"),
        count.before.hand,
        count.before.dealer,
        team,
        harmless(game.names.get(team, "")),
        count.points,
        count.why or "",
        count.events[0].rule,
        count.events[0].origin,
        count.events[0].to,
        zone.kind if zone else "",
        side.front,
        side.back,
        lead(after, team),
        *(after.progress(each) if each in after.setup.lanes else "" for each in SIDES),
        *(_boxed(after, each) for each in SIDES),
        after.winner or "",
    ]


def _boxed(state: State, team: int) -> int | str:
    if team not in state.setup.lanes:
        return ""
    boxed = state.side(team).boxed
    return boxed.hands if boxed else 0


def harmless(text: str) -> str:
    """Return a text with a quote before whatever a spreadsheet might take for a formula.

    >>> harmless("=1+1"), harmless("Anna; =1"), harmless("Anna-Lena")
    ("'=1+1", "Anna; '=1", 'Anna-Lena')
    """
    return _FORMULA.sub(r"\1'", text)
