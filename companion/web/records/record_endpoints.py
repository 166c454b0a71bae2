"""Endpoints of recorded games: lists, statistics, files to download, and replay on the board."""

from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from starlette.responses import Response, StreamingResponse

from companion.board.drawing.board_drawing import draw
from companion.records.games import MatchRecord
from companion.records.statistics import Statistics
from companion.web.http.endpoint import Call, Right, endpoint
from companion.web.pages import SVG
from companion.web.records import export
from companion.web.records.record_responses import CommandGame, GamePage, GameTimeline, NewestGame
from companion.web.records.record_service import RecordsService
from companion.web.table import table_responses


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
