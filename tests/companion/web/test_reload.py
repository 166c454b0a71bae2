"""Reloads that no user has requested, in a real browser."""

from playwright.sync_api import Browser

from tests.support.browser import from_menu, live, opened, served, stop_clock
from tests.support.real_table import RealTable

LOOKS_MS = 2000
"""Time in which a page that waits looks several times."""


def test_a_reload_waits_while_somebody_types(browser: Browser) -> None:
    """After the table's restart neither focus nor entered text is lost."""
    with served(RealTable()) as table:
        port = table.port
        page = opened(browser, table)
        page.evaluate("window.isOld = true")
        from_menu(page, "Referee")
        search = page.get_by_role("searchbox")
        search.fill("renege")
    with served(RealTable(), port=port):
        live(page)
        stop_clock(page)
        for text in ("renege", ""):
            search.fill(text)
            assert page.evaluate("window.isOld")
            search.blur()
            page.clock.run_for(LOOKS_MS)
        page.wait_for_function("() => !window.isOld")
        page.context.close()
