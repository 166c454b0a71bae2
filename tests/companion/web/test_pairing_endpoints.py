"""Pairing of a phone: its request, how console and pages show it, and its answer."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

import httpx
import pytest
from starlette.applications import Starlette

from companion.table.panel import presses
from companion.table.panel.consents import ConsentRequest
from companion.web.pairing import Pairing, Phone, StoreError
from tests.companion.web.client import Listener, refusal, send
from tests.support.real_table import RealTable
from tests.support.scenes import run_by

FAR = "192.168.1.9"


class Table:
    """A table with its application, and the lines on its console."""

    def __init__(self, **how: Any) -> None:  # noqa: ANN401  # as RealTable takes them
        self.console: list[str] = []
        self.real_table = RealTable(console=self.console.append, **how)

    @property
    def app(self) -> Starlette:
        """Its application."""
        return cast("Starlette", self.real_table.app)

    async def post(
        self, path: str, value: object, *, client: str = FAR, cookie: str = ""
    ) -> httpx.Response:
        """Return the response to a phone."""
        headers = {"cookie": cookie} if cookie else {}
        body = json.dumps(value).encode()
        return await send(self.app, "POST", path, body=body, client=client, headers=headers)

    async def get(self, path: str, *, client: str = FAR, cookie: str = "") -> httpx.Response:
        """Return the response to a phone that only looks."""
        headers = {"cookie": cookie} if cookie else {}
        return await send(self.app, "GET", path, client=client, headers=headers)

    async def ask(self, name: str = "Anna", *, client: str = FAR, **body: str | int) -> str:
        """Send a phone's request. Return the path at which it waits for the answer."""
        answer = await self.post("/api/join", {"name": name, **body}, client=client)
        assert 200 == answer.status_code
        return f"/api/join/{answer.json()['visit']}"

    async def answer(self, *, granted: bool = True) -> None:
        """Answer the oldest request, as the board's own page does."""
        oldest, *_ = self.waiting
        path = f"/api/consents/{oldest.number}"
        answer = await self.post(path, {"granted": granted}, client="127.0.0.1")
        assert 204 == answer.status_code

    async def join(self, name: str = "Anna", right: str = "score") -> httpx.Response:
        """Send a phone's request, and let it in."""
        path = await self.ask(name, right=right)
        await self.answer()
        return await self.post(path, {})

    @property
    def waiting(self) -> tuple[ConsentRequest, ...]:
        """Return the waiting requests."""
        return self.real_table.lit.table.panel.consents.waiting


def at_table(scene: Callable[[Table], Awaitable[None]], **how: Any) -> None:  # noqa: ANN401  # the same
    """Run a scene at a table, in an event loop of its own."""

    async def play() -> None:
        table = Table(**how)
        async with table.real_table:
            await scene(table)

    asyncio.run(play())


@run_by(at_table)
async def test_a_phone_is_let_in_on_the_boards_own_page(table: Table) -> None:
    """Its cookie is only for this host's pages, and grants what it asked for."""
    answer = await table.join()
    assert (200, {"name": "Anna", "right": "score"}) == (answer.status_code, answer.json())
    cookie = answer.headers["set-cookie"]
    for part in ("HttpOnly", "SameSite=strict", "Path=/", "Max-Age="):
        assert part in cookie
    own = cookie.partition(";")[0]
    about = (await table.get("/api/about", cookie=own)).json()
    assert ("score", False, False) == (about["right"], about["near"], about["press"])
    assert "watch" == (await table.get("/api/about")).json()["right"]


@run_by(at_table)
async def test_every_page_shows_what_is_asked(table: Table) -> None:
    """The console shows it, too, without a stranger's control characters."""
    page = Listener(table.app, client=FAR)
    await page.named("news")
    path = await table.ask("\x1b[2Jx\ny", right="run")
    news = await page.named("news")
    shown = {"number": 1, "kind": "run", "name": "\x1b[2Jx\ny", "button": "deal"}
    assert [shown] == json.loads(news)["consents"]
    assert path.rpartition("/")[2] not in news
    said = str(table.console[-1])
    assert ("hold Deal" in said, said.isprintable()) == (True, True)
    await page.leave()


