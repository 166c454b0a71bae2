"""`cribwars lights test` by its contract: the dump, the words for people, the exit codes."""

import fcntl
import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

import pytest

from hardware.strips.protocol import COLOURS, ONE_WIRE, StripSpec
from tests.support.fakepi import FakePi, decode, missing
from tests.support.limits import TIMEOUT_S
from tests.support.program import (
    MAIN,
    OWN_VARIABLES,
    ROOT,
    Answer,
    Ask,
    ask,
    assert_refused,
    environment,
    run_command,
)
from tests.support.program_children import FRAMES

__all__ = ["ask"]

LIGHTS = ("lights", "test")
ON_THREE = (*LIGHTS, "--strip", "virtual", "--leds", "3", "--pattern", "index")

SET = """
[strip]
driver = "rpi_ws281x:pwm"
type = "sk6812w"
order = "WRGB"
pins = [12]
budget_ma = 50
"""

on_a_fake_pi = pytest.mark.emulator(lacks=missing())

CHILDREN = "tests.support.program_children"
LINE = "command line: strip."


def channels_of(answer: Answer) -> list[list[list[list[int]]]]:
    """Return the channels of each frame in the dump on stdout."""
    return cast("list[list[list[list[int]]]]", [line["channels"] for line in answer.lines])


def settings_file(folder: Path, text: str) -> str:
    """Return a settings file."""
    file = folder / "settings.toml"
    file.write_text(text)
    return str(file)


@contextmanager
def endless(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """Run a test of an hour that dumps to a pipe, until some lines have come."""
    arguments = [sys.executable, *MAIN, *ON_THREE, "--frames", "100000", "--dump", "-"]
    process = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=environment(folder)
    )
    assert process.stdout is not None
    try:
        yield process, process.stdout
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Set a home without settings, for this process and its children."""
    for name in OWN_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


# The dump


def shape_of(channels: list[list[list[int]]]) -> list[tuple[int, set[int]]]:
    """Return the number of LEDs of each channel, and of their colours."""
    return [(len(pixels), {len(pixel) for pixel in pixels}) for pixels in channels]


@pytest.mark.parametrize("pattern", ["index", "order", "white", "zones"])
@pytest.mark.parametrize(
    ("strip", "leds", "expected"),
    [
        ("virtual", "7", [(7, {3})]),
        ("null,type=sk6812w", "7", [(7, {4})]),
        ("virtual,type=ws2811,order=RGB", "4,6", [(4, {3}), (6, {3})]),
        ("virtual,order=WGRB,type=sk6812w", "4,6", [(4, {4}), (6, {4})]),
    ],
)
def test_a_line_a_frame(
    ask: Ask, pattern: str, strip: str, leds: str, expected: list[tuple[int, set[int]]]
) -> None:
    """K frames are K lines with the time from the first, the LEDs' bytes, and milliamperes."""
    options = ("--strip", strip, "--leds", leds, "--pattern", pattern, "--frames", "3")
    answer = ask(*LIGHTS, *options, "--dump", "-")
    assert (0, 3) == (answer.code, len(answer.lines))
    assert {("t", "channels", "milliamps")} == {tuple(line) for line in answer.lines}
    assert [expected] * 3 == list(map(shape_of, channels_of(answer)))
    times = [cast("float", line["t"]) for line in answer.lines]
    assert 0.0 == times[0]
    assert sorted(set(times)) == times
    values = {n for frame in channels_of(answer) for row in frame for pixel in row for n in pixel}
    assert {int} == set(map(type, values))
    assert values <= set(range(256))


def test_index_colours(ask: Ask) -> None:
    """The LEDs of all channels have the first colours in order of their sums, red first."""
    answer = ask(*LIGHTS, "--leds", "3,2", "--pattern", "index", "--frames", "1", "--dump", "-")
    expected = [[[2, 0, 0], [0, 2, 0], [0, 0, 2]], [[4, 0, 0], [2, 2, 0]]]
    assert [expected] == channels_of(answer)


def test_white_on_a_strip_that_has_it(ask: Ask) -> None:
    """Full white is the white LED if there is one, else all three colours."""
    options = ("--leds", "1", "--pattern", "white", "--frames", "1", "--dump", "-")
    assert [[[[255, 255, 255]]]] == channels_of(ask(*LIGHTS, *options))
    on_white = ask(*LIGHTS, *options, "--strip", "null,type=sk6812w")
    assert [[[[0, 0, 0, 255]]]] == channels_of(on_white)


