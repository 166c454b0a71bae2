"""The page: its size, its loading time, the cost of many pages, and a thousand games' records."""

import asyncio
import json
import shutil
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Page, Response, sync_playwright

from companion.backups.backup_file import back_up
from companion.journal.journal_file import prepare
from companion.journal.recorder import Recorder
from companion.journal.store import FILE
from companion.journal.writer import Journal
from companion.records.records import Records
from companion.records.statistics import FILE as KEPT
from companion.rules.game import Entry, History, NewGame
from companion.web.export import export_csv, export_json
from tests.bench.program import (
    CRIBWARS,
    SETTLE_S,
    START_TIMEOUT_S,
    started,
    url_of,
    watching,
    work_and_memory,
)
from tests.bench.rig import Report, folder_on_disk, next_command, percentile, row, table
from tests.companion.journal.scribe import begun
from tests.support.browser import ARGUMENTS

WEIGHT_KB: Final = 200
LOADS: Final = 5
TAPS: Final = 100
PAGES: Final = 20
MANY: Final = (1, 10, 100)
DEMO_S: Final = 10.0
QUIET_S: Final = 0.15

DRAWN = """async () => {
    const canvas = () => document.getElementById("holes");
    const lit = () => canvas()?.width > 0 &&
        canvas().getContext("2d").getImageData(0, 0, canvas().width, canvas().height).data
            .some((value, at) => at % 4 === 3 && value > 0);
    while (!lit()) await new Promise(requestAnimationFrame);
    return performance.now();
}"""
"""Milliseconds from the start of the navigation until some lamp of the board is lit."""


def measure_page() -> list[Report]:
    """Return tables of the first load, of taps, and of the cost of pages."""
    with folder_on_disk() as folder:
        return [
            table("The first load in Chromium, nothing kept", _loads(folder / "load")),
            table(f"A tap of a pad, {PAGES} pages open", _taps(folder / "taps")),
            table("Pages open at a quiet table", _many(folder / "many")),
            table("A running demo", _demo(folder / "demo")),
        ]


def _loads(data: Path) -> list[list[str]]:
    found = shutil.which("chromium")
    if found is None:
        return [["needs the package chromium", "", "", ""]]
    drawn, worked, weights, foreign = [], [], [], 0
    with started(CRIBWARS, data) as process, sync_playwright() as playwright:
        url = url_of(process)
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        for _ in range(LOADS):
            page = browser.new_page()
            seen = _Seen(page, url)
            metrics = page.context.new_cdp_session(page)
            metrics.send("Performance.enable", {"timeDomain": "threadTicks"})
            page.goto(url)
            drawn.append(float(page.evaluate(DRAWN)))
            found_here = metrics.send("Performance.getMetrics")["metrics"]
            worked.append(
                1000 * next(m["value"] for m in found_here if m["name"] == "TaskDuration")
            )
            weights.append(seen.kilobytes())
            foreign += seen.foreign
            page.close()
        browser.close()
    return [
        row("bytes on the wire, all answers", max(weights), "kB", below=WEIGHT_KB),
        row("requests to others", foreign, "", below=1),
        row(f"to the first lit lamp: p50 of {LOADS}", percentile(drawn, 0.5), "ms", below=1000),
        row("slowest", max(drawn), "ms"),
        row("of that processor time of its main thread: p50", percentile(worked, 0.5), "ms"),
    ]


class _Seen:
    """Requests of a page, except its endless stream."""

    def __init__(self, page: Page, url: str) -> None:
        self._url, self._answers = url, list[Response]()
        self.foreign = 0
        page.on("response", self._note)

    def _note(self, answer: Response) -> None:
        if not answer.url.startswith(self._url):
            self.foreign += 1
        elif not answer.url.partition("?")[0].endswith("/api/stream"):
            self._answers.append(answer)

    def kilobytes(self) -> float:
        sizes = [answer.request.sizes() for answer in self._answers]
        return sum(s["responseHeadersSize"] + s["responseBodySize"] for s in sizes) / 1000


def _taps(data: Path) -> list[list[str]]:
    with started(CRIBWARS, data) as process, ExitStack() as pages:
        url = url_of(process)
        for _ in range(PAGES):
            pages.enter_context(watching(url))
        time.sleep(SETTLE_S)
        taken = asyncio.run(_tapped(url))
    return [
        row(f"until a page has the changed frame: p50 of {TAPS}", percentile(taken, 0.5), "ms"),
        row("p99", percentile(taken, 0.99), "ms"),
    ]


async def _tapped(url: str) -> list[float]:
    """Return the milliseconds from a tap until another page has a frame that differs."""
    taken: list[float] = []
    async with httpx.AsyncClient(base_url=url, timeout=20) as client:
        run = (await client.get("api/about")).json()["run"]
        async with client.stream("GET", "api/stream") as stream:
            frames = _Frames()
            listening = asyncio.create_task(frames.listen(stream))
            for number in range(1, 2 * TAPS, 2):
                await frames.quiet()
                requested = {"pad": "b" * 22, "run": run}
                began = time.perf_counter()
                frames.came.clear()
                await client.post("api/taps", json=requested | _tap(number, "1.plus_one"))
                await frames.came.wait()
                taken.append(1e3 * (frames.at - began))
                await client.post("api/taps", json=requested | _tap(number + 1, "1.undo"))
            listening.cancel()
    return taken


def _tap(number: int, button: str) -> dict[str, object]:
    return {"first": number, "taps": [{"button": button}]}


class _Frames:
    """Time from the request to the first frame."""

    def __init__(self) -> None:
        self.came = asyncio.Event()
        self.at = 0.0

    async def listen(self, stream: httpx.Response) -> None:
        async for line in stream.aiter_lines():
            if line == "event: frame" and not self.came.is_set():
                self.at = time.perf_counter()
                self.came.set()

    async def quiet(self) -> None:
        """Wait until no frame has come for a while, as a motion is over."""
        while True:
            self.came.clear()
            try:
                async with asyncio.timeout(QUIET_S):
                    await self.came.wait()
            except TimeoutError:
                return


def _many(data: Path) -> list[list[str]]:
    rows = []
    with started(CRIBWARS, data) as process, ExitStack() as pages:
        url = url_of(process)
        open_already = 0
        for number in MANY:
            for _ in range(number - open_already):
                pages.enter_context(watching(url))
            open_already = number
            time.sleep(SETTLE_S)
            part, megabytes = work_and_memory(process)
            limit = 70 if number <= MANY[1] else None
            rows += [
                row(f"{number} pages: memory (RSS)", megabytes, "MB", below=limit),
                row(f"{number} pages: of a core", part * 100, "%", below=1),
            ]
    return rows


def _demo(data: Path) -> list[list[str]]:
    with started(CRIBWARS, data) as process, ExitStack() as pages:
        url = url_of(process)
        for _ in range(MANY[1]):
            pages.enter_context(watching(url))
        httpx.post(f"{url}api/demo", json={"on": True}).raise_for_status()
        time.sleep(SETTLE_S)
        part, megabytes = work_and_memory(process, DEMO_S)
        return [
            row(f"{MANY[1]} pages: of a core", part * 100, "%"),
            row(f"{MANY[1]} pages: memory (RSS)", megabytes, "MB"),
        ]


# The records of a thousand games: listed, shown, exported, backed up, with presses meanwhile


_GAMES = 1_000
_TIMES = 5
_PRESSES = 40
_JSON = {"Content-Type": "application/json"}


def measure_records() -> list[Report]:
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
    with closing(HTTPConnection(place, timeout=START_TIMEOUT_S)) as connection:
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