@run_by(at_table)
async def test_a_phone_is_let_in_by_a_button_held_for_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The button is Enter of its side, or Deal to run the table for any side."""
    monkeypatch.setattr(presses, "HOLD_S", 0.1)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"side": 2}, "2.enter"),
        ({"right": "run"}, "deal"),
        ({"right": "run", "side": 2}, "deal"),
        ({}, "deal"),
    ]
    mock = table.real_table.services.mock
    assert mock
    for requested, button in cases:
        path = await table.ask(**requested)
        waiting = asyncio.create_task(table.post(path, {}))
        for each in {"2.enter", "deal"} - {button}:
            await mock.press(each, 0.15)
        await table.real_table.press(button)
        assert not waiting.done()
        await mock.press(button, 0.15)
        answer = await waiting
        right = requested.get("right", "score")
        assert (200, right) == (answer.status_code, answer.json()["right"])
        assert "set-cookie" in answer.headers
        assert () == table.waiting


@pytest.mark.parametrize("leaves", [True, False])
@run_by(at_table)
async def test_a_phone_that_lost_its_connection_asks_for_the_answer_again(
    table: Table, leaves: bool
) -> None:
    """Its first request may end at any time; each brings the same cookie."""
    path = await table.ask()
    first = asyncio.create_task(table.post(path, {}))
    await asyncio.sleep(0)
    if leaves:
        first.cancel()
        await asyncio.wait({first})
    await table.answer()
    answers = [await table.post(path, {}), *([] if leaves else [await first])]
    cookies = {answer.headers["set-cookie"] for answer in answers}
    listed = await table.get("/api/phones", client="127.0.0.1")
    assert (1, 1) == (len(cookies), len(listed.json()))


@run_by(at_table)
async def test_a_phone_is_listed_as_soon_as_it_is_let_in(table: Table) -> None:
    """A page may look at once, before the phone has its cookie."""
    await table.ask()
    await table.answer()
    listed = (await table.get("/api/phones", client="127.0.0.1")).json()
    assert ["Anna"] == [phone["name"] for phone in listed]


def full(_phones: tuple[Phone, ...]) -> None:
    """Refuse to store phones."""
    raise StoreError("no room")


@run_by(at_table, pairing=Pairing((), store=full))
async def test_a_phone_that_cannot_be_stored_is_not_let_in(table: Table) -> None:
    """It gets the reason, and may ask again once there is room."""
    path = await table.ask()
    await table.answer()
    answer = await table.post(path, {})
    assert (503, "no room") == (answer.status_code, answer.json()["error"])
    assert "set-cookie" not in answer.headers


@run_by(at_table)
async def test_a_phone_that_is_refused_must_wait(table: Table) -> None:
    """Others may ask at once."""
    waiting = asyncio.create_task(table.post(await table.ask(), {}))
    await table.answer(granted=False)
    assert 408 == (await waiting).status_code
    late = await table.post("/api/join", {"name": "Anna"})
    assert 429 == late.status_code
    assert 0 < int(late.headers["retry-after"]) <= 300
    await table.ask("Bert", client="192.168.1.10")
    assert ["Bert"] == [each.name for each in table.waiting]


@run_by(at_table)
async def test_a_phone_that_asks_again_takes_its_own_place(table: Table) -> None:
    """Each address has one waiting request; another phone's comes next."""
    paths = [await table.ask(f"Anna {n}") for n in range(3)]
    await table.ask("Bert", client="192.168.1.10")
    paths.append(await table.ask("Anna 3"))
    assert ["Bert", "Anna 3"] == [each.name for each in table.waiting]
    answers = [await table.post(path, {}) for path in paths[:-1]]
    assert {answer.status_code for answer in answers} <= {404, 408}


@run_by(at_table)
async def test_a_table_that_closes_lets_nobody_in(table: Table) -> None:
    """The phone gets its answer at once, so that the server can stop."""
    waiting = asyncio.create_task(table.post(await table.ask(), {}))
    table.real_table.closing.set()
    assert 408 == (await waiting).status_code


def test_there_is_no_such_visit() -> None:
    """Any other id gets 404 with one line."""
    with RealTable() as table:
        for visit in ("x" * 22, "x", "x" * 23, "%2e%2e", "%00"):
            path = f"/api/join/{visit}"
            assert 404 == refusal(table, "POST", path, body=b"{}", client=FAR)


@run_by(at_table)
async def test_only_the_tables_own_machine_answers_for_it(table: Table) -> None:
    """A phone that runs the table cannot answer, and nobody can after the end."""
    cookie = (await table.join(right="run")).headers["set-cookie"].partition(";")[0]
    await table.ask()
    path, body = "/api/consents/2", {"granted": True}
    assert 403 == (await table.post(path, body, cookie=cookie)).status_code
    await table.answer()
    assert 404 == (await table.post(path, body, client="127.0.0.1")).status_code


@run_by(at_table)
async def test_phones_are_listed_and_forgotten(table: Table) -> None:
    """The table or a phone that runs it forgets a phone, which then only watches."""
    cookies = {}
    for right in ("score", "run"):
        answer = await table.join(right, right)
        cookies[right] = answer.headers["set-cookie"].partition(";")[0]
    assert 403 == (await table.get("/api/phones", cookie=cookies["score"])).status_code
    listed = (await table.get("/api/phones", cookie=cookies["run"])).json()
    assert [("score", False), ("run", True)] == [(p["name"], p["own"]) for p in listed]
    forget = {"id": listed[0]["id"]}
    path = "/api/phones/forget"
    assert 403 == (await table.post(path, forget, cookie=cookies["score"])).status_code
    assert 204 == (await table.post(path, forget, cookie=cookies["run"])).status_code
    assert 404 == (await table.post(path, forget, client="127.0.0.1")).status_code
    about = await table.get("/api/about", cookie=cookies["score"])
    assert "watch" == about.json()["right"]
