"""Access by host, sender and header on every route, the API's description, and random requests."""

import json
import socket
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.schemas import APIOperation
from starlette.applications import Starlette
from starlette.routing import Mount, Route

from companion.web.http.endpoint import Endpoint, Right
from companion.web.http.openapi import describe
from companion.web.http.route import PathRoute
from companion.web.http.security import host_is_ours, is_this_machine, own_names
from companion.web.pairing import Grant, Pairing, Phone
from tests.companion.web.client import fetch, held, send
from tests.support.limits import TIMEOUT_S
from tests.support.program import Program, running
from tests.support.real_table import RealTable, at_table
from tests.support.scenes import run_by

HOSTNAME = socket.gethostname()
OWN_HOSTS = [
    *("localhost", "LOCALHOST:8000", "127.0.0.1", "192.168.1.7:8000", "[::1]", "[::1]:8000"),
    *("[fd00::7:1]", "[::ffff:127.0.0.1]:80", HOSTNAME),
    *(f"{HOSTNAME.partition('.')[0]}.local:8000", "crib.lan:8000"),
]
FOREIGN_HOSTS = [
    *("", ":8000", "rebound.example", "localhost.rebound.example", "127.0.0.1.rebound.example"),
    *("rebound.example#localhost", "localhost@rebound.example", "rebound.example:80@localhost"),
    *("localhost:", "localhost:80:80", "localhost:port", "localhost:123456", "localhost "),
    *("local host", "localhost,rebound.example", "2130706433", "0x7f.1", "127.1", "127.0.0.256"),
    "\u0661\u0662\u0667.0.0.1".encode().decode("latin-1"),
    *("[::1", "::1", "[::1]rebound.example", "[fe80::1%25eth0]", "[rebound.example]", "crib.lan."),
]
FOREIGN_SENDERS = [
    {"origin": "null"},
    {"origin": ""},
    {"origin": "http://rebound.example"},
    {"origin": "http://localhost:8000"},
    {"origin": "http://localhost.rebound.example"},
    {"origin": "https://localhost"},
    {"origin": "http://127.0.0.1"},
    {"origin": "file://"},
    {"origin": "http://localhost http://rebound.example"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "unheard-of"},
    {"origin": "http://localhost", "sec-fetch-site": "cross-site"},
]


def routes_of(app: Starlette) -> list[tuple[str, str]]:
    """Return every method and path of an application, read from it."""
    found: list[tuple[str, str]] = []
    for route in app.routes:
        if isinstance(route, Mount):
            found.append(("GET", f"{route.path}/style.css"))
        else:
            assert isinstance(route, Route)
            assert isinstance(route.endpoint, PathRoute)
            found += [(method, route.path) for method in route.endpoint.methods]
    return found


async def offered(table: RealTable) -> tuple[list[tuple[str, str]], tuple[Endpoint, ...]]:
    """Return the routes and the endpoints of a page."""
    return routes_of(table.app), table.endpoints


HAND = f"/api/cards/{'t' * 22}"
ROUTES, ENDPOINTS = at_table(offered)
CHANGING = [(method, path) for method, path in ROUTES if method not in {"GET", "HEAD"}]
OPEN = {"/api/join", "/api/join/{visit}", "/api/cards/{token}", "/api/cards/{token}/points"}
"""Endpoints that change something and are open to all: joining, and those that a token opens."""


@pytest.fixture(scope="module")
def table() -> Iterator[RealTable]:
    """Serve a table with a configured name."""
    with RealTable(hosts=frozenset({"Crib.LAN"})) as running:
        yield running


def from_host(table: RealTable, host: str, method: str = "GET", path: str = "/api/table") -> int:
    """Return the status for a request to a host, which may have any bytes."""
    headers = httpx.Headers([("host", host)], encoding="latin-1")
    return fetch(table, method, path, headers=headers, body=b"{}").status_code


REQUESTS = {GenerationMode.POSITIVE: 160, GenerationMode.NEGATIVE: 50}
"""Requests of each operation: a wrong one ends at its first fault, a right one goes all the way."""
ENDLESS = {"/api/stream"}
CHECKS = [
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
]
ASKED = [each for each in ENDPOINTS if each.path not in ENDLESS]
TAKING = [each for each in ASKED if each.request_type or each.path_values]
"""The operations that something is said to; of the others there is one question each."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """Run the real table on mock pins."""
    home: Path = tmp_path_factory.mktemp("described")
    with running(home, "--simulate", "--strip", "null") as started:
        yield started


def described_operation(operation: Endpoint) -> APIOperation[Any, Any, Any, Any]:
    """Return the operation as the tool reads it from the description."""
    schema = schemathesis.openapi.from_dict(msgspec.to_builtins(describe(ENDPOINTS)))
    return schema[operation.path][operation.method]


def ask_many(operation: Endpoint, mode: GenerationMode, program: Program) -> int:
    """Send requests of an operation. Return their number."""
    fetch_so_far = 0

    @settings(
        max_examples=REQUESTS[mode],
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=described_operation(operation).as_strategy(generation_mode=mode))
    def ask(case: Case[Any]) -> None:
        nonlocal fetch_so_far
        fetch_so_far += 1
        if operation.name == "press" and isinstance(case.body, dict):
            case.body["seconds"] = 0.01  # the least: else this takes hours
        case.call_and_validate(base_url=program.url.rstrip("/"), checks=CHECKS, timeout=TIMEOUT_S)

    ask()
    return fetch_so_far


def test_every_route_is_an_endpoint() -> None:
    """Everything except the page's files declares who may request it."""
    offered = {(each.method, each.path) for each in ENDPOINTS}
    offered |= {("HEAD", path) for method, path in offered if method == "GET"}
    assert offered | {("GET", "/static/style.css")} == set(ROUTES)


