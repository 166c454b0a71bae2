"""Endpoints of recorded games and automatic backups: lists, files to download, replay, restore.

A page sends the name of a backup from the list, never a path. A restore prepares the files of a
backup beside the journal; then the program restarts and puts them in place before it reads
anything. A request from a page that was loaded before the last restart is refused, so that a
repeated click restores only once.
"""

import os
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, field
from starlette.responses import Response, StreamingResponse

from companion.backups.folders import (
    KeptBackup,
    backup_folders,
    backups_in,
    folders_of_others,
    staged,
)
from companion.backups.restore import prepare_restore
from companion.board.drawing.board_drawing import draw
from companion.errors import StaleError, Text
from companion.records.games import MatchRecord, RecordedGame
from companion.records.records import Records
from companion.records.statistics import Statistics
from companion.settings.paths import sticks_folder
from companion.web import export
from companion.web.http.endpoint import Call, Right, endpoint
from companion.web.pages import SVG
from companion.web.record_responses import CommandGame, GamePage, GameTimeline, NewestGame
from companion.web.record_service import NoGameError, RecordsService
from companion.web.table import table_responses
from companion.worker import Worker


class Page(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Query of `GET /api/games`: the `most` newest games with number < `before`."""

    before: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    most: Annotated[int, Meta(ge=1, le=100)] = 20


class ReplayRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/replay`; `at` is the place to show (0: start); null ends the replay."""

    game: Annotated[int, Meta(ge=1, le=2**53)]
    at: Annotated[int, Meta(ge=0, le=2**53)] | None


CSV: Final = "text/csv; charset=utf-8"
ZIP: Final = "application/zip"


class RecordsEndpoints:
    """Endpoints of recorded games; `table` returns the response of `GET /api/table`."""

    def __init__(
        self, records: RecordsService, table: Callable[[], table_responses.TableResponse]
    ) -> None:
        self._records, self._table = records, table

    @endpoint("GET", "/api/games", Right.WATCH, error_statuses=(404,))
    async def _games(self, call: Call[Page]) -> GamePage:
        """List the games so far, the newest first."""
        return await self._records.games(before=call.body.before, limit=call.body.most)

    @endpoint("GET", "/api/newest-game", Right.WATCH)
    async def _newest_game(self, call: Call[None]) -> NewestGame:
        """Return the newest game if it was won, with its best count and the sides' progress."""
        return await self._records.newest_game(call.language)

    @endpoint("GET", "/api/games/{number}", Right.WATCH)
    async def _game(self, call: Call[None]) -> GameTimeline:
        """Return the timeline of a game."""
        return await self._records.game(int(call.path["number"]), call.language)

    @endpoint("GET", "/api/commands/{number}", Right.WATCH)
    async def _game_of_command(self, call: Call[None]) -> CommandGame:
        """Return the number of the game to which a command belongs."""
        seq = int(call.path["number"])
        return CommandGame(game=await self._records.read(lambda records: records.game_of(seq)))

    @endpoint("GET", "/api/games/{number}/board.svg", Right.WATCH, media=SVG)
    async def _drawing(self, call: Call[None]) -> Response:
        """Draw the board on which a game was played."""
        number = int(call.path["number"])
        drawn = await self._records.read(lambda records: draw(records.board(number)))
        return Response(drawn, media_type=SVG)

    @endpoint("GET", "/api/matches", Right.WATCH, error_statuses=(404,))
    async def _matches(self, _call: Call[None]) -> list[MatchRecord]:
        """List all matches (series of games), the newest first."""
        found = await self._records.read(lambda it: it.read_apart("matches", list[MatchRecord]))
        return found[::-1]

    @endpoint("GET", "/api/statistics", Right.WATCH, error_statuses=(404,))
    async def _statistics(self, _call: Call[None]) -> Statistics:
        """Return statistics of all games that were won, by side and by name."""
        return await self._records.read(lambda it: it.read_apart("statistics", Statistics))

    @endpoint(
        "GET", "/api/export.json", Right.WATCH, response_type=dict[str, Any], error_statuses=(404,)
    )
    async def _export_json(self, call: Call[None]) -> Response:
        """Export everything about all games, as a file."""
        chunks = self._records.export(export.JSON, call.language)
        return await _file(chunks, "cribwars-games.json", "application/json")

    @endpoint("GET", "/api/export.csv", Right.WATCH, media=CSV, error_statuses=(404,))
    async def _export_csv(self, call: Call[None]) -> Response:
        """Export the counts of all games, as a table for spreadsheets in the caller's language."""
        chunks = self._records.export(export.CSV, call.language)
        return await _file(chunks, "cribwars-counts.csv", CSV)

    @endpoint("GET", "/api/backup", Right.RUN, media=ZIP, error_statuses=(404,))
    async def _backup(self, _call: Call[None]) -> Response:
        """Pack journal, settings and phones into one file, for `cribwars records restore`."""
        return await _file(self._records.backup(), "cribwars-backup.zip", ZIP)

    @endpoint("POST", "/api/replay", Right.RUN, error_statuses=(404, 409))
    async def _replay(self, call: Call[ReplayRequest]) -> table_responses.TableResponse:
        """Show a recorded game on the board at one of its places, or end the replay."""
        body = call.body
        if body.at is None:
            self._records.end_replay()
        else:
            await self._records.replay(body.game, body.at)
        return self._table()


async def _file(chunks: AsyncIterator[bytes], name: str, media: str) -> Response:
    """Return a download; its first chunk is read now, so that an early error can set the status."""
    first = await anext(chunks)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingResponse(_from(first, chunks), headers=headers, media_type=media)


async def _from(first: bytes, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for chunk in chunks:
        yield chunk


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
    games: list[RecordedGame]
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
