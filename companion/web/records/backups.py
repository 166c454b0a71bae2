"""Endpoints that list the automatic backups, show their content, and restore one by a restart.

A page sends the name of a backup from the list, never a path. A restore prepares the files of a
backup beside the journal; then the program restarts and puts them in place before it reads
anything. A request from a page that was loaded before the last restart is refused, so that a
repeated click restores only once.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, field

from companion.backups.folders import (
    KeptBackup,
    backup_folders,
    backups_in,
    folders_of_others,
    staged,
)
from companion.backups.restore import prepare_restore
from companion.errors import StaleError, Text
from companion.records.games import Game
from companion.records.records import Records
from companion.settings.paths import sticks_folder
from companion.web.http.endpoint import Call, Right, endpoint
from companion.web.records.record_service import NoGameError
from companion.worker import Worker


class BackupName(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Query of `GET /api/backups/content`: the backup's name in the list."""

    name: Annotated[str, Meta(max_length=64)]


class RestoreRequest(BackupName, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/backups/restore`: the backup's name, and the id of the server's run."""

    instance_id: Annotated[str, Meta(max_length=64)] = field(name="run")


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupSummary:
    """An automatic backup: its name in the list, time, program version and number of games.

    `on_stick` is True for a backup on a USB stick, `of_others` for a backup of another table.
    """

    name: str
    made: float
    program: str
    games: int
    on_stick: bool
    of_others: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupContent:
    """Content of a backup: its games, newest first, its files, and a line for each damaged game."""

    summary: BackupSummary
    games: list[Game]
    files: list[str]
    faults: list[Text]


class BackupEndpoints:
    """Endpoints of a table's automatic backups.

    Args:
        data: the folder of the journal; None if the table keeps no journal.
        worker: reads the backups.
        settings_file: the settings file that is in force; None if there is none.
        instance_id: identifies this run of the server.
        restart: starts the program again.
    """

    def __init__(
        self,
        data: Path | None,
        worker: Worker,
        *,
        settings_file: Path | None = None,
        instance_id: str,
        restart: Callable[[], None],
    ) -> None:
        self._data, self._settings_file = data, settings_file
        self._instance_id, self._restart = instance_id, restart
        self._reader = worker

    @endpoint("GET", "/api/backups", Right.RUN)
    async def _list(self, _call: Call[None]) -> list[BackupSummary]:
        """List this journal's automatic backups, then those of others, each newest first."""
        return await self._reader.do(lambda: [summary for summary, _ in self._found()])

    @endpoint("GET", "/api/backups/content", Right.RUN, error_statuses=(400, 404))
    async def _content(self, call: Call[BackupName]) -> BackupContent:
        """Return the content of a backup: its games and files."""
        return await self._reader.do(lambda: self._look_into(call.body.name))

    @endpoint("POST", "/api/backups/restore", Right.RUN, error_statuses=(404, 409))
    async def _restore(self, call: Call[RestoreRequest]) -> None:
        """Restart the program with the games of a backup; the present games are backed up first."""
        if call.body.instance_id != self._instance_id:
            raise StaleError("the table was restarted meanwhile: load the page again")
        await self._reader.do(lambda: self._prepare(call.body.name))
        self._restart()

    def _found(self) -> list[tuple[BackupSummary, Path]]:
        """Return all backups with their files: first own ones, then those of other tables."""
        if self._data is None:
            return []
        sticks = sticks_folder()
        own = backup_folders(self._data, sticks)
        found = backups_in(own) + backups_in(folders_of_others(self._data, sticks))
        return [(_summary(each, own), each.file) for each in found]

    def _one(self, name: str) -> tuple[Path, BackupSummary, Path]:
        """Return the data folder, the backup with a name, and its file."""
        for summary, file in self._found():
            if self._data is not None and summary.name == name:
                return self._data, summary, file
        raise NoGameError("there is no such backup: load the page again")

    def _look_into(self, name: str) -> BackupContent:
        data, summary, file = self._one(name)
        with staged(file, data) as inside, Records(inside.folder) as records:
            return BackupContent(
                summary=summary,
                games=records.games()[::-1],
                files=list(inside.manifest.files),
                faults=list(inside.faults),
            )

    def _prepare(self, name: str) -> None:
        """Check a whole backup, and prepare it so that the next start restores it."""
        data, _, file = self._one(name)
        with staged(file, data) as inside:
            prepare_restore(inside, self._settings_file)


def _summary(backup: KeptBackup, own: list[Path]) -> BackupSummary:
    """Return a backup's summary; `own` has this table's folders, first that in the data folder."""
    return BackupSummary(
        name=sha256(os.fsencode(backup.file)).hexdigest()[:16],
        made=backup.manifest.made,
        program=backup.manifest.program,
        games=backup.manifest.games,
        on_stick=backup.file.parent != own[0],
        of_others=backup.file.parent not in own,
    )
