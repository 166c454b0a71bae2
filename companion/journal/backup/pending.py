"""A restore that waits for the next start: a folder of a fixed name in the data folder.

Nothing but its name is looked at here, so that a start without one imports no more than this.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from companion.files import belong_like
from companion.journal.folder import FolderLock

READY: Final = "restore-ready"
"""Folder with all files of a restore; it is there from its first step until after its last."""


def finish_restore(data: Path, now: float) -> str | None:
    """Carry out the restore that waits in a locked data folder; return a line about it, or None.

    Args:
        data: the folder of the journal.
        now: seconds since the epoch, for the date of the backup of what was there.

    Raises:
        JournalError: it was not carried out; the next call tries again unless it cannot help.
    """
    if not (data / READY).is_dir():
        return None
    # Late: only a start that restores needs it.
    from companion.journal.backup.restore import carry_out  # noqa: PLC0415

    return carry_out(data, now)


def resume_restore(data: Path, now: float) -> str | None:
    """Lock a data folder in which a restore waits, and carry it out; see `finish_restore`."""
    if not (data / READY).is_dir():
        return None
    with locked(data):
        return finish_restore(data, now)


@contextmanager
def locked(data: Path) -> Iterator[None]:
    """Keep tables from starting in a data folder; the lock is its owner's, whoever restores."""
    with closing(FolderLock(data)):
        belong_like(data, data / "lock")
        yield
