"""A phone that is let in: what it asks, what the console and the other pages are told."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

import httpx
import pytest
from starlette.applications import Starlette

from tests.companion.web.client import Listener, send
from tests.support.real_table import RealTable

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
        """The answer to a phone."""
        headers = {"cookie": cookie} if cookie else {}
        body = json.dumps(value).encode()
        return await send(self.app, "POST", path, body=body, client=client, headers=headers)

    async def get(self, path: str, *, client: str = FAR, cookie: str = "") -> httpx.Response:
        """The answer to a phone that looks."""
        headers = {"cookie": cookie} if cookie else {}
        return await send(self.app, "GET", path, client=client, headers=headers)

    async def join(self, name: str = "Anna", right: str = "score") -> httpx.Response:
        """A phone asks, enters the console's code, and somebody presses."""
        visit = (await self.post("/api/join", {"name": name, "right": right})).json()["visit"]
        entering = asyncio.create_task(self.post(f"/api/join/{visit}", {"code": self.code}))
        await self.real_table.until(lambda real_table: real_table.visitors == 1)
        await self.real_table.press("deal")
        return await entering

    @property
    def code(self) -> str:
        """The code on the console."""
        return self.console[-1].rpartition(" ")[2]


def at_table(scene: Callable[[Table], Awaitable[None]], **how: Any) -> None:  # noqa: ANN401  # the same
    """A scene at a table, in an event loop of its own."""

    async def play() -> None:
        table = Table(**how)
        async with table.real_table:
            await scene(table)

    asyncio.run(play())


def test_a_phone_is_let_in_by_code_and_press() -> None:
    """Its cookie is for this host's pages alone, and opens what it asked for."""

    async def scene(table: Table) -> None:
        answer = await table.join()
        assert (200, {"name": "Anna", "right": "score"}) == (answer.status_code, answer.json())
        cookie = answer.headers["set-cookie"]
        for part in ("HttpOnly", "SameSite=strict", "Path=/", "Max-Age="):
            assert part in cookie
        own = cookie.partition(";")[0]
        about = (await table.get("/api/about", cookie=own)).json()
        assert ("score", False, False) == (about["right"], about["near"], about["press"])
        assert "watch" == (await table.get("/api/about")).json()["right"]

    at_table(scene)


def test_the_console_shows_the_code_and_nobody_else() -> None:
    """Other pages learn who waits; the table's own machine may see the code too."""

    async def scene(table: Table) -> None:
        page = Listener(table.app)
        await page.named("news")
        await table.post("/api/join", {"name": "Anna", "right": "run"})
        news = await page.named("news")
        waiting = {"name": "Anna", "right": "run", "side": None, "for": "code"}
        assert waiting == json.loads(news)["joining"]
        assert table.code not in news
        assert 403 == (await table.get("/api/join")).status_code
        door = (await table.get("/api/join", client="127.0.0.1")).json()
        assert {"waiting": {"name": "Anna", "right": "run", "code": table.code}} == door
        await page.leave()

    at_table(scene)


def test_a_strangers_name_is_one_printable_line() -> None:
    """Its control characters never reach the terminal."""

    async def scene(table: Table) -> None:
        await table.post("/api/join", {"name": "\x1b[2Jx\ny", "right": "run"})
        assert table.console[-1].isprintable()

    at_table(scene)


@pytest.mark.parametrize(
    ("requested", "button"), [({"side": 2}, "2.enter"), ({"right": "run"}, "deal")]
)
def test_a_phone_is_let_in_by_a_button_held_for_it(
    requested: dict[str, object], button: str
) -> None:
    """Its side's own Enter, or Deal to run the table; a short press does what it always does."""

    async def scene(table: Table) -> None:
        visit = (await table.post("/api/join", {"name": "Anna", **requested})).json()["visit"]
        waiting = asyncio.create_task(table.post(f"/api/join/{visit}/hold", {}))
        await table.real_table.until(
            lambda real_table: real_table.lit.table._panel.joining == button
        )
        await table.real_table.press(button)
        assert not waiting.done()
        assert table.real_table.services.mock
        await table.real_table.services.mock.press(button, 1.1)
        answer = await waiting
        assert (200, requested.get("right", "score")) == (
            answer.status_code,
            answer.json()["right"],
        )
        assert "set-cookie" in answer.headers
        assert table.real_table.lit.table._panel.joining is None

    at_table(scene)


