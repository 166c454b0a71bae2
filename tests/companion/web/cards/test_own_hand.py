"""The hand of the only person on the board's page, and the link to it without room for it."""

from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.companion.web.table.test_page_layout import overlap
from tests.companion.web.test_accessible import AXE, found_in
from tests.support.browser import Served, opened, served, served_anew
from tests.support.real_table import RealTable

SIZES = [(1280, 720), (1366, 768), (1024, 768), (1920, 1080)]
PHONES = [(390, 844), (844, 390)]
PHONE: ViewportSize = {"width": 390, "height": 844}
LAPTOP: ViewportSize = {"width": 1366, "height": 768}
PARTS = (".sheet", ".masthead", "#demo", ".own-cards", "#panel", ".tools")
ACTION = "#send, #counting:not([aria-busy=true]) [type=submit]:enabled"
MEASURE = """(parts) => parts.map((part) => {
    const { left, top, right, bottom } = document.querySelector(part).getBoundingClientRect();
    return [left, top, right, bottom];
})"""
CUT = """() => [...document.querySelectorAll(".own-cards :not(.cards *)")]
    .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth)
    .map((part) => part.outerHTML)"""


def game(folder: Path | None, language: str = "en") -> RealTable:
    """Return a fast table where people count their cards themselves."""
    return RealTable(
        folder=folder,
        board="crib-wars",
        language=language,
        rules={"muggins": "on"},
        demo={"speed": 100},
    )


def deal(real_table: RealTable, *seats: str) -> str:
    """End the game of cards and deal another. Return the path of the first hand."""
    cards = real_table.services.cards
    cards.end()
    return f"/hand?hand={cards.begin(seats or ('person', 'child'))[1]}"


def hand(table: Served) -> int:
    """Return the number of the hand."""
    number: int = table.do(lambda real_table: real_table.snapshot()["hand"])
    return number


