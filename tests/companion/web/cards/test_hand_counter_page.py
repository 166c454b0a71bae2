"""The counter in a real browser: cards are tapped, counted, and passed on to the pad."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import Served

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def counter(browser: Browser, table: Served) -> Iterator[Page]:
    """Open the counter of side 1 on a phone."""
    window = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]  # as Playwright has it
    page = window.new_page()
    page.goto(f"{table.url}counter?side=1")
    yield page
    window.close()


def tap(page: Page, *cards: str) -> None:
    """Tap cards of the deck."""
    for card in cards:
        page.locator(f'#deck button[data-card="{card}"]').click()


def test_five_cards_are_counted_and_explained(counter: Page) -> None:
    """Points show at once with each part, its cards and the sum; a crib differs."""
    expect(counter.locator("#points")).to_have_text("Tap 5 more cards")
    tap(counter, "4H", "5H", "6H", "JH", "5C")
    expect(counter.locator("#points")).to_have_text("20 points")
    lines = counter.locator("#parts li")
    expect(lines.first).to_contain_text("Fifteen")
    expect(lines.last).to_contain_text("makes 20")
    counter.get_by_label("Crib").check()
    expect(counter.locator("#points")).to_have_text("16 points")


def test_a_card_can_be_put_back(counter: Page) -> None:
    """A tap frees its place, which has a name for screen readers; Clear frees all."""
    tap(counter, "4H", "5H", "6H", "JH", "5C")
    expect(counter.locator("#deck button:enabled")).to_have_count(0)
    counter.get_by_role("button", name="jack of hearts: put it back").click()
    expect(counter.locator("#points")).to_have_text("Tap the starter")
    expect(counter.locator("#starter .face")).to_have_count(0)
    expect(counter.locator('#deck button[data-card="JH"]')).to_be_enabled()
    counter.get_by_role("button", name="Clear").click()
    expect(counter.locator("#points")).to_have_text("Tap 5 more cards")


def test_a_count_is_taken_along_to_the_pad(counter: Page, table: Served) -> None:
    """There it is tapped but not entered, so that the landing shows first."""
    tap(counter, "7H", "8H", "2C", "KH", "QD")
    counter.get_by_role("button", name="Peg it").click()
    expect(counter).to_have_url(f"{table.url}pad?side=1")
    table.until(lambda real_table: len(real_table.taps) == 2)
    assert [("1.plus_one", 0)] * 2 == table.do(lambda real_table: list(real_table.taps))


def test_nothing_is_pegged_for_nothing(counter: Page) -> None:
    """A hand without points has nothing to pass on."""
    tap(counter, "2H", "4S", "6D", "8C", "KH")
    expect(counter.locator("#points")).to_have_text("0 points")
    expect(counter.get_by_role("button", name="Peg it")).to_be_hidden()
