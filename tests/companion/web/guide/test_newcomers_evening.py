"""A newcomer's evening, from the first card to a won match, and to a hand of cards.

Two phones, a television, a laptop.

Requests of the phones are dropped, answered in vain, doubled and late.
"""

import random
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.commentary import load_phrases
from tests.companion.web.table.test_network import dropped, repeated, unanswered
from tests.support.browser import far_url
from tests.support.program import Program, running

SETTINGS = """
board = "classic"
language = "fr"
[rules]
game_to = "31"
match_to = "1"
muggins = "on"
[demo]
speed = 30
"""
COUNT = 3
"""Points of each count on a phone: no other count has as many."""
CARDS = 12
"""Cards that two sides throw and play in a hand."""
HAND_LIMIT_S = 180.0
LAPTOP = {"width": 1366, "height": 768}
PHONE = {"width": 390, "height": 844}
TELEVISION = {"width": 1920, "height": 1080}
LATE_MS = 300
RELIABLE = 0.75
"""Part of the requests about cards that meet no fate, so that the hand ends soon."""
WAYS_ON = "a[href], button:enabled"
CHOICE = "#choosing:not([aria-busy=true]) #send"
COUNTING = "#counting:not([aria-busy=true]) [type=submit]:enabled"
SENT = "main:not(:has([aria-busy=true]))"


class Guest:
    """Guest with French words, and pages at the table."""

    def __init__(self, browser: Browser) -> None:
        self._browser, self._phrases = browser, load_phrases("fr")
        self.faults: list[str] = []

    def word(self, english: str, **places: str) -> str:
        """Return a phrase of the pages, by its English key."""
        return self._phrases.catalogue.pgettext("page", english).format_map(places)

    def side(self, name: str) -> str:
        """Return the name of a side."""
        return self._phrases.catalogue.pgettext("sides", name)

    def open(self, url: str, size: dict[str, int]) -> Page:
        """Open a page on a device of its own."""
        page = self._browser.new_context(viewport=size, has_touch=True).new_page()  # type: ignore[arg-type]  # as it takes it
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.goto(url)
        self.live(page)
        return page

    def live(self, page: Page) -> None:
        """Wait until a page has its stream."""
        expect(page.locator("#connection")).to_have_text(self.word("Live"))

    def has_a_way_on(self, page: Page) -> None:
        """Check that some button on the page can be pressed."""
        assert page.locator(WAYS_ON).filter(visible=True).count()


@contextmanager
def evening(browser: Browser, folder: Path) -> Iterator[tuple[Guest, Program]]:
    """Serve a table that phones cannot reach yet, with a guest."""
    settings = folder / "settings.toml"
    settings.write_text(SETTINGS)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with running(folder, "--config", str(settings), "--port", f"{port}") as program:
        guest = Guest(browser)
        yield guest, program
        assert [] == guest.faults


def unreliable(page: Page, seed: int) -> None:
    """Drop a phone's taps, their responses, double and delay them."""
    rng = random.Random(seed)

    def meet(route: Route) -> None:
        fate = rng.choice(FATES)
        fate(route)

    def meet_some(route: Route) -> None:
        if rng.random() < RELIABLE:
            route.continue_()
        else:
            meet(route)

    page.route("**/api/taps", meet)
    page.route("**/api/cards/**", meet_some)


def late(route: Route) -> None:
    """Send the request after a while, in which others are sent."""
    route.request.frame.page.wait_for_timeout(LATE_MS)
    route.continue_()


FATES: tuple[Callable[[Route], None], ...] = (dropped, unanswered, repeated, late)


def count(phone: Page, guest: Guest, points: int) -> None:
    """Enter a count on a pad by one key and Enter."""
    phone.get_by_role(
        "button", name=guest.word("count {points}", points=f"{points}"), exact=True
    ).tap()
    phone.locator("[data-key=enter]").tap()


def join(guest: Guest, laptop: Page, phone: Page, side: str) -> None:
    """Let a phone in: hold its side's Enter on the laptop's panel."""
    phone.get_by_label(guest.word("What is this phone called?")).fill("Anna")
    phone.get_by_role("button", name=guest.word("Join")).click()
    expect(laptop.locator("main > .join-request")).to_be_visible()
    own = laptop.locator(f"#panel [data-side='{side}']")
    own.get_by_role("button", name=guest.word("Enter")).hover()
    laptop.mouse.down()
    expect(phone.locator("[data-key=enter]")).to_be_visible()
    laptop.mouse.up()
    guest.has_a_way_on(phone)


def deal_cards(guest: Guest, laptop: Page) -> list[str]:
    """Deal to both sides from the laptop. Return the addresses of the hands."""
    laptop.get_by_role("button", name=guest.word("Cards")).click()
    dealing = laptop.locator("#dealing")
    dealing.get_by_role("button", name=guest.word("Deal"), exact=True).click()
    links = dealing.locator(".links a")
    expect(links).to_have_count(2)
    hrefs = [link.get_attribute("href") or "" for link in links.all()]
    dealing.locator(".close").click()
    return hrefs


