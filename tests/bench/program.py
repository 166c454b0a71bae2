"""The started program, from first light to its end, and a running table in this process."""

import dataclasses
import itertools
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from timeit import repeat
from typing import Final
from urllib.parse import urlsplit

import msgspec

from companion.cli.replay import replay
from companion.devices.light_thread import REFRESH_S, LightSource
from companion.journal.writer import Journal
from companion.lights import View, plan
from companion.rules.game import Entry, History, Peg, Undo, apply_all, decide, new_game
from companion.rules.game.notation import command_value
from tests.bench import first_light
from tests.bench.rig import (
    TIMEOUT_S,
    Report,
    Rig,
    folder_on_disk,
    make_light,
    percentile,
    play,
    row,
    running,
    table,
)
from tests.companion.journal.scribe import begun

# The started program: its time to first light, its use at rest, and its time to end


PAGES: Final = 10
STARTS: Final = 5
IDLE_S: Final = 4.0
SETTLE_S: Final = 1.0
START_TIMEOUT_S: Final = 20.0
CRIBWARS: Final = (str(Path(sys.executable).with_name("cribwars")),)
TELLING: Final = (sys.executable, "-m", first_light.__name__)

PARTS: Final = ("/", "/board.svg", "/static/main.js", "/static/style.css", "/api/about")
"""Paths that a page requests before its stream."""

_Process = subprocess.Popen[str]


def measure_program() -> list[Report]:
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
        process.wait(START_TIMEOUT_S)
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
    with closing(HTTPConnection(place, timeout=START_TIMEOUT_S)) as asking:
        for part in PARTS:
            asking.request("GET", part)
            asking.getresponse().read()
    with closing(HTTPConnection(place, timeout=START_TIMEOUT_S)) as watching:
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


# The running table: from the mock pin to the virtual strip, at rest, and in the demo


_PRESSES = 320
_COUNTS = 12
_IDLE_S = 5.0
_PAST = 1_000
_ROUNDS = 200
_FRAMES = 90

_Write = Callable[[list[Entry]], None]


def measure_table() -> list[Report]:
    """Return tables of the light's response to a press, of rest, undo, a frame and the game."""
    with folder_on_disk() as folder:
        with running(folder / "new") as rig:
            pressed = _presses(rig) + _counts(rig)
            rested = _rest_in_process(rig)
        undone = _undo(folder / "old")
    return [
        table("From the pin to the first changed byte at the strip", pressed),
        table(f"The table at rest, {_IDLE_S:g} s", rested),
        table(f"Undo at {_PAST:,} counts", undone),
        table("A frame of all LEDs: scene, wiring, output", _frames()),
        table("The game by itself", _game()),
    ]


def _presses(rig: Rig) -> list[list[str]]:
    """Press at odd times; each press adds a point to a pending count or takes it back."""
    buttons = itertools.cycle(("1.plus_one", "2.plus_one", "1.undo", "2.undo"))
    pause = random.Random(1)
    taken = []
    for button in itertools.islice(buttons, _PRESSES):
        taken.append(rig.press(button))
        time.sleep(pause.uniform(0.005, 0.015))
    what = f"a press, debounced for 3 ms ({_PRESSES} presses)"
    return [
        row(f"{what}: p50", percentile(taken, 0.5), "ms"),
        row(f"{what}: p99", percentile(taken, 0.99), "ms", below=8),
    ]


def _counts(rig: Rig) -> list[list[str]]:
    """Return the time from Enter until the peg moves, when the count is on disk."""
    taken = []
    for side in itertools.islice(itertools.cycle((1, 2)), _COUNTS):
        rig.press(f"{side}.plus_one")
        rig.watch.until_still(0.05)
        taken.append(rig.press(f"{side}.enter"))
        rig.watch.until_still(0.3)
    what = f"Enter, with the commit ({_COUNTS} counts)"
    return [row(f"{what}: p50", median(taken), "ms"), row(f"{what}: slowest", max(taken), "ms")]


def _rest_in_process(rig: Rig) -> list[list[str]]:
    rig.watch.until_still(REFRESH_S)
    sent, worked, began = rig.watch.sent, time.process_time(), time.monotonic()
    time.sleep(_IDLE_S)
    worked, seconds = time.process_time() - worked, time.monotonic() - began
    frames = rig.watch.sent - sent - seconds / REFRESH_S
    return [
        row("of a core", worked / seconds * 100, "%", below=1),
        row("frames but the refresh", max(0, round(frames)), "frames", below=1),
    ]


