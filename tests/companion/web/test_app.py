"""Serving: every route's responses and refusals, ports, stopping, and the scripts of the pages."""

import asyncio
import re
import socket
import struct
import xml.etree.ElementTree as ET
from functools import partial
from graphlib import TopologicalSorter
from pathlib import Path

import httpx
import msgspec
import pytest

from companion.errors import AddressError, BadInputError
from companion.web.pages import HTML, NOTHING
from companion.web.server import (
    BODY_LIMIT,
    HEADER_LIMIT,
    STATIC,
    UNACKNOWLEDGED_S,
    check_address,
    listening,
)
from tests.api_types import FILE, api_types
from tests.companion.web.client import fetch, refusal, send
from tests.companion.web.said import OWN_SCRIPTS, VENDOR
from tests.support.browser import served
from tests.support.catalogues import PSEUDO, marked, third_language
from tests.support.real_table import RealTable, at_table
from tests.support.scenes import run_by

__all__ = ["third_language"]


BAD_BODIES = [
    ("/api/press", b'{"button":"1.plus_on"}'),
    ("/api/press", b'{"button":"deal","seconds":16}'),
    ("/api/press", b"{"),
    ("/api/press", b'{"button":""}'),
    ("/api/demo", b'{"on":1}'),
    ("/api/demo", b'{"on":true,"speed":2}'),
]


def listen_on(host: str, port: int) -> None:
    """Try to listen, as a program would."""
    with listening(host, port):
        pass


MANIFEST = msgspec.json.decode((STATIC / "manifest.webmanifest").read_bytes())
LOADED = [
    file for file in sorted(STATIC.rglob("*")) if file.is_file() and "LICENSE" not in file.name
]


def test_the_page_and_its_files_are_served() -> None:
    """Every file of the page has its address and type; other files are not served."""
    types = {
        ".css": "text/css",
        ".html": "text/html",
        ".js": "text/javascript",
        ".png": "image/png",
        ".svg": "image/svg+xml",
        ".webmanifest": "application/manifest+json",
        ".woff2": "font/woff2",
    }
    with RealTable() as table:
        page = fetch(table, "GET", "/")
        assert page.headers["content-type"].startswith("text/html")
        for file in filter(Path.is_file, STATIC.rglob("*")):
            answer = fetch(table, "GET", f"/static/{file.relative_to(STATIC)}")
            assert file.read_bytes() == answer.content
            assert types.get(file.suffix, "") in answer.headers["content-type"]


def test_unknown_paths_lead_to_the_board() -> None:
    """A missing path or hand gives 404 with a sentence and a link: no listing, no way out."""
    with RealTable() as table:
        for path in ("nothing", "hand", "static", "static/../errors.py", "static/%2e%2e/errors.py"):
            answer = fetch(table, "GET", f"/{path}")
            assert (404, HTML) == (answer.status_code, answer.headers["content-type"])
            assert NOTHING in answer.text
            assert '<a class="plain" href="/">To the board</a>' in answer.text
        french = fetch(table, "GET", "/nothing", headers={"Accept-Language": "fr"})
        assert '<html lang="fr">' in french.text
        assert "To the board" not in french.text


def test_unknown_endpoints_are_refused_in_json() -> None:
    """A 404 under /api/ has one line that says why, in the caller's language."""
    with RealTable() as table:
        for path in ("/api/nope", "/api/", "/api/cards/a%2F..%2Fb", "/api/nope.json"):
            assert 404 == refusal(table, "GET", path)
            assert 404 == refusal(table, "POST", path, body=b"{}")
        french = fetch(table, "GET", "/api/nope", headers={"Accept-Language": "fr"})
        assert {"error": "rien ici ne porte ce nom"} == french.json()


def test_the_board_is_drawn() -> None:
    """The sheet is an SVG of the board's own size, with no part that the policy forbids."""
    real_table = RealTable()
    answer = fetch(real_table, "GET", "/board.svg")
    sheet = ET.fromstring(answer.content)  # noqa: S314  # our own drawing
    assert answer.headers["content-type"] == "image/svg+xml"
    assert f"{real_table.about['width_mm']:g}mm" == sheet.get("width")
    assert not [part for part in sheet.iter() if part.get("style") or part.tag.endswith("style")]


def test_the_table_is_reported_as_it_stands() -> None:
    """`GET /api/table` has the table's numbers, and is not cached."""
    real_table = RealTable()
    answer = fetch(real_table, "GET", "/api/table")
    assert real_table.snapshot() == answer.json()
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("client", "mock", "press"),
    [("127.0.0.1", True, True), ("127.0.0.1", False, False), ("192.168.1.5", True, False)],
)
def test_about_says_who_may_press(client: str, mock: bool, press: bool) -> None:
    """A page learns whether it may press: with a mock panel, and on this machine only."""
    real_table = RealTable(mock=mock)
    answer = fetch(real_table, "GET", "/api/about", client=client)
    near = client == "127.0.0.1"
    may: dict[str, object] = {
        "press": press,
        "near": near,
        "right": "run" if near else "watch",
        "pages": [],
        "reverted": False,
    }
    reported = answer.json()
    assert reported.pop("run")
    assert msgspec.json.decode(msgspec.json.encode({**real_table.about, **may})) == reported