def test_the_budget_holds(ask: Ask) -> None:
    """No frame draws more than allowed, and dimming is reported."""
    options = ("--leds", "100", "--pattern", "white", "--frames", "10", "--budget-ma", "1000")
    answer = ask(*LIGHTS, *options, "--dump", "-")
    drawn = [cast("float", line["milliamps"]) for line in answer.lines]
    assert 900 < max(drawn) <= 1000
    words = "white: full white needs 5590 mA; the supply limits the light from level 17% up"
    assert words in answer.err


def test_a_dump_in_a_file(ask: Ask, tmp_path: Path) -> None:
    """A file replaces stdout, and its old content is overwritten."""
    file = tmp_path / "dump.jsonl"
    file.write_text("old\n" * 100)
    answer = ask(*ON_THREE, "--frames", "2", "--dump", str(file))
    assert (0, "") == (answer.code, answer.out)
    written = [json.loads(line)["channels"] for line in file.read_text().splitlines()]
    assert [[[[2, 0, 0], [0, 2, 0], [0, 0, 2]]]] * 2 == written


# What people see


def test_people_are_told_on_stderr(ask: Ask) -> None:
    """Without a dump stderr alone says what strip it is, if it is lit, and what should be seen."""
    answer = ask(*LIGHTS, "--strip", "null", "--leds", "5", "--pattern", "order", "--frames", "3")
    assert (0, "") == (answer.code, answer.out)
    first, second, *_, last = answer.err.splitlines()
    assert first.startswith("null: 5 LEDs, type ws2812b, order GRB")
    assert "no strip is lit: set [strip] driver, or give --strip" == second
    assert "order: all of channel 0 blue: 23 mA" == last


def test_all_of_it_by_itself(ask: Ask) -> None:
    """Without arguments the settings' strip shows each pattern for the requested frames."""
    answer = ask(*LIGHTS, "--frames", "2", "--dump", "-")
    assert (0, 8) == (answer.code, len(answer.lines))
    assert answer.err.startswith("virtual: 1206 LEDs, type ws2812b")
    reported = dict.fromkeys(line.partition(":")[0] for line in answer.err.splitlines()[2:])
    assert ["index", "order", "white", "zones"] == list(reported)
    assert "zones: the printed zones of Crib Wars, as wired in the settings" in answer.err


def test_a_file_that_stands_in_for_a_strip_is_reported(ask: Ask, tmp_path: Path) -> None:
    """It is overwritten, so a mistyped path is noticed."""
    file = tmp_path / "strip"
    file.touch()
    answer = ask(*ON_THREE, "--frames", "1", "--strip", f"pio:{file}")
    first, second, *_ = answer.err.splitlines()
    assert first.startswith(f"pio:{file}: 3 LEDs")
    assert f"{file} is a file, not a strip: it is overwritten" == second


