"""The browser, a table and its page for the tests of the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browser import Served, browser, live, served
from tests.support.real_table import RealTable

__all__ = ["browser"]


@pytest.fixture
def table() -> Iterator[Served]:
    """A table of two sides behind its page."""
    with served(RealTable()) as there:
        yield there


@pytest.fixture
def page(browser: Browser, table: Served) -> Iterator[Page]:
    """The page, alive; it must end without an error and without a breach of its policy."""
    faults: list[str] = []
    window = browser.new_context()
    page = window.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(table.url)
    live(page)
    yield page
    window.close()
    assert faults == []
