"""Flashing: firmware is written to a board, an Arduino or a board with CircuitPython.

On Arduinos avrdude writes a firmware image of this package.

On boards with CircuitPython files are copied onto their drive and verified. Only files that differ
are copied. The libraries come first and `code.py` and `boot.py` last, because some boards restart
their program after each file. If the drive has room, a new file is written beside the old one,
synced and renamed. So after an interruption each file is whole, in its old or its new version, and
the next attempt copies the files that still differ.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Final

from firmware_bridge.connection.discovery import BoardPort
from firmware_bridge.connection.serial_port import close_port, open_port
from firmware_bridge.errors import FlashError
from hardware.errors import Text

BAUDS: Final = (500_000, 1_000_000)  # baud rates of the images
_AVRDUDE: Final = "avrdude"
_AVRDUDE_TIMEOUT_S: Final = 180.0
_OUTPUT_TAIL_LINES: Final = 3
OLDEST_CIRCUITPYTHON: Final = 9  # oldest version that the firmware supports
_DRIVE_NAME: Final = "CIRCUITPY"
_BOOT_LOG: Final = "boot_out.txt"
_MOUNT_PATTERNS: Final = (
    f"media/*/{_DRIVE_NAME}",
    f"run/media/*/{_DRIVE_NAME}",
    f"media/{_DRIVE_NAME}",
    f"Volumes/{_DRIVE_NAME}",
)
_LAST: Final = ("code.py", "boot.py")

# Arduinos


@dataclass(frozen=True, slots=True, kw_only=True)
class AvrBoard:
    """Kind of Arduino: image, chip, and the protocol and baud rate of its boot loader.

    `info_name` is a part of the name that the board sends in INFO.
    """

    image: str
    chip: str
    programmer: str
    baud: int
    info_name: str


_UNO: Final = AvrBoard(
    image="uno", chip="atmega328p", programmer="arduino", baud=115_200, info_name="Uno"
)
AVR_BOARDS: Final[Mapping[str, AvrBoard]] = {
    "uno": _UNO,
    "nano": _UNO,
    "nano-old": replace(_UNO, baud=57_600),
    "mega": AvrBoard(
        image="mega", chip="atmega2560", programmer="wiring", baud=115_200, info_name="Mega"
    ),
}
"""Boards with an image, by name."""

_ARDUINO_VENDORS: Final = (0x2341, 0x2A03)
_BY_USB: Final[Mapping[tuple[int, int], str]] = {
    (vendor, product): kind
    for vendor in _ARDUINO_VENDORS
    for kind, products in (("uno", (0x01, 0x43, 0x243)), ("mega", (0x10, 0x42, 0x242)))
    for product in products
}

_POSSIBLE_VENDORS: Final = frozenset({0x0403, 0x10C4, 0x1A86, *_ARDUINO_VENDORS})


def kind_of(port: BoardPort) -> str | None:
    """Return the kind of board with this USB product; None for a USB adapter, as Nanos have."""
    return _BY_USB.get((port.vendor or 0, port.product or 0))


def may_be_avr(port: BoardPort) -> bool:
    """Return True for ports of Arduinos and of USB adapters, which many Nanos have."""
    return port.vendor in _POSSIBLE_VENDORS


def image_of(kind: str, baud: int) -> Path:
    """Return the file of the image for a kind of board and a baud rate."""
    folder = Path(str(resources.files("firmware_bridge"))) / "firmware" / "avr" / "hex"
    return folder / f"{AVR_BOARDS[kind].image}-{baud}.hex"


def find_avrdude() -> str:
    """Return the path of avrdude.

    Raises:
        FlashError: avrdude is not installed.
    """
    tool = shutil.which(_AVRDUDE)
    if tool is None:
        remedy = Text("install it: sudo apt install {tool}", tool=_AVRDUDE)
        raise FlashError("there is no {tool} here", tool=_AVRDUDE, remedy=remedy)
    return tool


def write_image(kind: str, port: str, baud: int) -> None:
    """Write the image for a kind of board through its boot loader, in about ten seconds.

    Raises:
        BridgeError: the port is absent or in use, or avrdude has failed.
    """
    tool, image, board = find_avrdude(), image_of(kind, baud), AVR_BOARDS[kind]
    # This reports at once if the port is in use; avrdude would try for a minute.
    close_port(open_port(port, board.baud))
    arguments = [
        *("-p", board.chip, "-c", board.programmer, "-P", port, "-b", str(board.baud)),
        # avrdude splits -U at colons; a path may contain them, but these file names do not.
        *("-D", "-U", f"flash:w:{image.name}:i"),
    ]
    try:
        done = subprocess.run(  # noqa: S603  # no shell, and the port has just been opened
            [tool, *arguments],
            cwd=image.parent,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_AVRDUDE_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        text = "{tool} could not write the firmware ({error})"
        raise FlashError(text, tool=_AVRDUDE, error=error, remedy=_remedy(kind)) from error
    if done.returncode:
        code = Text("exit code {returncode}", returncode=done.returncode)
        said = _output_tail(done.stderr or done.stdout) or code
        raise FlashError("{tool} failed ({said})", tool=_AVRDUDE, said=said, remedy=_remedy(kind))


def _output_tail(output: bytes) -> str:
    lines = [line.strip() for line in output.decode("ascii", "replace").splitlines()]
    tail = " / ".join([line for line in lines if line][-_OUTPUT_TAIL_LINES:])
    return "".join(c if c.isprintable() else "?" for c in tail)


def _remedy(kind: str) -> Text:
    others = {"nano": "nano-old", "nano-old": "nano"}
    if kind in others:
        text = "try --board {others}, the same board with another boot loader"
        return Text(text, others=others[kind])
    return Text(
        "press the reset button and try again; check that --board names the right kind of board"
    )


# Boards with CircuitPython


def find_drives(root: Path = Path("/")) -> list[Path]:
    """Return the mounted drives of boards with CircuitPython below `root`."""
    found = [
        *_mounted(root),
        *(each for place in _MOUNT_PATTERNS for each in sorted(root.glob(place))),
    ]
    drives = {
        drive.resolve(): drive for drive in reversed(found) if _is_visible_file(drive / _BOOT_LOG)
    }
    return sorted(drives.values())


def _is_visible_file(file: Path) -> bool:
    """Return True if a file exists on a drive that this user may read."""
    try:
        return file.is_file()
    except OSError:
        return False


def _mounted(root: Path) -> Iterator[Path]:
    try:
        lines = (root / "proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        _, place, *_ = line.split(" ")
        path = re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), place)
        if path.endswith(f"/{_DRIVE_NAME}"):
            yield root / path.lstrip("/")


def about_drive(drive: Path) -> str:
    """Return the line with which CircuitPython describes the board in a file on its drive.

    Raises:
        FlashError: this is not a drive of CircuitPython, or its version is too old.
    """
    try:
        text = (drive / _BOOT_LOG).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        text = "{drive} has no {boot_log}, so it is no drive of CircuitPython"
        remedy = Text("put CircuitPython on the board first; circuitpython.org says how")
        raise FlashError(text, drive=drive, boot_log=_BOOT_LOG, remedy=remedy) from error
    about = "".join(c if c.isprintable() else " " for c in text.partition("\n")[0]).strip()
    version = re.search(r"CircuitPython (\d{1,6})\.", about)
    if version is not None and int(version[1]) < OLDEST_CIRCUITPYTHON:
        text = "{drive}: {about}: version {oldest_circuitpython} or later is needed"
        remedy = Text("put a newer CircuitPython on the board first")
        raise FlashError(
            text, drive=drive, about=about, oldest_circuitpython=OLDEST_CIRCUITPYTHON, remedy=remedy
        )
    return about


def firmware_files() -> Mapping[str, bytes]:
    """Return the files of the firmware by path on the drive, in copying order.

    Raises:
        FlashError: this package does not contain them.
    """
    folder = Path(str(resources.files("firmware_bridge"))) / "firmware" / "circuitpython"
    names = [file.relative_to(folder).as_posix() for file in folder.rglob("*.py")]
    if not names:
        raise FlashError(
            "this package has no firmware for CircuitPython", remedy=Text("install it again")
        )
    names.sort(key=lambda name: (_LAST.index(name) if name in _LAST else -1, name))
    return {name: (folder / name).read_bytes() for name in names}


def copy_firmware(drive: Path, files: Mapping[str, bytes]) -> list[str]:
    """Copy the files that differ, verify all files, and return the names of the copied files.

    Raises:
        FlashError: the drive cannot be written, or reads back other data.
    """
    try:
        copied = [name for name, data in files.items() if _differs(drive / name, data)]
        for name in copied:
            _write(drive / name, files[name])
        wrong = [name for name, data in files.items() if _differs(drive / name, data)]
    except OSError as error:
        text = "{drive} cannot be written ({reason})"
        remedy = Text("check that it has room and is not read-only, or plug the board in again")
        raise FlashError(text, drive=drive, reason=error.strerror, remedy=remedy) from error
    if wrong:
        text = "{drive} reads back other data than was written ({wrong})"
        remedy = Text(
            "its file system is damaged: copy again, or let CircuitPython make a new file system"
        )
        raise FlashError(text, drive=drive, wrong=", ".join(wrong), remedy=remedy)
    return copied


def _differs(file: Path, data: bytes) -> bool:
    try:
        return file.read_bytes() != data
    except FileNotFoundError:
        return True


def _write(file: Path, data: bytes) -> None:
    """Replace a file atomically, or in place if there is no room for two, and sync it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f"{file.name}.new")
    try:
        _put(beside, data)
        beside.replace(file)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        _put(file, data)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        with suppress(OSError):  # not every file system can sync a folder
            os.fsync(folder)
    finally:
        os.close(folder)


def _put(file: Path, data: bytes) -> None:
    with file.open("wb") as opened:
        opened.write(data)
        opened.flush()
        os.fsync(opened.fileno())
        if hasattr(os, "posix_fadvise"):  # so that verification reads from the drive
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
