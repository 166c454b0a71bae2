"""The page's application: all that can be asked of it, behind the guards."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from companion.commentary import load_phrases
from companion.errors import BadInputError, FaultsError, JournalError, RuleError, StaleError
from companion.settings import setting_of
from companion.web.cards.endpoints import CardEndpoints
from companion.web.cards.hand_counter import HandCounter
from companion.web.cards.service import CardService, NoHandError
from companion.web.http.endpoint import Endpoint, endpoints_of
from companion.web.http.guards import guards, rate_limits
from companion.web.http.openapi import ApiDescription
from companion.web.http.route import routes
from companion.web.http.security import json_response, refuse
from companion.web.pages import PageEndpoints
from companion.web.pairing.endpoints import PairingEndpoints
from companion.web.pairing.pairing import GoneError, Pairing, StoredPairing, StoreError
from companion.web.records.backups import BackupsService
from companion.web.records.endpoints import BackupEndpoints, RecordsEndpoints
from companion.web.records.service import NoGameError, RecordsService
from companion.web.settings.calibration import NoSetupError
from companion.web.settings.endpoints import SettingsEndpoints
from companion.web.settings.service import SettingsService
from companion.web.static_files import STATIC
from companion.web.table.endpoints import TableEndpoints
from companion.web.table.events import Streams
from companion.web.table.mock_buttons import MockButtons
from companion.web.table.service import TableService
from companion.web.table.taps import TapEndpoints
from hardware.errors import ButtonError


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The services behind the endpoints; `mock` is None where the buttons are real."""

    table: TableService
    cards: CardService
    records: RecordsService
    backups: BackupsService
    setup: SettingsService
    mock: MockButtons | None


def make_app(
    services: Services,
    *,
    hosts: frozenset[str] = frozenset(),
    pairing: Pairing | None = None,
    console: Callable[[str], None] = print,
    pages: Callable[[], tuple[str, ...]] = tuple,
) -> Starlette:
    """Return the application of a table; `endpoints` of its state are all its endpoints.

    `closing` of the table must be set no later than the server stops.

    Args:
        services: those behind the endpoints.
        hosts: further names by which pages may call this machine.
        pairing: the phones that were let in; by default none, and none is remembered.
        console: is given each line for the table's console.
        pages: gives the addresses at which phones find the page.
    """
    pairing = pairing or Pairing(StoredPairing(), store=lambda _: None)
    joining = PairingEndpoints(services.table, pairing, console=console)
    offered = endpoints(services, joining, pages)
    app = Starlette(
        routes=[
            *routes(offered, joining.find_phone, rate_limits(), lambda: services.table.language),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=guards(hosts),
        exception_handlers={
            **{kind: _refusing(status) for kind, status in _STATUSES.items()},
            ClientDisconnect: _has_left,
            RuleError: _against_the_rules,
            FaultsError: _unsound,
        },
    )
    app.router.redirect_slashes = False
    app.state.endpoints = offered
    teams = services.table.facts["teams"]
    app.state.names = {int(team): side["name"] for team, side in teams.items()}
    return app


def endpoints(
    services: Services, joining: PairingEndpoints, pages: Callable[[], tuple[str, ...]]
) -> tuple[Endpoint, ...]:
    """Return all endpoints of the page's server."""
    run = secrets.token_urlsafe(16)
    table, mock, setup = services.table, services.mock, services.setup
    streams = Streams(
        table,
        run=run,
        joining=joining.waiting_phone,
        left=mock.leave if mock else lambda _viewer: None,  # no page holds a real button
    )
    views = PageEndpoints(
        table, first_run=lambda: setup.first_run, reverted=setup.reverted, run=run, pages=pages
    )
    owners = (
        views,
        streams,
        TableEndpoints(table, mock),
        CardEndpoints(services.cards, table),
        TapEndpoints(table, mock, run=run, is_open=streams.is_open),
        HandCounter(),
        RecordsEndpoints(services.records, table.snapshot),
        BackupEndpoints(services.backups, run=run),
        SettingsEndpoints(setup, run=run),
        joining,
    )
    offered = tuple(each for owner in owners for each in endpoints_of(owner))
    return (*offered, *endpoints_of(ApiDescription(offered)))


_STATUSES = {
    BadInputError: 400,
    GoneError: 404,
    NoGameError: 404,
    NoHandError: 404,
    NoSetupError: 404,
    ButtonError: 409,
    StaleError: 409,
    JournalError: 500,
    StoreError: 503,
}


def _refusing(status: int) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return a handler that refuses a request with a status and the text of an error."""

    async def handle(_request: Request, error: Exception) -> Response:
        return refuse(status, str(error))

    return handle


async def _has_left(_request: Request, _error: Exception) -> Response:
    """Return a response that is sent to nobody: the client left before its request was whole."""
    return Response(status_code=400)


async def _against_the_rules(request: Request, error: Exception) -> Response:
    assert isinstance(error, RuleError)  # noqa: S101  # the kind that it is registered for
    text = load_phrases(request.state.language).refusal(error, request.app.state.names)
    return json_response({"error": text, "rule": error.rule}, 409)


async def _unsound(request: Request, error: Exception) -> Response:
    """Return every fault of the settings, each with the setting that it is of."""
    say = load_phrases(request.state.language).message
    found = error.faults if isinstance(error, FaultsError) else ()
    faults = [
        {
            "key": setting_of(fault.key),
            "text": say(str(fault) if fault.file else fault.text),
            "problem": say(fault.problem),
            "remedy": say(fault.remedy),
        }
        for fault in found
    ]
    return json_response(
        {"error": "; ".join(say(str(fault)) for fault in found), "faults": faults}, 400
    )
