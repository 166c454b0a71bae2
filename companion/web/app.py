"""The page's application: all that can be asked of it, behind the guards."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from companion.errors import (
    BadInputError,
    FaultsError,
    JournalError,
    RuleError,
    StaleError,
)
from companion.settings import setting_of
from companion.web.cards.endpoints import CardTable
from companion.web.cards.hand_counter import counter_operation
from companion.web.http.endpoint import Operation, Paces, route
from companion.web.http.openapi import description_operation
from companion.web.http.rate_limit import Pace
from companion.web.http.security import HostGuard, PolicyHeaders, SenderGuard, own_names, refuse
from companion.web.pages import STATIC, Views
from companion.web.pairing.endpoints import Joining
from companion.web.pairing.pairing import GoneError, KeepError, Kept, Pairing
from companion.web.records.endpoints import RecordsEndpoints
from companion.web.records.service import NoGameError
from companion.web.settings.endpoints import SettingsEndpoints
from companion.web.settings.service import NoSetupError
from companion.web.table.desk import Desk, NoHandError
from companion.web.table.endpoints import PagePanel
from companion.web.table.events import Streams, stream_operation
from companion.web.table.mock_buttons import Fingers
from companion.web.table.score_pad import Pads
from hardware.errors import ButtonError

BODY_LIMIT = 64 * 1024


def make_app(
    desk: Desk,
    *,
    hosts: frozenset[str] = frozenset(),
    pairing: Pairing | None = None,
    told: Callable[[str], None] = print,
    pages: Callable[[], tuple[str, ...]] = tuple,
) -> Starlette:
    """The application of a desk.

    `closing` of the desk must be set no later than the server stops. Its state's `operations` are
    all that can be asked.

    Args:
        desk: the running table.
        hosts: further names by which pages may call this machine.
        pairing: the phones that were let in; by default none, and none is remembered.
        told: is given each line for the table's console.
        pages: gives the addresses at which phones find the page.
    """
    joining = Joining(desk, pairing or Pairing(Kept(), keep=lambda _: None), told=told)
    paces = Paces(looking=Pace(rate=30, burst=150), changing=Pace(rate=10, burst=20))
    offered = operations(desk, joining, pages)
    app = Starlette(
        routes=[
            *(route(each, joining.knows, paces) for each in offered),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(PolicyHeaders),
            Middleware(HostGuard, names=own_names(hosts)),
            Middleware(SenderGuard),
            Middleware(RequestBodyLimitMiddleware, max_body_size=BODY_LIMIT),
            Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6),  # but for streams
        ],
        exception_handlers={
            BadInputError: _bad_input,
            ButtonError: _button_down,
            GoneError: _not_there,
            KeepError: _no_room,
            JournalError: _unreadable,
            NoGameError: _not_there,
            NoHandError: _not_there,
            NoSetupError: _not_there,
            RuleError: _against_the_rules,
            FaultsError: _unsound,
            StaleError: _stale,
        },
    )
    app.router.redirect_slashes = False
    app.state.operations = offered
    teams = desk.about()["teams"]
    app.state.names = {int(team): side["name"] for team, side in teams.items()}
    return app


def operations(
    desk: Desk, joining: Joining, pages: Callable[[], tuple[str, ...]]
) -> tuple[Operation, ...]:
    """All that can be asked of the page's server."""
    run = secrets.token_urlsafe(16)
    fingers = Fingers(desk)
    streams = Streams(desk, run=run, joining=joining.news, left=fingers.leave)
    offered = (
        *Views(desk, run=run, pages=pages).operations,
        stream_operation(streams),
        *PagePanel(desk, fingers, is_open=streams.is_open).operations,
        *CardTable(desk).operations,
        *Pads(desk, run=run).operations,
        counter_operation(),
        *RecordsEndpoints(desk.records, desk.table).operations,
        *SettingsEndpoints(desk.setup, run=run).operations,
        *joining.operations,
    )
    return (*offered, description_operation(offered))


async def _bad_input(_request: Request, error: Exception) -> Response:
    return refuse(400, str(error))


async def _button_down(_request: Request, error: Exception) -> Response:
    return refuse(409, str(error))


async def _not_there(_request: Request, error: Exception) -> Response:
    return refuse(404, str(error))


async def _unreadable(_request: Request, error: Exception) -> Response:
    return refuse(500, str(error))


async def _no_room(_request: Request, error: Exception) -> Response:
    return refuse(503, str(error))


async def _against_the_rules(request: Request, error: Exception) -> Response:
    assert isinstance(error, RuleError)  # noqa: S101  # the kind that it is registered for
    text = error.named(request.app.state.names)
    return JSONResponse({"error": text, "rule": error.rule}, status_code=409)


async def _stale(_request: Request, error: Exception) -> Response:
    return refuse(409, str(error))


async def _unsound(_request: Request, error: Exception) -> Response:
    """Return every fault of the settings, each with the setting that it is of."""
    found = error.faults if isinstance(error, FaultsError) else ()
    faults = [
        {
            "key": setting_of(fault.key),
            "text": str(fault) if fault.file else fault.text,
            "problem": fault.problem,
            "remedy": fault.remedy,
        }
        for fault in found
    ]
    return JSONResponse({"error": "; ".join(map(str, found)), "faults": faults}, 400)