def boxes(page: Page, size: tuple[int, int], parts: tuple[str, ...]) -> list[list[float]]:
    """Check that parts lie within a window of this size, none over another. Return their boxes."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found: list[list[float]] = page.evaluate(MEASURE, list(parts))
    for part, (left, top, right, bottom) in zip(parts, found, strict=True):
        assert left >= 0 <= top, part
        assert right <= size[0], part
        assert bottom <= size[1], part
    return found


def is_in_one_picture(page: Page) -> None:
    """Check board, cards, panel and bar at each size of a laptop."""
    for size in SIZES:
        found = boxes(page, size, PARTS)
        assert not [pair for pair in combinations(found, 2) if overlap(*pair)]
        assert [] == page.evaluate(CUT)
        scroll = page.evaluate("[document.documentElement.scrollHeight, innerHeight]")
        assert scroll[0] == scroll[1]
    page.set_viewport_size(LAPTOP)


def act(page: Page) -> None:
    """Throw, play or count as asked."""
    send = page.locator(ACTION).first
    if send.get_attribute("id") == "send":
        while send.is_disabled():
            page.locator("#own button:enabled:not([aria-pressed=true])").first.click()
    send.click()
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)


def keys(page: Page) -> list[str]:
    """Return the six cards of a new hand."""
    expect(page.locator("#own button:enabled")).to_have_count(6)
    held: list[str] = page.locator("#own li").evaluate_all("all => all.map((e) => e.dataset.key)")
    return held


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_hand_against_the_computer_stays_on_the_boards_page(
    browser: Browser, language: str
) -> None:
    """Board, own cards, panel and bar are in one window, in each phase of the hand."""
    with served(game(None, language)) as table:
        page = browser.new_context(viewport=LAPTOP, locale=language).new_page()
        page.goto(table.url)
        page.locator("#see-cards").click()
        page.locator(".level").first.click()
        keys(page)
        expect(page.locator("#dealing")).to_have_count(0)
        seen: set[str] = set()
        while hand(table) == 1:
            action = page.locator(ACTION).first
            action.wait_for()
            kind = action.get_attribute("id") or "count"
            if kind not in seen:
                is_in_one_picture(page)
            seen.add(kind)
            act(page)
        assert {"send", "count"} == seen
        page.context.close()


def test_a_hand_comes_back_until_it_is_left(browser: Browser, tmp_path: Path) -> None:
    """A reload and a restart show the same cards; the panel counts again after the last hand."""
    with served(game(tmp_path)) as table:
        page = opened(browser, table, viewport=LAPTOP)
        page.locator("#see-cards").click()
        page.locator(".level").first.click()
        held = keys(page)
        page.reload()
        assert held == keys(page)
    with served_anew(page, game(tmp_path), port=table.port):
        assert held == keys(page)
        page.get_by_role("button", name="Leave").click()
        page.get_by_role("button", name="End the game of cards").click()
        expect(page.locator("#panel .of-side")).to_have_count(2)
        expect(page.locator(".own-cards")).to_have_count(0)
        page.context.close()


def test_the_panel_has_the_buttons_that_are_needed_now(browser: Browser) -> None:
    """Undo and Deal are always there; Enter is there for a peg in a box."""
    with served(RealTable()) as table:
        page = opened(browser, table, viewport=LAPTOP)
        page.goto(table.url.rstrip("/") + table.do(deal))
        buttons = page.locator("#panel .arcade")
        expect(buttons).to_have_text(["Undo", "Deal"])
        hint = {"kind": "folded", "team": 1, "number": 1}
        table.do(lambda real_table: real_table.tell(hint=hint, feedback="Amber has folded (Z5)"))
        expect(page.locator("#feedback")).to_have_text("Amber has folded (Z5)")
        is_in_one_picture(page)
        if AXE.exists():
            assert [] == found_in(page)
        table.do(lambda real_table: real_table.tell(boxes={"1": {"hands": 1, "may_move": True}}))
        expect(buttons).to_have_text(["Enter", "Undo", "Deal"])
        page.get_by_role("button", name="Amber, Undo").click()
        assert table.felt(("1.undo", True), ("1.undo", False))
        page.context.close()


def test_only_a_device_that_opened_a_hand_shows_it(browser: Browser) -> None:
    """Another device, a smaller window and several people have a link or the list of hands."""
    with served(RealTable()) as table:
        path = table.do(deal)
        page, other = (opened(browser, table, viewport=LAPTOP) for _ in range(2))
        page.locator("#own-hand").click()
        page.get_by_role("link", name="Your hand").click()
        expect(page).to_have_url(table.url)
        keys(page)
        expect(other.locator("#own-hand")).to_have_text("The hands")
        expect(other.locator(".own-cards")).to_have_count(0)
        page.set_viewport_size({"width": 1000, "height": 768})
        expect(page.locator("#own-hand")).to_have_attribute("href", path)
        page.set_viewport_size({"width": 1366, "height": 768})
        keys(page)
        table.do(lambda real_table: deal(real_table, "person", "person"))
        expect(page.locator("#own-hand")).to_have_text("The hands")
        expect(page.locator(".own-cards")).to_have_count(0)
        for each in (page, other):
            each.context.close()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_phone_has_cards_and_action_whole(browser: Browser, language: str) -> None:
    """One line is above, the action is at the lower edge, in each phase of a hand."""
    with served(game(None, language)) as table:
        path = table.do(deal)
        page = browser.new_context(
            viewport={"width": 390, "height": 844}, locale=language
        ).new_page()
        page.goto(table.url.rstrip("/") + path)
        keys(page)
        while hand(table) == 1:
            page.locator(ACTION).first.wait_for()
            for size in PHONES:
                is_whole(page, size)
            act(page)
        page.context.close()


def is_whole(page: Page, size: tuple[int, int]) -> None:
    """Check header, cards and action in the window of a phone."""
    counts = page.locator("#counting").count()
    cards = "#counting" if page.locator("#counting .card").count() else "#own"
    parts = (".own header", cards, "#counting" if counts else ".act")
    header, _, action = boxes(page, size, parts)
    assert header[3] - header[1] == 44
    assert action[3] == size[1]
