"""What everybody may see: the page, the board, the table, and what the next counts would do."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.responses import FileResponse, Response

from companion.board.drawing.board import draw
from companion.web.http.addresses import qr_svg
from companion.web.http.endpoint import Call, Operation, Right
from companion.web.http.security import refuse
from companion.web.table import responses
from companion.web.table.desk import Desk


class Qr(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`GET /qr.svg`: the page for which a code is drawn: a side's pad, or the board."""

    side: Annotated[int, Meta(ge=1, le=3)] | None = None


STATIC = Path(__file__).parent / "static"
HTML = "text/html; charset=utf-8"
SVG = "image/svg+xml"


class Views:
    """Everybody's view of a desk.

    Args:
        desk: the table.
        run: a word for this run of the server.
        pages: gives the addresses at which phones find the page.
    """

    def __init__(self, desk: Desk, *, run: str, pages: Callable[[], tuple[str, ...]]) -> None:
        self._desk, self._run, self._pages = desk, run, pages
        self._drawn = cache(lambda: draw(desk.board))

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What can be asked."""
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
                does=self._table,
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
                answers=list[responses.Ruling],
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

    async def _table(self, _call: Call[None]) -> responses.Table:
        return self._desk.table()

    async def _about(self, call: Call[None]) -> dict[str, object]:
        about, caller = self._desk.about(), call.caller
        return {
            **about,
            "press": caller.near and about["mock"],
            "near": caller.near,
            "right": caller.right.word,
            "run": self._run,
            "pages": list(self._pages()),
            "first_run": caller.right >= Right.RUN and self._desk.setup.first_run,
        }

    async def _rulings(self, _call: Call[None]) -> list[responses.Ruling]:
        return self._desk.rulings()

    async def _advice(self, _call: Call[None]) -> dict[str, responses.Advice]:
        return self._desk.advice()


def _page(path: str, name: str, file: str, says: str) -> Operation:
    async def page(_call: Call[None]) -> Response:
        return FileResponse(STATIC / file)

    return Operation(
        method="GET", path=path, name=name, says=says, needs=Right.WATCH, media=HTML, does=page
    )
