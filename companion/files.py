"""Files that a command is asked to write, and files that must not be lost."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE

from companion.errors import BadInputError

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


def write_text(file: str, text: str) -> None:
    """Write a whole file; a `BadInputError` if it cannot be written."""
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        reason = f"{file} cannot be written ({error.strerror}): choose another place"
        raise BadInputError(reason) from None


def write_durably(file: Path, content: bytes) -> None:
    """Put a whole file in the place of what is there: after a power cut it is the one or the other.

    On disk when this returns. It keeps the mode and, if that is ours to give, the owner of what was
    there; a link stays a link, and what it leads to is written.

    Raises:
        OSError: it cannot be written; what was there still is.
    """
    file = file.resolve()
    beside = file.with_name(f".{file.name}.new")
    beside.unlink(missing_ok=True)  # a power cut may have left one
    try:
        with os.fdopen(os.open(beside, _NEW, 0o666), "wb") as new:
            _be_like(file, new.fileno())
            new.write(content)
            new.flush()
            os.fsync(new.fileno())
        beside.replace(file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on disk, such as that of a file renamed there."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _be_like(file: Path, new: int) -> None:
    with suppress(FileNotFoundError):
        there = file.stat()
        with suppress(PermissionError):
            os.fchown(new, there.st_uid, there.st_gid)
        os.fchmod(new, S_IMODE(there.st_mode))