def play_hand(guest: Guest, program: Program, phones: list[Page]) -> tuple[int, int]:
    """Play a hand on the phones. Return the numbers of cards and of counts."""
    played = counted = 0
    end = time.monotonic() + HAND_LIMIT_S
    while program.table()["hand"] == 1:
        assert time.monotonic() < end, [phone.locator("main").inner_text() for phone in phones]
        for phone in phones:
            waits = phone.locator("#waiting").is_visible()  # for the other's count, out of courtesy
            if played < CARDS and not waits and phone.locator(CHOICE).is_visible():
                played += choose(phone)
            elif phone.locator(COUNTING).is_visible():
                counted += count_cards(guest, phone)
            phone.wait_for_timeout(50)
    return played, counted


def choose(phone: Page) -> int:
    """Choose the requested number of cards, and send them with one tap. Return their number."""
    cards = phone.locator("#own button:enabled:not([aria-pressed=true])")
    send = phone.locator("#send")
    while send.is_disabled():
        cards.first.tap()
    number = phone.locator("#own button:enabled[aria-pressed=true]").count()
    send.tap()
    expect(phone.locator(SENT)).to_be_attached()
    return number


def count_cards(guest: Guest, phone: Page) -> int:
    """Count, or let another count pass, with one tap. Return 1 for a count, else 0."""
    form = phone.locator("#counting")
    own = form.get_by_role("button", name=guest.word("Count {n}", n="0"), exact=True).is_visible()
    for _ in range(COUNT if own else 0):
        form.get_by_role("button", name="+1").tap()
    words = guest.word("Count {n}", n=f"{COUNT}") if own else guest.word("Go on")
    send = form.get_by_role("button", name=words, exact=True)
    send.tap()
    expect(phone.locator(SENT)).to_be_attached()
    return int(own)


def counts_on_record(program: Program) -> int:
    """Return the number of counts of `COUNT` points that the table reports."""
    seq, number = program.table()["seq"], 0
    for entry in program.events("entry"):
        number += any(event.get("points") == COUNT for event in entry["events"])
        if entry["seq"] >= seq:
            break
    return number


@pytest.mark.timeout(400)
def test_a_newcomers_evening(browser: Browser, tmp_path: Path) -> None:
    """Every tap counts once, each screen has a way on, and all words are French."""
    with evening(browser, tmp_path) as (guest, program):
        laptop = guest.open(program.url, LAPTOP)
        laptop.evaluate("localStorage.visited = ''")
        laptop.reload()
        welcome = laptop.get_by_role("region", name=guest.word("Welcome to Crib Wars"))
        expect(welcome.locator(".choices > *")).to_have_count(6)
        welcome.get_by_role("button", name=guest.word("Not now")).click()
        laptop.get_by_role("button", name=guest.word("Phones")).click()
        laptop.get_by_role("button", name=guest.word("Let phones in")).click()
        codes = laptop.locator("#phones .codes a")
        expect(codes).to_have_count(3)
        guest.live(laptop)
        laptop.locator("#phones .close").click()
        far = far_url(int(program.url.rstrip("/").rpartition(":")[2]))
        television = guest.open(f"{far}tv", TELEVISION)
        phones = {side: guest.open(f"{far}pad?side={side}", PHONE) for side in ("1", "2")}
        for side, phone in phones.items():
            join(guest, laptop, phone, side)
        for seed, phone in enumerate(phones.values()):
            unreliable(phone, seed)
        count(phones["2"], guest, 8)
        expect(laptop.locator("[data-side='2'] .front")).to_have_text("8")
        for points, front in ((12, "12"), (16, "28")):
            count(phones["1"], guest, points)
            expect(laptop.locator("[data-side='1'] .front")).to_have_text(front)
        count(phones["1"], guest, 4)
        expect(laptop.locator("[data-side='1'] .front")).to_have_text("31")
        amber = guest.side("Amber")
        title = guest.word("{name} wins the match", name=amber)
        expect(television.get_by_role("heading", level=2)).to_have_text(title)
        won = laptop.locator(".guide-card")
        expect(won.get_by_role("heading")).to_have_text(title)
        expect(won.locator("dt").first).to_have_text(guest.word("Length"))
        won.get_by_role("button", name=guest.word("New match")).click()
        expect(won).to_have_count(0)
        expect(phones["1"].locator("#front .hole")).to_have_text("0")
        for page in (laptop, *phones.values()):
            guest.has_a_way_on(page)
        for phone, href in zip(phones.values(), deal_cards(guest, laptop), strict=True):
            phone.goto(href)
            guest.live(phone)
        played, counted = play_hand(guest, program, [*phones.values()])
        assert CARDS == played
        assert counted == counts_on_record(program)
        for phone in phones.values():
            expect(phone.locator("#refusal")).to_be_empty()
            guest.has_a_way_on(phone)
        for page in (laptop, television, *phones.values()):
            page.unroute_all(behavior="wait")
            page.context.close()
