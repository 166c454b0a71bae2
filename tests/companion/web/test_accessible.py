"""The pages for keyboards and screen readers: axe finds nothing serious at any size (S9)."""

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from tests.companion.web.table.test_demo_page import demo, hand
from tests.support.browser import Served, live, served
from tests.support.program import ROOT
from tests.support.real_table import RealTable, entry, stand

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
LOOKS = {
    "phone": ((390, 844), "dark"),
    "laptop": ((1366, 768), "light"),
    "tv": ((1920, 1080), "dark"),
}
PAGES = ("", "tv", "pad?side=1", "pad", "counter?side=1", "hand", "records", "rules", "setup")
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
    """Names, roles, contrast and landmarks satisfy the rules of WCAG."""
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


STATES: dict[str, dict[str, Any]] = {
    "counts pending": {"table": {"sides": {"1": stand(42, pending=6), "2": stand("trap-130:2")}}},
    "boxed and folded": {
        "table": {"sides": {"1": stand(24, boxed=2), "2": stand(30, folded=True)}},
        "boxes": {"1": {"hands": 2, "may_move": True}},
    },
    "refused": {
        "feedback": "White has folded (Z5)",
        "hint": {"kind": "folded", "team": 2, "number": 1},
    },
    "in trouble": {"saved": False, "notices": ["the card is full"]},
    "won": {"table": {"winner": 2}, "match": {"games": {"1": 0, "2": 1}, "to": 3, "winner": None}},
    "sign-up": {
        "mode": {
            "state": "sign-up",
            "joined": [2],
            "people": {"2": 2},
            "joining": True,
            "preset": "",
            "words": "",
            "presets": ["", "club"],
        }
    },
    "demo": {"demo": demo(hands=[hand(1, "4C 6C 7D AH"), hand(2, "5S JH KD 2C")])},
}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_serious_in_a_state(
    browser: Browser, state: str, theme: Literal["light", "dark"]
) -> None:
    """Page and television pass in every state that they show."""
    if not AXE.exists():
        pytest.skip("needs axe-core (npm install --no-save axe-core@4)")
    real_table = RealTable()
    real_table.accept(
        entry(1, "Amber counts six, and slides to 62."), entry(2, "White counts two.")
    )
    real_table.tell(**STATES[state])
    with served(real_table) as shown:
        window = browser.new_context(
            viewport={"width": 1366, "height": 768}, color_scheme=theme, reduced_motion="reduce"
        )
        page = window.new_page()
        for path in ("", "tv"):
            page.goto(shown.url + path)
            live(page)
            assert [] == found_in(page)
        window.close()


@pytest.mark.parametrize("dialog", ["Menu", "Cards", "View", "Phones", "New game"])
def test_axe_finds_nothing_serious_in_a_dialog(
    browser: Browser, table: Served, dialog: str
) -> None:
    """The dialogs that open over the page pass, too."""
    if not AXE.exists():
        pytest.skip("needs axe-core (npm install --no-save axe-core@4)")
    window = browser.new_context()
    page = window.new_page()
    page.goto(table.url)
    live(page)
    page.get_by_role("button", name=dialog).click()
    page.locator("dialog[open], #menu:popover-open").wait_for()
    assert [] == found_in(page)
    window.close()


def found_in(page: Page) -> list[str]:
    """Return the serious findings of axe: the rule, and the elements."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(FIND)
    return found


def test_a_chosen_part_has_the_systems_colours(browser: Browser, table: Served) -> None:
    """In forced colours the system's highlight marks the chosen part."""
    window = browser.new_context(forced_colors="active")
    page = window.new_page()
    page.goto(f"{table.url}setup")
    page.evaluate("document.querySelector('nav a').setAttribute('aria-current', 'page')")
    assert page.evaluate("""() => {
        const probe = document.body.appendChild(document.createElement("p"));
        Object.assign(probe.style, { background: "Highlight", forcedColorAdjust: "none" });
        const colour = (one) => getComputedStyle(one).backgroundColor;
        return colour(probe) === colour(document.querySelector("nav a"));
    }""")
    window.close()
