"""`cribwars bridge flash`: writes the firmware onto a microcontroller board, and tests it.

The target is the port of an Arduino or the drive of a board with CircuitPython. The kind of an
Arduino comes from USB or `--board`. After the write the command asks the board for its name and
version, and so detects a wrong kind. A board with a drive runs changed files only after a press of
its reset button.
"""

import sys
import time
from pathlib import Path
from typing import Final

import click

from companion.cli.language import console, phrases_for
from companion.cli.options import FAULTY, CompletedText
from companion.errors import BadInputError, Text, as_text, filled, joined, plural
from firmware_bridge.connection.connection import Connection
from firmware_bridge.connection.discovery import data_ports, likely_boards, serial_ports
from firmware_bridge.errors import BridgeError, CutError, FlashError, SetupError
from firmware_bridge.flash import (
    AVR_BOARDS,
    about_drive,
    copy_firmware,
    find_avrdude,
    find_drives,
    firmware_files,
    image_of,
    kind_of,
    may_be_avr,
    write_image,
)
from firmware_bridge.protocol.messages import BoardInfo, BoardSetup

CIRCUITPYTHON: Final = "circuitpython"
BOARDS: Final = ("uno", "nano", "nano-old", "mega", CIRCUITPYTHON)
BAUDS: Final = ("500000", "1000000")
TARGET: Final = CompletedText(
    lambda: (*map(str, find_drives()), *(port.device for port in likely_boards(serial_ports()))),
    files=True,
)
"""Type of the name of a board's port or drive."""


@click.command("flash")
@click.argument("target", type=TARGET, metavar="[PORT|DRIVE]", required=False)
@click.option("--board", type=click.Choice(BOARDS), help="The kind of board, if USB does not tell.")
@click.option(
    "--baud",
    type=click.Choice(BAUDS),
    default=BAUDS[0],
    show_default=True,
    help="The speed of an Arduino's firmware.",
)
@click.option("--yes", is_flag=True, help="Write without asking.")
def flash_command(*, target: str | None, board: str | None, baud: str, yes: bool) -> None:
    """Put the firmware of this version onto a board, and check that it runs.

    Give the PORT of an Arduino, which needs avrdude (apt install avrdude), or the DRIVE of a board
    with CircuitPython, where files are copied. If only one board is plugged in, leave both out. A
    nano-old is a Nano with the boot loader from before 2018.
    """
    try:
        found, kind = _found(target, board)
        if kind == CIRCUITPYTHON:
            _flash_drive(Path(found), yes=yes)
        else:
            _flash_avr(found, kind, int(baud), yes=yes)
    except (CutError, SetupError):
        raise
    except FlashError as error:
        _say(as_text(error))
        sys.exit(FAULTY)


def _found(target: str | None, board: str | None) -> tuple[str, str]:
    if target is None:
        return _only(board)
    if Path(target).is_dir():
        if board not in (None, CIRCUITPYTHON):
            raise BadInputError(
                "{target} is a folder, but a board {board} has a port: name the port",
                target=target,
                board=board,
            )
        return target, CIRCUITPYTHON
    if board == CIRCUITPYTHON:
        text = "{target} is no folder; name the drive, such as /media/me/CIRCUITPY"
        raise BadInputError(text, target=target)
    return target, board or _kind_at(target)


def _only(board: str | None) -> tuple[str, str]:
    """Return the port or drive of the only board plugged in, and its kind (`board`, if given)."""
    drives, ports = [str(drive) for drive in find_drives()], []
    if board != CIRCUITPYTHON:
        ports = [port.device for port in likely_boards(serial_ports()) if may_be_avr(port)]
        drives = [] if board else drives
    if not ports and not drives:
        raise FlashError(
            "no board to flash is plugged in; plug one in with a data cable. A board for "
            "CircuitPython must already have CircuitPython, and its drive must be mounted"
        )
    if len(ports) + len(drives) > 1:
        names = ", ".join((*ports, *drives))
        raise BadInputError("there are several boards ({names}): name one of them", names=names)
    if drives:
        return drives[0], CIRCUITPYTHON
    return ports[0], board or _kind_at(ports[0])


def _kind_at(device: str) -> str:
    real = str(Path(device).resolve())
    kind = next((kind_of(port) for port in serial_ports() if port.device in (device, real)), None)
    if kind is None:
        text = "USB does not tell which board is at {device}: name it with --board {avr_boards}"
        raise BadInputError(text, device=device, avr_boards="|".join(AVR_BOARDS))
    return kind


def _flash_avr(port: str, kind: str, baud: int, *, yes: bool) -> None:
    find_avrdude()
    image = image_of(kind, baud).name
    text = "Write {image} onto the board {kind} at {port}, over whatever runs there?"
    _ask(Text(text, image=image, kind=kind, port=port), yes=yes)
    _say("writing {image}; that takes about ten seconds", image=image)
    write_image(kind, port, baud)
    info = _identified(port, baud)
    if AVR_BOARDS[kind].info_name not in info.name:
        raise FlashError(
            "the board at {port} calls itself {name}; is it a {kind}?",
            port=port,
            name=info.name,
            kind=kind,
        )
    if baud != int(BAUDS[0]):
        _say("write baud = {baud} under [strip] in the settings", baud=baud)


def _flash_drive(drive: Path, *, yes: bool) -> None:
    about, files = about_drive(drive), firmware_files()
    _say(joined(": ", (drive, about)))
    names = ", ".join(files)
    text = "Copy {names} to {drive}, and replace files of these names? Other files stay."
    _ask(Text(text, names=names, drive=drive), yes=yes)
    copied = copy_firmware(drive, files)
    others = len(files) - len(copied)
    one, more = (
        "{n} file copied; already there: {others}",
        "{n} files copied; already there: {others}",
    )
    _say(plural(len(copied), one, more, others=others))
    ports = data_ports(serial_ports())
    if copied or not ports:  # the board runs the old program until a reset
        _say("press the board's reset button once, then check the board: cribwars bridge identify")
    elif len(ports) == 1:
        _identified(ports[0].device, int(BAUDS[0]))


def _identified(port: str, baud: int) -> BoardInfo:
    connection = Connection(port, BoardSetup(leds=0), clock=time.monotonic, baud=baud)
    try:
        connection.start()
        info = connection.wait()
    except BridgeError as error:
        text = "the firmware is written, but the board does not run it: {error}"
        raise FlashError(text, error=error) from error
    finally:
        connection.close()
    text = (
        "{port}: {name}, firmware {firmware}, protocol {protocol}: up to {leds} LEDs, "
        "{buttons} buttons"
    )
    _say(
        text,
        port=port,
        name=info.name,
        firmware=info.firmware,
        protocol=info.protocol,
        leds=info.most_leds,
        buttons=info.buttons,
    )
    return info


def _ask(question: Text, *, yes: bool) -> None:
    if not yes and not click.confirm(phrases_for().message(question), err=True):
        _say("nothing was changed")
        sys.exit(FAULTY)


def _say(text: str | Text, /, **values: object) -> None:
    console().report(filled(text, values))
