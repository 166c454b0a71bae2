"""`cribwars bridge` by its contract, with a board at the end of a real pty."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.bridge import bridge_group
from companion.cli.main import cribwars
from companion.cli.options import FAULTY
from companion.errors import BadInputError
from firmware_bridge.errors import CutError, SetupError
from firmware_bridge.flash import firmware_files
from tests.firmware_bridge.board_on_pty import BoardOnPty, board_on_pty, uno_on_pty
from tests.support import simavr_harness
from tests.support.slow_board import SlowBoard

COUNTERS = dict.fromkeys(
    ("shown", "bad_headers", "damaged", "broken_off", "overruns", "lost_edges", "watchdog"), 0
)

SCRIPT = """#!/bin/sh
printf '%s\\n' "$PWD" "$@" > "{folder}/called"
[ -f "{folder}/fails" ] || exit 0
printf 'avrdude: stk500_recv(): programmer is not responding\\n\\n' >&2
exit 1
"""

ABOUT = "Adafruit CircuitPython 10.2.1 on 2026-05-04; Raspberry Pi Pico with rp2040\n"
needs_uno = pytest.mark.emulator(lacks=simavr_harness.missing())


@pytest.fixture
def board() -> Iterator[BoardOnPty]:
    """Return a small board, whose strip is shown quickly."""
    with board_on_pty(SlowBoard(pixel_bytes=150)) as on_pty:
        yield on_pty


def ask(*arguments: str) -> Result:
    """Run `cribwars bridge` with these arguments."""
    return CliRunner().invoke(bridge_group, arguments, **cribwars.context_settings)


@contextmanager
def meanwhile(*arguments: str) -> Iterator[list[Result]]:
    """Run `cribwars bridge` during another action. Return both results."""
    answers: list[Result] = []
    thread = threading.Thread(target=lambda: answers.append(ask(*arguments)))
    thread.start()
    yield answers
    thread.join()


class FakeAvrdude:
    """The first avrdude on the PATH."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder.mkdir()
        self._folder = folder
        program = folder / "avrdude"
        program.write_text(SCRIPT.format(folder=folder))
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def fail(self) -> None:
        """Fail from now on, as if there were no board."""
        (self._folder / "fails").touch()

    @property
    def is_called(self) -> bool:
        """True if it has been called."""
        return (self._folder / "called").exists()

    @property
    def call(self) -> tuple[Path, list[str]]:
        """Return the folder and the arguments of the last call."""
        folder, *arguments = (self._folder / "called").read_text().splitlines()
        return Path(folder), arguments


@pytest.fixture
def avrdude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeAvrdude:
    """Put an avrdude on the PATH that finds its board."""
    return FakeAvrdude(tmp_path / "bin", monkeypatch)


def flash(*arguments: str, answer: str = "") -> Result:
    """Run `cribwars bridge flash` with these arguments and this reply to its question."""
    words = ["flash", *arguments]
    return CliRunner().invoke(bridge_group, words, input=answer, **cribwars.context_settings)


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    """Return a drive as CircuitPython leaves it, with a program that is not ours."""
    folder = tmp_path / "CIRCUITPY"
    (folder / "lib").mkdir(parents=True)
    (folder / "boot_out.txt").write_text(ABOUT)
    (folder / "code.py").write_text('print("Hello World!")\n')
    (folder / "settings.toml").write_text('CRIBWARS_STRIP = "GP2"\n')
    return folder


def test_identify_tells_what_a_board_is(board: BoardOnPty) -> None:
    """It is one JSON value, or a line for each to people; the port is closed each time."""
    answer = ask("identify", board.device, "--json")
    assert 0 == answer.exit_code
    assert {
        "protocol": 1,
        "firmware": "1.2.3",
        "board": "slow board",
        "id": "",
        "leds": 50,
        "buttons": 14,
        "counters": COUNTERS,
    } == json.loads(answer.stdout)
    lines = ask("identify", board.device).stdout.splitlines()
    assert len(COUNTERS) == len(lines)
    assert "    board  slow board" in lines
    assert "       id  none" in lines
    assert 0 == ask("identify", board.device).exit_code


def test_a_board_that_does_not_do_is_a_fault() -> None:
    """It exits 1 with one line that has the remedy."""
    with board_on_pty(SlowBoard(protocols=(8, 9))) as newer:
        answer = ask("identify", newer.device)
    assert (FAULTY, "") == (answer.exit_code, answer.stdout)
    speaks = "speaks protocol versions 8 to 9, but the companion speaks 1 to 1; update"
    assert f"the slow board {speaks}" in answer.stderr
    assert 1 == len(answer.stderr.splitlines())


