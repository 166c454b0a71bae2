"""The page: its size, its loading time, and the cost of many pages for the table."""

import asyncio
import shutil
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import httpx
from playwright.sync_api import Page, Response, sync_playwright

from tests.bench.program import CRIBWARS, SETTLE_S, started, url_of, watching, work_and_memory
from tests.bench.promise import Table, percentile, row, table
from tests.bench.rig import folder_on_disk
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


def measure() -> list[Table]:
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
