"""The data folder of a running game table: the folder's lock, and the identity of its files."""

import fcntl
import os
from pathlib import Path
from typing import Final

from companion.errors import JournalError
from companion.files import disk_errors

UNWRITABLE: Final = (
    "nothing can be written in {folder} ({reason}): check that its disk is sound and has room, "
    "and that it belongs to the user of the table. On an installed board restart the Pi for "
    "that; elsewhere run sudo chown -R <user> {folder}, or name another folder with --data"
)
"""Template of the error for a data folder in which nothing can be written."""

FileIdentity = tuple[int, int]
"""Device and inode of a file; another file at the same path has other numbers."""


def identity(file: Path) -> FileIdentity | None:
    """Return the identity of the file that is at a path now, or None."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class FolderInUseError(JournalError):
    """Another table has locked the data folder."""


class FolderLock:
    """The lock of a data folder, which only one table may hold; the kernel frees it at exit.

    Raises:
        JournalError: another program has the folder, or nothing can be written there.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        with disk_errors(JournalError, UNWRITABLE, folder=folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("w")
        text = "{folder} cannot be locked ({reason}): set --data to another folder"
        try:
            with disk_errors(JournalError, text, folder=folder):
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except JournalError as error:
            self._file.close()
            if isinstance(error.__context__, BlockingIOError):
                text = "another table runs in {folder}: stop it, or set --data to another folder"
                raise FolderInUseError(text, folder=folder) from None
            raise

    @property
    def is_in_place(self) -> bool:
        held = os.fstat(self._file.fileno())
        return identity(self._path) == (held.st_dev, held.st_ino)

    def close(self) -> None:
        self._file.close()
