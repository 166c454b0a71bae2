"""Pages, and the endpoints open to all: board, table, rulings, advice."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.responses import FileResponse, Response

from companion.board.drawing.board import draw
from companion.rules.game.rulings import RULINGS, Ruling
from companion.web.http.addresses import qr_svg
from companion.web.http.endpoint import Call, Operation, Right
from companion.web.http.security import refuse
from companion.web.table import responses
from companion.web.table.service import TableService


class Qr(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`GET /qr.svg`: the page for which a code is drawn: a side's pad, or the board."""

    side: Annotated[int, Meta(ge=1, le=3)] | None = None


STATIC = Path(__file__).parent / "static"
HTML = "text/html; charset=utf-8"
SVG = "image/svg+xml"


class PageEndpoints:
    """Pages and endpoints that are open to all.

    Args:
        table: the table that they show.
        first_run: returns True while the board is still to be set up.
        reverted: True if the table is back on settings from before the last change.
        run: a word for this run of the server.
        pages: gives the addresses at which phones find the page.
    """

    def __init__(
        self,
        table: TableService,
        *,
        first_run: Callable[[], bool],
        reverted: bool,
        run: str,
        pages: Callable[[], tuple[str, ...]],
    ) -> None:
        self._table, self._run, self._pages, self._first_run = table, run, pages, first_run
        self._reverted = reverted
        self._drawn = cache(lambda: draw(table.board))

    @property
    def operations(self) -> tuple[Operation, ...]:
        """All endpoints of this kind."""
        return (
            _page("/", "index", "index.html", "The board, alive."),
            _page("/hand", "hand_page", "hand.html", "One hand of cards."),
            _page("/counter", "counter_page", "counter.html", "A hand to count."),
            _page("/pad", "pad_page", "pad.html", "A side's buttons on a phone."),
            Operation(
                method="GET",
                path="/board.svg",
                name="board",
                says="The printed board.",
                needs=Right.WATCH,
                media=SVG,
                does=self._board,
            ),
            Operation(
                method="GET",
                path="/qr.svg",
                name="qr",
                says="A code to scan: the board's page, or a side's pad.",
                needs=Right.WATCH,
                asks=Qr,
                media=SVG,
                does=self._qr,
                refuses=frozenset({404}),
            ),
            Operation(
                method="GET",
                path="/api/table",
                name="table",
                says="How the table stands.",
                needs=Right.WATCH,
                answers=responses.Table,
                does=self._snapshot,
            ),
            Operation(
                method="GET",
                path="/api/about",
                name="about",
                says="What stays as it is while the server runs, and what the caller may do.",
                needs=Right.WATCH,
                answers=responses.About,
                does=self._about,
            ),
            Operation(
                method="GET",
                path="/api/rulings",
                name="rulings",
                says="All that can go wrong, and what follows.",
                needs=Right.WATCH,
                answers=list[Ruling],
                does=self._rulings,
            ),
            Operation(
                method="GET",
                path="/api/advice",
                name="advice",
                says="By side, what each count would do from here.",
                needs=Right.WATCH,
                answers=dict[str, responses.Advice],
                does=self._advice,
            ),
        )

    async def _board(self, _call: Call[None]) -> Response:
        return Response(self._drawn(), media_type=SVG)

    async def _qr(self, call: Call[Qr]) -> Response:
        pages = self._pages()
        if not pages:
            return refuse(404, 'phones cannot reach this machine: set [web] host = "0.0.0.0"')
        pad = f"pad?side={call.asked.side}" if call.asked.side else ""
        return Response(qr_svg(pages[0] + pad), media_type=SVG)

    async def _snapshot(self, _call: Call[None]) -> responses.Table:
        return self._table.snapshot()

    async def _about(self, call: Call[None]) -> responses.About:
        facts, caller = self._table.facts, call.caller
        return {
            **facts,
            "press": caller.near and facts["mock"],
            "near": caller.near,
            "right": caller.right.word,
            "run": self._run,
            "pages": list(self._pages()),
            "first_run": caller.right >= Right.RUN and self._first_run(),
            "reverted": self._reverted,
        }

    async def _rulings(self, _call: Call[None]) -> list[Ruling]:
        return list(RULINGS.values())

    async def _advice(self, _call: Call[None]) -> dict[str, responses.Advice]:
        return self._table.advice()


def _page(path: str, name: str, file: str, says: str) -> Operation:
    async def page(_call: Call[None]) -> Response:
        return FileResponse(STATIC / file)

    return Operation(
        method="GET", path=path, name=name, says=says, needs=Right.WATCH, media=HTML, does=page
    )
