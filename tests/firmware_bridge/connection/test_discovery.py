"""Boards among the ports of a machine, and how the same one is found again."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from firmware_bridge.connection.discovery import (
    BoardPort,
    PortLocator,
    find_port,
    lasting_name,
    likely_boards,
    serial_ports,
)
from firmware_bridge.connection.serial_port import DEFAULT_BAUD, Prober, probe_request
from firmware_bridge.errors import CutError, NoAnswerError, SetupError
from tests.firmware_bridge.board_on_pty import NATIVE, BoardOnPty, Cable, board_on_pty

UNO = BoardPort(device="/dev/ttyACM0", vendor=0x2341, product=0x43, serial_number="A1")
CLONE = BoardPort(device="/dev/ttyUSB0", vendor=0x1A86, product=0x7523, location="1-1")
MODEM = BoardPort(device="/dev/ttyUSB9", vendor=0x12D1, product=0x1001)
BUILT_IN = BoardPort(device="/dev/ttyS0")


def pico(device: str, interface: str) -> BoardPort:
    """Return one of the two ports of a Pico with CircuitPython."""
    return BoardPort(
        device=device, vendor=0x239A, product=0x80F4, serial_number="E6", interface=interface
    )


CONSOLE = pico("/dev/ttyACM1", "CircuitPython CDC control")
DATA = pico("/dev/ttyACM2", "CircuitPython CDC2 control")


def twin(device: str, location: str, serial_number: str | None = "0001") -> BoardPort:
    """Return a board with the serial number that its maker gives to all."""
    return BoardPort(
        device=device, vendor=0x2E8A, product=0x0A, serial_number=serial_number, location=location
    )


@pytest.fixture
def console() -> Iterator[Cable]:
    """Yield the silent port of another device."""
    cable = Cable()
    yield cable
    cable.pull()


def test_any_usb_port_may_be_a_board() -> None:
    """Only built-in ports and consoles beside a data port are excluded."""
    ports = [UNO, CLONE, MODEM, BUILT_IN, CONSOLE, DATA]
    assert [UNO, CLONE, MODEM, DATA] == likely_boards(ports)
    kinds = ["Arduino", "CH340 adapter", "serial port"]
    assert kinds == [port.kind for port in (UNO, CLONE, BUILT_IN)]


def test_native_usb_needs_no_silence() -> None:
    """Boards of these vendors, and those with CircuitPython, have no boot loader."""
    for vendor in (0x239A, 0x2E8A, 0x303A, 0x1209, 0x2886):
        assert 0 == BoardPort(device="/dev/ttyACM0", vendor=vendor).quiet_s
    assert 0 == BoardPort(device="x", vendor=0x2341, interface="CircuitPython CDC2 data").quiet_s
    assert all(1.2 <= port.quiet_s <= 1.8 for port in (UNO, CLONE, MODEM, BUILT_IN))


def test_a_name_is_taken_as_it_is() -> None:
    """A port that the settings name is not searched for."""
    assert "/dev/ttyS0" == find_port("/dev/ttyS0", list)


def _must_not_ask(_ports: Sequence[BoardPort]) -> Sequence[BoardPort]:
    raise AssertionError("a port was opened")


def test_auto_is_the_only_board() -> None:
    """The only USB port is not asked; of several it is the one that replies."""
    assert "/dev/ttyUSB9" == find_port("auto", lambda: [BUILT_IN, MODEM, CONSOLE], _must_not_ask)
    found = find_port("auto", lambda: [MODEM, CONSOLE, DATA, UNO], lambda _: [DATA])
    assert "/dev/ttyACM2" == found


def test_without_asking_known_vendors_count() -> None:
    """Drivers of third-party firmware cannot ask."""
    assert "/dev/ttyACM2" == find_port("auto", lambda: [BUILT_IN, MODEM, CONSOLE, DATA])


def test_auto_without_a_board() -> None:
    """The error says how to name a port, and which ports do not reply."""
    with pytest.raises(NoAnswerError, match="no board is plugged in; plug one in with a data"):
        find_port("auto", lambda: [BUILT_IN, MODEM])
    with pytest.raises(NoAnswerError, match=r"\(/dev/ttyACM0, /dev/ttyUSB0\) answers as a board"):
        find_port("auto", lambda: [UNO, CLONE], lambda _: [])


def test_auto_with_several() -> None:
    """Of two boards that reply, or are known but not asked, one must be named."""
    for probe in (None, lambda _: [UNO, CLONE]):
        with pytest.raises(SetupError, match=r"several boards \(/dev/ttyACM0, /dev/ttyUSB0\)"):
            find_port("auto", lambda: [UNO, CLONE, MODEM], probe)


def test_a_board_is_known_by_who_it_is() -> None:
    """Its serial number finds it under another name, among similar boards."""
    ports = [UNO]
    place = PortLocator(UNO.device, lambda: ports)
    assert UNO.device == place.locate()
    place.remember()
    other = BoardPort(device=UNO.device, vendor=0x2341, product=0x43, serial_number="B2")
    moved = BoardPort(device="/dev/ttyACM7", vendor=0x2341, product=0x43, serial_number="A1")
    ports[:] = [other, moved]
    assert "/dev/ttyACM7" == place.locate() == place.device


@pytest.mark.parametrize("number", ["0001", None])
def test_boards_alike_are_told_apart_by_their_sockets(number: str | None) -> None:
    """Each is found under another name, and not confused with an absent one."""
    ours, other = twin("/dev/ttyACM0", "1-1", number), twin("/dev/ttyACM1", "1-2", number)
    ports = [ours, other]
    place = PortLocator(ours.device, lambda: ports)
    place.remember()
    ports[:] = [twin("/dev/ttyACM0", "1-2", number), twin("/dev/ttyACM1", "1-1", number)]
    assert "/dev/ttyACM1" == place.locate()
    ports[:] = [twin("/dev/ttyACM0", "1-2", number)]
    with pytest.raises(CutError, match="plug it into its socket again"):
        place.locate()


def test_the_name_that_stays(tmp_path: Path) -> None:
    """It is the link by serial number, or by socket if two have the same, or the device."""
    first, second, alone = twin("/dev/zero", "1-1"), twin("/dev/null", "1-2"), UNO
    for folder, name, device in [
        ("by-id", "pico_0001", "null"),
        ("by-path", "usb-1", "zero"),
        ("by-path", "usb-2", "null"),
        ("by-path", "usbv2-2", "null"),
    ]:
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).symlink_to(f"/dev/{device}")
    names = [lasting_name(each, [first, second, alone], tmp_path) for each in (first, second, UNO)]
    assert [f"{tmp_path}/by-path/usb-1", f"{tmp_path}/by-path/usb-2", UNO.device] == names
    assert f"{tmp_path}/by-id/pico_0001" == lasting_name(second, [second, alone], tmp_path)


def test_a_board_that_is_not_there() -> None:
    """The error names it, and another one in its place is not taken."""
    ports = [UNO]
    place = PortLocator(UNO.device, lambda: ports)
    place.remember()
    ports[:] = [BoardPort(device=UNO.device, vendor=0x2341, product=0x43, serial_number="B2")]
    with pytest.raises(
        CutError, match=r"\(2341:0043, serial number A1\) is not plugged in; plug it in"
    ):
        place.locate()


def test_the_two_ports_of_one_board_are_not_mixed_up() -> None:
    """The data port is found again in any order of names."""
    swapped = [pico("/dev/ttyACM2", CONSOLE.interface or ""), pico("/dev/ttyACM1", "other")]
    assert DATA.find_in(swapped) is None
    again = pico("/dev/ttyACM1", "CircuitPython CDC2 control")
    assert again == DATA.find_in([swapped[0], again])


def test_a_link_to_a_port_is_followed(tmp_path: Path) -> None:
    """A name of udev's stands for the port that it points to."""
    link = tmp_path / "by-id"
    link.symlink_to("/dev/null")
    ports = [BoardPort(device="/dev/null", vendor=0x2341, product=0x43, serial_number="A1")]
    place = PortLocator(str(link), lambda: ports)
    place.remember()
    ports[:] = [BoardPort(device="/dev/zero", vendor=0x2341, product=0x43, serial_number="A1")]
    assert "/dev/zero" == place.locate()