def test_a_press_answers_when_the_button_is_up() -> None:
    """`POST /api/press` drives the pin down and up, and answers with the table then."""
    real_table = RealTable()
    answer = fetch(real_table, "POST", "/api/press", body=b'{"button":"deal","seconds":0.01}')
    assert (200, real_table.snapshot()) == (answer.status_code, answer.json())
    assert [("deal", True), ("deal", False)] == real_table.presses


@run_by(at_table)
async def test_a_press_answers_when_what_it_did_is_journalled(
    real_table: RealTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The response has the table after the press, however slow the disk is."""
    later, write = asyncio.get_running_loop().call_later, real_table.lit.journal.write
    monkeypatch.setattr(
        real_table.lit.journal,
        "write",
        lambda *entry, **cards: later(4 * real_table.lit.settle_s, partial(write, *entry, **cards)),
    )
    await send(real_table.app, "POST", "/api/press", body=b'{"button":"1.plus_one","seconds":0.01}')
    body = b'{"button":"1.enter","seconds":0.01}'
    assert 1 == int((await send(real_table.app, "POST", "/api/press", body=body)).json()["seq"])


def test_a_press_from_our_own_page_is_taken() -> None:
    """The page's own origin and a same-origin fetch pass, in any case of the host."""
    headers = {"origin": "http://LocalHost", "sec-fetch-site": "same-origin"}
    body = b'{"button":"deal","seconds":0.01}'
    answer = fetch(RealTable(), "POST", "/api/press", body=body, headers=headers)
    assert answer.status_code == 200


@run_by(at_table)
async def test_a_button_that_is_down_is_a_conflict(real_table: RealTable) -> None:
    """A press of a button that is down gets 409."""
    assert real_table.panel
    real_table.panel.down("deal")
    answer = await send(real_table.app, "POST", "/api/press", body=b'{"button":"deal"}')
    assert 409 == answer.status_code


@pytest.mark.parametrize("mock", [True, False])
def test_a_page_begins_and_ends_the_demo(mock: bool) -> None:
    """`POST /api/demo` begins or ends it and returns the table, with any kind of buttons."""
    real_table = RealTable(mock=mock)
    with real_table:
        answers = [
            fetch(real_table, "POST", "/api/demo", body=body)
            for body in (b'{"on":true}', b'{"on":false}')
        ]
    assert [(200, real_table.snapshot())] * 2 == [(one.status_code, one.json()) for one in answers]
    assert [True, False] == real_table.demos


def test_real_buttons_are_not_pressed_from_here() -> None:
    """Without a mock panel a press gets 404, whatever its body is."""
    answer = fetch(RealTable(mock=False), "POST", "/api/press", body=b"nonsense")
    assert answer.status_code == 404
    assert "mock" in answer.json()["error"]


def test_bad_bodies_are_refused_with_the_reason() -> None:
    """Bad JSON, unknown buttons and times out of range get 400 with one line."""
    with RealTable() as table:
        for path, body in BAD_BODIES:
            assert 400 == refusal(table, "POST", path, body=body)
        assert ([], []) == (table.presses, table.demos)


def test_a_large_body_is_refused() -> None:
    """A body over 64 kB is refused unread."""
    body = b" " * (BODY_LIMIT + 1)
    assert fetch(RealTable(), "POST", "/api/press", body=body).status_code == 413


def test_an_open_stream_does_not_hold_up_the_end() -> None:
    """On stop a page gets a goodbye, its stream ends, and serving returns."""
    real_table = RealTable()
    with served(real_table) as table, httpx.stream("GET", f"{table.url}api/stream") as stream:
        table.until(lambda real_table: real_table.watchers == 1)
        table.do(lambda real_table: real_table.closing.set())
        assert "event: goodbye" in list(stream.iter_lines())


def test_a_connection_that_never_ends_is_cut() -> None:
    """A client that sends half a request, or reads nothing, cannot keep the server up."""
    with served(RealTable()) as table:
        half = socket.create_connection(("127.0.0.1", table.port))
        half.sendall(
            b"POST /api/press HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
            b"Content-Type: application/json\r\n\r\n{"
        )
    with half:
        assert half.recv(1) == b""


@pytest.mark.parametrize(
    ("option", "value"),
    [(socket.TCP_NODELAY, 1), (socket.TCP_USER_TIMEOUT, 1000 * UNACKNOWLEDGED_S)],
)
def test_no_connection_waits_for_an_acknowledgement(option: int, value: int) -> None:
    """Parts of a response leave at once; a client that acknowledges none is cut."""
    with (
        listening("127.0.0.1", 0) as [listener],
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as connection,
    ):
        assert value == connection.getsockopt(socket.IPPROTO_TCP, option)


def test_a_forwarded_address_is_not_believed() -> None:
    """The server uses the peer's own address, whatever a header says."""
    with served(RealTable()) as table:
        headers = {"X-Forwarded-For": "10.0.0.1"}
        assert httpx.get(f"{table.url}api/about", headers=headers).json()["press"] is True


def test_a_head_without_end_is_refused() -> None:
    """A request's head is limited, so that it cannot fill the memory."""
    with (
        served(RealTable()) as table,
        socket.create_connection(("127.0.0.1", table.port)) as client,
    ):
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * HEADER_LIMIT)
        assert client.recv(12) == b"HTTP/1.1 400"


