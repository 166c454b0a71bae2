"""Boards among the serial ports, and one of them again under whatever name it comes back.

A port's name is the order of plugging in; vendor, product and serial number are who it is.
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
"""The name that stands for the only board that is plugged in."""

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
"""The USB vendors of boards that a firmware of ours runs on, and of the adapters on such boards."""

_CONSOLE: Final = "CircuitPython CDC "
_DATA: Final = "CircuitPython CDC2 "


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPort:
    """A serial port, and what USB tells of who is behind it; nothing of that if it is not USB."""

    device: str
    vendor: int | None = None
    product: int | None = None
    serial_number: str | None = None
    location: str | None = None
    interface: str | None = None
    description: str = ""

    @property
    def kind(self) -> str | None:
        """What it is likely to be, None if nobody makes boards like this."""
        return None if self.vendor is None else VENDORS.get(self.vendor)

    @property
    def who(self) -> str:
        """Vendor, product and serial number in words."""
        usb = f"{self.vendor or 0:04x}:{self.product or 0:04x}"
        return f"{usb}, serial number {self.serial_number}" if self.serial_number else usb

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells one board from another, wherever it is plugged in."""
        return self.vendor, self.product, self.serial_number, self.interface

    def again(self, ports: Sequence[BoardPort]) -> BoardPort | None:
        """The same board among the ports there are now; None if it is not there.

        Of several that nothing tells apart, as adapters without a serial number are, it is the one
        in the same socket, else the one of the same name.
        """
        alike = [port for port in ports if port.identity == self.identity]
        if len(alike) <= 1 or self.serial_number:
            return alike[0] if alike else None
        same_socket = (port for port in alike if port.location == self.location is not None)
        same_name = (port for port in alike if port.device == self.device)
        return next(same_socket, None) or next(same_name, None)


Ports: TypeAlias = Callable[[], Sequence[BoardPort]]
"""Looks which serial ports there are."""


def serial_ports() -> Sequence[BoardPort]:
    """The serial ports of this machine, by name; none while one of them is being pulled out."""
    try:
        found = sorted(comports())
    except (OSError, TypeError, ValueError):  # pyserial reads what has gone meanwhile
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
    """The ports that a board may be behind; the console of a board with a data port is none."""
    return [port for port in ports if port.kind is not None and not _is_console(port)]


def data_ports(ports: Sequence[BoardPort]) -> list[BoardPort]:
    """The ports of boards with CircuitPython that are not their consoles."""
    return [port for port in ports if (port.interface or "").startswith(_DATA)]


def find_port(name: str, ports: Ports = serial_ports) -> str:
    """The device that a setting names, which may be `AUTO`.

    Raises:
        NoAnswerError: auto, and no board is there.
        SetupError: auto, and several are.
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


class Whereabouts:
    """Where one board is: under the name given at first, later wherever it was plugged in again.

    Args:
        name: a device, a link to one, a URL of pyserial's, or `AUTO`.
        ports: looks which ports there are.

    `device` is where the board is, or was last; the name until it was there.
    """

    def __init__(self, name: str, ports: Ports = serial_ports) -> None:
        self.device = name
        self._name = name
        self._ports = ports
        self._known: BoardPort | None = None

    def locate(self) -> str:
        """The device under which the board is now.

        Raises:
            CutError: a board that was there is not.
            NoAnswerError, SetupError: see `find_port`.
        """
        if self._known is None:
            self.device = find_port(self._name, self._ports)
            return self.device
        found = self._known.again(self._ports())
        if found is None:
            raise CutError(f"the board ({self._known.who}) is not there", remedy="plug it in again")
        self.device = found.device
        return self.device

    def note(self) -> None:
        """Take note of who is at the device, which has just been opened."""
        if self._known is not None or "://" in self.device:
            return
        device = str(Path(self.device).resolve())
        here = (port for port in self._ports() if port.device in (self.device, device))
        known = next(here, None)
        if known is not None and known.vendor is not None:
            self._known = known


def _is_console(port: BoardPort) -> bool:
    return port.interface is not None and port.interface.startswith(_CONSOLE)
