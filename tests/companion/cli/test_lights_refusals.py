"""Refusals of `cribwars lights test`: one line with the remedy, and no light."""

import fcntl
import os
from pathlib import Path

import pytest

from tests.companion.cli.test_lights import LIGHTS, ON_THREE, settings_file
from tests.support.program import Ask, ask, assert_refused, run_command

__all__ = ["ask"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("--strip", "nope"),
            'command line: strip.driver: driver = "nope": there is no such driver; ',
        ),
        (("--strip", ""), 'command line: strip.driver: cannot be ""'),
        (("--strip", "neopixel"), "its pin must follow after a colon"),
        (("--strip", "virtual,"), 'virtual,: "" is no option; write virtual,option=value'),
        (("--strip", "virtual,type"), '"type" is no option'),
        (
            ("--strip", "virtual,baud=500000"),
            'command line: strip.baud: strip driver "virtual" has no option baud',
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
        (("--budget-ma", "nan"), "command line: strip.budget_ma: cannot be nan"),
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
