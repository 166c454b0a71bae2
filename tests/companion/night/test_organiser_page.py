"""The organiser's page in a browser, from an empty list to corrected cards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from companion.night.messages import NightPlan
from tests.support.browser import browser, faultless
from tests.support.night_tables import NIGHT, NightServer, game, night_server, plan_of, state

__all__ = ["browser"]

WIDEST = """() => [...document.querySelectorAll("main *")]
    .filter((part) => part.getBoundingClientRect().right > innerWidth).map((part) => part.outerHTML)
    .slice(-1)"""


@contextmanager
def opened(browser: Browser, night: NightServer, **how: object) -> Iterator[Page]:
    """Open the organiser's page, which must end without an error."""
    with faultless(browser, requests_fail=True, **how) as page:
        page.goto(night.url)
        expect(page.locator("#attention li").first).to_be_visible()
        yield page


def test_a_night_is_run_from_its_list_of_things_to_do(browser: Browser) -> None:
    """Names are pasted, a round is seated, a result is entered, a card is corrected."""
    plan = NightPlan(night=NIGHT, finish=121, scoring="acc")
    with night_server(plan) as night, opened(browser, night) as page:
        to_do = page.locator("#attention li")
        expect(to_do).to_contain_text("A round needs two sides")
        page.get_by_label("Sides to add, a line each").fill("Ann\nBob & Cleo\n")
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.locator(".entrants li")).to_have_count(2)
        to_do.get_by_role("button", name="Seat round 1").click()
        expect(page.locator("#games h2")).to_have_text("Round 1")
        expect(to_do).to_contain_text("No lights at table 1")
        to_do.get_by_role("link", name="Enter the result").click()
        page.locator(".games summary").click()
        page.get_by_label("Spread, as the winner says").fill("17")
        page.get_by_label("as the loser says, if different").fill("16")
        page.get_by_role("button", name="Enter", exact=True).click()
        result = page.locator(".games summary em")
        expect(result).to_have_text("Ann wins: plus 16, minus 17 · entered by hand")
        expect(to_do).to_contain_text("Round 1 is over: seat round 2.")
        page.get_by_label("Card of").select_option("Bob & Cleo")
        page.locator("#cards summary").click()
        page.locator("#cards").get_by_label("Minus").fill("18")
        page.get_by_label("Reason").fill("judges")
        page.get_by_role("button", name="Correct this card").click()
        expect(page.locator("#cards summary")).to_have_text("judges")
        places = night.do(lambda organiser: organiser.plan.corrections)
        assert [(2, 18, "judges")] == [(e.entrant, e.minus, e.reason) for e in places]


def test_a_refusal_stands_where_it_was_asked_for(browser: Browser) -> None:
    """A repeated name is refused beside the list in the page's language; the list is kept."""
    plan = plan_of("Ann", "Bob")
    with night_server(plan) as night, opened(browser, night, locale="fr") as page:
        page.get_by_label("Camps à ajouter, une ligne chacun").fill("ann")
        page.get_by_role("button", name="Ajouter", exact=True).click()
        refusal = page.locator("#entrants > .refusal")
        expect(refusal).to_contain_text("est deux fois sur la liste")
        assert 2 == len(night.organiser.plan.entrants)


def test_the_page_follows_the_tables(browser: Browser) -> None:
    """A win confirmed by one side is a thing to do until the other side presses Enter."""
    with night_server(plan_of("Ann", "Bob", rounds=1)) as night:
        (pair,) = night.organiser.plan.rounds[0].pairs
        with opened(browser, night) as page:
            won = game(pair, winner="1", loser_at=100, confirmed=("1",))
            night.hear(1, state(won))
            expect(page.locator("#attention li").first).to_contain_text("Bob must still confirm")
            both = msgspec.structs.replace(won, confirmed=("1", "2"))
            night.hear(1, state(both, seq=2))
            expect(page.locator("#attention")).to_contain_text("Round 1 is over")


@pytest.mark.parametrize("height", [844, 1080])
def test_nothing_is_wider_than_the_window(browser: Browser, height: int) -> None:
    """With names of 30 letters no phone and no laptop scrolls sideways."""
    names = [f"{at} Maximiliane Oberhammer-Hubers"[:30] for at in range(8)]
    size = {"width": 390 if height == 844 else 1366, "height": height}
    plan = plan_of(*names, rounds=1)
    with night_server(plan) as night, opened(browser, night, viewport=size) as page:
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert 0 >= wide, page.evaluate(WIDEST)
