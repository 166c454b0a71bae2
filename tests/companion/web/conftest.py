"""The browser, a table and its page for the tests of the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browser import Served, browser, faultless, live, served
from tests.support.real_table import RealTable

__all__ = ["browser"]


@pytest.fixture(autouse=True)
def _closed_windows(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close the windows that a test leaves open."""
    used = request.getfixturevalue("browser") if "browser" in request.fixturenames else None
    yield
    for window in used.contexts if used else ():
        window.close()


@pytest.fixture
def table() -> Iterator[Served]:
    """Serve a table of two sides with its page."""
    with served(RealTable()) as there:
        yield there


@pytest.fixture
def page(browser: Browser, table: Served) -> Iterator[Page]:
    """Open the page, which must end without an error or a breach of its policy."""
    with faultless(browser) as page:
        page.goto(table.url)
        live(page)
        yield page
