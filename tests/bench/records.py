"""The records of a thousand games: listed, shown, exported, backed up, with presses meanwhile."""

import json
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from companion.backups.backup_file import back_up
from companion.journal.journal_file import prepare
from companion.journal.recorder import Recorder
from companion.journal.store import FILE
from companion.journal.writer import Journal
from companion.records.kept_figures import FILE as KEPT
from companion.records.records import Records
from companion.rules.game import Entry, History, NewGame
from companion.web.records.export import export_csv, export_json
from tests.bench.program import CRIBWARS, TIMEOUT_S, started, url_of
from tests.bench.promise import Table, row, table
from tests.bench.rig import begun, folder_on_disk, next_command

_GAMES = 1_000
_TIMES = 5
_PRESSES = 40
_JSON = {"Content-Type": "application/json"}


def measure() -> list[Table]:
    """Return a table of the time to read a long history."""
    with folder_on_disk() as folder:
        rows = _write(folder)
        title = f"Records of {_GAMES:,} games, {rows:,} commands, {_megabytes(folder):.0f} MB"
        return [table(title, _look(folder)), table("Presses meanwhile", _presses(folder))]


def _write(folder: Path) -> int:
    """Write a journal of this number of games. Return the number of its rows."""
    database = sqlite3.connect(folder / FILE, isolation_level=None)
    prepare(database)
    recorder = Recorder(database, begun(), now=time.time)
    for _ in range(_GAMES):
        recorder.save(_one_game(recorder.history))
    recorder.close()
    return recorder.seq


def _one_game(history: History) -> list[Entry]:
    """Return the commands of a game to its win, and the command that begins the next."""
    entries: list[Entry] = []
    while not entries or not isinstance(entries[-1].command, NewGame):
        entries.append(history.do(next_command(history.state)))
    return entries


def _megabytes(folder: Path) -> float:
    return (folder / FILE).stat().st_size / 1e6


def _look(folder: Path) -> list[list[str]]:
    return [
        row("opened by a table that starts", _opened(folder), "ms", below=1_000),
        row("first page listed ever", _milliseconds(folder, _page), "ms", below=2_000),
        row("first byte of all as JSON", _milliseconds(folder, _first_byte), "ms", below=100),
        row(
            "statistics for the first time ever", _milliseconds(folder, _totals), "ms", below=5_000
        ),
        row("listed", _best(folder, Records.games), "ms", below=100),
        row("statistics", _best(folder, Records.statistics), "ms", below=100),
        row("matches", _best(folder, Records.matches), "ms"),
        row("one game step by step, in words", _best(folder, lambda r: r.game(_GAMES)), "ms"),
        row("all exported as JSON", _milliseconds(folder, lambda r: list(export_json(r))), "ms"),
        row("all exported as CSV", _milliseconds(folder, _csv), "ms", below=5_000),
        row("backed up", _backed_up(folder), "ms"),
        row("kept beside the journal", (folder / KEPT).stat().st_size / 1e6, "MB"),
    ]


def _page(records: Records) -> object:
    return records.newest_games(21)


def _csv(records: Records) -> object:
    return list(export_csv(records))


def _totals(records: Records) -> object:
    return records.statistics()


def _presses(folder: Path) -> list[list[str]]:
    """Return rows of the slowest press of the mock panel, beyond the slowest without an export."""
    with started(CRIBWARS, folder) as process, ThreadPoolExecutor() as pool:
        place = urlsplit(url_of(process)).netloc
        alone = _slowest(place, None)
        (folder / KEPT).unlink(missing_ok=True)
        paths = "export.csv", "export.json", "statistics"
        slowest = {path: _slowest(place, pool.submit(_read, place, path)) for path in paths}
    return [row(path, late - alone, "ms", below=50) for path, late in slowest.items()]


def _slowest(place: str, meanwhile: Future[bytes] | None) -> float:
    """Return the milliseconds of the slowest press during a read."""
    found: list[float] = []
    with closing(HTTPConnection(place, timeout=TIMEOUT_S)) as connection:
        while not (meanwhile.done() if meanwhile else len(found) == _PRESSES):
            body = json.dumps({"button": ("1.plus_one", "1.enter")[len(found) % 2]})
            began = time.perf_counter()
            connection.request("POST", "/api/press", body, _JSON)
            connection.getresponse().read()
            found.append((time.perf_counter() - began) * 1e3)
    return max(found)


def _read(place: str, path: str) -> bytes:
    with closing(HTTPConnection(place, timeout=600)) as connection:
        connection.request("GET", f"/api/{path}")
        return connection.getresponse().read()


def _opened(folder: Path) -> float:
    began = time.perf_counter()
    journal = Journal(folder, now=time.time)
    journal.begin(begun())
    took = (time.perf_counter() - began) * 1e3
    journal.close()
    return took


def _first_byte(records: Records) -> bytes:
    return next(export_json(records))


def _best(folder: Path, ask: Callable[[Records], object]) -> float:
    return min(_milliseconds(folder, ask) for _ in range(_TIMES))


def _milliseconds(folder: Path, ask: Callable[[Records], object]) -> float:
    """Return the time from opening the journal to the response, as for a first visit."""
    began = time.perf_counter()
    with Records(folder) as records:
        ask(records)
    return (time.perf_counter() - began) * 1e3


def _backed_up(folder: Path) -> float:
    began = time.perf_counter()
    back_up(folder, folder / "backup.zip", settings=None, now=time.time())
    return (time.perf_counter() - began) * 1e3