def test_a_port_that_is_not_there_is_wrong_use() -> None:
    """A speed that no board has is wrong use, too."""
    assert isinstance(ask("identify", "/dev/ttyNONE").exception, CutError)
    for baud in ("1200", "0"):
        assert isinstance(ask("identify", "/dev/ttyNONE", "--baud", baud).exception, SetupError)


def test_soak_keeps_a_board_busy(board: BoardOnPty) -> None:
    """It lights all LEDs for the frames, and nothing fails on a good cable."""
    answer = ask("soak", board.device, "--seconds", "0.8", "--json")
    assert 0 == answer.exit_code, answer.output
    reported = json.loads(answer.stdout)
    assert 50 == reported["leds"]
    assert reported["faults"].keys() <= {"host unanswered"}, "a busy machine answers late"
    shown = reported["host"]["shown"]
    assert 0 < shown == round(reported["frames_per_second"] * reported["seconds"])
    assert shown <= len(board.board.strip.shown)
    assert bytes(150) == board.board.strip.light


def test_soak_finds_a_bad_board(board: BoardOnPty) -> None:
    """Frames that a board counts as lost are reported, with exit code 1."""
    with meanwhile("soak", board.device, "--seconds", "1.5") as answers:
        board.until(lambda: len(board.board.strip.shown) > 2)
        with board.changed:
            board.board.counters["overrun"] = 3
    (answer,) = answers
    assert FAULTY == answer.exit_code
    assert "board overruns 3" in answer.stdout


def test_monitor_tells_buttons_and_frames(board: BoardOnPty) -> None:
    """Each edge is printed when it happens, with the counters."""
    with meanwhile("monitor", board.device, "--seconds", "1.2") as answers:
        board.until(lambda: len(board.board.strip.shown) > 2)
        board.press(3)
    (answer,) = answers
    lines = answer.stdout.splitlines()
    assert 0 == answer.exit_code
    assert "button 3 down" in lines
    assert any("a second, 1 edges of buttons; " in line for line in lines)


def test_list_touches_nothing() -> None:
    """It is a JSON list of possible ports, which depends on the machine."""
    answer = ask("list", "--json")
    assert 0 == answer.exit_code
    assert all(port["vendor"] for port in json.loads(answer.stdout))
    assert 0 == ask("list").exit_code


# `cribwars bridge flash` with a fake avrdude at an emulated Uno, and on a drive


@needs_uno
@pytest.mark.parametrize(
    ("board", "speed"), [("uno", "115200"), ("nano", "115200"), ("nano-old", "57600")]
)
def test_an_arduino_is_written_and_asked(avrdude: FakeAvrdude, board: str, speed: str) -> None:
    """It gets this package's image by its boot loader; then the firmware must reply."""
    with uno_on_pty() as uno:
        uno.plug_in()
        answer = flash(uno.device, "--board", board, "--yes")
        device = uno.device
    assert (0, "") == (answer.exit_code, answer.stdout), answer.output
    folder, arguments = avrdude.call
    assert [
        *("-p", "atmega328p", "-c", "arduino", "-P", device, "-b", speed),
        *("-D", "-U", "flash:w:uno-500000.hex:i"),
    ] == arguments
    assert (folder / "uno-500000.hex").is_file()
    says = "Arduino Uno or Nano, firmware 1.0.1, protocol 1: up to 600 LEDs, 16"
    assert f"{device}: {says}" in answer.stderr


@needs_uno
def test_a_faster_firmware_is_asked_at_its_speed(avrdude: FakeAvrdude) -> None:
    """It is the image of that speed, and the settings for it are printed."""
    with uno_on_pty(baud=1_000_000) as uno:
        uno.plug_in()
        answer = flash(uno.device, "--board", "uno", "--baud", "1000000", "--yes")
    assert 0 == answer.exit_code, answer.output
    assert "flash:w:uno-1000000.hex:i" in avrdude.call[1]
    assert "write baud = 1000000 under [strip]" in answer.stderr


