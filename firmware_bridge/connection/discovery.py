"""Serial ports that a board may be behind, and the same board again under another name.

A port's name depends on the order of plugging in; vendor, product and serial number identify it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from serial.tools.list_ports import comports

from firmware_bridge.errors import CutError, NoAnswerError, SetupError

AUTO: Final = "auto"
"""The port name that stands for the only board."""

VENDORS: Final[Mapping[int, str]] = MappingProxyType(
    {
        0x0403: "FTDI adapter",
        0x10C4: "CP210x adapter",
        0x1A86: "CH340 adapter",
        0x2341: "Arduino",
        0x239A: "CircuitPython board",
        0x2A03: "Arduino",
        0x2E8A: "Raspberry Pi Pico",
    }
)
"""USB vendors of the supported boards, and of the adapters on them."""

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
    def kind(self) -> str | None:
        """The likely kind of board or adapter, None for an unknown vendor."""
        return None if self.vendor is None else VENDORS.get(self.vendor)

    @property
    def usb_name(self) -> str:
        """Vendor, product and serial number as text."""
        usb = f"{self.vendor or 0:04x}:{self.product or 0:04x}"
        return f"{usb}, serial number {self.serial_number}" if self.serial_number else usb

    @property
    def identity(self) -> tuple[object, ...]:
        """The USB fields that stay the same in another socket."""
        return self.vendor, self.product, self.serial_number, self.interface

    def find_in(self, ports: Sequence[BoardPort]) -> BoardPort | None:
        """Return the same board among `ports`, None if it is absent.

        Among several without a serial number, such as adapters, prefer the one in the same socket,
        then the one with the same name.
        """
        alike = [port for port in ports if port.identity == self.identity]
        if len(alike) <= 1 or self.serial_number:
            return alike[0] if alike else None
        same_socket = (port for port in alike if port.location == self.location is not None)
        same_name = (port for port in alike if port.device == self.device)
        return next(same_socket, None) or next(same_name, None)


Ports: TypeAlias = Callable[[], Sequence[BoardPort]]
"""Function that lists the serial ports."""


def serial_ports() -> Sequence[BoardPort]:
    """Return the serial ports of this machine by name; none while one is being unplugged."""
    try:
        found = sorted(comports())
    except (OSError, TypeError, ValueError):  # pyserial reads a port that disappears
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
    """Return the ports that a board may be behind, without the consoles of CircuitPython."""
    return [port for port in ports if port.kind is not None and not _is_console(port)]


def data_ports(ports: Sequence[BoardPort]) -> list[BoardPort]:
    """Return the data ports of boards with CircuitPython."""
    return [port for port in ports if (port.interface or "").startswith(_DATA)]


def find_port(name: str, ports: Ports = serial_ports) -> str:
    """Return the device for a port setting, which may be `AUTO`.

    Raises:
        NoAnswerError: auto, and there is no board.
        SetupError: auto, and there are several.
    """
    if name != AUTO:
        return name
    boards = likely_boards(ports())
    if not boards:
        raise NoAnswerError(
            "no board is plugged in",
            remedy="plug it in with a data cable, or name its port, such as serial:/dev/ttyACM0",
        )
    if len(boards) > 1:
        names = ", ".join(board.device for board in boards)
        raise SetupError(
            f"there are several boards ({names})",
            remedy=f"name the port of one, such as serial:{boards[0].device}",
        )
    return boards[0].device


class PortLocator:
    """The port of one board, followed by its USB identity once it was open.

    Args:
        name: a device, a link to one, a URL of pyserial's, or `AUTO`.
        ports: lists the serial ports.

    `device` is the present or latest device name; before the first one it is `name`.
    """

    def __init__(self, name: str, ports: Ports = serial_ports) -> None:
        self.device = name
        self._name = name
        self._ports = ports
        self._known: BoardPort | None = None

    def locate(self) -> str:
        """Return the present device name of the board.

        Raises:
            CutError: a known board is unplugged.
            NoAnswerError, SetupError: see `find_port`.
        """
        if self._known is None:
            self.device = find_port(self._name, self._ports)
            return self.device
        found = self._known.find_in(self._ports())
        if found is None:
            raise CutError(
                f"the board ({self._known.usb_name}) is not there", remedy="plug it in again"
            )
        self.device = found.device
        return self.device

    def remember(self) -> None:
        """Remember the USB identity of the port at `device`, which has just been opened."""
        if self._known is not None or "://" in self.device:
            return
        device = str(Path(self.device).resolve())
        here = (port for port in self._ports() if port.device in (self.device, device))
        known = next(here, None)
        if known is not None and known.vendor is not None:
            self._known = known


def _is_console(port: BoardPort) -> bool:
    return port.interface is not None and port.interface.startswith(_CONSOLE)