@pytest.mark.parametrize("leaves", [True, False])
def test_a_hold_lets_in_the_newest_request_of_a_phone(leaves: bool) -> None:
    """A phone that lost its connection asks again; its first request may end, or end much later."""

    async def scene(table: Table) -> None:
        visit = (await table.post("/api/join", {"name": "Anna"})).json()["visit"]
        holds = [asyncio.create_task(table.post(f"/api/join/{visit}/hold", {})) for _ in range(2)]
        waiting = table.real_table.lit.table.phones._holds._waiting
        await table.real_table.until(lambda _: len(waiting) == len(holds))
        if leaves:
            holds[0].cancel()
            await asyncio.wait(holds[:1])
        assert table.real_table.services.mock
        await table.real_table.services.mock.press("deal", 1.1)
        answer = await holds[1]
        assert 200 == answer.status_code
        assert "set-cookie" in answer.headers
        holds[0].cancel()

    at_table(scene)


def test_nobody_waits_for_a_hold_under_another_visit() -> None:
    """404 at once."""

    async def scene(table: Table) -> None:
        assert 404 == (await table.post("/api/join/" + "x" * 22 + "/hold", {})).status_code

    at_table(scene)


def test_a_wrong_code_lets_nobody_in() -> None:
    """And after three, everybody waits and is told how long."""

    async def scene(table: Table) -> None:
        visit = (await table.post("/api/join", {"name": "x"})).json()["visit"]
        for _ in range(3):
            wrong = f"{(int(table.code) + 1) % 10**6:06}"
            answer = await table.post(f"/api/join/{visit}", {"code": wrong})
            assert 403 == answer.status_code
            assert "set-cookie" not in answer.headers
        late = await table.post("/api/join", {"name": "x"})
        assert 429 == late.status_code
        assert 0 < int(late.headers["retry-after"]) <= 60
        assert 0 == table.real_table.visitors

    at_table(scene)


def test_a_phone_that_goes_is_not_let_in() -> None:
    """A press after that does what it always does; the next phone need not wait."""

    async def scene(table: Table) -> None:
        visit = (await table.post("/api/join", {"name": "x"})).json()["visit"]
        entering = asyncio.create_task(table.post(f"/api/join/{visit}", {"code": table.code}))
        await table.real_table.until(lambda real_table: real_table.visitors == 1)
        entering.cancel()
        await asyncio.gather(entering, return_exceptions=True)
        assert 200 == (await table.post("/api/join", {"name": "y"})).status_code

    at_table(scene)


def test_a_table_that_closes_lets_nobody_in() -> None:
    """The phone is told at once, so that the server can stop."""

    async def scene(table: Table) -> None:
        visit = (await table.post("/api/join", {"name": "x"})).json()["visit"]
        entering = asyncio.create_task(table.post(f"/api/join/{visit}", {"code": table.code}))
        await table.real_table.until(lambda real_table: real_table.visitors == 1)
        table.real_table.closing.set()
        assert 408 == (await entering).status_code

    at_table(scene)


@pytest.mark.parametrize("visit", ["x" * 22, "x", "x" * 23, "%2e%2e", "%00"])
def test_there_is_no_such_visit(visit: str) -> None:
    """404 with one line, whatever the id."""

    async def scene(table: Table) -> None:
        answer = await table.post(f"/api/join/{visit}", {"code": "123456"})
        assert 404 == answer.status_code
        assert "\n" not in answer.json()["error"]

    at_table(scene)


def test_phones_are_listed_and_forgotten() -> None:
    """By a phone that may run the table, or at the table; the phone only watches from then on."""

    async def scene(table: Table) -> None:
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

    at_table(scene)
