"""Strips on a fake Pi beside other ways to light them, and the cost of the output stage.

The libraries are the real ones; the machine below them is `tests.support.fakepi`, whose transfers
take the time of the wire. The programs on it are in `ways`. The ideal wire carries the colours of
the LEDs and the reset, 30 us an LED and 300 us.
"""

import json
import math
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from timeit import repeat
from typing import Any, Final, TypeAlias

import numpy as np

from hardware.output import Light, Output
from hardware.power import POWER
from hardware.strips import StripSpec
from hardware.strips.scale import BYTES, LINEAR, TableScale
from tests.bench.rig import Report, row, table
from tests.bench.ways import Run
from tests.support.fakepi import PI_5, FakePi, missing

_TIMEOUT_S: Final = 60.0
_TOLD: Final = 120
_WIRE_SHARE, _CHANNEL_GAIN, _PUSH_GAIN, _WAIT_MS = 95, 1.8, 5, 2
_LONG: Final = 363

_TWO: Final = "PWM, two channels"
_WIRES: Final = {
    "SPI": ("spi", 1),
    "SPI by spidev": ("spidev", 1),
    "PWM": ("pwm", 1),
    _TWO: ("pwm", 2),
    "PCM": ("pcm", 1),
    "PIO (Pi 5)": ("pio", 1),
}
"""The wires by what the tables call them: the mode and how many channels (see `ways`)."""

_PACKAGES: Final = {
    "adafruit_raspberry_pi5_neopixel_write": "adafruit-blinka-raspberry-pi5-neopixel",
    "gpiod": "gpiod",
    "neopixel": "adafruit-circuitpython-neopixel",
    "pi5neo": "pi5neo",
    "rpi_ws281x": "rpi-ws281x",
    "spidev": "spidev",
}
"""The packages that modules come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A way to light a strip, the wires that it knows, and the modules that it needs there."""

    way: str
    wires: Sequence[str] = ("SPI",)
    modules: Sequence[str] = ()
    on_pi_5: Sequence[str] = ()


def _by_blinka(way: str) -> _Column:
    return _Column(
        way=way,
        wires=("SPI", "PWM", "PCM", "PIO (Pi 5)"),
        modules=("neopixel", "gpiod"),
        on_pi_5=("adafruit_raspberry_pi5_neopixel_write",),
    )


_COLUMNS: Final = {
    "ours": _Column(way="ours", wires=tuple(_WIRES)),
    "ours by Blinka": _by_blinka("ours-by-blinka"),
    "Blinka neopixel": _by_blinka("blinka"),
    "stock PixelStrip": _Column(way="stock", wires=("SPI", "PWM", "PCM"), modules=("rpi_ws281x",)),
    "Pi5Neo": _Column(way="pi5neo", modules=("pi5neo", "spidev")),
    "Pi5Neo, no sleep": _Column(way="pi5neo-sleepless", modules=("pi5neo", "spidev")),
}
_OURS, *_OTHERS = _COLUMNS

_Runs: TypeAlias = Mapping[tuple[str, str], Mapping[int, Run]]
"""By column and wire, for each number of LEDs."""


def measure() -> list[Report]:
    """Return the tables: title, header, rows."""
    lacking: list[list[str]] = []
    runs = dict(_runs(lacking))
    pushes = _pushes(lacking)
    return [
        _frame_rates(runs),
        _waits(runs),
        _push_table(pushes),
        table("Strips, what we stand by", _promises(runs, pushes)),
        _output_stage(),
        *([("Not measured", ["what", "why"], lacking)] if lacking else []),
    ]


def _runs(lacking: list[list[str]]) -> Iterator[tuple[tuple[str, str], Mapping[int, Run]]]:
    """Run every way on every wire; those that cannot run are added to `lacking` with the reason."""
    for name, column in _COLUMNS.items():
        for wire in column.wires:
            mode, channels = _WIRES[wire]
            board, modules = "3", column.modules
            if mode == "pio":
                board, modules = PI_5, (*modules, *column.on_pi_5)
            pi = FakePi(board=board, named=True, wire=True, bufsiz=65536)
            reported, why = _on(pi, modules, "show", column.way, mode, str(channels))
            if why:
                lacking.append([f"{name}, {wire}", why])
            else:
                yield (name, wire), {run["leds"]: Run(**run) for run in reported}


def _pushes(lacking: list[list[str]]) -> list[dict[str, float]]:
    pi = FakePi(wire=True)
    pushes, why = _on(pi, ("rpi_ws281x",), "push", "ours", "pwm", "1")
    if why:
        lacking.append(["filling the buffers", why])
    return pushes


