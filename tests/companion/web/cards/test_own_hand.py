"""The link on the board's page to the hand that this device may open."""

from playwright.sync_api import Browser, expect

from tests.support.browser import opened, served
from tests.support.real_table import RealTable


def deal(real_table: RealTable) -> str:
    """End the game of cards and deal another to a person and the computer. Return the path."""
    cards = real_table.services.cards
    cards.end()
    return f"/hand?hand={cards.begin(['person', 'child'])[1]}"


def test_cards_that_are_dealt_anew_have_another_link(browser: Browser) -> None:
    """This holds even if one news has both the end and the new deal."""
    with served(RealTable()) as table:
        page = opened(browser, table)
        for _ in range(2):
            path = table.do(deal)
            expect(page.locator("#own-hand")).to_have_attribute("href", path)
        page.context.close()
