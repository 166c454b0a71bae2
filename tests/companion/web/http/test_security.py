"""Access by host, sender and header, on every route of the application."""

import json
import socket
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount, Route

from companion.web.http.endpoint import Endpoint, Right
from companion.web.http.route import PathRoute
from companion.web.http.security import host_is_ours, is_this_machine, own_names
from companion.web.pairing.pairing import Grant, Pairing, Phone
from tests.companion.web.client import fetch, send
from tests.support.real_table import RealTable, at_table

OWN_HOSTS = [
    "localhost",
    "LOCALHOST:8000",
    "127.0.0.1",
    "192.168.1.7:8000",
    "[::1]",
    "[::1]:8000",
    "[fd00::7:1]",
    "[::ffff:127.0.0.1]:80",
    socket.gethostname(),
    f"{socket.gethostname().partition('.')[0]}.local:8000",
    "crib.lan:8000",
]
FOREIGN_HOSTS = [
    "",
    ":8000",
    "rebound.example",
    "localhost.rebound.example",
    "127.0.0.1.rebound.example",
    "rebound.example#localhost",
    "localhost@rebound.example",
    "rebound.example:80@localhost",
    "localhost:",
    "localhost:80:80",
    "localhost:port",
    "localhost:123456",
    "localhost ",
    "local host",
    "localhost,rebound.example",
    "2130706433",
    "0x7f.1",
    "127.1",
    "127.0.0.256",
    "\u0661\u0662\u0667.0.0.1".encode().decode("latin-1"),
    "[::1",
    "::1",
    "[::1]rebound.example",
    "[fe80::1%25eth0]",
    "[rebound.example]",
    "crib.lan.",
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


@pytest.mark.parametrize("host", OWN_HOSTS)
def test_own_hosts_are_served(table: RealTable, host: str) -> None:
    """Addresses, localhost, the machine's and configured names are ours, on any port."""
    assert fetch(table, "GET", "/api/table", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_foreign_hosts_are_refused_everywhere(table: RealTable, host: str) -> None:
    """A foreign name may point at us (D.4): it gets 421 before routing."""
    headers = httpx.Headers([("host", host)], encoding="latin-1")
    answers = {route: fetch(table, *route, headers=headers, body=b"{}") for route in ROUTES}
    assert dict.fromkeys(ROUTES, 421) == {
        route: answer.status_code for route, answer in answers.items()
    }


def test_two_hosts_are_refused(table: RealTable) -> None:
    """A request has exactly one host, even if both are ours."""
    two = httpx.Headers([("host", "localhost"), ("host", "localhost")])
    assert fetch(table, "GET", "/", headers=two).status_code == 421


def test_unknown_paths_are_guarded_too(table: RealTable) -> None:
    """The check precedes routing, so that a foreign host learns no paths."""
    foreign = {"host": "rebound.example"}
    assert fetch(table, "GET", "/nothing", headers=foreign).status_code == 421
    assert fetch(table, "GET", "/nothing").status_code == 404


def test_a_name_that_is_configured_stands_alone() -> None:
    """A configured name admits only itself, not its subdomains or siblings."""
    names = own_names({"crib.lan"})
    assert host_is_ours("crib.lan", names)
    assert not host_is_ours("x.crib.lan", names)
    assert not host_is_ours("cribxlan", names)


@pytest.mark.parametrize("sender", FOREIGN_SENDERS)
def test_foreign_senders_change_nothing(table: RealTable, sender: dict[str, str]) -> None:
    """A change from another site's page gets 403."""
    for method, path in CHANGING:
        body = (
            b'{"button": "deal"}' if path == "/api/press" else b'{"button": "deal", "down": true}'
        )
        answer = fetch(table, method, path, body=body, headers=sender)
        assert (path, 403) == (path, answer.status_code)
    assert [] == table.presses


@pytest.mark.parametrize("client", ["192.168.1.9", "10.0.0.1", "fe80::1", "::ffff:10.0.0.1", "x"])
def test_other_machines_change_nothing(table: RealTable, client: str) -> None:
    """A phone that was not let in only watches, whatever its headers say."""
    headers = {"x-forwarded-for": "127.0.0.1", "forwarded": "for=127.0.0.1"}
    for endpoint in ENDPOINTS:
        if endpoint.right is not Right.WATCH:
            route = endpoint.method, endpoint.path
            body = b"{}" if endpoint.changes else None
            answer = fetch(table, *route, body=body, client=client, headers=headers)
            assert (route, 403) == (route, answer.status_code)


@pytest.mark.parametrize("right", ["score", "run"])
def test_a_phone_may_what_it_was_let_in_for(right: Grant) -> None:
    """Its cookie grants this and lesser rights, but none of the machine's own."""
    phone = Phone(id="p", name="Anna", right=right, hash=sha256(b"token").hexdigest(), since=4e9)
    pairing = Pairing((phone,), store=lambda _: None)
    headers = {"cookie": "cribwars=token"}
    watched = RealTable(pairing=pairing)
    for endpoint in ENDPOINTS:
        app = RealTable(pairing=pairing) if endpoint.changes else watched
        body = b"nonsense" if endpoint.changes else None
        route = endpoint.method, endpoint.path
        if route == ("GET", "/api/stream"):
            continue  # it does not end
        answer = fetch(app, *route, body=body, client="192.168.1.9", headers=headers)
        may = endpoint.right <= Right[right.upper()]
        assert (route, may) == (route, answer.status_code != 403)


def test_a_forgotten_or_foreign_token_only_watches(table: RealTable) -> None:
    """An old, foreign or invented cookie grants nothing, and the page says so."""
    for cookie in ("cribwars=token", "cribwars=", "cribwars=\u0661", "other=token", "cribwars"):
        headers = httpx.Headers({"cookie": cookie}, encoding="utf-8")
        answer = fetch(table, "GET", "/api/about", headers=headers, client="192.168.1.9")
        assert "watch" == answer.json()["right"]


def test_changes_from_afar_come_at_a_pace() -> None:
    """After a burst of twenty a phone must wait (D.4), but not this machine."""

    async def statuses(table: RealTable) -> dict[str, set[int]]:
        body = b'{"cards": ["5H"]}'
        return {
            client: {
                (await send(table.app, "POST", HAND, body=body, client=client)).status_code
                for _ in range(200)
            }
            for client in ("192.168.1.9", "127.0.0.1")
        }

    assert {"192.168.1.9": {404, 429}, "127.0.0.1": {404}} == at_table(statuses)


def test_a_hand_of_cards_is_played_from_other_machines() -> None:
    """Its token grants only that; similar paths stay closed."""

    async def play(table: RealTable) -> None:
        hand, reported = await table.dealt_hand()
        body = json.dumps({"cards": held(reported)[:2]}).encode()
        for path in (hand[:-1], f"{hand}t", f"{hand}/", f"/{hand}", f"{hand}%0A", "/api/cards/end"):
            answer = await send(table.app, "POST", path, body=body, client="192.168.1.9")
            assert answer.status_code in {403, 404}, path
        answer = await send(table.app, "POST", HAND, body=body, client="192.168.1.9")
        assert 404 == answer.status_code
        answer = await send(table.app, "POST", hand, body=body, client="192.168.1.9")
        assert 200 == answer.status_code

    at_table(play)


def held(reported: dict[str, Any]) -> list[str]:
    """Return the cards of the own hand."""
    hands = reported["shown"]["hands"]
    return [
        card["card"] for hand in hands if hand["seat"] == reported["seat"] for card in hand["cards"]
    ]


@pytest.mark.parametrize("sender", FOREIGN_SENDERS)
def test_a_hand_of_cards_is_not_played_by_other_sites(
    table: RealTable, sender: dict[str, str]
) -> None:
    """Another site's page or form cannot play, even with a token."""
    far = {"client": "192.168.1.9", "body": b'{"cards": ["5H"]}'}
    assert 403 == fetch(table, "POST", HAND, headers=sender, **far).status_code
    form = {"content-type": "text/plain"}
    assert 415 == fetch(table, "POST", HAND, headers=form, **far).status_code
    rebound = {"host": "rebound.example"}
    assert 421 == fetch(table, "POST", HAND, headers=rebound, **far).status_code


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded"])
def test_only_json_is_taken(table: RealTable, kind: str) -> None:
    """A content type that a foreign form could send gets 415."""
    for method, path in CHANGING:
        answer = fetch(table, method, path, body=b"{}", headers={"content-type": kind})
        assert (path, 415) == (path, answer.status_code)


@pytest.mark.parametrize(
    ("address", "own"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("::ffff:192.168.1.1", False),
        ("192.168.1.1", False),
        ("0.0.0.0", False),  # noqa: S104  # nobody binds to it here
        ("localhost", False),
        (None, False),
    ],
)
def test_this_machine_is_loopback(address: str | None, own: bool) -> None:  # a table's column
    """Only a loopback peer is this machine; a private address is not."""
    assert own == is_this_machine(address)


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
