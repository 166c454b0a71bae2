"""The white of a strip is chosen in a real browser at a real table."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from companion.lights.colour.colour import chosen
from tests.companion.web.set_up import LAPTOP, TEXT, button, saved_in, set_up
from tests.support.browser import browser

__all__ = ["browser"]


def test_three_choices_are_kept(browser: Browser, tmp_path: Path) -> None:
    """After patches 3, 4 and 2 the page shows the result, saves it, and offers a restart."""
    with set_up(browser, tmp_path, TEXT, size=LAPTOP) as (_program, page):
        page.get_by_role("link", name="Lights").click()
        balance = page.locator(".white-balance")
        balance.get_by_role("button", name="Balance white").click()
        for number, patch in enumerate((3, 4, 2), start=1):
            expect(balance).to_contain_text(f"Round {number} of 3")
            balance.get_by_role("button", name=f"{patch}", exact=True).click()
        expect(balance).to_contain_text("87 %, 76 %, 100 %")
        button(page, "Keep it")
        expect(page.get_by_role("button", name="Restart")).to_be_visible()
    saved = saved_in(tmp_path)["strip"]["white_balance"]
    assert list(chosen([2, 3, 1])) == saved
