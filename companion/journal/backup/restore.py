"""Restore: a backup is checked beside what is there, and only then replaces it, all or nothing.

What was there stays beside it under a dated name. While a table has the folder nothing can be
replaced: it must be stopped, or its journal closed.
"""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.errors import BadInputError, JournalError
from companion.files import belong_like, disk_errors
from companion.journal.backup.archive import PHONES, SETTINGS, Manifest, unpack
from companion.journal.backup.create import board_of
from companion.journal.backup.swap import finish_restore, replace_all, settle
from companion.journal.backup.validate import check
from companion.journal.folder import UNWRITABLE, FolderLock
from companion.journal.store import FILE as JOURNAL
from companion.settings.sources import PAGE_FILE, flat, page_file, page_text
from companion.toml.table import parse


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """Result of a restore: the files that are in place, and the new names of what was there.

    `settings_board` is the restored board file that the restored settings name, None if they name
    one that was there already.
    """

    placed: tuple[Path, ...]
    previous: tuple[Path, ...]
    settings_board: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """A backup that was unpacked and found sound, beside the data that it is to replace.

    `faults` has a line for each game that is damaged in it; the others are whole.
    """

    manifest: Manifest
    data: Path
    folder: Path
    faults: tuple[str, ...]

    def put_in_place(self, settings: Path, *, now: float) -> Restored:
        """Replace everything, or nothing; it is on disk when this returns.

        The boards go into a new folder with the date.

        Args:
            settings: where the settings file belongs. One that is there stays, and the page's file
                beside it has the settings of the backup; both are left alone if it has none.
            now: seconds since the epoch, for the names of what was there.

        Raises:
            JournalError: a table has the folder, or something cannot be written.
        """
        stamp = datetime.fromtimestamp(now).astimezone().strftime("%Y-%m-%d-%H%M%S")
        boards = self.data.resolve() / f"boards-{stamp}"
        with closing(FolderLock(self.data)):  # no table starts here meanwhile
            belong_like(self.data, self.data / "lock")
            finish_restore(self.data)
            settle(self.data / JOURNAL)
            settings_board = self._settings_board(boards)
            targets = self._targets(settings.resolve(), boards, settings_board)
            replaced = replace_all(targets, self.data.resolve(), stamp)
        return Restored(
            placed=tuple(replaced),
            previous=tuple(filter(None, replaced.values())),
            settings_board=settings_board,
        )

    def _settings_board(self, boards: Path) -> Path | None:
        """Return the new place of the settings' board, unless their path leads to it."""
        entry = self.manifest.settings_board
        files = [self.folder / name for name in (SETTINGS, PAGE_FILE)]
        settings = [file.read_bytes() for file in files if file.exists()]
        if entry is None or board_of(settings) == (self.folder / entry).read_bytes():
            return None
        return boards / entry

    def _targets(
        self, settings: Path, boards: Path, settings_board: Path | None
    ) -> Iterator[tuple[Path, Path]]:
        """Yield each file of the backup with the path that it is to replace."""
        yield from self._settings_targets(settings, settings_board)
        for name in self.manifest.files:
            if name == PHONES:
                yield self.folder / name, self.data.resolve() / name
            elif name not in (JOURNAL, SETTINGS, PAGE_FILE):
                yield self.folder / name, boards / name
        yield self.folder / JOURNAL, self.data.resolve() / JOURNAL

    def _settings_targets(self, settings: Path, board: Path | None) -> Iterator[tuple[Path, Path]]:
        """Yield the settings; a settings file of the backup may become the page's."""
        by_hand, page = self.folder / SETTINGS, self.folder / PAGE_FILE
        if by_hand.exists() and not settings.exists():
            yield by_hand, settings
        elif by_hand.exists() and not page.exists():
            page.write_bytes(by_hand.read_bytes())
        if board:
            text = page.read_text(encoding="utf-8") if page.exists() else ""
            values = flat(parse(text, PAGE_FILE, [])) | {"board": str(board)}
            page.write_text(page_text(values, settings.name), encoding="utf-8")
        elif by_hand.exists() and page_file(settings).exists() and not page.exists():
            page.write_bytes(b"")  # else it would go before the restored settings
        if page.exists():
            yield page, page_file(settings)


@contextmanager
def staged(file: Path, data: Path) -> Iterator[Staged]:
    """Unpack and check a backup; what is not put in place is deleted afterwards.

    A table may be running in `data`: nothing of it is touched.

    Raises:
        BadInputError: it is no backup, or not sound; the text says what is wrong with it.
        JournalError: there is no room for it.
    """
    with disk_errors(JournalError, UNWRITABLE, data):
        data.mkdir(parents=True, exist_ok=True)
        unpacked = tempfile.TemporaryDirectory(dir=data, prefix=".restoring-")
    with unpacked as folder:
        manifest = unpack(file, Path(folder))
        try:
            faults = check(manifest, Path(folder))
        except BadInputError as error:
            text = "{file} cannot be restored ({error}): nothing was changed, give another backup"
            raise BadInputError(text, file, error) from error
        yield Staged(manifest=manifest, data=data, folder=Path(folder), faults=faults)