def test_a_pipe_that_nobody_reads_is_refused(ask: Ask, tmp_path: Path) -> None:
    """The command does not wait for a reader."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    answer = ask(*ON_THREE, "--frames", "1", "--strip", f"pio:{pipe}")
    assert_refused(answer, f"{pipe} is neither the device of a strip nor a file")


def test_the_help_says_how_fast_it_runs(ask: Ask) -> None:
    """The help has the frame rate, for users who count frames."""
    assert "A second has 30 frames" in " ".join(ask(*LIGHTS, "--help").out.split())


def test_zones_of_the_settings_board(ask: Ask, tmp_path: Path) -> None:
    """On a strip of another length the board is shown along its track."""
    file = settings_file(tmp_path, 'board = "classic"\n')
    options = ("--leds", "121", "--pattern", "zones", "--frames", "1", "--config", file)
    answer = ask(*LIGHTS, *options)
    assert "zones: LED n shows hole n + 1 of Cribbage" in answer.err


# The strip: as given, else as in the settings


@pytest.mark.parametrize(
    ("strip", "expected"),
    [
        ("null", "type sk6812w, order WRGB"),
        ("null,order=RGBW", "type sk6812w, order RGBW"),
        ("null,type=sk6812w", "type sk6812w, order GRBW"),
        ("null,type=ws2815", "type ws2815, order GRB"),
        ("null,type=sk6812", "type sk6812, order GRB"),
        ("null,type=sk6812,order=RGBW", "type sk6812w, order RGBW"),
        ("null,type=sk6812,order=BRG", "type sk6812, order BRG"),
        ("null,order=GRB", "type sk6812, order GRB"),
        ("null,type=sk6812w,order=BRG", "type sk6812, order BRG"),
        ("null,order=grb", "type sk6812, order GRB"),
        ("null,type=SK6812,order=grbw", "type sk6812w, order GRBW"),
        ("null,type=WS2815", "type ws2815, order GRB"),
    ],
)
def test_what_a_strip_leaves_out(ask: Ask, tmp_path: Path, strip: str, expected: str) -> None:
    """Type and order are the settings' unless given; a type alone has its usual order.

    The settings' pins are for another driver and ignored. SK6812 LEDs become the variant with or
    without white that the order needs. Upper and lower case do not matter.
    """
    options = (*ON_THREE, "--frames", "1", "--config", settings_file(tmp_path, SET))
    answer = ask(*options, "--strip", strip)
    assert 0 == answer.code, answer.err
    assert f"3 LEDs, {expected};" in answer.err


@pytest.mark.parametrize("strip", [(), ("--strip", "null")])
def test_a_type_alone_has_its_usual_order(ask: Ask, tmp_path: Path, strip: tuple[str, ...]) -> None:
    """The same holds in the settings' file; upper and lower case do not matter."""
    file = settings_file(tmp_path, '[strip]\ntype = "SK6812W"\n')
    options = (*LIGHTS, "--leds", "3", "--pattern", "index", "--frames", "1", "--config", file)
    assert "3 LEDs, type sk6812w, order GRBW;" in ask(*options, *strip).err
    settings_file(tmp_path, '[strip]\norder = "rgb"\n')
    assert "3 LEDs, type ws2812b, order RGB;" in ask(*options, *strip).err


@pytest.mark.parametrize(("leds", "milliamps"), [("100", 600), ("100,100", 1500)])
def test_of_supplies_a_channel_a_spare_strip_has_the_first(
    ask: Ask, tmp_path: Path, leds: str, milliamps: float
) -> None:
    """A list of budgets fits its number of channels; else the first counts."""
    file = settings_file(tmp_path, "[strip]\nbudget_ma = [600, 900]\n")
    options = ("--leds", leds, "--pattern", "white", "--frames", "1", "--dump", "-")
    answer = ask(*LIGHTS, *options, "--config", file)
    assert milliamps - 100 < cast("float", answer.lines[0]["milliamps"]) <= milliamps


@pytest.mark.parametrize("strip", [(), ("--strip", "rpi_ws281x:pwm")])
def test_the_settings_pins_are_their_drivers(
    ask: Ask, tmp_path: Path, strip: tuple[str, ...]
) -> None:
    """The settings' driver, named or not, keeps its pins unless --strip has others."""
    file = settings_file(tmp_path, SET.replace("[12]", "[4]"))
    options = ("--leds", "3", "--pattern", "index", "--config", file)
    assert_refused(ask(*LIGHTS, *options, *strip), "GPIO 4 cannot be channel 0")
    other = ask(*LIGHTS, *options, "--strip", "rpi_ws281x:pwm,pins=5")
    assert_refused(other, "GPIO 5 cannot be channel 0")


