"""Endpoints of recorded games: lists, statistics, files to download, and replay on the board."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from starlette.responses import FileResponse, Response, StreamingResponse

from companion.journal import Match, Statistics
from companion.web.http.endpoint import Call, Operation, Right
from companion.web.pages import HTML, STATIC
from companion.web.records.responses import GamePage, GameTimeline
from companion.web.records.service import RecordsService
from companion.web.table import responses


class Page(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Query of `GET /api/games`: the `most` newest games with number < `before`."""

    before: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    most: Annotated[int, Meta(ge=1, le=100)] = 20


class Replay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/replay`: a game and a place in it, 0 its start; null ends the replay."""

    game: Annotated[int, Meta(ge=1, le=2**53)]
    at: Annotated[int, Meta(ge=0, le=2**53)] | None


CSV: Final = "text/csv; charset=utf-8"
ZIP: Final = "application/zip"
NUMBER: Final = {"number": r"[1-9][0-9]{0,14}"}


class RecordsEndpoints:
    """Endpoints of recorded games; `table` gives the response of `GET /api/table`."""

    def __init__(self, records: RecordsService, table: Callable[[], responses.Table]) -> None:
        self._records, self._table = records, table

    @property
    def operations(self) -> tuple[Operation, ...]:
        """All endpoints of this slice."""
        return (*self._lists, *self._files, self._replaying)

    @property
    def _lists(self) -> tuple[Operation, ...]:
        return (
            Operation(
                method="GET",
                path="/records",
                name="records_page",
                says="The games so far, and what they come to.",
                needs=Right.WATCH,
                media=HTML,
                does=self._page,
            ),
            Operation(
                method="GET",
                path="/api/games",
                name="games",
                says="The games so far, the newest first.",
                needs=Right.WATCH,
                asks=Page,
                answers=GamePage,
                does=self._games,
                refuses=frozenset({404}),
            ),
            Operation(
                method="GET",
                path="/api/games/{number}",
                name="game",
                says="One game place by place.",
                needs=Right.WATCH,
                answers=GameTimeline,
                does=self._game,
                refuses=frozenset({404}),
                path_values=NUMBER,
            ),
            Operation(
                method="GET",
                path="/api/matches",
                name="matches",
                says="Every series of games, the newest first.",
                needs=Right.WATCH,
                answers=list[Match],
                does=self._matches,
                refuses=frozenset({404}),
            ),
            Operation(
                method="GET",
                path="/api/statistics",
                name="statistics",
                says="What all games that were won come to, by side and by name.",
                needs=Right.WATCH,
                answers=Statistics,
                does=self._statistics,
                refuses=frozenset({404}),
            ),
        )

    @property
    def _files(self) -> tuple[Operation, ...]:
        return (
            Operation(
                method="GET",
                path="/api/export.json",
                name="export_json",
                says="Everything about all games, as a file.",
                needs=Right.WATCH,
                answers=dict[str, Any],
                does=self._json,
                refuses=frozenset({404}),
            ),
            Operation(
                method="GET",
                path="/api/export.csv",
                name="export_csv",
                says="The counts of all games, as a table for spreadsheets.",
                needs=Right.WATCH,
                media=CSV,
                does=self._csv,
                refuses=frozenset({404}),
            ),
            Operation(
                method="GET",
                path="/api/backup",
                name="backup",
                says="Journal, settings and boards in one file, for `cribwars records restore`.",
                needs=Right.RUN,
                media=ZIP,
                does=self._backup,
                refuses=frozenset({404}),
            ),
        )

    @property
    def _replaying(self) -> Operation:
        return Operation(
            method="POST",
            path="/api/replay",
            name="replay",
            says="Show a game of the records on the board, at a place of it, or end that.",
            needs=Right.RUN,
            asks=Replay,
            answers=responses.Table,
            does=self._replay,
            refuses=frozenset({404, 409}),
        )

    async def _page(self, _call: Call[None]) -> Response:
        return FileResponse(STATIC / "records.html")

    async def _games(self, call: Call[Page]) -> GamePage:
        return await self._records.games(before=call.asked.before, limit=call.asked.most)

    async def _game(self, call: Call[None]) -> GameTimeline:
        return await self._records.game(int(call.path["number"]))

    async def _matches(self, _call: Call[None]) -> list[Match]:
        return await self._records.matches()

    async def _statistics(self, _call: Call[None]) -> Statistics:
        return await self._records.statistics()

    async def _json(self, _call: Call[None]) -> Response:
        return await _file(self._records.export_json(), "cribwars-games.json", "application/json")

    async def _csv(self, _call: Call[None]) -> Response:
        return await _file(self._records.export_csv(), "cribwars-counts.csv", CSV)

    async def _backup(self, _call: Call[None]) -> Response:
        return await _file(self._records.backup(), "cribwars-backup.zip", ZIP)

    async def _replay(self, call: Call[Replay]) -> responses.Table:
        asked = call.asked
        if asked.at is None:
            self._records.end_replay()
        else:
            await self._records.replay(asked.game, asked.at)
        return self._table()


async def _file(chunks: AsyncIterator[bytes], name: str, media: str) -> Response:
    """Return a download. An error before its first game is raised before the response begins.

    The first chunk of a table is its header, hence two are awaited.
    """
    first = await anext(chunks) + await anext(chunks, b"")
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingResponse(_from(first, chunks), headers=headers, media_type=media)


async def _from(first: bytes, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for chunk in chunks:
        yield chunk