def test_avrdude_that_fails_is_reported_in_a_line(avrdude: FakeAvrdude) -> None:
    """It exits 1 with its text and advice, such as the Nano's other boot loader."""
    avrdude.fail()
    with board_on_pty() as board:
        answers = [flash(board.device, "--board", kind, "--yes") for kind in ("nano", "mega")]
    nano, mega = (answer.stderr.splitlines()[-1] for answer in answers)
    assert [FAULTY, FAULTY] == [answer.exit_code for answer in answers]
    assert "avrdude failed (avrdude: stk500_recv(): programmer is not responding)" in nano
    assert "try --board nano-old" in nano
    assert "press the reset button and try again" in mega


def test_a_board_that_is_another_is_reported(avrdude: FakeAvrdude) -> None:
    """The board that replies must have the name of the flashed firmware."""
    with board_on_pty() as board:
        answer = flash(board.device, "--board", "mega", "--yes")
    assert avrdude.is_called
    assert FAULTY == answer.exit_code
    assert "calls itself slow board; is it a mega?" in answer.stderr


def test_without_avrdude_there_is_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the package to install; nothing is opened."""
    monkeypatch.setenv("PATH", str(tmp_path))
    answer = flash("/dev/ttyNONE", "--board", "uno")
    assert FAULTY == answer.exit_code
    line = "cribwars: there is no avrdude here; install it: sudo apt install avrdude\n"
    assert line == answer.stderr


def test_whoever_says_no_changes_nothing(avrdude: FakeAvrdude, drive: Path) -> None:
    """Both ways ask first."""
    with board_on_pty() as board:
        answer = flash(board.device, "--board", "uno", answer="n\n")
    assert (FAULTY, False) == (answer.exit_code, avrdude.is_called)
    assert "over whatever runs there?" in answer.stderr
    answer = flash(str(drive), answer="n\n")
    assert FAULTY == answer.exit_code
    assert answer.stderr.endswith("nothing was changed\n")
    assert 'print("Hello World!")\n' == (drive / "code.py").read_text()


@pytest.mark.usefixtures("avrdude")
def test_flashing_a_port_that_is_not_there_is_wrong_use() -> None:
    """This is so for all commands about a board."""
    answer = flash("/dev/ttyNONE", "--board", "uno", "--yes")
    assert isinstance(answer.exception, CutError)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("/dev/ttyNONE",),
            "USB does not tell which board is at /dev/ttyNONE: name it with --board",
        ),
        (("/dev/ttyNONE", "--board", "circuitpython"), "is no folder; name the drive"),
        (("/", "--board", "uno"), "/ is a folder, but a board uno has a port: name the port"),
    ],
)
def test_what_cannot_be_meant_is_wrong_use(arguments: tuple[str, ...], words: str) -> None:
    """One line has the possible names."""
    answer = flash(*arguments)
    assert isinstance(answer.exception, BadInputError)
    assert words in str(answer.exception)


def test_files_are_copied_onto_a_drive(drive: Path) -> None:
    """Exactly the files of the firmware are copied; the user is asked for the reset they need."""
    answer = flash(str(drive), answer="y\n")
    assert (0, "") == (answer.exit_code, answer.stdout), answer.output
    files = firmware_files()
    assert files == {name: (drive / name).read_bytes() for name in files}
    assert 'CRIBWARS_STRIP = "GP2"\n' == (drive / "settings.toml").read_text()
    there = {file.relative_to(drive).as_posix() for file in drive.rglob("*") if file.is_file()}
    assert {*files, "boot_out.txt", "settings.toml"} == there
    assert "Raspberry Pi Pico with rp2040" in answer.stderr
    assert "press the board's reset button once" in answer.stderr
    again = flash(str(drive), "--yes", "--board", "circuitpython")
    assert f"0 files copied; already there: {len(files)}" in again.stderr


@pytest.mark.parametrize(
    ("about", "words"),
    [
        (None, "has no boot_out.txt, so it is no drive of CircuitPython; put CircuitPython on"),
        ("Adafruit CircuitPython 8.2.9 on 2023-12-06; Pico\n", "version 9 or later is needed"),
    ],
)
def test_a_drive_that_does_not_do(drive: Path, about: str | None, words: str) -> None:
    """It exits 1 before anything is asked or written."""
    (drive / "boot_out.txt").unlink()
    if about is not None:
        (drive / "boot_out.txt").write_text(about)
    answer = flash(str(drive), "--yes")
    assert (FAULTY, True) == (answer.exit_code, words in answer.stderr)
    assert 'print("Hello World!")\n' == (drive / "code.py").read_text()
