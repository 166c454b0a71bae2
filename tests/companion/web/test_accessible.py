"""The pages for keyboards and screen readers: axe finds nothing serious, at any size (S9)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browser import Served, served
from tests.support.program import ROOT
from tests.support.real_table import RealTable

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
LOOKS = {
    "phone": ((390, 844), "dark"),
    "laptop": ((1366, 768), "light"),
    "tv": ((1920, 1080), "dark"),
}
PAGES = (
    "",
    "tv",
    "pad?side=1",
    "pad",
    "counter?side=1",
    "hand",
    "records",
    "rules",
    "setup",
)
FIND = """async () => {
    const found = await axe.run(document, { resultTypes: ["violations"] });
    return found.violations.filter((each) => ["serious", "critical"].includes(each.impact))
        .map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(" ")}`);
}"""


@pytest.fixture(scope="module")
def table() -> Iterator[Served]:
    """A table of two sides behind its pages."""
    with served(RealTable()) as there:
        there.hand_url = there.hand()
        yield there


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious(browser: Browser, table: Served, path: str, look: str) -> None:
    """Names, roles, contrast, landmarks: as the rules of WCAG have them."""
    if not AXE.exists():
        pytest.skip("needs axe-core (npm install --no-save axe-core@4)")
    (width, height), theme = LOOKS[look]
    window = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="light" if theme == "light" else "dark",
    )
    page = window.new_page()
    page.goto(table.hand_url if path == "hand" else table.url + path)
    page.wait_for_load_state("load")
    assert [] == found_in(page)
    window.close()


@pytest.mark.parametrize("dialog", ["Referee", "Deal cards"])
def test_axe_finds_nothing_serious_in_a_dialog(
    browser: Browser, table: Served, dialog: str
) -> None:
    """Nor in what opens over the page."""
    if not AXE.exists():
        pytest.skip("needs axe-core (npm install --no-save axe-core@4)")
    window = browser.new_context()
    page = window.new_page()
    page.goto(table.url)
    page.get_by_role("button", name=dialog).click()
    page.get_by_role("dialog").wait_for()
    assert [] == found_in(page)
    window.close()


def found_in(page: Page) -> list[str]:
    """Return the serious findings of axe: the rule, and the elements."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(FIND)
    return found
