"""Daily backups on the page: listed, looked into, and restored by a restart."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.errors import JournalError
from companion.journal.backup.daily import (
    DailyBackup,
    backup_folders,
    daily_backups,
    folders_of_others,
)
from companion.journal.backup.request import request_restore
from companion.journal.backup.restore import staged
from companion.journal.games import Game
from companion.journal.records import Records
from companion.settings.paths import sticks_folder
from companion.web.records.service import NoGameError
from companion.worker import Worker


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupSummary:
    """A daily backup: when it was made, which is its name, by which version, how many games.

    `on_stick` if it is on a USB stick, `of_others` if another journal is in it.
    """

    made: float
    program: str
    games: int
    on_stick: bool
    of_others: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupContent:
    """Inside of a backup: its games, newest first, its files, and a line for each damaged game."""

    summary: BackupSummary
    games: list[Game]
    files: list[str]
    faults: list[str]


class BackupsService:
    """Daily backups of a table. Call it in the event loop; reading happens in a worker thread.

    Args:
        data: the folder of the journal; None if nothing is kept.
        restart: starts the program again.

    Raises:
        NoGameError: there is no such backup.
        BadInputError, JournalError: it is not sound, or there is no room to look at it.
    """

    def __init__(self, data: Path | None, *, restart: Callable[[], None]) -> None:
        self._data, self._restart = data, restart
        self._reader = Worker("backups")

    def close(self) -> None:
        """Stop reading, without waiting for what is being read."""
        self._reader.close()

    async def summaries(self) -> list[BackupSummary]:
        """Return all daily backups, the newest first."""
        return await self._reader.do(lambda: [summary for summary, _ in self._found()])

    async def content(self, made: float) -> BackupContent:
        """Return what is in the backup that was made at a time."""
        return await self._reader.do(lambda: self._content(made))

    async def restore(self, made: float) -> None:
        """Have the backup of a time restored by a restart; all of it is checked before."""
        await self._reader.do(lambda: self._request(made))
        self._restart()

    def _found(self) -> list[tuple[BackupSummary, Path]]:
        """Return the backups here and on sticks with their files, the newest first."""
        if self._data is None:
            return []
        sticks = sticks_folder()
        own = backup_folders(self._data, sticks)
        found = daily_backups(own + folders_of_others(self._data, sticks))
        return [(_summary(each, own), each.file) for each in found]

    def _one(self, made: float) -> tuple[Path, BackupSummary, Path]:
        """Return the data folder, and the backup of a time with its file."""
        for summary, file in self._found():
            if self._data is not None and summary.made == made:
                return self._data, summary, file
        raise NoGameError("there is no such backup: load the page again")

    def _content(self, made: float) -> BackupContent:
        data, summary, file = self._one(made)
        with staged(file, data) as inside, Records(inside.folder) as records:
            return BackupContent(
                summary=summary,
                games=records.games()[::-1],
                files=list(inside.manifest.files),
                faults=list(inside.faults),
            )

    def _request(self, made: float) -> None:
        data, _, file = self._one(made)
        with staged(file, data):
            pass
        day = datetime.fromtimestamp(made).astimezone().strftime("%Y-%m-%d")
        try:
            request_restore(data, file, day)
        except OSError as error:
            text = "nothing can be written in {data} ({reason}): make room"
            raise JournalError(text, data, error.strerror) from None


def _summary(backup: DailyBackup, own: list[Path]) -> BackupSummary:
    """Return the summary of a backup; `own` are the table's folders, here and on sticks."""
    return BackupSummary(
        made=backup.manifest.made,
        program=backup.manifest.program,
        games=backup.manifest.games,
        on_stick=backup.file.parent != own[0],
        of_others=backup.file.parent not in own,
    )