def test_a_method_that_is_not_offered_is_refused_with_those_that_are(table: RealTable) -> None:
    """It gets 405 and the header Allow, whatever else is wrong."""
    for path in {each.path for each in ENDPOINTS}:
        allowed = {method for method, offered in ROUTES if offered == path}
        for method in {"GET", "POST", "OPTIONS", "TRACE", "PROPFIND"} - allowed:
            answer = fetch(table, method, path, headers={"content-type": "application/json"})
            offers = set(answer.headers["allow"].split(", "))
            assert (path, 405, allowed) == (path, answer.status_code, offers)


def test_what_is_open_is_written_down() -> None:
    """A new endpoint with changes is closed to strangers unless this list names it."""
    opened = {each.path for each in ENDPOINTS if each.changes and each.right is Right.WATCH}
    assert OPEN == opened
    near = {each.path for each in ENDPOINTS if each.right is Right.NEAR}
    assert {"/api/press", "/api/consents/{number}"} == near


def test_only_own_hosts_are_served(table: RealTable) -> None:
    """Addresses, localhost, the machine's and configured names are ours, on any port."""
    wanted = dict.fromkeys(OWN_HOSTS, 200) | dict.fromkeys(FOREIGN_HOSTS, 421)
    assert wanted == {host: from_host(table, host) for host in wanted}


def test_foreign_hosts_are_refused_everywhere(table: RealTable) -> None:
    """A foreign name may point at us (D.4): it gets 421 before routing, and learns no paths."""
    places = [*ROUTES, ("GET", "/nothing")]
    found = {place: from_host(table, "rebound.example", *place) for place in places}
    assert dict.fromkeys(places, 421) == found
    assert 404 == fetch(table, "GET", "/nothing").status_code


def test_two_hosts_are_refused(table: RealTable) -> None:
    """A request has exactly one host, even if both are ours."""
    two = httpx.Headers([("host", "localhost"), ("host", "localhost")])
    assert fetch(table, "GET", "/", headers=two).status_code == 421


def test_a_name_that_is_configured_stands_alone() -> None:
    """A configured name admits only itself, not its subdomains or siblings."""
    names = own_names({"crib.lan"})
    assert host_is_ours("crib.lan", names)
    assert not host_is_ours("x.crib.lan", names)
    assert not host_is_ours("cribxlan", names)


def test_foreign_senders_change_nothing(table: RealTable) -> None:
    """A change from another site's page gets 403, even with the token of a hand."""
    cases = [(sender, HAND) for sender in FOREIGN_SENDERS]
    cases += [(FOREIGN_SENDERS[0], path) for _, path in CHANGING]
    taken = [
        (sender, path)
        for sender, path in cases
        if fetch(table, "POST", path, body=b'{"button": "deal"}', headers=sender).status_code != 403
    ]
    assert ([], []) == (taken, table.presses)


def test_other_machines_change_nothing(table: RealTable) -> None:
    """A phone that was not let in only watches, whatever its headers say."""
    headers = {"x-forwarded-for": "127.0.0.1", "forwarded": "for=127.0.0.1"}
    closed = [each for each in ENDPOINTS if each.right is not Right.WATCH]
    far = ["192.168.1.9", "10.0.0.1", "fe80::1", "::ffff:10.0.0.1", "x"]
    cases = [*((each, far[0]) for each in closed), *((closed[0], client) for client in far)]
    taken = []
    for each, client in cases:
        body = b"{}" if each.changes else None
        answer = fetch(table, each.method, each.path, body=body, client=client, headers=headers)
        taken += [(each.path, client)] * (answer.status_code != 403)
    assert [] == taken


@pytest.mark.parametrize("right", ["score", "run"])
def test_a_phone_may_what_it_was_let_in_for(right: Grant) -> None:
    """Its cookie grants this and lesser rights, but none of the machine's own."""
    phone = Phone(id="p", name="Anna", right=right, hash=sha256(b"token").hexdigest(), since=4e9)
    headers = {"cookie": "cribwars=token"}
    may, found = {}, {}
    with RealTable(pairing=Pairing((phone,), store=lambda _: None)) as table:
        for number, each in enumerate(ENDPOINTS):
            if each.path == "/api/stream":
                continue  # it does not end
            body = b"nonsense" if each.changes else None
            client = f"192.168.1.{number}"  # each address has a pace of its own
            how: dict[str, object] = {"body": body, "client": client, "headers": headers}
            answer = fetch(table, each.method, each.path, **how)
            may[each.method, each.path] = each.right <= Right[right.upper()]
            found[each.method, each.path] = answer.status_code != 403
    assert may == found


