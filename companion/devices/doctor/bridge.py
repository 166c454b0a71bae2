"""Findings of `cribwars doctor` about microcontrollers: port, permission to open it, protocol.

A running table locks its ports. Opening a port that is not locked may reset its microcontroller.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from companion.devices.assembly import ONLY_BOARD, Assembly
from companion.devices.doctor.finding import HERE, Finding
from companion.errors import Text
from companion.settings.schema import Settings
from firmware_bridge.connection.connection import Connection
from firmware_bridge.connection.discovery import (
    BoardPort,
    Ports,
    find_port,
    likely_boards,
    serial_ports,
)
from firmware_bridge.connection.serial_port import DEFAULT_BAUD, Prober, close_port, open_port
from firmware_bridge.errors import BridgeError, CutError
from firmware_bridge.protocol.compatibility import incompatibility
from firmware_bridge.protocol.messages import BoardSetup

_CH340: Final = 0x1A86
_RULES: Final = ("etc/udev/rules.d", "usr/lib/udev/rules.d", "lib/udev/rules.d")
_IN_THE_GROUP: Final = Text(
    "sudo usermod -aG dialout $USER, then log out and in; a service takes "
    "SupplementaryGroups=dialout"
)
_DAEMONS: Final = ("usr/sbin/ModemManager", "usr/bin/ModemManager")


def bridge_findings(
    settings: Settings,
    assembly: Assembly,
    clock: Callable[[], float],
    root: Path = HERE,
    ports: Ports = serial_ports,
) -> Iterator[Finding]:
    """Yield findings about the microcontrollers, and about services that meddle with serial ports.

    Args:
        settings: settings with the baud rate of the ports.
        assembly: the ports of the microcontrollers, with their LEDs and buttons.
        clock: returns monotonic seconds; they limit the wait for an answer.
        root: folder of the machine's files; if it is not `HERE`, no port is examined.
        ports: lists the serial ports.
    """
    boards = likely_boards(ports()) if root == HERE else []
    yield from _meddlers(boards, root)
    if root != HERE:
        return
    baud = settings.strip.baud or DEFAULT_BAUD
    for port, wanted in _wanted(assembly).items():
        yield _board(port, wanted, baud, boards, ports, clock=clock)


def _wanted(assembly: Assembly) -> dict[str, BoardSetup]:
    spec = assembly.light.strip.spec
    wanted = {}
    for port in dict.fromkeys(filter(None, (assembly.strip_port, assembly.board_port))):
        leds = spec.leds[0] if port == assembly.strip_port else 0
        buttons = max(assembly.places.values()) + 1 if port == assembly.board_port else 0
        wanted[port] = BoardSetup(
            leds=leds, colours=spec.colours, safe_colour=bytes(spec.colours), buttons=buttons
        )
    return wanted


def _board(
    port: str,
    wanted: BoardSetup,
    baud: int,
    boards: list[BoardPort],
    ports: Ports,
    *,
    clock: Callable[[], float],
) -> Finding:
    what = Text("the board") if port == ONLY_BOARD else Text("the board at {port}", port=port)
    try:
        device = find_port(port, ports, Prober(baud, clock))
        try:
            close_port(open_port(device, baud))
        except CutError as error:
            return _closed(what, device, error, boards)
        connection = Connection(
            device, BoardSetup(leds=0), clock=clock, baud=baud, ports=ports, report=lambda _: None
        )
        return _identified(what, connection, wanted)
    except BridgeError as error:
        return Finding.of(what, error)


def _identified(what: Text, connection: Connection, wanted: BoardSetup) -> Finding:
    """Return the finding about the firmware of a microcontroller that no running table uses.

    Raises:
        BridgeError: the microcontroller does not answer, or does not suit the settings.
    """
    with closing(connection):
        connection.start()
        info, device = connection.wait(), connection.device
    if mismatch := incompatibility(info, wanted):
        raise mismatch
    text = "{device}: {name}, firmware {firmware}, protocol {protocol}"
    return Finding.ok(
        what,
        Text(text, device=device, name=info.name, firmware=info.firmware, protocol=info.protocol),
    )


def _closed(what: Text, device: str, error: CutError, boards: list[BoardPort]) -> Finding:
    why, remedy = error.problem, error.remedy
    if not os.access(device, os.F_OK):
        names = ", ".join(f"{board.device} ({board.kind})" for board in boards)
        if names:
            remedy = Text("{remedy}; there are {names}", remedy=remedy, names=names)
        return Finding.fix(what, why, remedy)
    if not os.access(device, os.R_OK | os.W_OK):
        return Finding.fix(what, why, _IN_THE_GROUP)
    return Finding.note(what, Text("{why}; a running table may be using it", why=why), remedy)


def _meddlers(boards: list[BoardPort], root: Path) -> Iterator[Finding]:
    if any((root / daemon).exists() for daemon in _DAEMONS):
        why = Text("it is installed, and asks boards that are plugged in whether they are modems")
        remedy = Text(
            "if a board is busy for half a minute after you plug it in: sudo systemctl "
            "disable --now ModemManager"
        )
        yield Finding.note(Text("ModemManager"), why, remedy)
    has_brltty = any(any((root / rules).glob("*-brltty*.rules")) for rules in _RULES)
    if has_brltty and (root != HERE or any(port.vendor == _CH340 for port in boards)):
        why = Text(
            "it is installed, and mistakes CH340 adapters for braille displays, so that their "
            "port vanishes at once"
        )
        yield Finding.note(Text("brltty"), why, Text("if nobody needs it: sudo apt remove brltty"))
