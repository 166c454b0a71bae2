"""Many windows of one browser, which opens at most six connections to a server."""

from contextlib import closing

from playwright.sync_api import Browser, expect

from companion.rules.game.commands import Peg
from tests.support.browser import Served, live

WINDOWS = {"": "#panel .front", "tv": "#scores li", "pad?side=1": "#front .hole"}


def test_more_windows_than_connections_all_follow(browser: Browser, table: Served) -> None:
    """Seven visible windows load, show each count, and can enter one."""
    with closing(browser.new_context()) as window:
        pages = []
        for path in [*WINDOWS, *["pad?side=1"] * 4]:
            page = window.new_page()
            page.goto(table.url + path)
            live(page)
            pages.append((page, page.locator(WINDOWS[path]).first))
        table.execute(Peg(side=1, points=5))
        for _, front in pages:
            expect(front).to_contain_text("5")
        assert table.do(lambda real_table: real_table.watchers) < len(pages)
        first, front = pages[0]
        first.get_by_role("button", name="Amber, +1").click()
        first.get_by_role("button", name="Amber, Enter").click()
        for _, front in pages:
            expect(front).to_contain_text("6")
