"""Frames a second and stalled threads with the real rpi_ws281x, and the cost of the output stage.

The library runs on a fake Pi whose transfers take the time of the wire; started as a module
(`python -m tests.bench.bench_strips MODE CHANNELS`) this file is what runs there.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from threading import Event, Thread
from timeit import repeat
from typing import Final, TypeVar

import numpy as np

from hardware.output import POWER, Light, Output
from hardware.strips import StripSpec, make_strip
from tests.support.fakepi import FakePi, missing, random_frames

Table = tuple[str, list[str], list[list[str]]]
_Pixels = TypeVar("_Pixels")

SIZES: Final = (121, 363, 400, 1000, 1200)
WIRINGS: Final = (("spi", 1), ("pwm", 1), ("pwm", 2))
SECONDS: Final = 0.3
PINS: Final = {"spi": 10, "pwm": 18}


def measure() -> list[Table]:
    """Return the tables: title, header, rows."""
    return [_frame_rates(), _output_stage()]


def _frame_rates() -> Table:
    title = "Frames a second through the real rpi_ws281x on a fake Pi 3, wire time modelled"
    header = [
        "mode",
        "LEDs",
        "wire allows",
        "ours",
        "other threads wait at most, ms",
        "stock PixelStrip",
        "other threads wait at most, ms",
    ]
    if lacking := missing():
        return title, header, [[f"not measured: {lacking}", *[""] * (len(header) - 1)]]
    return title, header, [row for mode, channels in WIRINGS for row in _on_a_pi(mode, channels)]


def _on_a_pi(mode: str, channels: int) -> list[list[str]]:
    outcome = FakePi(wire=True, bufsiz=65536).run(
        "tests.bench.bench_strips", mode, str(channels), seconds=60
    )
    if outcome.code:
        return [[mode, f"failed: {outcome.err.splitlines()[-1]}", *[""] * 5]]
    rows: list[list[str]] = json.loads(outcome.out)
    return rows


def _output_stage() -> Table:
    title = "Output stage, us a frame: light to bytes, every LED lit at random"
    header = ["LEDs", "type", "gamma", "within the budget", "over the budget"]
    rows = []
    for leds in (400, 1200):
        for kind, order, gamma in (("ws2812b", "GRB", 1.0), ("sk6812w", "GRBW", 2.2)):
            spec = StripSpec(leds=(leds,), type=kind, order=order)
            light = np.random.default_rng(leds).random((leds, 3), dtype=np.float32)
            budgets = 1e6, leds * POWER[kind].idle + 800
            costs = [_microseconds(Output(spec, budget, gamma), light) for budget in budgets]
            rows.append([str(leds), kind, f"{gamma:g}", *(f"{cost:.0f}" for cost in costs)])
    return title, header, rows


def _microseconds(output: Output, light: Light, rounds: int = 200) -> float:
    return min(repeat(lambda: output.render(light), number=rounds, repeat=5)) / rounds * 1e6


# Below: what runs on the fake Pi.


def _rows(mode: str, channels: int) -> Iterator[list[str]]:
    for leds in SIZES:
        share = leds // channels
        spec = StripSpec(leds=(leds - share, share)[-channels:])
        strip = make_strip(f"rpi_ws281x:{mode}", spec, bufsiz_path=Path("/nowhere"))
        strip.open()
        ours = _rate(cycle(random_frames(spec, 4, seed=1)), strip.show, strip.wire_seconds)
        strip.close()
        stock = (
            _stock_rate(mode, spec, strip.wire_seconds)
            if channels == 1
            else ("one channel only", "")
        )
        name = "PWM, two channels" if channels > 1 else mode.upper()
        yield [name, str(leds), f"{1 / strip.wire_seconds:.0f}", *ours, *stock]


def _stock_rate(mode: str, spec: StripSpec, wire_seconds: float) -> tuple[str, str]:
    library = import_module("rpi_ws281x")
    strip = library.PixelStrip(spec.leds[0], PINS[mode])
    strip.begin()

    def show(pixels: list[tuple[int, int, int]]) -> None:
        for led, (red, green, blue) in enumerate(pixels):
            strip.setPixelColor(led, library.Color(red, green, blue))
        strip.show()

    frames = [list(map(tuple, frame[0].tolist())) for frame in random_frames(spec, 4, seed=1)]
    rate = _rate(cycle(frames), show, wire_seconds)
    strip._cleanup()  # its own way out, which otherwise waits for the end of the process
    return rate


def _rate(
    frames: Iterator[_Pixels], show: Callable[[_Pixels], None], wire_seconds: float
) -> tuple[str, str]:
    """Return frames a second and the longest wait of another thread in milliseconds."""
    count = max(6, round(SECONDS / wire_seconds))
    show(next(frames))
    with _another_thread() as waits:
        start = time.perf_counter()
        for frame in islice(frames, count):
            show(frame)
        seconds = time.perf_counter() - start
    return f"{count / seconds:.0f}", f"{max(waits) * 1e3:.1f}"


@contextmanager
def _another_thread() -> Iterator[list[float]]:
    """Run a thread that wants to work every millisecond; give the times between its turns."""
    waits: list[float] = []
    stop = Event()

    def work() -> None:
        last = time.perf_counter()
        while not stop.is_set():
            time.sleep(0.001)
            now = time.perf_counter()
            waits.append(now - last)
            last = now

    thread = Thread(target=work)
    thread.start()
    yield waits
    stop.set()
    thread.join()


if __name__ == "__main__":
    print(json.dumps(list(_rows(sys.argv[1], int(sys.argv[2])))))
