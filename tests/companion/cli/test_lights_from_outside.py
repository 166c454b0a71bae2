"""`cribwars lights test` in a process of its own: signals, gone readers, and the real wire."""

import itertools
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from hardware.strips.protocol import COLOURS, ONE_WIRE, StripSpec
from tests.support.fakepi import FakePi, decode, missing
from tests.support.limits import TIMEOUT_S
from tests.support.program import MAIN, OWN_VARIABLES, ROOT, environment
from tests.support.program_children import FRAMES

on_a_fake_pi = pytest.mark.emulator(lacks=missing())

CHILDREN = "tests.support.program_children"
LIGHTS = ("lights", "test")
INDEX = (*LIGHTS, "--strip", "virtual", "--leds", "3", "--pattern", "index")


@contextmanager
def endless(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """Run a test of an hour that dumps to a pipe, until some lines have come."""
    arguments = [sys.executable, *MAIN, *INDEX, "--frames", "100000", "--dump", "-"]
    process = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=environment(folder)
    )
    assert process.stdout is not None
    try:
        yield process, process.stdout
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.program
def test_a_signal_ends_it_well(tmp_path: Path, number: signal.Signals) -> None:
    """It ends between two frames with whole lines and exit 0, without a traceback."""
    with endless(tmp_path) as (process, lines):
        first = lines.readline()
        process.send_signal(number)
        rest, said = process.communicate(timeout=TIMEOUT_S)
    times = [json.loads(line)["t"] for line in [first, *rest.splitlines()]]
    assert (0, 0.0) == (process.returncode, times[0])
    assert len(times) < 100000
    assert b"Traceback" not in said


@pytest.mark.program
def test_a_reader_that_goes_ends_it(tmp_path: Path) -> None:
    """A reader that stops reading is no error."""
    with endless(tmp_path) as (process, lines):
        lines.readline()
        lines.close()
        process.wait(timeout=TIMEOUT_S)
        assert process.stderr is not None
        last = process.stderr.read().splitlines()[-1]
    assert last.startswith(b"index: every LED")


# On the wire


def every_order() -> list[tuple[str, str]]:
    """Return all types with one data line, each with all its orders."""
    return [
        (kind, "".join(order))
        for kind in ONE_WIRE
        for order in itertools.permutations("RGBW"[: COLOURS[kind]])
    ]


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Set a home without settings, for this process and its children."""
    for name in OWN_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


@on_a_fake_pi
@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(
    ("mode", "leds"), [("spi", (30,)), ("pcm", (30,)), ("pwm", (30,)), ("pwm", (20, 10))]
)
def test_the_dump_is_what_is_on_the_wire(mode: str, leds: tuple[int, ...], tmp_path: Path) -> None:
    """For each type and order the LEDs show the dump, then black."""
    cases = every_order() if mode == "spi" else [("ws2812b", "RGB"), ("sk6812w", "GRBW")]
    options = (*LIGHTS, "--leds", ",".join(map(str, leds)), "--pattern", "index", "--frames", "1")
    dumps = [tmp_path / f"{n}.jsonl" for n, _ in enumerate(cases)]
    commands = [
        (*options, "--strip", f"rpi_ws281x:{mode},type={kind},order={order}", "--dump", str(dump))
        for (kind, order), dump in zip(cases, dumps, strict=True)
    ]
    outcome = FakePi().run(CHILDREN, "commands_in_turn", json.dumps(commands))
    assert 0 == outcome.code, outcome.err
    each = len(outcome.transfers) // len(cases)
    for n, ((kind, order), dump) in enumerate(zip(cases, dumps, strict=True)):
        spec = StripSpec(leds=leds, type=kind, order=order)
        shown, *black = outcome.transfers[each * n : each * (n + 1)]
        dumped = [json.loads(line)["channels"] for line in dump.read_text().splitlines()]
        wire = [pixels.tolist() for pixels in decode(shown, spec)]
        assert [wire] == dumped
        assert black
        assert not any(pixels.any() for last in black for pixels in decode(last, spec))


@on_a_fake_pi
@pytest.mark.usefixtures("at_home")
def test_a_strip_that_moves_shows_each_frame_of_its_dump() -> None:
    """Each line of a rising white is one frame on the wire, in order."""
    options = (*LIGHTS, "--strip", "rpi_ws281x:spi", "--leds", "60", "--pattern", "white")
    arguments = [[*options, "--frames", "6", "--dump", "-"]]
    outcome = FakePi().run(CHILDREN, "commands_in_turn", json.dumps(arguments))
    spec = StripSpec(leds=(60,))
    wire = [decode(transfer, spec)[0].tolist() for transfer in outcome.transfers]
    dumped = [json.loads(line)["channels"][0] for line in outcome.out.splitlines()]
    assert [*dumped, [[0, 0, 0]] * 60] == wire
    assert 6 == len(dumped)


@on_a_fake_pi
@pytest.mark.usefixtures("at_home")
def test_a_signal_turns_the_strip_dark() -> None:
    """After an end in the middle the last frame on the wire is black."""
    options = ("--strip", "rpi_ws281x:spi", "--leds", "5", "--pattern", "index", "--frames", "9999")
    outcome = FakePi().run(CHILDREN, "stopped_lights", *options)
    assert 0 == outcome.code, outcome.err
    *shown, last = (decode(transfer, StripSpec(leds=(5,)))[0] for transfer in outcome.transfers)
    assert FRAMES <= len(shown) < 9999
    assert all(pixels.any(axis=1).all() for pixels in shown)
    assert not last.any()
