"""The hall screen in a browser can be read from the last row, and reconnects by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from companion.night.messages import NightPlan
from companion.night.night_commands import SetMessage
from companion.night.organiser import Organiser
from tests.companion.web.test_accessible import AXE, FIND
from tests.support.browser import browser, faultless
from tests.support.night_tables import NightServer, game, night_server, plan_of, play, state

__all__ = ["browser"]

LONGEST = 30
SIZES = ((1920, 1080), (1366, 768))
CUT = """() => [...document.querySelectorAll(".hall td, .hall .name, .hall h2, .hall th")]
    .filter((part) => part.scrollWidth > part.clientWidth + 1
        || part.scrollHeight > part.clientHeight + 2)
    .map((part) => part.textContent)"""
SMALL = """() => [...document.querySelectorAll(".hall tr, .hall .player")]
    .map((part) => part.getBoundingClientRect().height / innerHeight)
    .filter((share) => share < 0.04)"""
BELOW = """() => [...document.querySelectorAll(".hall tr, .hall .player")]
    .filter((part) => part.getBoundingClientRect().bottom > innerHeight).length"""


def night_of(tables: int) -> NightPlan:
    """Return the plan of a night with names of 30 letters, in its second round."""
    names = [f"Maximiliane Oberhammer-Huber {at}".ljust(LONGEST, "x") for at in range(2 * tables)]
    assert {LONGEST} >= {len(name[:LONGEST]) for name in names}
    plan = plan_of(*(f"{at} {name}"[:LONGEST] for at, name in enumerate(names)), rounds=2)
    return msgspec.structs.replace(plan, title="The Muggers Alley club", finish=363)


def fill(night: NightServer, tables: int) -> None:
    """Play the first round, and begin the second."""
    chance = Random(3)
    for pair in night.organiser.plan.rounds[0].pairs[:tables]:
        first = play(pair, chance, round_=1, finish=363)
        second = game(pair, round_=2, loser_at=40 + pair.table, number=2, finish=363)
        night.hear(pair.table, state(first, second, journal=f"{pair.table:016x}"))


@contextmanager
def screen(browser: Browser, night: NightServer, **how: object) -> Iterator[Page]:
    """Open a hall screen, which must end without an error."""
    with faultless(browser, requests_fail=True, **how) as page:
        page.goto(f"{night.url}hall")
        expect(page.locator(".standings")).to_be_visible()
        yield page


def pages_of(page: Page, turns: int) -> Iterator[int]:
    """Yield the number of each turn while the page shows it."""
    for turn in range(turns):
        page.evaluate(
            "async (turn) => { const { store } = await import('/static/night/hall.js');"
            " store.show(turn, store.view);"
            " for (const _ of [1, 2]) await new Promise(requestAnimationFrame); }",
            turn,
        )
        yield turn


@pytest.mark.parametrize("tables", [4, 10, 50])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_everything_is_read_from_the_last_row(browser: Browser, tables: int, language: str) -> None:
    """Rows have 4 % of the height or more, names of 30 letters fit, nothing is cut off below."""
    with night_server(night_of(tables)) as night:
        fill(night, tables)
        for width, height in SIZES:
            size = {"width": width, "height": height}
            with screen(browser, night, viewport=size, locale=language) as page:
                for _ in pages_of(page, -(-tables // 4) + 2):
                    assert ([], [], 0) == tuple(map(page.evaluate, (CUT, SMALL, BELOW)))


def test_a_table_that_is_off_is_grey(browser: Browser) -> None:
    """The board of an absent table is grey until it is back, that of its neighbour alight."""
    with night_server(night_of(2)) as night:
        fill(night, 2)
        with screen(browser, night) as page:
            tables = page.locator(".table")
            for online in (False, True):
                night.hear(1, state(journal=f"{1:016x}"), online=online)
                for table, on in enumerate((online, True)):
                    expect(tables.nth(table)).to_have_attribute("data-on", str(on).lower())


def test_the_boards_glow_as_on_the_tables(browser: Browser) -> None:
    """Each peg's hole is lit in its side's colour, and the light moves with the next count."""
    with night_server(night_of(1)) as night:
        fill(night, 1)
        (pair,) = night.organiser.plan.rounds[0].pairs
        with screen(browser, night) as page:
            pegs = page.locator(".small-board .front")
            expect(pegs).to_have_count(2)
            expect(pegs.first).to_have_attribute("fill", "#ffb000")
            before = pegs.first.bounding_box()
            moved = game(pair, round_=2, loser_at=200, number=2, finish=363)
            night.hear(1, state(moved, journal=f"{1:016x}", seq=2))
            expect(page.locator(".player .hole").first).to_have_text("200")
            assert before != pegs.first.bounding_box()


def test_all_screens_show_the_same_and_come_back(browser: Browser) -> None:
    """Two screens agree, and both show the newest state after the program's restart."""
    plan = night_of(2)
    with ExitStack() as screens:
        with night_server(plan) as night:
            pages = [screens.enter_context(screen(browser, night)) for _ in range(2)]
            for page in pages:
                expect(page.locator(".message")).to_have_count(0)
            night.do(lambda organiser: say(organiser, "Tea at nine"))
            for page in pages:
                expect(page.locator(".message")).to_have_text("Tea at nine")
        for page in pages:
            expect(page.locator(".trouble")).to_contain_text("Not current since")
        later = SetMessage(text="Last round").carry_out(plan, {})
        with night_server(later, port=night.port):
            for page in pages:
                expect(page.locator(".message")).to_have_text("Last round")
                expect(page.locator(".trouble")).to_have_count(0)


def say(organiser: Organiser, text: str) -> None:
    """Put a message on the hall screen."""
    plan = SetMessage(text=text).carry_out(organiser.plan, {})
    organiser.receive("cribwars/friday/organiser/night", msgspec.json.encode(plan))


@pytest.mark.parametrize("path", ["", "hall", "print"])
def test_axe_finds_nothing_serious(browser: Browser, path: str) -> None:
    """Names, roles, contrast and landmarks satisfy the rules of WCAG."""
    if not AXE.exists():
        pytest.skip("needs axe-core (npm install --no-save axe-core@4)")
    with night_server(night_of(3)) as night:
        fill(night, 2)
        page = browser.new_page(color_scheme="dark")
        page.goto(night.url + path)
        expect(page.locator("table, #attention li").first).to_be_visible()
        page.evaluate(AXE.read_text(encoding="utf-8"))
        assert [] == page.evaluate(FIND)
        page.close()
