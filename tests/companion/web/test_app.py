"""Every route: its responses and its refusals."""

import asyncio
import xml.etree.ElementTree as ET
from functools import partial
from pathlib import Path

import msgspec
import pytest

from companion.web.pages import HTML, NOTHING
from companion.web.server import BODY_LIMIT, STATIC
from tests.companion.web.client import fetch, refusal, send
from tests.support.real_table import RealTable, at_table


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


def test_a_press_answers_when_what_it_did_is_journalled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The response has the table after the press, however slow the disk is."""

    async def run(real_table: RealTable) -> int:
        later, write = asyncio.get_running_loop().call_later, real_table.lit.journal.write
        monkeypatch.setattr(
            real_table.lit.journal,
            "write",
            lambda *entry, **cards: later(
                4 * real_table.lit.settle_s, partial(write, *entry, **cards)
            ),
        )
        await send(
            real_table.app, "POST", "/api/press", body=b'{"button":"1.plus_one","seconds":0.01}'
        )
        body = b'{"button":"1.enter","seconds":0.01}'
        return int((await send(real_table.app, "POST", "/api/press", body=body)).json()["seq"])

    assert 1 == at_table(run)


def test_a_press_from_our_own_page_is_taken() -> None:
    """The page's own origin and a same-origin fetch pass, in any case of the host."""
    headers = {"origin": "http://LocalHost", "sec-fetch-site": "same-origin"}
    body = b'{"button":"deal","seconds":0.01}'
    answer = fetch(RealTable(), "POST", "/api/press", body=body, headers=headers)
    assert answer.status_code == 200


def test_a_button_that_is_down_is_a_conflict() -> None:
    """A press of a button that is down gets 409."""

    async def run(real_table: RealTable) -> int:
        assert real_table.panel
        real_table.panel.down("deal")
        return (
            await send(real_table.app, "POST", "/api/press", body=b'{"button":"deal"}')
        ).status_code

    assert 409 == at_table(run)


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


BAD_BODIES = [
    ("/api/press", b'{"button":"1.plus_on"}'),
    ("/api/press", b'{"button":"deal","seconds":16}'),
    ("/api/press", b"{"),
    ("/api/press", b'{"button":""}'),
    ("/api/demo", b'{"on":1}'),
    ("/api/demo", b'{"on":true,"speed":2}'),
]


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