def test_a_forgotten_or_foreign_token_only_watches(table: RealTable) -> None:
    """An old, foreign or invented cookie grants nothing, and the page says so."""
    for cookie in ("cribwars=token", "cribwars=", "cribwars=\u0661", "other=token", "cribwars"):
        headers = httpx.Headers({"cookie": cookie}, encoding="utf-8")
        answer = fetch(table, "GET", "/api/about", headers=headers, client="192.168.1.9")
        assert "watch" == answer.json()["right"]


@run_by(at_table)
async def test_changes_from_afar_come_at_a_pace(table: RealTable) -> None:
    """After a burst of twenty a phone must wait (D.4), but not this machine."""
    body = b'{"cards": ["5H"]}'
    assert {"192.168.1.9": {404, 429}, "127.0.0.1": {404}} == {
        client: {
            (await send(table.app, "POST", HAND, body=body, client=client)).status_code
            for _ in range(200)
        }
        for client in ("192.168.1.9", "127.0.0.1")
    }


@run_by(at_table)
async def test_a_hand_of_cards_is_played_from_other_machines(table: RealTable) -> None:
    """Its token grants only that; similar paths stay closed."""
    hand, reported = await table.dealt_hand()
    body = json.dumps({"cards": held(reported)[:2]}).encode()
    for path in (hand[:-1], f"{hand}t", f"{hand}/", f"/{hand}", f"{hand}%0A", "/api/cards/end"):
        answer = await send(table.app, "POST", path, body=body, client="192.168.1.9")
        assert answer.status_code in {403, 404}, path
    answer = await send(table.app, "POST", HAND, body=body, client="192.168.1.9")
    assert 404 == answer.status_code
    answer = await send(table.app, "POST", hand, body=body, client="192.168.1.9")
    assert 200 == answer.status_code


def test_only_json_is_taken(table: RealTable) -> None:
    """A content type that a foreign form could send gets 415."""
    taken = []
    for kind in ("", "text/plain", "application/x-www-form-urlencoded"):
        for method, path in CHANGING:
            answer = fetch(table, method, path, body=b"{}", headers={"content-type": kind})
            taken += [(kind, path)] * (answer.status_code != 415)
    assert [] == taken


def test_this_machine_is_loopback() -> None:
    """Only a loopback peer is this machine; a private address is not."""
    own = ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"]
    others = ["::ffff:192.168.1.1", "192.168.1.1", "0.0.0.0", "localhost", None]  # noqa: S104  # nobody binds to it here
    assert own == [address for address in (*own, *others) if is_this_machine(address)]


def test_every_answer_carries_the_policy(table: RealTable) -> None:
    """It forbids inline and foreign content, frames, type guessing and CORS."""
    for route in ROUTES:
        if route[1] == "/api/stream":
            continue  # it does not end
        headers = fetch(table, *route, body=b"{}").headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'self';"), route
        assert "frame-ancestors 'none'" in policy, route
        assert "unsafe" not in policy, route
        assert "nosniff" == headers["x-content-type-options"], route
        assert not [name for name in headers if name.startswith("access-control-")], route


def test_every_operation_is_described() -> None:
    """The description has exactly the served endpoints."""
    served = fetch(RealTable(), "GET", "/api/openapi.json").json()
    described = {
        (method.upper(), path) for path, methods in served["paths"].items() for method in methods
    }
    assert {(each.method, each.path) for each in ENDPOINTS} == described
    assert msgspec.json.decode(msgspec.json.encode(describe(ENDPOINTS))) == served


def test_a_stream_has_its_events_described() -> None:
    """Each event has a type, by name; the response itself is a text."""
    described = msgspec.to_builtins(describe(ENDPOINTS))
    (content,) = described["paths"]["/api/stream"]["get"]["responses"]["200"]["content"].values()
    events = content["x-events"]["$ref"].rpartition("/")[2]
    names = {"hello", "news", "entry", "frame", "beat", "goodbye"}
    assert names == described["components"]["schemas"][events]["properties"].keys()
    assert {"type": "string"} == content["schema"]


def test_names_are_given_once() -> None:
    """A client can be generated from the description."""
    assert len(ENDPOINTS) == len({each.name for each in ENDPOINTS})


@pytest.mark.program
@pytest.mark.deep
@pytest.mark.parametrize("operation", ASKED, ids=lambda each: each.name)
def test_what_may_be_asked_is_answered_as_described(operation: Endpoint, program: Program) -> None:
    """Each status, type and value is described, and none is a server error (S3)."""
    assert ask_many(operation, GenerationMode.POSITIVE, program)


@pytest.mark.program
@pytest.mark.deep
@pytest.mark.parametrize("operation", TAKING, ids=lambda each: each.name)
def test_what_may_not_be_asked_is_refused_as_described(
    operation: Endpoint, program: Program
) -> None:
    """Each refusal of a faulty request is a described one (S3)."""
    assert ask_many(operation, GenerationMode.NEGATIVE, program)
