"""Endpoints of recorded games: lists, statistics, files to download, and replay on the board."""

from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from starlette.responses import Response, StreamingResponse

from companion.errors import StaleError
from companion.journal.games import MatchRecord
from companion.journal.statistics import Statistics
from companion.web.http.endpoint import Call, Right, endpoint
from companion.web.pages import SVG
from companion.web.records import export_process
from companion.web.records.backups import BackupContent, BackupsService, BackupSummary
from companion.web.records.responses import CommandGame, GamePage, GameTimeline, NewestGame
from companion.web.records.service import RecordsService
from companion.web.table import responses


class Page(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Query of `GET /api/games`: the `most` newest games with number < `before`."""

    before: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    most: Annotated[int, Meta(ge=1, le=100)] = 20


class ReplayRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/replay`: a game and a place in it, 0 its start; null ends the replay."""

    game: Annotated[int, Meta(ge=1, le=2**53)]
    at: Annotated[int, Meta(ge=0, le=2**53)] | None


class BackupName(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Query of `GET /api/backups/content`: when the backup was made, as the list has it."""

    made: Annotated[float, Meta(ge=0, le=2**53)]


class RestoreRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/backups/restore`: when the backup was made; the run of the server."""

    made: Annotated[float, Meta(ge=0, le=2**53)]
    run: Annotated[str, Meta(max_length=64)]


CSV: Final = "text/csv; charset=utf-8"
ZIP: Final = "application/zip"
NUMBER: Final = {"number": r"[1-9][0-9]{0,14}"}


class RecordsEndpoints:
    """Endpoints of recorded games; `table` gives the response of `GET /api/table`."""

    def __init__(
        self, records: RecordsService, table: Callable[[], responses.TableResponse]
    ) -> None:
        self._records, self._table = records, table

    @endpoint("GET", "/api/games", Right.WATCH, error_statuses=(404,))
    async def _games(self, call: Call[Page]) -> GamePage:
        """List the games so far, the newest first."""
        return await self._records.games(before=call.body.before, limit=call.body.most)

    @endpoint("GET", "/api/newest-game", Right.WATCH)
    async def _newest_game(self, call: Call[None]) -> NewestGame:
        """Return the newest game if it was won: its worth, its best count, its race."""
        return await self._records.newest_game(call.language)

    @endpoint("GET", "/api/games/{number}", Right.WATCH, error_statuses=(404,), path_values=NUMBER)
    async def _game(self, call: Call[None]) -> GameTimeline:
        """Return one game place by place."""
        return await self._records.game(int(call.path["number"]), call.language)

    @endpoint(
        "GET", "/api/commands/{number}", Right.WATCH, error_statuses=(404,), path_values=NUMBER
    )
    async def _game_of_command(self, call: Call[None]) -> CommandGame:
        """Return the game that a command of the log was given in."""
        return await self._records.game_of(int(call.path["number"]))

    @endpoint(
        "GET",
        "/api/games/{number}/board.svg",
        Right.WATCH,
        media=SVG,
        error_statuses=(404,),
        path_values=NUMBER,
    )
    async def _drawing(self, call: Call[None]) -> Response:
        """Draw the board that a game was played on."""
        return Response(await self._records.drawing(int(call.path["number"])), media_type=SVG)

    @endpoint("GET", "/api/matches", Right.WATCH, error_statuses=(404,))
    async def _matches(self, _call: Call[None]) -> list[MatchRecord]:
        """List every series of games, the newest first."""
        return await self._records.matches()

    @endpoint("GET", "/api/statistics", Right.WATCH, error_statuses=(404,))
    async def _statistics(self, _call: Call[None]) -> Statistics:
        """Sum up all games that were won, by side and by name."""
        return await self._records.statistics()

    @endpoint(
        "GET", "/api/export.json", Right.WATCH, response_type=dict[str, Any], error_statuses=(404,)
    )
    async def _export_json(self, _call: Call[None]) -> Response:
        """Export everything about all games, as a file."""
        return await _file(
            self._records.export(export_process.JSON), "cribwars-games.json", "application/json"
        )

    @endpoint("GET", "/api/export.csv", Right.WATCH, media=CSV, error_statuses=(404,))
    async def _export_csv(self, _call: Call[None]) -> Response:
        """Export the counts of all games, as a table for spreadsheets."""
        return await _file(self._records.export(export_process.CSV), "cribwars-counts.csv", CSV)

    @endpoint("GET", "/api/backup", Right.RUN, media=ZIP, error_statuses=(404,))
    async def _backup(self, _call: Call[None]) -> Response:
        """Pack journal, settings and boards into one file, for `cribwars records restore`."""
        return await _file(self._records.backup(), "cribwars-backup.zip", ZIP)

    @endpoint("POST", "/api/replay", Right.RUN, error_statuses=(404, 409))
    async def _replay(self, call: Call[ReplayRequest]) -> responses.TableResponse:
        """Show a game of the records on the board, at a place of it, or end that."""
        body = call.body
        if body.at is None:
            self._records.end_replay()
        else:
            await self._records.replay(body.game, body.at)
        return self._table()


class BackupEndpoints:
    """Endpoints of the daily backups; `run` identifies this run of the server."""

    def __init__(self, backups: BackupsService, *, run: str) -> None:
        self._backups, self._run = backups, run

    @endpoint("GET", "/api/backups", Right.RUN)
    async def _list(self, _call: Call[None]) -> list[BackupSummary]:
        """List the daily backups, the newest first."""
        return await self._backups.summaries()

    @endpoint("GET", "/api/backups/content", Right.RUN, error_statuses=(400, 404))
    async def _content(self, call: Call[BackupName]) -> BackupContent:
        """Look into a daily backup: its games and files; nothing is changed."""
        return await self._backups.content(call.body.made)

    @endpoint("POST", "/api/backups/restore", Right.RUN, error_statuses=(404, 409))
    async def _restore(self, call: Call[RestoreRequest]) -> None:
        """Start the program anew with the games of a daily backup; those there are kept beside."""
        if call.body.run != self._run:
            raise StaleError("the table was started anew meanwhile: load the page again")
        await self._backups.restore(call.body.made)


async def _file(chunks: AsyncIterator[bytes], name: str, media: str) -> Response:
    """Return a download; an error before its first chunk is raised before the response begins."""
    first = await anext(chunks)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingResponse(_from(first, chunks), headers=headers, media_type=media)


async def _from(first: bytes, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for chunk in chunks:
        yield chunk
