"""New firmware for a board with CircuitPython: files copied onto its drive, and read back.

A board that is unplugged meanwhile has each file as it was or as it is now.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import Final

from firmware_bridge.errors import FlashError

OLDEST_CIRCUITPYTHON: Final = 9
"""What its firmware asks for."""

_NAME: Final = "CIRCUITPY"
_ABOUT: Final = "boot_out.txt"
_PLACES: Final = (f"media/*/{_NAME}", f"run/media/*/{_NAME}", f"media/{_NAME}", f"Volumes/{_NAME}")
_LAST: Final = ("code.py", "boot.py")  # some boards start their program anew after each file


def find_drives(root: Path = Path("/")) -> list[Path]:
    """The drives of boards with CircuitPython that are mounted; `root` is where to look."""
    found = [*_mounted(root), *(each for place in _PLACES for each in sorted(root.glob(place)))]
    drives = {drive.resolve(): drive for drive in reversed(found) if _is_there(drive / _ABOUT)}
    return sorted(drives.values())


def _is_there(file: Path) -> bool:
    """Whether it is a file that we may see: other users' drives are none of ours."""
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
        if path.endswith(f"/{_NAME}"):
            yield root / path.lstrip("/")


def about_drive(drive: Path) -> str:
    """What a drive says of its board, in one line.

    Raises:
        FlashError: it is no drive of CircuitPython, or of one that is too old.
    """
    try:
        text = (drive / _ABOUT).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise FlashError(
            f"{drive} has no {_ABOUT}, so it is no drive of CircuitPython",
            remedy="put CircuitPython on the board first, as circuitpython.org says for it",
        ) from error
    about = "".join(c if c.isprintable() else " " for c in text.partition("\n")[0]).strip()
    version = re.search(r"CircuitPython (\d{1,6})\.", about)
    if version is not None and int(version[1]) < OLDEST_CIRCUITPYTHON:
        raise FlashError(
            f"{drive}: {about}: version {OLDEST_CIRCUITPYTHON} or later is needed",
            remedy="put a newer CircuitPython on the board first",
        )
    return about


def firmware_files() -> Mapping[str, bytes]:
    """The files of the firmware by their path on the drive, in the order to copy them.

    Raises:
        FlashError: this package came without them.
    """
    folder = Path(str(resources.files("firmware_bridge"))) / "firmware" / "circuitpython"
    names = [file.relative_to(folder).as_posix() for file in folder.rglob("*.py")]
    if not names:
        raise FlashError("this package has no firmware for CircuitPython", remedy="install it anew")
    names.sort(key=lambda name: (_LAST.index(name) if name in _LAST else -1, name))
    return {name: (folder / name).read_bytes() for name in names}


def copy_firmware(drive: Path, files: Mapping[str, bytes]) -> list[str]:
    """Copy what differs, and read all of it back; the names of what was copied.

    Raises:
        FlashError: the drive cannot be written, or does not give back what was written.
    """
    try:
        copied = [name for name, data in files.items() if _differs(drive / name, data)]
        for name in copied:
            _write(drive / name, files[name])
        wrong = [name for name, data in files.items() if _differs(drive / name, data)]
    except OSError as error:
        raise FlashError(
            f"{drive} cannot be written ({error.strerror})",
            remedy="see that it has room and is not read-only, or plug the board in again",
        ) from error
    if wrong:
        raise FlashError(
            f"{drive} does not give back what was written ({', '.join(wrong)})",
            remedy="its file system is damaged: copy again, or have CircuitPython make it anew",
        )
    return copied


def _differs(file: Path, data: bytes) -> bool:
    try:
        return file.read_bytes() != data
    except FileNotFoundError:
        return True


def _write(file: Path, data: bytes) -> None:
    """Write a file and see that it is on the drive; in place if there is no room for two."""
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
        with suppress(OSError):  # not every file system has that for folders
            os.fsync(folder)
    finally:
        os.close(folder)


def _put(file: Path, data: bytes) -> None:
    with file.open("wb") as opened:
        opened.write(data)
        opened.flush()
        os.fsync(opened.fileno())
        if hasattr(os, "posix_fadvise"):  # so that reading it back asks the drive
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
