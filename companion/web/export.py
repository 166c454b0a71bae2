"""Recorded games for other programs: everything as JSON, or each count of points as CSV.

Both exports are made a game at a time. An export for the web page is written in another process, so
that no press of a button waits for it, and its memory is freed when it ends. A spreadsheet takes
no name that players have chosen for a formula, whatever separator it uses.
"""

import asyncio
import codecs
import csv
import gc
import io
import os
import re
import sys
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from companion.errors import CompanionError, JournalError
from companion.journal.replay import Past
from companion.records.counts import ReplayedCount, counts, leads
from companion.records.records import ENGLISH, Records, yield_to_table

FORMAT: Final = "cribwars-records"
VERSION: Final = 1
SIDES: Final = (1, 2, 3)
CHUNK_BYTES: Final = 1 << 16
CSV: Final = "csv"
JSON: Final = "json"

_FORMULA: Final = re.compile(r"(^\s*|[;,|\t\r\n\"]\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""Places where a spreadsheet may read a formula: before one of = + - @ or their wide forms, at the
start of a cell or after a character that may separate cells."""


def export_json(records: Records, *, language: str = ENGLISH) -> Iterator[bytes]:
    """Yield everything as one JSON object in UTF-8, with one line for each game.

    The keys are `format`, `version`, `games`, `matches` and `statistics`. The last two come after
    the games, because they cover all games.
    """
    yield msgspec.json.encode({"format": FORMAT, "version": VERSION})[:-1] + b',"games":['
    separator = b"\n"
    for game in records.whole_games(language=language):
        yield separator + msgspec.json.encode(game)
        separator = b",\n"
    totals = {"matches": records.matches(), "statistics": records.statistics()}
    yield b"\n]," + msgspec.json.encode(totals)[1:] + b"\n"


def export_csv(records: Records, *, language: str = ENGLISH) -> Iterator[bytes]:
    """Yield the header `CSV_COLUMNS`, then a row for each count, a game at a time.

    A byte order mark tells spreadsheets that the file is UTF-8. The separator is a comma in English
    and a semicolon in languages whose decimal sign may be a comma.
    """
    separator = "," if language == ENGLISH else ";"
    yield codecs.BOM_UTF8 + _lines([CSV_COLUMNS], separator)
    for game, past in records.pasts():
        first = game, harmless(records.board(game).name)
        names = {side: harmless(name) for side, name in records.names(game).items()}
        made = enumerate(counts(past), start=1)
        cells = ((*first, number, *_cells(count, past, names)) for number, count in made)
        yield _lines(cells, separator)


def _lines(rows: Iterable[Sequence[object]], separator: str) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator).writerows(rows)
    return text.getvalue().encode()


def _cells(count: ReplayedCount, past: Past, names: Mapping[int, str]) -> tuple[object, ...]:
    """Return a count's cells from column `time` on; a side that did not play has empty cells."""
    event, after, zone = count.events[0], count.after, count.zone
    sides = after.setup.sides
    number = sides.index(count.side)
    progress = dict(zip(sides, after.progresses, strict=True))
    boxed = {side: pegs.boxed for side, pegs in zip(sides, after.all_pegs, strict=True)}
    hands = {side: stay.hands if stay else 0 for side, stay in boxed.items()}
    return (
        datetime.fromtimestamp(past.steps[count.step - 1].t, UTC).isoformat(timespec="seconds"),
        count.before.hand,
        count.before.dealer,
        count.side,
        names.get(count.side),
        count.points,
        count.why,
        event.rule,
        event.origin,
        event.to,
        zone and zone.kind,
        after.all_pegs[number].front,
        after.all_pegs[number].back,
        leads(after)[number],
        *map(progress.get, SIDES),
        *map(hands.get, SIDES),
        after.winner,
    )


CSV_COLUMNS: Final = (
    *("game", "board", "count", "time", "hand", "dealer", "team", "name", "points", "for", "rule"),
    *("from", "to", "zone", "front", "back", "lead"),
    *(f"progress_{side}" for side in SIDES),
    *(f"boxed_{side}" for side in SIDES),
    "winner",
)
"""The columns of `export_csv`; docs/records.md describes each."""


def harmless(text: str) -> str:
    """Return a text with a quote before each part that a spreadsheet might take for a formula.

    >>> harmless("=1+1"), harmless("Anna; =1"), harmless("Anna-Lena")
    ("'=1+1", "Anna; '=1", 'Anna-Lena')
    """
    return _FORMULA.sub(r"\1'", text)


async def exported(folder: Path, form: str, language: str) -> AsyncIterator[bytes]:
    """Yield the records of a data folder in chunks, as `CSV` or `JSON`.

    Raises:
        JournalError: the process has ended early.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __name__, folder, form, language),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    yield_to_table(process.pid)
    assert process.stdout is not None  # noqa: S101  # it is a pipe
    try:
        while chunk := await process.stdout.read(CHUNK_BYTES):
            yield chunk
        if await process.wait():
            text = "the export of {folder} ended early: try `cribwars records export`"
            raise JournalError(text, folder=folder)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def main(folder: str, form: str, language: str) -> None:
    """Write an export to stdout, each game as soon as it is read."""
    gc.disable()  # games have no reference cycles
    with Records(Path(folder)) as records:
        export = export_csv if form == CSV else export_json
        for piece in export(records, language=language):
            sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except CompanionError as error:
        sys.exit(f"cribwars: {error}")
