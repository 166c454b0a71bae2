"""Findings about boards behind a cable, and about programs that take their ports."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.devices.assembly import assemble
from companion.devices.doctor.bridge import bridge_findings
from companion.devices.doctor.finding import Finding, Level
from companion.settings.load import load_settings
from firmware_bridge.connection.connection import Connection
from firmware_bridge.connection.discovery import BoardPort, Ports
from firmware_bridge.protocol.messages import BoardSetup
from tests.firmware_bridge.board_on_pty import BoardOnPty, board_on_pty
from tests.support.machines import Examined, Files, about, examined
from tests.support.program import ask
from tests.support.slow_board import SlowBoard

__all__ = ["ask", "examined"]


@pytest.fixture
def board() -> Iterator[BoardOnPty]:
    """Return a board for 600 LEDs and 14 buttons."""
    with board_on_pty() as on_pty:
        yield on_pty


def found(folder: Path, text: str, ports: Ports) -> list[Finding]:
    """Return the findings about the boards of a machine with these ports."""
    file = folder / "cribwars.toml"
    file.write_text(f'[wiring]\nper = "hole"\n{text}', encoding="utf-8")
    settings = load_settings(file, {})
    findings = bridge_findings(settings, assemble(settings), time.monotonic, ports=ports)
    return [finding for finding in findings if str(finding.what).startswith("the board")]


def test_a_board_that_does(board: BoardOnPty, tmp_path: Path) -> None:
    """It is named with its firmware; strip and buttons on one board are one finding."""
    text = '[strip]\ndriver = "serial"\n[panel]\nbuttons = "serial"\n'
    (finding,) = found(tmp_path, text, board.listing)
    assert (Level.OK, "the board") == (finding.level, str(finding.what))
    assert f"{board.device}: slow board, firmware 1.2.3, protocol 1" == str(finding.why)


def test_two_boards_are_two_findings(board: BoardOnPty, tmp_path: Path) -> None:
    """One is for lights, one for buttons; a missing one needs a fix."""
    text = f'[strip]\ndriver = "serial:{board.device}"\n[panel]\nbuttons = "serial:/dev/ttyNONE"\n'
    strip, buttons = found(tmp_path, text, board.listing)
    assert (Level.OK, f"the board at {board.device}") == (strip.level, str(strip.what))
    assert (Level.FIX, "/dev/ttyNONE is not there") == (buttons.level, str(buttons.why))
    assert f"there are {board.device} (Raspberry Pi Pico)" in str(buttons.remedy)


def test_a_firmware_of_another_protocol_is_to_be_flashed(tmp_path: Path) -> None:
    """The remedy is the command that does it."""
    with board_on_pty(SlowBoard(protocols=(0, 0))) as older:
        (finding,) = found(tmp_path, '[strip]\ndriver = "serial"\n', older.listing)
    assert Level.FIX is finding.level
    assert "speaks protocol versions 0 to 0" in str(finding.why)
    assert str(finding.remedy).endswith("cribwars bridge flash")


def test_a_board_that_cannot_do_it(tmp_path: Path) -> None:
    """Too few LEDs or buttons give the same fault as at a start."""
    with board_on_pty(SlowBoard(pixel_bytes=300)) as small:
        (finding,) = found(tmp_path, '[strip]\ndriver = "serial"\n', small.listing)
    assert (Level.FIX, True) == (finding.level, "drives at most 100 LEDs" in str(finding.why))
    with board_on_pty(SlowBoard(buttons=10)) as small:
        (finding,) = found(tmp_path, '[panel]\nbuttons = "serial"\n', small.listing)
    assert (Level.FIX, True) == (finding.level, "reads 10 buttons" in str(finding.why))


def test_a_board_that_a_table_has_is_left_alone(board: BoardOnPty, tmp_path: Path) -> None:
    """Its light is not changed, and a note says so."""
    text = f'[strip]\ndriver = "serial:{board.device}"\n'
    with closing(
        Connection(board.device, BoardSetup(leds=2), ports=board.listing, clock=time.monotonic)
    ) as connection:
        connection.start()
        connection.wait()
        connection.show(bytes([7]) * 6)
        board.until(lambda: board.board.strip.light == bytes([7]) * 6)
        (finding,) = found(tmp_path, text, board.listing)
        assert bytes([7]) * 6 == board.board.strip.light
    assert (Level.NOTE, True) == (finding.level, "in use by another program" in str(finding.why))


def test_no_board_and_several(tmp_path: Path) -> None:
    """Without a name there must be exactly one; the remedy says what to do."""
    text = '[strip]\ndriver = "serial"\n'
    (none,) = found(tmp_path, text, list)
    assert (Level.FIX, "no board is plugged in") == (none.level, str(none.why))
    two = [BoardPort(device=f"/dev/tty{n}", vendor=0x2341) for n in "AB"]
    (several,) = found(tmp_path, text, lambda: two)
    assert (Level.FIX, True) == (several.level, "name its port" in str(several.remedy))


def test_programs_that_take_ports(examined: Examined) -> None:
    """They are a note if a board is set, and else ignored."""
    strip = '[wiring]\nper = "hole"\n[strip]\ndriver = "serial"\n'
    files: Files = {"usr/sbin/ModemManager": "", "usr/lib/udev/rules.d/85-brltty.rules": ""}
    remedies = {
        "ModemManager": "systemctl disable --now ModemManager",
        "brltty": "apt remove brltty",
    }
    _, findings = examined("4b", strip, files)
    for what, remedy in remedies.items():
        note = about(findings, what)
        assert ("note", True) == (note["level"], remedy in note["remedy"])
    _, findings = examined("4b", "", files)
    assert not [finding for finding in findings if finding["what"] in remedies]
