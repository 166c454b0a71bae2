"""Web application of a table: all its endpoints, and the response to each kind of error.

Each feature has a class with its endpoints. `make_app` makes objects of these classes and gives
them to `make_application`, which adds the routes and the checks of every request. `_STATUSES` and
the handlers say how an error becomes a response: a `RuleError`, for example, becomes a 409 with the
number of the rule.
"""

from collections.abc import Callable
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from companion.commentary import load_phrases
from companion.devices.network_manager import BoardNetwork
from companion.errors import (
    BadInputError,
    FaultsError,
    JournalError,
    RuleError,
    StaleError,
    Text,
    joined,
)
from companion.settings.schema import setting_of
from companion.web.board_lights import NoSetupError
from companion.web.card_endpoints import CardEndpoints
from companion.web.card_service import CardService, NoHandError
from companion.web.http.security import RefusalResponse
from companion.web.pages import PageEndpoints, no_page
from companion.web.pairing import GoneError, Pairing, StoreError
from companion.web.pairing_endpoints import PairingEndpoints
from companion.web.record_endpoints import BackupEndpoints, RecordsEndpoints
from companion.web.record_service import NoGameError, RecordsService
from companion.web.server import make_application
from companion.web.settings_endpoints import NetworkEndpoints, SettingsEndpoints
from companion.web.settings_service import SettingsService
from companion.web.table.table_endpoints import RefereeEndpoints, TableEndpoints
from companion.web.table.table_service import TableService
from companion.web.table.table_stream import Streams
from companion.web.table.taps import MockButtons, TapEndpoints
from hardware.errors import ButtonError


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The services behind the endpoints.

    `network` is None if the table does not follow its network. `mock` simulates buttons, or is None
    if they are real.
    """

    table: TableService
    cards: CardService
    records: RecordsService
    backups: BackupEndpoints
    setup: SettingsService
    network: BoardNetwork | None
    mock: MockButtons | None


def make_app(
    services: Services,
    *,
    clock: Callable[[], float],
    calendar: Callable[[], float],
    hosts: frozenset[str] = frozenset(),
    pairing: Pairing | None = None,
    console: Callable[[Text], None] = print,
    pages: Callable[[], tuple[str, ...]] = tuple,
) -> Starlette:
    """Return the application of a table.

    Args:
        services: the services behind the endpoints. Set the event `services.table.closing` before
            the server stops: it ends the open streams.
        clock: returns monotonic seconds.
        calendar: returns seconds since 1970, UTC.
        hosts: further host names of this machine, from the setting `web.hosts`.
        pairing: the paired phones; by default there are none, and new ones are not stored.
        console: prints a line on the table's console.
        pages: returns the addresses at which phones reach the board's page.
    """
    pairing = pairing or Pairing((), store=lambda _: None)
    joining = PairingEndpoints(services.table, pairing, console=console, calendar=calendar)
    table, mock, setup = services.table, services.mock, services.setup
    left = mock.leave if mock else lambda _viewer: None  # pages cannot hold real buttons down
    streams = Streams(table, left=left)
    app = make_application(
        (
            PageEndpoints(table, setup, pages=pages),
            streams,
            TableEndpoints(table, mock),
            RefereeEndpoints(table, services.cards),
            CardEndpoints(services.cards, table),
            TapEndpoints(table, mock, is_open=streams.is_open),
            RecordsEndpoints(services.records, table.snapshot),
            services.backups,
            SettingsEndpoints(setup, table),
            NetworkEndpoints(services.network),
            joining,
        ),
        language=lambda: table.language,
        clock=clock,
        statuses=_STATUSES,
        handlers={RuleError: _against_the_rules, FaultsError: _unsound},
        no_page=no_page,
        find_phone=joining.find_phone,
        hosts=hosts,
    )
    app.state.table = table
    return app


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


async def _against_the_rules(request: Request, error: RuleError) -> Response:
    text = load_phrases(request.state.language).message(error.text, request.app.state.table.names)
    return RefusalResponse(409, {"error": text, "rule": error.rule})


async def _unsound(_request: Request, error: FaultsError) -> Response:
    faults = [
        {
            "key": setting_of(fault.key),
            "text": fault.line if fault.file else fault.text,
            "problem": fault.problem,
            "remedy": fault.remedy,
        }
        for fault in error.faults
    ]
    text = joined("; ", [fault.line for fault in error.faults])
    return RefusalResponse(400, {"error": text, "faults": faults})
