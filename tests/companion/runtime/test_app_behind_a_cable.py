"""`cribwars run` with lights and buttons on an emulated Uno, pressed at its chip's pins."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware_bridge.board_on_pty import UnoOnPty, uno_on_pty
from tests.support import simavr_harness
from tests.support.limits import TIMEOUT_S
from tests.support.program import HTTP, Program, running

PLUS_ONE, PLUS_FIVE, ENTER = 0, 1, 2
SETTINGS = '[wiring]\nper = "hole"\n'

pytestmark = [pytest.mark.emulator(lacks=simavr_harness.missing()), pytest.mark.program]


def settings(folder: Path, text: str = "") -> tuple[str, str]:
    """Return the arguments for a settings file with this text."""
    file = folder / "cribwars.toml"
    file.write_text(SETTINGS + text)
    return "--config", str(file)


def until(done: Callable[[], object]) -> None:
    """Poll the program until a condition is true; an AssertionError if it never is."""
    end = time.monotonic() + TIMEOUT_S
    while not done():
        assert time.monotonic() < end


def press(program: Program, uno: UnoOnPty, button: int, pending: int) -> None:
    """Press a button of the board until this many points are pending, then release it."""
    uno.press(button)
    until(lambda: program.table()["teams"]["1"]["pending"] == pending)
    uno.press(button, down=False)


def plug_in(uno: UnoOnPty) -> None:
    """Plug the board in, and wait until a lit frame has followed."""
    uno.plug_in()
    uno.until(lambda: any(map(any, uno.shown())))


def notices(program: Program) -> list[str]:
    """Return the lines that a page shows."""
    for news in program.news():
        if "notices" in news:
            return list(news["notices"])
    raise AssertionError("no news")


def test_a_board_that_is_plugged_in_later_and_elsewhere(tmp_path: Path) -> None:
    """The table starts without it, tells what it looks for, and lives as soon as it is there.

    Pulled out and plugged in under another name it goes on: the same game, lights and presses.
    """
    link = tmp_path / "board"
    arguments = ("--strip", f"serial:{link}", *settings(tmp_path, '[panel]\nbuttons = "serial"\n'))
    with uno_on_pty(link) as uno, running(tmp_path, *arguments, simulate=False) as program:
        assert program.ready.startswith("ready ")
        looked_for = f"{link} is not there; plug the board in"
        assert f"cribwars: {looked_for}" in program.stderr
        assert looked_for in " ".join(notices(program))
        plug_in(uno)
        press(program, uno, PLUS_ONE, 1)
        press(program, uno, PLUS_FIVE, 6)
        until(lambda: "connected to the Arduino Uno or Nano" in program.stderr)
        uno.unplug()
        until(lambda: "the port failed" in program.stderr)
        plug_in(uno)
        press(program, uno, PLUS_ONE, 7)
        press(program, uno, ENTER, 0)
        until(lambda: program.table()["teams"]["1"]["front"] == 7)
        until(lambda: "connected to the Arduino Uno or Nano" in notices(program)[-1])
        requested = HTTP.post(f"{program.url}api/press", json={"button": "deal"})
        assert 404 == requested.status_code  # the buttons are real
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr
        with uno.changed:
            assert not any(uno.shown()[-1])


def test_without_pins_the_buttons_of_the_strips_board_count(tmp_path: Path) -> None:
    """Without pins and a setting for buttons, page and board both have them."""
    link = tmp_path / "board"
    arguments = ("--strip", f"serial:{link}", *settings(tmp_path))
    with uno_on_pty(link) as uno:
        uno.plug_in()
        with running(tmp_path, *arguments, simulate=False) as program:
            assert "cribwars: mock panel: no GPIO here" in program.stderr
            press(program, uno, PLUS_FIVE, 5)
            assert 6 == program.press("1.plus_one")["teams"]["1"]["pending"]
            press(program, uno, PLUS_ONE, 7)
            assert (0, "") == program.stop()


def test_buttons_alone_on_a_board(tmp_path: Path) -> None:
    """The strip may be elsewhere; a map of places moves a button to another pin."""
    link = tmp_path / "board"
    text = f'[panel]\nbuttons = "serial:{link}"\n[panel.places]\n"1.plus_five" = 15\n'
    with uno_on_pty(link) as uno:
        uno.plug_in()
        arguments = ("--strip", "virtual", *settings(tmp_path, text))
        with running(tmp_path, *arguments, simulate=False) as program:
            press(program, uno, 15, 5)
            assert (0, "", "") == (*program.stop(), program.stderr)


def test_a_simulated_table_leaves_the_board_alone(tmp_path: Path) -> None:
    """With --simulate there are mock pins, whatever the settings of the buttons."""
    arguments = settings(tmp_path, '[panel]\nbuttons = "serial:/dev/ttyNONE"\n')
    with running(tmp_path, *arguments) as program:
        assert 1 == program.press("1.plus_one")["teams"]["1"]["pending"]
        assert (0, "") == program.stop()
        assert "cribwars: mock panel: simulated, as asked\n" == program.stderr
