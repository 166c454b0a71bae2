"""The records on the page: games, statistics, files to take away, and a game on the board again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from starlette.responses import FileResponse, Response, StreamingResponse

from companion.web.http.endpoint import Call, Operation, Right
from companion.web.pages import HTML, STATIC
from companion.web.records import responses as records_responses
from companion.web.table import responses
from companion.web.table.desk import Desk


class Page(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`GET /api/games`: so many games, of those with numbers below `before` the newest."""

    before: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    most: Annotated[int, Meta(ge=1, le=100)] = 20


class Replay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/replay`: show a game at this place of it, 0 its start; null ends that."""

    game: Annotated[int, Meta(ge=1, le=2**53)]
    at: Annotated[int, Meta(ge=0, le=2**53)] | None


CSV: Final = "text/csv; charset=utf-8"
ZIP: Final = "application/zip"
NUMBER: Final = {"number": r"[1-9][0-9]{0,14}"}


class RecordTable:
    """The records of a desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What can be asked."""
        return (*self._told, *self._files, self._shown)

    @property
    def _told(self) -> tuple[Operation, ...]:
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
                answers=records_responses.Games,
                does=self._games,
                refuses=frozenset({404}),
            ),
            Operation(
                method="GET",
                path="/api/games/{number}",
                name="game",
                says="One game place by place.",
                needs=Right.WATCH,
                answers=records_responses.ToldGame,
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
                answers=list[records_responses.RecordedMatch],
                does=self._matches,
                refuses=frozenset({404}),
            ),
            Operation(
                method="GET",
                path="/api/statistics",
                name="statistics",
                says="What all games that were won come to, by side and by name.",
                needs=Right.WATCH,
                answers=records_responses.Statistics,
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
    def _shown(self) -> Operation:
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

    async def _games(self, call: Call[Page]) -> records_responses.Games:
        return await self._desk.records.games(before=call.asked.before, most=call.asked.most)

    async def _game(self, call: Call[None]) -> records_responses.ToldGame:
        return await self._desk.records.game(int(call.path["number"]))

    async def _matches(self, _call: Call[None]) -> list[records_responses.RecordedMatch]:
        return await self._desk.records.matches()

    async def _statistics(self, _call: Call[None]) -> records_responses.Statistics:
        return await self._desk.records.statistics()

    async def _json(self, _call: Call[None]) -> Response:
        pieces = self._desk.records.export_json()
        return await _file(pieces, "cribwars-games.json", "application/json")

    async def _csv(self, _call: Call[None]) -> Response:
        return await _file(self._desk.records.export_csv(), "cribwars-counts.csv", CSV)

    async def _backup(self, _call: Call[None]) -> Response:
        return await _file(self._desk.records.backup(), "cribwars-backup.zip", ZIP)

    async def _replay(self, call: Call[Replay]) -> responses.Table:
        asked = call.asked
        if asked.at is None:
            self._desk.records.end_replay()
        else:
            await self._desk.records.replay(asked.game, asked.at)
        return self._desk.table()


async def _file(pieces: AsyncIterator[bytes], name: str, media: str) -> Response:
    """A file to take away; what keeps it from being made is told before the answer begins."""
    first = await anext(pieces)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingResponse(_all(first, pieces), headers=headers, media_type=media)


async def _all(first: bytes, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in pieces:
        yield piece
