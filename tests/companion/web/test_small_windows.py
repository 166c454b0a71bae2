"""In small windows and with long names every button can be reached."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import Served, served
from tests.support.real_table import RealTable

SIZES = ((683, 384), (667, 375), (512, 384), (844, 390), (390, 844))
NAMES = ("Wolfgang Amadeus Mozarts", "Maximiliane Oberhammerin", "M" * 24)
SIGN_UP = {"state": "sign-up", "joined": [1, 3], "people": {"1": 1, "3": 2}, "joining": True}
ASKING = [
    {"number": number, "kind": "score", "name": "M" * 40, "button": f"{number}.enter"}
    for number in (1, 2)
]
OPENERS = (
    "#new-game",
    "#see-cards",
    "#see-phones",
    "#correct",
    "#see-view",
    "#see-referee",
    "#place",
)
OUT_OF_REACH = """() => {
    const slack = 12;  // a rim that is cut leaves most of a button
    const axes = [["left", "right", "X", innerWidth], ["top", "bottom", "Y", innerHeight]];
    const isOut = (button) => axes.some(([start, end, axis, size]) => {
        let { [start]: from, [end]: to } = button.getBoundingClientRect();
        for (let box = button.parentElement; box !== document.body; box = box.parentElement) {
            const style = getComputedStyle(box);
            const { [start]: first, [end]: last } = box.getBoundingClientRect();
            if (/auto|scroll/.test(style["overflow" + axis])) [from, to] = [first, last];
            else if (style["overflow" + axis] !== "visible"
                && (from < first - slack || to > last + slack)) return true;
            if (style.position === "fixed") return from < -slack || to > size + slack;
        }
        const page = document.documentElement;
        const [far, moved] = axis === "X" ? [size, 0] : [page.scrollHeight, scrollY];
        return from + moved < -slack || to + moved > far + slack;
    });
    const isSeen = (button) => button.checkVisibility({ visibilityProperty: true })
        && (button.closest("dialog") || !document.querySelector("dialog[open]"))
        && button.offsetWidth > 1 && button.offsetHeight > 1;
    const buttons = [...document.querySelectorAll("button, a, input, select, summary")];
    return buttons.filter((button) => isSeen(button) && isOut(button))
        .map((button) => button.innerText || button.ariaLabel || button.id);
}"""

COVERED = """banner => {
    const { left, top, width, height } = banner.getBoundingClientRect();
    const parts = [...Array(40).keys()].map((part) => (part + 0.5) / 40);
    return parts.some((x) => parts.some((y) => (
        document.elementFromPoint(left + x * width, top + y * height).closest("#zoom"))));
}"""


@pytest.fixture
def table() -> Iterator[Served]:
    """Serve a table of three sides with names of 24 letters."""
    real_table = RealTable(sides=3, board="crib-wars")
    for side, name in enumerate(NAMES, start=1):
        real_table.name(side, name, ("#ffb000", "#ffffff", "#ff5cff")[side - 1])
    with served(real_table) as table:
        yield table


@pytest.fixture(params=["en", "fr"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Open the page in a language."""
    with closing(browser.new_context(locale=request.param, has_touch=True)) as window:
        yield window.new_page()


def reachable(page: Page, where: str) -> None:
    """Check that every visible button can be scrolled into the window, at every size."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert (where, width, height, []) == (where, width, height, page.evaluate(OUT_OF_REACH))


@pytest.mark.parametrize("path", ["", "pad", "pad?side=1", "pad?side=3", "counter?side=1", "tv"])
def test_every_button_of_a_page(page: Page, table: Served, path: str) -> None:
    """No name pushes a button out of the window."""
    page.goto(table.url + path)
    expect(page.locator("#connection[data-state=live], #deck")).to_have_count(1)
    reachable(page, path)


def test_nothing_lies_over_a_request(page: Page, table: Served) -> None:
    """A request to be let in can be answered at every size."""
    table.do(lambda real_table: real_table.tell(consents=ASKING))
    page.goto(table.url)
    banner = page.locator("main > .join-request")
    expect(banner).to_be_visible()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert (width, height, False) == (width, height, banner.evaluate(COVERED))


def test_every_button_of_a_dialog(page: Page, table: Served) -> None:
    """A dialog can be scrolled to its end."""
    page.goto(table.url)
    expect(page.locator("#connection[data-state=live]")).to_have_count(1)
    for opener in OPENERS:
        page.locator(opener).dispatch_event("click")
        dialog = page.locator("dialog[open]")
        expect(dialog.locator("button, select, summary").nth(1)).to_be_visible()
        reachable(page, opener)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


def test_every_button_of_a_dealt_hand(page: Page, table: Served) -> None:
    """This holds for the sign-up, the board with cards dealt, and the page of a hand."""
    page.goto(table.url)
    table.do(lambda real_table: real_table.tell(mode={**SIGN_UP, "presets": [""]}))
    expect(page.locator(".sign-up")).to_be_visible()
    reachable(page, "sign-up")
    table.do(lambda real_table: real_table.tell(mode=None))
    hand = table.hand()
    expect(page.locator("main.dealt")).to_have_count(1)
    reachable(page, "dealt")
    page.goto(hand)
    expect(page.locator("#own button")).to_have_count(5)
    reachable(page, "hand")
