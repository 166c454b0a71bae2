"""The offer to let phones reach the table, in a browser."""

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import live, served
from tests.support.real_table import RealTable


@pytest.mark.parametrize(("host", "offers"), [("127.0.0.1", 1), ("0.0.0.0", 0)])  # noqa: S104
def test_only_what_is_not_set_is_offered(browser: Browser, host: str, offers: int) -> None:
    """A machine without a network says so, and offers nothing useless."""
    with served(RealTable(web={"host": host})) as table:
        page = browser.new_page()
        page.goto(table.url)
        live(page)
        page.get_by_role("button", name="Phones").click()
        reach = page.locator("#phones .unreachable")
        expect(reach.get_by_role("button", name="Let phones in")).to_have_count(offers)
        words = "cannot reach this machine" if offers else "is in no network"
        expect(reach).to_contain_text(words)
        page.close()
