"""If a connection falls silent without closing, no page stays live for long."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.rules.game.commands import Peg
from tests.companion.night.test_hall_page import night_of
from tests.support.browser import (
    PROGRAM,
    Served,
    SilentProxy,
    faultless,
    firefox,
    live,
    silent_proxy,
)
from tests.support.night_tables import night_server
from tests.support.program import running

DEAD_MS = 13_000
"""Longer than the silence after which a page takes a stream for dead."""


@pytest.fixture
def proxy(table: Served) -> Iterator[SilentProxy]:
    """Return the way to the table, which can fall silent."""
    with silent_proxy(table.port) as proxy:
        yield proxy


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open a page whose clock can be advanced."""
    with faultless(browser, requests_fail=True) as page:
        page.clock.install()
        yield page


def fell_silent(page: Page) -> None:
    """Advance a page's clock until it says that its state is old."""
    page.clock.fast_forward(DEAD_MS)
    expect(page.locator("#connection, .trouble")).to_contain_text("Not current since")


def live_again(page: Page) -> None:
    """Advance a page's clock past its next try to connect, and wait for the connection."""
    page.clock.fast_forward(DEAD_MS)
    live(page)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("", "#panel .front"),
        ("tv", "#scores li"),
        ("pad?side=1", "#front .hole"),
        ("pad?side=2", "#others li"),
        ("hand?hand=ended", "#fronts li"),
    ],
)
def test_a_silent_stream_is_reported_and_opened_again(
    page: Page, table: Served, proxy: SilentProxy, path: str, place: str
) -> None:
    """Each page shows since when it is not current, and later the present state."""
    table.execute(Peg(side=1, points=3))
    page.goto(proxy.url + path)
    live(page)
    proxy.silence()
    table.execute(Peg(side=1, points=4))
    fell_silent(page)
    expect(page.locator(place).first).to_contain_text("3")
    proxy.speak()
    live_again(page)
    expect(page.locator(place).first).to_contain_text("7")


@pytest.mark.parametrize(
    ("path", "well"), [("hall", "header:not(:has(.trouble))"), ("", "#connection[data-state=live]")]
)
def test_pages_of_a_night_report_it_too(page: Page, path: str, well: str) -> None:
    """The hall screen and the organiser's page show since when they are not current."""
    with night_server(night_of(1)) as night, silent_proxy(night.port) as proxy:
        page.goto(proxy.url + path)
        expect(page.locator(well)).to_have_count(1)
        proxy.silence()
        fell_silent(page)
        proxy.speak()
        page.clock.fast_forward(DEAD_MS)
        expect(page.locator(well)).to_have_count(1)


@pytest.mark.parametrize(
    ("path", "front", "pending"),
    [("pad?side=1", "#front .hole", "#pending"), ("", "#panel .front", "#panel .pending")],
)
def test_an_answer_is_never_taken_back_by_older_news(
    page: Page, proxy: SilentProxy, path: str, front: str, pending: str
) -> None:
    """A count in a response stays, even if the stream is dead or late."""
    page.goto(proxy.url + path)
    live(page)
    hole = page.locator(front).first
    proxy.silence(streams_only=True)
    page.get_by_role("button", name="+5").first.click()
    page.get_by_role("button", name="Enter").first.click()
    expect(hole).to_have_text("5")
    page.clock.fast_forward(3_000)
    assert "5" == hole.text_content()
    page.get_by_role("button", name="+1").first.click()
    expect(page.locator(pending).first).to_have_text("+1")
    proxy.speak()
    page.get_by_role("button", name="Enter").first.click()
    expect(hole).to_have_text("6")


@pytest.mark.tool(lacks="" if PROGRAM else "needs the package firefox-esr")
def test_firefox_reports_it_too(table: Served, proxy: SilentProxy, tmp_path: Path) -> None:
    """In Firefox, too, a silent stream is reported and reopened, and a response stays."""
    table.execute(Peg(side=1, points=3))
    with firefox(tmp_path) as page:
        page.goto(f"{proxy.url}pad?side=1")
        assert page.shows("#connection", "Live")
        proxy.silence(streams_only=True)
        page.click("[data-key=plus_five]")
        page.click("[data-key=enter]")
        assert page.shows("#front .hole", "8")
        assert page.shows("#connection", "Not current since")
        assert page.shows("#front .hole", "8")
        proxy.speak()
        assert page.shows("#connection", "Live")
        assert page.shows("#front .hole", "8")


@pytest.mark.program
def test_a_server_that_hangs_is_reported(page: Page, tmp_path: Path) -> None:
    """A stopped program keeps its connections, but the page does not call it live."""
    with running(tmp_path) as program:
        page.goto(f"{program.url}pad?side=1")
        live(page)
        os.kill(program.pid, signal.SIGSTOP)
        fell_silent(page)
        page.get_by_role("button", name="+5").click()
        expect(page.locator("#count")).to_have_class("unsure")
        os.kill(program.pid, signal.SIGCONT)
        live_again(page)
        expect(page.locator("#pending")).to_have_text("+5")
        expect(page.locator("#count")).not_to_have_class("unsure")
