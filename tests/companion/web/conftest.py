"""The browser, a table and its page for the tests of the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browser import Served, browser, faultless, live, served
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
    with faultless(browser) as page:
        page.goto(table.url)
        live(page)
        yield page