def test_who_is_not_on_usb_is_looked_for_where_it_was() -> None:
    """A URL and a built-in port keep their names."""
    for device in ("socket://localhost:4000", "/dev/ttyS0"):
        place = PortLocator(device, lambda: [BUILT_IN])
        place.remember()
        assert device == place.locate()


def test_the_ports_of_this_machine_can_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a name; if a port's files vanish during the look, there are none."""
    assert all(port.device for port in serial_ports())
    faults = iter([OSError("gone"), TypeError("gone"), ValueError("gone")])

    def vanish() -> list[object]:
        raise next(faults)

    monkeypatch.setattr("firmware_bridge.connection.discovery.comports", vanish)
    assert [()] * 3 == [serial_ports() for _ in range(3)]


# Boards are found by HELLO: the port that replies is the board


@pytest.fixture
def board() -> Iterator[BoardOnPty]:
    """Yield a board that is already running."""
    with board_on_pty() as on_pty:
        yield on_pty


def test_the_port_that_answers_is_the_board(board: BoardOnPty, console: Cable) -> None:
    """On macOS no interface names distinguish a Pico's two ports."""
    silent = BoardPort(device=console.device, vendor=NATIVE)
    found = find_port(
        "auto", lambda: [silent, *board.listing()], Prober(DEFAULT_BAUD, time.monotonic)
    )
    assert board.device == found


class Time:
    """A clock on which each look at a silent port takes half a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        self.now += 0.5
        return self.now


def test_a_foreign_device_is_reset_once(console: Cable) -> None:
    """A silent port that resets its device is asked again only after a replug."""
    clock = Time()
    prober = Prober(DEFAULT_BAUD, clock)
    printer = BoardPort(device=console.device, vendor=0x1A86)
    for ports, is_requested in (
        ([printer], True),
        ([printer], False),
        ([], False),
        ([printer], True),
    ):
        begun = clock.now
        assert [] == prober(ports)
        assert is_requested == (clock.now > begun)


def test_ports_that_cannot_be_opened_answer_nothing(tmp_path: object) -> None:
    """A port that is gone or in use is skipped."""
    gone = BoardPort(device=f"{tmp_path}/ttyACM0", vendor=NATIVE)
    assert [] == Prober(DEFAULT_BAUD, time.monotonic)([gone])


CTRL_C = 0x03


def test_asking_stops_no_program() -> None:
    """Ctrl-C on the console of a board with CircuitPython would."""
    assert all(CTRL_C not in probe_request() for _ in range(200))