def _on(pi: FakePi, modules: Sequence[str], *arguments: str) -> tuple[list[dict[str, Any]], str]:
    """Return what `ways` prints there, or why it fails."""
    lacking = [_PACKAGES[module] for module in modules if find_spec(module) is None]
    if lacking:
        return [], f"needs {', '.join(lacking)} (pip install '.[bench]')"
    if why := missing():
        return [], why
    try:
        outcome = pi.run("tests.bench.ways", *arguments, seconds=_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return [], f"took more than {_TIMEOUT_S:g} s"
    reported = [line for line in outcome.out.splitlines() if line.startswith("[")]
    if outcome.code or not reported:
        return [], f"failed: {' '.join(outcome.err.split())[-_TOLD:] or f'exit {outcome.code}'}"
    return json.loads(reported[-1]), ""


def _frame_rates(runs: _Runs) -> Report:
    title = (
        "Frames a second by the middle frame (all: by all frames, delayed by whatever else runs), "
        "on a fake\nPi 3 or 5, the wire's time modelled; ours on PIO: a file, by its pace"
    )
    ours = ["ideal wire", "ours, all", _OURS, "% of ideal wire"]
    header = ["wire", "LEDs", *ours, *_OTHERS]
    rows = _rows(runs, _our_rates, lambda run: f"{run.rate:.0f}")
    return title, header, [*rows]


def _our_rates(run: Run, wire: str) -> list[str]:
    ideal = _ideal_rate(run, wire)
    rates = (ideal, run.overall, run.rate)
    return [*(f"{rate:.0f}" for rate in rates), f"{100 * run.rate / ideal:.1f}"]


def _ideal_rate(run: Run, wire: str) -> float:
    _, channels = _WIRES[wire]
    return 1 / StripSpec(leds=(math.ceil(run.leds / channels),)).wire_seconds


def _waits(runs: _Runs) -> Report:
    title = (
        "Another thread asks for 1 ms: the longest that it waits beyond it, ms; waits for a "
        "processor, which\nother programs have, left out (all: counted)"
    )
    header = ["wire", "LEDs", "no frames, all", "ours, all", "no frames", _OURS, *_OTHERS]
    return title, header, [*_rows(runs, _our_waits, lambda run: f"{run.wait:.1f}")]


def _our_waits(run: Run, _wire: str) -> list[str]:
    waits = (run.still_longest, run.longest, run.still, run.wait)
    return [f"{wait:.1f}" for wait in waits]


def _rows(
    runs: _Runs, ours: Callable[[Run, str], list[str]], theirs: Callable[[Run], str]
) -> Iterator[list[str]]:
    """Return a row for each wire and number of LEDs, empty for ways that have no such wire."""
    for wire in _WIRES:
        for leds, run in runs.get((_OURS, wire), {}).items():
            others = [runs.get((name, wire), {}).get(leds) for name in _OTHERS]
            reported = [theirs(other) if other else "" for other in others]
            yield [wire, str(leds), *ours(run, wire), *reported]


def _push_table(pushes: list[dict[str, float]]) -> Report:
    title = "Filling the buffers of a strip, us a frame, nothing sent"
    rows = [
        [f"{push['leds']:.0f}", f"{push['ours']:.1f}", f"{push['stock']:.0f}"] for push in pushes
    ]
    return title, ["LEDs", _OURS, "stock PixelStrip"], rows


def _promises(runs: _Runs, pushes: list[dict[str, float]]) -> Iterator[list[str]]:
    ours = {wire: [*done.values()] for (name, wire), done in runs.items() if name == _OURS}
    yield from _rate_promises(ours)
    if pushes:
        gain = min(push["stock"] / push["ours"] for push in pushes)
        yield row("filling, quicker than stock at least", gain, "times", at_least=_PUSH_GAIN)
    for wire, done in ours.items():
        wait = max(run.wait for run in done)
        yield row(f"{wire}: another thread waits, at most", wait, "ms", below=_WAIT_MS)
        still = max(run.still for run in done)
        yield row(f"{wire}: the same with no frames going out", still, "ms")


def _rate_promises(ours: Mapping[str, Sequence[Run]]) -> Iterator[list[str]]:
    for wire, done in ours.items():
        share = min(100 * run.rate / _ideal_rate(run, wire) for run in done)
        yield row(f"{wire}: of the ideal wire's rate, at least", share, "%", at_least=_WIRE_SHARE)
        overall = min(100 * run.overall / _ideal_rate(run, wire) for run in done)
        yield row(f"{wire}: the same by all frames", overall, "%")
    if {"PWM", _TWO} <= ours.keys():
        # In a frame of a shorter strip the reset, which is as long, has too large a part.
        both = [runs for runs in zip(ours[_TWO], ours["PWM"], strict=True) if runs[0].leds >= _LONG]
        gain = min(two.rate / one.rate for two, one in both)
        what = f"two channels beside one, from {_LONG} LEDs on, at least"
        yield row(what, gain, "times", at_least=_CHANNEL_GAIN)


def _output_stage() -> Report:
    title = "Output stage, us a frame: light to bytes, every LED lit at random"
    header = ["LEDs", "type", "response", "within the budget", "over the budget"]
    kernel = TableScale(np.floor(255 * LINEAR ** (1 / 0.45)) / 255)
    rows = []
    for leds in ((400,), (1200,), (600, 600)):
        for name, scale in (("linear", BYTES), ("kernel's gamma", kernel)):
            for kind, order in (("ws2812b", "GRB"), ("sk6812w", "GRBW")):
                spec = StripSpec(leds=leds, type=kind, order=order)
                light = np.random.default_rng(1).random((sum(leds), 3), dtype=np.float32)
                idle = POWER[kind].idle
                budgets = [[n * idle + spare for n in leds] for spare in (1e6, 800)]
                costs = [_microseconds(Output(spec, each, scale), light) for each in budgets]
                reported = " + ".join(map(str, leds))
                rows.append([reported, kind, name, *(f"{cost:.0f}" for cost in costs)])
    return title, header, rows


def _microseconds(output: Output, light: Light, rounds: int = 200) -> float:
    return min(repeat(lambda: output.render(light), number=rounds, repeat=5)) / rounds * 1e6