def test_a_port_in_use_says_what_to_do() -> None:
    """A port in use gives one line with the remedy."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadInputError) as refusal:
            listen_on("127.0.0.1", port)
    assert f"port {port}" in str(refusal.value)
    assert "--port" in str(refusal.value)


def test_an_address_that_cannot_be_had_is_bad_input() -> None:
    """Another machine's address, a port out of range and no address are refused."""
    for host, port in (("192.0.2.1", 0), ("127.0.0.1", 70_000), ("", -1)):
        with pytest.raises(BadInputError, match="cannot serve on"):
            listen_on(host, port)


def test_an_address_is_tried_without_serving() -> None:
    """A faulty address names its setting; a usable one is released again."""
    for host in ("192.0.2.1", "a b", "a..b", "a\0b", "127.0.0.1"):
        own = host == "127.0.0.1"
        with pytest.raises(AddressError) as refusal:
            check_address(host, 70_000 if own else 0, own=0)
        assert ("web.port" if own else "web.host") == refusal.value.key
    for good in ("127.0.0.1", "localhost", ""):
        check_address(good, 0, own=0)


def test_every_icon_is_there_in_its_size() -> None:
    """Each is a PNG of the size in the manifest, or a drawing of any size."""
    with RealTable() as table:
        for icon in MANIFEST["icons"]:
            answer = fetch(table, "GET", icon["src"])
            assert icon["type"] == answer.headers["content-type"]
            if icon["type"] == "image/png":
                width, height = struct.unpack(">II", answer.content[16:24])
                assert f"{width}x{height}" == icon["sizes"]


def test_the_page_starts_where_the_board_is() -> None:
    """The background before loading is the page's own, too."""
    page = fetch(RealTable(), "GET", MANIFEST["start_url"]).text
    assert '<link rel="manifest" href="/static/manifest.webmanifest">' in page
    assert f'<meta name="theme-color" content="{MANIFEST["theme_color"]}">' in page


@pytest.mark.usefixtures("third_language")
def test_the_table_speaks_it() -> None:
    """Names, lines, refusals and rulings are those of the new file."""
    headers = {"Accept-Language": PSEUDO}
    with RealTable() as table:
        about = fetch(table, "GET", "/api/about", headers=headers).json()
        words = fetch(table, "GET", "/api/words", headers=headers).json()
        refused = fetch(table, "GET", "/api/cards/none", headers=headers).json()
        rulings = fetch(table, "GET", "/api/referee", headers=headers).json()["rulings"]
    assert marked("Français") == about["languages"][PSEUDO]
    assert marked("Ambre") == about["teams"]["1"]["name"]
    assert [marked("En direct")] == words["texts"]["Live"]
    assert marked("rien ici ne porte ce nom") == refused["error"]
    assert all(ruling["what"].startswith("⟦") for ruling in rulings)


def test_the_types_of_the_api_are_current() -> None:
    """The scripts' types are generated from the API's present description."""
    assert api_types() == FILE.read_text(encoding="utf-8"), "an old api.d.ts: run make api"


def test_no_import_leads_back_to_its_module() -> None:
    """The scripts can be sorted so that each imports only earlier ones; types do not count."""
    imported = re.compile(r'(?:\bfrom |^import |await import\()"(\.[^"]+)"', re.MULTILINE)
    names = {file: imported.findall(file.read_text(encoding="utf-8")) for file in OWN_SCRIPTS}
    files = {file: {(file.parent / name).resolve() for name in names[file]} for file in names}
    TopologicalSorter(files).prepare()


def test_no_text_becomes_markup() -> None:
    """No module builds HTML or code from strings (D.4)."""
    markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySet|srcdoc"
    built = re.compile(rf"{markup}|\beval\(|new Function")
    assert [] == [
        script.name for script in OWN_SCRIPTS if built.search(script.read_text(encoding="utf-8"))
    ]


def test_nothing_comes_from_elsewhere() -> None:
    """No loaded file has an address of another host, except for XML's vocabularies."""
    host = re.compile(rb"(?:https?:)?//([a-z0-9-]+(?:\.[a-z0-9-]+)+)")
    found = {(file.name, name) for file in LOADED for name in host.findall(file.read_bytes())}
    assert {b"www.w3.org"} >= {name for _, name in found}, found


def test_the_library_names_its_licences() -> None:
    """Third-party code names its licence in the first line, and its licences are shipped."""
    first, *_ = (VENDOR / "preact.js").read_text(encoding="utf-8").splitlines()
    assert "MIT" in first
    assert "MIT License" in (VENDOR / "LICENSE-preact").read_text(encoding="utf-8")
    assert "Apache License" in (VENDOR / "LICENSE-htm").read_text(encoding="utf-8")
