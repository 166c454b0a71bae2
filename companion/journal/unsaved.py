"""Games that a table could not save in its data folder before it was stopped: in another folder.

The next start adds them to the journal in the data folder, and then deletes them.
"""

import os
import queue
import sqlite3
import stat
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Final

from companion.errors import CompanionError, Text, joined
from companion.journal.extract import Extract
from companion.journal.schema import check_version
from companion.journal.store import Store

ANSWER_TIMEOUT_S: Final = 2.0
"""Seconds after which the disk of a folder is taken for one that does not answer."""
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


class UnsavedGames:
    """Journals of what could not be saved in a data folder, at most one in each other folder.

    Args:
        journal: the file in the data folder.
        folders: where else to write, the best first.
        connect: opens a journal file.

    `unreadable` are files that cannot be read, each with the reason; they stay where they are.
    """

    def __init__(
        self, journal: Path, folders: Sequence[Path], connect: Callable[[Path], sqlite3.Connection]
    ) -> None:
        digest = blake2b(os.fsencode(journal.absolute()), digest_size=8).hexdigest()
        name = f"unsaved-{digest}.sqlite"
        self._files, self._connect = [folder / name for folder in folders], connect
        self.unreadable: dict[Path, str] = {}

    @property
    def folders(self) -> str:
        return ", ".join(str(file.parent) for file in self._files)

    def notice(self, added: int) -> str | None:
        """Return a line about what was added to a journal, and what cannot be read."""
        lines = [
            Text("{file} cannot be read ({why}): it stays", file=file, why=why)
            for file, why in self.unreadable.items()
        ]
        if added:
            text = "{added} commands that could not be saved before are back"
            lines.insert(0, Text(text, added=added))
        return joined("; ", lines) or None

    @property
    def files(self) -> list[Path]:
        return [file for file in self._files if file.is_file() and _is_ours(file.parent)]

    def write(self, use: Callable[[sqlite3.Connection], None]) -> Path | None:
        """Have `use` write to the first file where it can; return the file, or None."""
        return next(
            (file for file in self._files if _within(partial(self._write, file, use))), None
        )

    def _write(self, file: Path, use: Callable[[sqlite3.Connection], None]) -> bool:
        with suppress(CompanionError, OSError, sqlite3.Error):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_ours(file.parent):
                with closing(self._connect(file)) as database:
                    use(database)
                return True
        return False

    def read(self) -> list[Extract]:
        self.unreadable = {}
        return sorted(filter(None, map(self._read, self.files)), key=lambda each: each.rows[-1].seq)

    def delete(self) -> None:
        """Delete what was read; where that fails it is read once more, which changes nothing."""
        for file in self.files:
            if file not in self.unreadable:
                with suppress(OSError):
                    file.unlink()

    def _read(self, file: Path) -> Extract | None:
        try:
            with closing(self._connect(file)) as database:
                check_version(database)
                store = Store(database)
                return Extract.of(store) if store.last_seq else None
        except (CompanionError, OSError, sqlite3.Error) as error:
            self.unreadable[file] = str(error)
            return None


def _within(job: Callable[[], bool]) -> bool:
    """Return True if a job has succeeded in time; a disk may never answer."""
    answer: queue.SimpleQueue[bool] = queue.SimpleQueue()
    threading.Thread(target=lambda: answer.put(job()), daemon=True).start()
    with suppress(queue.Empty):
        return answer.get(timeout=ANSWER_TIMEOUT_S)
    return False


def _is_ours(folder: Path) -> bool:
    """Return True if nobody else may put files into a folder."""
    found = folder.lstat()
    mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    return mine and not found.st_mode & _OTHERS_MAY_WRITE
