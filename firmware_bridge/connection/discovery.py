"""Serial ports of microcontroller boards. A board is found again after its port's name changes.

A port's name depends on the order of plugging in, so a board is recognised by its USB vendor,
product and serial number. Some makers give all boards the same serial number, such as 0001, or no
number; those boards are recognised by their socket. In this example two boards are alike. One is
unplugged, and the other one, in socket 1-2, is renamed from ttyUSB2 to ttyUSB1:

>>> twins = [BoardPort(device=f"/dev/ttyUSB{n}", location=f"1-{n}") for n in (1, 2)]
>>> after = [BoardPort(device="/dev/ttyUSB1", location="1-2")]
>>> [port.find_in(after, has_twin=True) == after[0] for port in twins]
[False, True]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from serial.tools.list_ports import comports

from firmware_bridge.errors import AbsentError, NoAnswerError, SetupError
from hardware.errors import Text, as_text

AUTO: Final = "auto"  # value of a port setting: the only board that is plugged in

BOOT_QUIET_S: Final = 1.6
"""Silence after opening a port that may reset its board.

An Arduino's boot loader starts the program 1.0 s (Mega 2560) to 1.4 s (Nano before 2018) after the
reset. A byte that arrives earlier makes the boot loader wait longer.
"""

NATIVE_VENDORS: Final[Mapping[int, str]] = {
    0x1209: "board of pid.codes",
    0x1B4F: "SparkFun board",
    0x239A: "CircuitPython board",
    0x2886: "Seeed board",
    0x2E8A: "Raspberry Pi Pico",
    0x303A: "Espressif board",
}
"""USB vendors of boards whose chip has USB itself, so that opening the port causes no reset."""

VENDORS: Final[Mapping[int, str]] = {
    0x0403: "FTDI adapter",
    0x10C4: "CP210x adapter",
    0x1A86: "CH340 adapter",
    0x2341: "Arduino",
    0x2A03: "Arduino",
    **NATIVE_VENDORS,
}
"""Names of USB vendors. Boards of other vendors work too."""

_CIRCUITPYTHON: Final = "CircuitPython CDC"
_CONSOLE: Final = "CircuitPython CDC "
_DATA: Final = "CircuitPython CDC2 "


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPort:
    """A serial port and its USB description; the USB fields are None if it is not USB."""

    device: str
    vendor: int | None = None
    product: int | None = None
    serial_number: str | None = None
    location: str | None = None
    interface: str | None = None
    description: str = ""

    @property
    def kind(self) -> str:
        return VENDORS.get(self.vendor or 0, "serial port")

    @property
    def is_native(self) -> bool:
        return self.vendor in NATIVE_VENDORS or (self.interface or "").startswith(_CIRCUITPYTHON)

    @property
    def quiet_s(self) -> float:
        return 0.0 if self.is_native else BOOT_QUIET_S

    @property
    def usb_name(self) -> Text:
        usb, number = f"{self.vendor or 0:04x}:{self.product or 0:04x}", self.serial_number
        text = "{usb}, serial number {serial_number}"
        return Text(text, usb=usb, serial_number=number) if number else as_text(usb)

    @property
    def identity(self) -> tuple[object, ...]:
        return self.vendor, self.product, self.serial_number, self.interface

    def alike_in(self, ports: Sequence[BoardPort]) -> list[BoardPort]:
        return [port for port in ports if port.identity == self.identity]

    def find_in(self, ports: Sequence[BoardPort], *, has_twin: bool = False) -> BoardPort | None:
        """Return the port of the same board among `ports`, or None.

        If several boards are or were alike (`has_twin`), the port must be in the same socket. If
        the socket is unknown, the port must have the same name.
        """
        alike = self.alike_in(ports)
        if len(alike) == 1 and not has_twin:
            return alike[0]
        place = self.location or self.device
        return next((port for port in alike if place == (port.location or port.device)), None)


def lasting_name(
    port: BoardPort, ports: Sequence[BoardPort], folder: Path = Path("/dev/serial")
) -> str:
    """Return the lasting name of a port: udev's link to it, or else its device.

    Args:
        port: one of the ports.
        ports: all ports; without a serial number of its own a board is named by its socket.
        folder: the folder of udev's links.
    """
    is_known = port.serial_number is not None and len(port.alike_in(ports)) == 1
    links = sorted((folder / ("by-id" if is_known else "by-path")).glob("*"))
    device = Path(port.device).resolve()
    return str(next((link for link in links if link.resolve() == device), port.device))


Ports: TypeAlias = Callable[[], Sequence[BoardPort]]  # function that lists the serial ports

Probe: TypeAlias = Callable[[Sequence[BoardPort]], Sequence[BoardPort]]
"""Function that sends a request to ports and returns those at which our firmware answers."""


def serial_ports() -> Sequence[BoardPort]:
    """Return the serial ports of this machine, sorted; () if a port disappears during the call."""
    try:
        found = sorted(comports())
    except (OSError, TypeError, ValueError):  # a port disappears while pyserial reads about it
        return ()
    return tuple(
        BoardPort(
            device=port.device,
            vendor=port.vid,
            product=port.pid,
            serial_number=port.serial_number,
            location=port.location,
            interface=port.interface,
            description=port.description,
        )
        for port in found
    )


def likely_boards(ports: Sequence[BoardPort]) -> list[BoardPort]:
    """Return the USB ports except the known consoles of CircuitPython."""
    usb = [port for port in ports if port.vendor is not None]
    return [port for port in usb if not (port.interface or "").startswith(_CONSOLE)]


def data_ports(ports: Sequence[BoardPort]) -> list[BoardPort]:
    """Return the data ports of boards with CircuitPython."""
    return [port for port in ports if (port.interface or "").startswith(_DATA)]


def find_port(name: str, ports: Ports = serial_ports, probe: Probe | None = None) -> str:
    """Return the device for a port setting.

    Args:
        name: a device, or `AUTO` for the only board.
        ports: lists the serial ports.
        probe: finds the boards among several ports; None takes all ports of known vendors.

    Raises:
        NoAnswerError: `AUTO` without a board.
        SetupError: `AUTO` with several boards.
    """
    if name != AUTO:
        return name
    found = likely_boards(ports())
    if probe is None:
        found = [port for port in found if port.vendor in VENDORS]
    boards = found if probe is None or len(found) <= 1 else probe(found)
    if found and not boards:
        names = ", ".join(port.device for port in found)
        text = "none of the ports ({names}) answers as a board"
        remedy = Text("flash the board (cribwars bridge flash), plug it in again, or name its port")
        raise NoAnswerError(text, names=names, remedy=remedy)
    if not boards:
        remedy = Text(
            "plug one in with a data cable, or name its port, such as serial:/dev/ttyACM0"
        )
        raise NoAnswerError("no board is plugged in", remedy=remedy)
    if len(boards) > 1:
        names = ", ".join(board.device for board in boards)
        text = "there are several boards ({names})"
        device = lasting_name(boards[0], ports())
        remedy = Text("name the port of one, such as serial:{device}", device=device)
        raise SetupError(text, names=names, remedy=remedy)
    return boards[0].device


class PortLocator:
    """Locator of one board's port. After the first opening it finds the port by USB identity.

    Args:
        name: a device, a symbolic link to one, a URL of pyserial's, or `AUTO`.
        ports: lists the serial ports.
        probe: finds the board among several ports if the name is `AUTO`.

    `device` is the latest device name; before the first `locate` it is `name`.
    """

    def __init__(self, name: str, ports: Ports = serial_ports, probe: Probe | None = None) -> None:
        self.device = name
        self._name = name
        self._ports = ports
        self._probe = probe
        self._known: BoardPort | None = None
        self._has_twin = False

    @property
    def quiet_s(self) -> float:
        return BOOT_QUIET_S if self._known is None else self._known.quiet_s

    def locate(self) -> str:
        """Return the present device name of the board.

        Raises:
            AbsentError: the board that `remember` has noted is unplugged.
            NoAnswerError, SetupError: see `find_port`.
        """
        if self._known is None:
            self.device = find_port(self._name, self._ports, self._probe)
            return self.device
        ports = self._ports()
        self._has_twin |= len(self._known.alike_in(ports)) > 1
        found = self._known.find_in(ports, has_twin=self._has_twin)
        if found is None:
            text = "the board ({usb_name}) is not plugged in"
            remedy = Text("plug it into its socket again" if self._has_twin else "plug it in again")
            raise AbsentError(text, usb_name=self._known.usb_name, remedy=remedy)
        self.device = found.device
        return self.device

    def remember(self) -> None:
        if self._known is not None or "://" in self.device:
            return
        device = str(Path(self.device).resolve())
        ports = self._ports()
        known = next((port for port in ports if port.device in (self.device, device)), None)
        if known is not None and known.vendor is not None:
            self._known = known
            self._has_twin = len(known.alike_in(ports)) > 1
