"""An owner brings the board into the home network, in a real browser with a fake nmcli."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.devices.network_manager import BoardNetwork, NetworkManager
from companion.network import SEARCH_S, NetworkStage
from tests.companion.web.test_accessible import AXE, found_in
from tests.support.browser import Served, browser, faultless, served
from tests.support.fake_nmcli import FakeNmcli
from tests.support.limits import TIMEOUT_S
from tests.support.real_table import RealTable

__all__ = ["browser"]

PHONE = {"width": 390, "height": 844}
PASSWORD = "a secret with blanks"  # noqa: S105  # of a network that is not there
NETWORKS = {
    "Home": {"signal": 70, "security": "WPA2", "password": PASSWORD},
    "Café": {"signal": 20, "security": "", "password": None, "address": None},
}


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Serve a board on its hotspot, whose clock goes on by a minute with each look."""
    nmcli = FakeNmcli(tmp_path, monkeypatch.setenv)
    nmcli["networks"] = NETWORKS
    now, is_open = 0.0, threading.Event()

    async def sleep(_seconds: float) -> None:
        nonlocal now
        now += SEARCH_S
        if board.state.stage is NetworkStage.HOTSPOT:
            is_open.set()
        await asyncio.sleep(0.01)

    board = BoardNetwork(
        NetworkManager(nmcli.addresses, root=tmp_path),
        name="Crib Wars",
        password="x" * 8,
        clock=lambda: now,
        report=lambda _line: None,
        sleep=sleep,
    )
    with served(RealTable(folder=tmp_path, network=board)) as there:
        running = there.do(lambda _table: asyncio.ensure_future(board.run()))
        assert is_open.wait(TIMEOUT_S)
        yield there
        there.do(lambda _table: running.cancel())


def join(page: Page, name: str, password: str) -> None:
    """Choose a network and type its password."""
    page.get_by_label(name, exact=True).check()
    page.get_by_label("Its password").fill(password)
    page.get_by_role("button", name="Join", exact=True).click()


def test_an_owner_joins_the_home_network(browser: Browser, table: Served) -> None:
    """The page opens with the board's network, explains the lights, and says what came of it."""
    with faultless(browser, viewport=PHONE) as page:
        page.goto(f"{table.url}setup")
        expect(page.get_by_text("It has opened its own, Crib Wars.")).to_be_visible()
        join(page, "Home", "not this one")
        expect(page.get_by_text("Hole 36 blinks: the password is wrong.")).to_be_visible()
        expect(page.get_by_text("could not join Home: the password is wrong.")).to_be_visible()
        join(page, "Home", PASSWORD)
        expect(page.get_by_text("The board is in a network.")).to_be_visible()
        assert PASSWORD not in page.url


def test_an_open_network_and_one_that_is_hidden(browser: Browser, table: Served) -> None:
    """One has no password; the name of the other is typed."""
    with faultless(browser, viewport=PHONE) as page:
        page.goto(f"{table.url}setup#network")
        page.get_by_label("Café", exact=True).check()
        expect(page.get_by_label("Its password")).to_have_count(0)
        page.get_by_role("button", name="Join", exact=True).click()
        expect(page.get_by_text("this network gave it no address")).to_be_visible()
        page.get_by_label("Another network").check()
        page.get_by_label("Name of the network").fill("Attic")
        page.get_by_label("Its password").fill("12345678")
        page.get_by_role("button", name="Join", exact=True).click()
        expect(page.get_by_text("could not join Attic: no network with this name")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_is_for_everybody(browser: Browser, table: Served, language: str) -> None:
    """It fits a phone, in both languages, before and during a join."""
    if not AXE.exists():
        pytest.skip("needs axe-core (npm install --no-save axe-core@4)")
    with faultless(browser, viewport=PHONE, locale=language, requests_fail=True) as page:
        page.goto(f"{table.url}setup")
        button = page.locator("#network [type=submit]")
        expect(button).to_be_visible()
        assert [] == found_in(page)
        page.locator("#network input[type=text]").fill("12345678")
        page.route("**/api/network", lambda route: route.abort())
        button.click()
        expect(page.locator("#network li").first).to_be_visible()
        assert [] == found_in(page)