def _undo(folder: Path) -> list[list[str]]:
    """Return the times of an undo: decided, written, pressed, and to resume from its journal."""
    with _writing(folder) as (history, write):
        write(list(play(history, _PAST)))
        decided, stored = _take_back(history, write)
    began = time.perf_counter()
    with running(folder) as rig:
        resumed = time.perf_counter() - began
        pressed = list(_undo_presses(rig, history))
    return [
        row(f"decided ({_ROUNDS} times): slowest", max(decided), "ms", below=5),
        row("decided and on disk: p50", percentile(stored, 0.5), "ms", below=5),
        row("decided and on disk: p99", percentile(stored, 0.99), "ms"),
        row(f"from the pin to the first changed byte ({len(pressed)}): p50", median(pressed), "ms"),
        row("the table set up again from its journal", resumed * 1e3, "ms"),
    ]


@contextmanager
def _writing(folder: Path) -> Iterator[tuple[History, _Write]]:
    """Return a new journal's history, and a function that writes to it and waits for the disk."""
    journal = Journal(folder, now=time.time)
    history, _ = journal.begin(begun())
    saved: SimpleQueue[bool] = SimpleQueue()

    def write(entries: list[Entry]) -> None:
        for entry in entries:
            journal.write(entry, saved.put)
        on_disk = [saved.get(timeout=TIMEOUT_S) for _ in entries]
        if not all(on_disk):
            raise OSError(f"nothing can be written in {folder}")

    yield history, write
    journal.close()


def _take_back(history: History, write: _Write) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each undo, decided and on disk; counts are made again."""
    decided, stored = [], []
    for _ in range(_ROUNDS):
        began = time.perf_counter()
        entry = history.do(Undo())
        decided.append((time.perf_counter() - began) * 1e3)
        write([entry])
        stored.append((time.perf_counter() - began) * 1e3)
        write(list(play(history, 1)))
    return decided, stored


def _undo_presses(rig: Rig, history: History) -> Iterator[float]:
    """Yield the milliseconds of undos by the button, in which each side takes its counts back."""
    while history.last and isinstance(history.last.command, Peg):
        yield rig.press(f"{history.last.command.side}.undo")
        history.do(Undo())
        rig.watch.until_still(0.3)


def _frames() -> list[list[str]]:
    """Return the time of a frame in the lights thread, without the wire."""
    light, views = make_light(), _views()
    rows = []
    for name, changing in views.items():
        micros = _microseconds_a_frame(light, changing)
        rows.append(row(name, micros, "us", below=150))
    return rows


def _views() -> dict[str, list[View]]:
    """Return the views shown in a cycle, frame after frame; motion begins at time 0."""
    history = History(new_game(begun().setup))
    for _ in play(history, 40):
        pass
    before = history.state
    still = View(state=before, ahead=before)
    moved = [plan(before, history.decide(Peg(side=side, points=29)), 0.0) for side in (1, 2)]
    ghosts = [
        dataclasses.replace(still, pending=((1, points), (2, 29 - points))) for points in (7, 8)
    ]
    return {
        "nothing moves": [still],
        "two pegs move": [dataclasses.replace(still, motion=moved[0].joined(moved[1]))],
        "the board shows itself off": [dataclasses.replace(still, attract=True)],
        "each frame another pending count": ghosts,
    }


def _microseconds_a_frame(light: LightSource, views: list[View]) -> float:
    """Return the median of ten runs of a second and a half at 60 frames a second."""
    changing = itertools.cycle(views)

    def render() -> None:
        for n in range(_FRAMES):
            shown, _ = light.scene.compose(next(changing), n / 60)
            light.output.render(light.wiring.spread(shown))

    return median(repeat(render, number=1, repeat=10)) / _FRAMES * 1e6


def _game() -> list[list[str]]:
    setup = begun().setup
    past = list(play(History(new_game(setup)), _PAST))
    lines = [msgspec.json.encode(command_value(entry.command)) for entry in past]
    replayed = min(repeat(lambda: list(replay(setup, lines)), number=1, repeat=5))
    decided = min(repeat(lambda: _decide_and_apply(past), number=1, repeat=5))
    pegs = sum(isinstance(entry.command, Peg) for entry in past)
    return [
        row("counts replayed, JSON in and out", _PAST / replayed, "a second"),
        row("counts decided and applied", pegs / decided, "a second"),
    ]


def _decide_and_apply(past: list[Entry]) -> None:
    for before, entry in itertools.pairwise(past):
        if isinstance(entry.command, Peg):
            apply_all(before.state, decide(before.state, entry.command))
