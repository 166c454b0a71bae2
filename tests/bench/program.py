"""The started program: its time to first light, its use at rest, and its time to end."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Final
from urllib.parse import urlsplit

from tests.bench import first_light
from tests.bench.promise import Table, row, table
from tests.bench.rig import folder_on_disk

PAGES: Final = 10
STARTS: Final = 5
IDLE_S: Final = 4.0
SETTLE_S: Final = 1.0
TIMEOUT_S: Final = 20.0

CRIBWARS: Final = (str(Path(sys.executable).with_name("cribwars")),)
TELLING: Final = (sys.executable, "-m", first_light.__name__)

PARTS: Final = ("/", "/board.svg", "/static/main.js", "/static/style.css", "/api/about")
"""Paths that a page requests before its stream."""

_Process = subprocess.Popen[str]


def measure() -> list[Table]:
    """Return tables of the start, of rest without and with pages, and of the end."""
    with folder_on_disk() as folder:
        start = _starts(folder)
        rest, ends = _rest(folder)
    return [
        table("`cribwars run --simulate`: from exec on", start),
        table("At rest", rest),
        table("From SIGTERM to the end of the process", ends),
    ]


def _starts(data: Path) -> list[list[str]]:
    lit = [_first_light(data) for _ in range(STARTS)]
    ready = [_ready(data) for _ in range(STARTS)]
    return [
        row(f"first light: median ({STARTS} starts)", median(lit), "s", below=0.6),
        row("first light: slowest", max(lit), "s", below=0.6),
        row(f"ready, the page answers: median ({STARTS} starts)", median(ready), "s"),
        row("ready: slowest", max(ready), "s"),
    ]


def _first_light(data: Path) -> float:
    """Return the seconds from exec to the first frame."""
    began = time.monotonic()
    with started(TELLING, data, "--strip", first_light.NAME) as process:
        assert process.stderr
        for line in process.stderr:
            if line.startswith(first_light.WORDS):
                return float(line.removeprefix(first_light.WORDS)) - began
    raise OSError("the program has ended in the dark")


def _ready(data: Path) -> float:
    """Return the seconds from exec to the line `ready`."""
    began = time.monotonic()
    with started(CRIBWARS, data) as process:
        url_of(process)
        return time.monotonic() - began


def _rest(data: Path) -> tuple[list[list[str]], list[list[str]]]:
    with started(CRIBWARS, data) as process, ExitStack() as pages:
        url = url_of(process)
        time.sleep(SETTLE_S)
        alone = _at_rest(process, "no page")
        for _ in range(PAGES):
            pages.enter_context(watching(url))
        time.sleep(SETTLE_S)
        watched = _at_rest(process, f"{PAGES} pages")
        ended = _end(process)
    return alone + watched, [row(f"{PAGES} pages open", ended, "s", below=2)]


def _at_rest(process: _Process, what: str) -> list[list[str]]:
    """Return rows of memory and processor time as Linux counts them; elsewhere none."""
    if sys.platform != "linux":
        return []
    part, megabytes = work_and_memory(process)
    return [
        row(f"{what}: memory (RSS)", megabytes, "MB", below=70),
        row(f"{what}: of a core", part * 100, "%", below=1),
    ]


def work_and_memory(process: _Process, seconds: float = IDLE_S) -> tuple[float, float]:
    """Return a process's share of a core over some seconds, and its megabytes."""
    worked, began = _cpu_seconds(process), time.monotonic()
    time.sleep(seconds)
    part = (_cpu_seconds(process) - worked) / (time.monotonic() - began)
    return part, _megabytes(process)


@contextmanager
def started(command: Sequence[str], data: Path, *options: str) -> Iterator[_Process]:
    """Run a table on mock pins until the block ends."""
    process = subprocess.Popen(
        (*command, "run", "--simulate", "--port", "0", "--data", str(data), *options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            _end(process)


def _end(process: _Process) -> float:
    """End a process. Return the seconds that it took."""
    began = time.monotonic()
    process.terminate()
    try:
        process.wait(TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
    return time.monotonic() - began


def url_of(process: _Process) -> str:
    """Return the page's URL as soon as it answers."""
    assert process.stdout
    words = process.stdout.readline().split()
    if not words:
        raise OSError(f"the program does not start: {process.communicate()[1].strip()}")
    return words[1]


@contextmanager
def watching(url: str) -> Iterator[None]:
    """Open a page, and keep its stream open until the block ends."""
    place = urlsplit(url).netloc
    with closing(HTTPConnection(place, timeout=TIMEOUT_S)) as asking:
        for part in PARTS:
            asking.request("GET", part)
            asking.getresponse().read()
    with closing(HTTPConnection(place, timeout=TIMEOUT_S)) as watching:
        watching.request("GET", "/api/stream")
        watching.getresponse().readline()
        yield


def _cpu_seconds(process: _Process) -> float:
    # The kernel's number for the clock of another process's work, finer than /proc's ticks.
    return time.clock_gettime((~process.pid << 3) | 2)


def _megabytes(process: _Process) -> float:
    for line in Path(f"/proc/{process.pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError(f"process {process.pid} has ended")