# Refusals: one line with the remedy, and no light


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--strip", "nope"), f'{LINE}driver: driver = "nope": there is no such driver; '),
        (("--strip", ""), f'{LINE}driver: cannot be ""'),
        (("--strip", "neopixel"), "its pin must follow after a colon"),
        (("--strip", "virtual,"), 'virtual,: "" is no option; write virtual,option=value'),
        (("--strip", "virtual,type"), '"type" is no option'),
        (
            ("--strip", "virtual,baud=500000"),
            f'{LINE}baud: strip driver "virtual" has no option baud',
        ),
        (("--strip", "virtual,order=RGB,order=RGB"), "order comes twice; give it once"),
        (("--strip", "rpi_ws281x:spi,pins=x"), "write BCM numbers"),
        (("--strip", "rpi_ws281x:spi,root=/"), "has no option root; its options: pins"),
        (("--strip", "virtual\nx"), "it contains control characters; take them out"),
        (("--strip", "virtual,a\x1b[2Jb=1"), "it contains control characters; take them out"),
        (("--strip", "rpi_ws281x:spi", "--leds", "3,3"), "has one channel"),
        (("--leds", ""), "--leds : write the LEDs of each channel, 1 to 5000, such as 121"),
        (("--leds=-3",), "--leds -3: write the LEDs"),
        (("--leds", "3,3,3"), "or 200,163 for two channels"),
        (("--leds", "5001"), "1 to 5000"),
        (("--leds", "\uff12"), "write the LEDs"),
        (("--frames", "0"), "--frames"),
        (("--pattern", "rainbow"), "'rainbow' is not one of 'index'"),
        (("--budget-ma", "2"), "budget_ma = 2 is below the 3 mA of 3 dark LEDs"),
        (("--budget-ma", "nan"), f"{LINE}budget_ma: cannot be nan"),
        (("--config", "absent.toml"), "absent.toml: cannot be read"),
        (("more",), "unexpected extra argument (more)"),
    ],
)
def test_wrong_use_is_one_line(ask: Ask, arguments: tuple[str, ...], words: str) -> None:
    """It is one line with the remedy, before anything is lit."""
    answer = ask(*ON_THREE, "--frames", "1", *arguments)
    assert_refused(answer, words)
    assert 1 == len(answer.err.splitlines())


def test_a_faulty_settings_file_is_reported_with_its_place(ask: Ask, tmp_path: Path) -> None:
    """Faults of board, wiring and strip are reported as by `run`."""
    arguments = (*LIGHTS, "--pattern", "zones", "--frames", "1", "--config")
    file = settings_file(tmp_path, '[wiring]\nper = "mile"\n')
    assert_refused(ask(*arguments, file), f'{file}: wiring.per: cannot be "mile"')
    file = settings_file(tmp_path, 'board = "hill"\n')
    assert_refused(ask(*arguments, file), f"{file}: ")
    file = settings_file(tmp_path, '[strip]\ntype = "ws1"\n')
    assert_refused(ask(*arguments, file), f'{file}: strip.type: type = "ws1" is not known')


def test_a_strip_needs_no_sound_board(ask: Ask, tmp_path: Path) -> None:
    """Patterns without a board need none if the LEDs are given."""
    file = settings_file(tmp_path, 'board = "hill"\n')
    assert 0 == ask(*ON_THREE, "--frames", "1", "--config", file).code


def test_a_dump_that_cannot_be_written_is_reported_first(ask: Ask, tmp_path: Path) -> None:
    """Its file is opened before the strip, which is not changed."""
    device = tmp_path / "leds0"
    device.touch()
    arguments = ("--strip", f"pio:{device}", "--dump", str(tmp_path / "absent" / "dump"))
    answer = ask(*ON_THREE, "--frames", "1", *arguments)
    assert_refused(answer, "cannot be written (No such file or directory): choose another place")
    assert b"" == device.read_bytes()


def test_a_dump_without_room_is_one_line(tmp_path: Path) -> None:
    """A dump that fails later ends the test with a remedy."""
    answer = run_command(tmp_path, *ON_THREE, "--frames", "2", "--dump", "/dev/full")
    assert (2, "") == (answer.code, answer.out)
    assert "cribwars: reading or writing failed" in answer.err.splitlines()[-1]
    assert "Traceback" not in answer.err


def test_a_strip_that_another_program_drives(ask: Ask) -> None:
    """One line has the device and the remedy, as beside a running table."""
    ends = os.openpty()
    device = os.ttyname(ends[1])
    fcntl.flock(ends[1], fcntl.LOCK_EX)
    answer = ask(*ON_THREE, "--strip", f"adalight:{device}")
    for end in ends:
        os.close(end)
    assert_refused(answer, f"{device} is in use by another program; stop it first")


# In a process of its own: signals, gone readers


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
@pytest.mark.parametrize("strip", ["rpi_ws281x:spi", "spi:ws2812b"])
def test_a_strip_that_moves_shows_each_frame_of_its_dump(strip: str) -> None:
    """Each line of a rising white is one frame on the wire, in order."""
    options = (*LIGHTS, "--strip", strip, "--leds", "60", "--pattern", "white")
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
