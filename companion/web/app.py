"""The page's application: what is asked of it, and where; checks stand in `guard` and `border`."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from companion.board.drawing import draw
from companion.cards import cards
from companion.errors import BadInputError, RuleError
from companion.web import border
from companion.web.desk import Desk, NoHandError
from companion.web.fingers import Fingers
from companion.web.guard import (
    HostGuard,
    PolicyHeaders,
    SenderGuard,
    is_this_machine,
    own_names,
    refuse,
)
from companion.web.push import Streams
from hardware.errors import ButtonError

BODY_LIMIT = 64 * 1024
STATIC = Path(__file__).parent / "static"


def make_app(desk: Desk, *, hosts: frozenset[str] = frozenset()) -> Starlette:
    """The application of a desk; `hosts` are further names by which pages may call this machine.

    `closing` of the desk must be set no later than the server stops.
    """
    page = _Page(desk)
    app = Starlette(
        routes=[
            Route("/", page.index),
            Route("/board.svg", page.board),
            Route("/api/table", page.table),
            Route("/api/about", page.about),
            Route("/api/stream", page.streams, methods=["GET"]),
            Route("/api/rulings", page.rulings),
            Route("/api/advice", page.advice),
            Route("/api/press", page.press, methods=["POST"]),
            Route("/api/command", page.command, methods=["POST"]),
            Route("/api/hold", page.hold, methods=["POST"]),
            Route("/api/demo", page.demo, methods=["POST"]),
            Route("/api/cards", page.deal, methods=["POST"]),
            Route("/api/cards/end", page.end_cards, methods=["POST"]),
            Route("/api/cards/{token}", page.hand),
            Route("/api/cards/{token}", page.play, methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(PolicyHeaders),
            Middleware(HostGuard, names=own_names(hosts)),
            Middleware(SenderGuard),
            Middleware(RequestBodyLimitMiddleware, max_body_size=BODY_LIMIT),
        ],
        exception_handlers={
            BadInputError: _bad_input,
            ButtonError: _button_down,
            NoHandError: _no_hand,
            RuleError: _against_the_rules,
        },
    )
    app.router.redirect_slashes = False
    return app


async def _bad_input(_request: Request, error: Exception) -> Response:
    return refuse(400, str(error))


async def _button_down(_request: Request, error: Exception) -> Response:
    return refuse(409, str(error))


async def _no_hand(_request: Request, error: Exception) -> Response:
    return refuse(404, str(error))


async def _against_the_rules(_request: Request, error: Exception) -> Response:
    rule = error.rule if isinstance(error, RuleError) else None
    return JSONResponse({"error": str(error), "rule": rule}, status_code=409)


class _Page:
    """The routes of one desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._fingers = Fingers(desk)
        self.streams = Streams(desk, left=self._fingers.leave)

    async def index(self, request: Request) -> Response:
        """The table's page, or that of a hand of cards."""
        name = "hand.html" if "hand" in request.query_params else "index.html"
        return FileResponse(STATIC / name)

    async def board(self, _request: Request) -> Response:
        return Response(draw(self._desk.board), media_type="image/svg+xml")

    async def table(self, _request: Request) -> Response:
        return _json(self._desk.table())

    async def rulings(self, _request: Request) -> Response:
        return JSONResponse(self._desk.rulings())

    async def advice(self, _request: Request) -> Response:
        return _json(self._desk.advice())

    async def command(self, request: Request) -> Response:
        return _json(await self._desk.command(await request.body()))

    async def about(self, request: Request) -> Response:
        """What the desk tells about itself, and `press`: whether this page may press buttons."""
        about = self._desk.about()
        near = is_this_machine(request.client.host if request.client else None)
        return _json(about | {"press": near and about["mock"] is True})

    async def press(self, request: Request) -> Response:
        if not self._has_panel:
            return _no_panel()
        asked = border.read(await request.body(), border.Press)
        self._check(asked.button)
        await self._fingers.press(asked.button, asked.seconds)
        return _json(self._desk.table())

    async def hold(self, request: Request) -> Response:
        if not self._has_panel:
            return _no_panel()
        asked = border.read(await request.body(), border.Hold)
        self._check(asked.button)
        if not asked.down:
            self._fingers.release(asked.button, asked.viewer)
        elif asked.viewer is not None and not self.streams.is_open(asked.viewer):
            return refuse(409, f"viewer {asked.viewer} is gone; hold with an open stream's number")
        else:
            self._fingers.hold(asked.button, asked.viewer)
        return Response(status_code=204)

    async def demo(self, request: Request) -> Response:
        self._desk.demo(on=border.read(await request.body(), border.Demo).on)
        return _json(self._desk.table())

    async def deal(self, request: Request) -> Response:
        """Deal cards; where each person finds its hand."""
        tokens = self._desk.party.begin(border.read(await request.body(), border.Seats).seats)
        hands: dict[str, object] = {f"{seat}": f"/?hand={it}" for seat, it in tokens.items()}
        return _json({"hands": hands})

    async def end_cards(self, _request: Request) -> Response:
        self._desk.party.end()
        return _json(self._desk.table())

    async def hand(self, request: Request) -> Response:
        return _json(self._desk.party.hand(request.path_params["token"]))

    async def play(self, request: Request) -> Response:
        token = request.path_params["token"]
        chosen = cards(border.read(await request.body(), border.Chosen).cards)
        self._desk.party.play(token, chosen)
        return _json(self._desk.party.hand(token))

    @property
    def _has_panel(self) -> bool:
        return self._desk.about()["mock"] is True

    def _check(self, button: str) -> None:
        buttons = cast("list[str]", self._desk.about()["buttons"])
        if button not in buttons:
            raise BadInputError(f"there is no button {button!r}; there are {', '.join(buttons)}")


def _no_panel() -> Response:
    return refuse(404, "there is no mock panel here: press the real buttons, or run --simulate")


def _json(value: dict[str, object]) -> Response:
    return JSONResponse(value, headers={"Cache-Control": "no-store"})
