"""A hand of cards on its own page, in a real browser at the real program."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from playwright.sync_api import TimeoutError as PatienceError

from companion.rules.cards import Card
from tests.companion.web.cards.test_muggins_evening import truth
from tests.support.browser import live
from tests.support.program import HTTP, Program, running

SETTINGS = """
board = "classic"
[rules]
muggins = "{muggins}"
[demo]
speed = 30
"""
TABLET: ViewportSize = {"width": 1000, "height": 768}
"""Window in which the board's page has no room for a hand."""
MOVED = """(card) => {
    const held = document.querySelector(`#own [data-key="${card}"] button`);
    return !held || held.disabled || document.getElementById("refusal").textContent !== "";
}"""

NOT_PLAYED = {
    "en": "This hand is not being played any more. The board leads to all hands.",
    "fr": "Cette main n'est plus en jeu. Le plateau mène à toutes les mains.",
}
AWAITED = """() => document.getElementById("send") || document.getElementById("counting")"""


@pytest.fixture
def program(tmp_path: Path, muggins: str) -> Iterator[Program]:
    """Run a fast table of two sides."""
    settings = tmp_path / "settings.toml"
    settings.write_text(SETTINGS.format(muggins=muggins))
    with running(tmp_path, "--config", str(settings)) as program:
        yield program
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr


@pytest.mark.parametrize("muggins", ["off"])
def test_a_hand_is_played_by_clicking(browser: Browser, program: Program) -> None:
    """It is dealt by the form, opened by its link, played card by card, and narrated."""
    context = browser.new_context(viewport=TABLET)
    faults: list[str] = []
    context.on("weberror", lambda error: faults.append(str(error.error)))
    table = context.new_page()
    table.goto(program.url)
    live(table)
    table.get_by_role("button", name="Cards").click()
    table.locator("#dealing").get_by_label("White").select_option("child")
    table.locator("#dealing").get_by_role("button", name="Deal", exact=True).click()
    link = table.locator("#dealing").get_by_role("link", name="Your hand")
    page = context.new_page()
    page.goto(program.url + str(link.get_attribute("href")).removeprefix("/"))
    live(page)
    expect(page.locator("#who")).to_have_text("Amber, seat 1")
    expect(page.locator("#hand")).to_have_text(
        re.compile("^Hand 1, (Amber deals, your crib|White deals)$")
    )
    expect(page.locator("#fronts li")).to_have_text(
        [re.compile("^Amber 0"), re.compile("^White 0")]
    )
    sort(page)
    throw(page)
    expect(table.locator("#demo .starter li")).to_have_count(1)
    for _ in range(4):
        play(page)
    expect(page.locator("#lines")).to_contain_text("Amber")
    table.get_by_role("button", name="End the game of cards").click()
    expect(page.locator("#ask")).to_have_text(NOT_PLAYED["en"])
    expect(page.locator("#send")).to_be_hidden()
    context.close()
    assert [] == faults


@pytest.mark.parametrize("muggins", ["off"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_hand_that_is_not_played_leads_to_the_board(
    browser: Browser, program: Program, language: str
) -> None:
    """A wrong address says so in the device's language, and links the board."""
    context = browser.new_context(locale=language)
    page = context.new_page()
    for token in ("wrong", "a%2F..%2Fb", "x" * 22):
        page.goto(f"{program.url}hand?hand={token}")
        expect(page.locator("#ask")).to_have_text(NOT_PLAYED[language])
        expect(page.locator("header a")).to_have_attribute("href", "/")
    context.close()


@pytest.mark.parametrize("muggins", ["on"])
def test_a_person_counts_on_the_hands_page(browser: Browser, program: Program) -> None:
    """M1: +1, +5 and a button count; the table's page shows whose count is awaited."""
    context = browser.new_context(viewport=TABLET)
    table = context.new_page()
    table.goto(program.url)
    live(table)
    dealt = HTTP.post(f"{program.url}api/cards", json={"seats": ["person", "child"]})
    page = context.new_page()
    page.goto(f"{program.url}{dealt.json()['hands']['1'].removeprefix('/')}")
    live(page)
    throw(page)
    counting = page.locator("#counting")
    own = counting.get_by_role("button", name="Count 0")
    while not own.is_visible():
        play_or_go_on(page)
    expect(table.locator(".turn")).to_have_text("Amber is to count the card")
    expect(counting).to_contain_text("Go and last card are counted for you.")
    counting.get_by_role("button", name="+5").click()
    counting.get_by_role("button", name="Clear").click()
    counting.get_by_role("button", name="Count 2").click()
    expect(page.locator("#lines")).to_contain_text("Amber counts two")
    context.close()


@pytest.mark.parametrize("muggins", ["on"])
def test_a_call_is_kept_or_given_back(browser: Browser, program: Program) -> None:
    """M3: the caller sees both possible landings before it chooses."""
    dealt = HTTP.post(f"{program.url}api/cards", json={"seats": ["person", "person"]})
    tokens = {int(seat): path.partition("=")[2] for seat, path in dealt.json()["hands"].items()}
    while not misses_a_point(program, tokens):
        pass
    page = browser.new_page()
    page.goto(f"{program.url}hand?hand={tokens[2]}")
    live(page)
    counting = page.locator("#counting")
    counting.get_by_role("button", name="+1").click()
    fronts = {side: pegs["front"] for side, pegs in program.table()["teams"].items()}
    expect(counting.locator(".call p")).to_have_text(
        [
            f"White: 1 lands on {fronts['2'] + 1}",
            f"Amber: 1 lands on {fronts['1'] + 1}",
            "Points counted too many are only taken back.",
        ]
    )
    counting.get_by_role("button", name="Muggins: give 1 back").click()
    expect(page.locator("#lines")).to_contain_text("Amber miscounted by one, and is given one back")
    # The play goes on at once, and may peg a go or a last card for Amber.
    assert fronts["1"] + 1 <= program.table()["teams"]["1"]["front"]
    page.close()


def test_a_person_moves_in_the_box(browser: Browser, tmp_path: Path) -> None:
    """Z7: a due move shows on the hand's page, with a button that does the same as Enter."""
    with running(tmp_path, "--teams", "3") as program:
        pegs = {"team": 1, "front": 20, "back": 20}
        HTTP.post(f"{program.url}api/command", json={"set_pegs": pegs})
        for button in ("1.plus_one", "1.plus_one", "1.enter", "deal"):
            program.press(button)
        dealt = HTTP.post(f"{program.url}api/cards", json={"seats": ["person", "child", "child"]})
        page = browser.new_page()
        page.goto(f"{program.url}{dealt.json()['hands']['1'].removeprefix('/')}")
        live(page)
        expect(page.locator("#box-move")).to_contain_text("or you sit one hand more")
        page.get_by_role("button", name="Move in the box").click()
        expect(page.locator("#box-move")).to_be_hidden()
        assert 2 == program.table()["teams"]["1"]["boxed"]
        page.close()


def misses_a_point(program: Program, tokens: dict[int, str]) -> bool:
    """Let each seat act; return True once the first has counted a point too few."""
    for seat, token in tokens.items():
        path = f"{program.url}api/cards/{token}"
        hand = HTTP.get(path).json()
        count, ask, shown = hand["to_count"], hand["ask"], hand["shown"]
        if count and count["seat"] == seat:
            points = truth(shown, count)
            missed = points > 0 and seat == 1
            HTTP.post(f"{path}/points", json={"points": points - missed})
            if missed:
                return True
        elif hand["open_count"] and seat in hand["open_count"]["undecided"]:
            HTTP.post(f"{path}/points", json={"points": 0})
        elif ask:
            HTTP.post(path, json={"cards": ask["choice"][: ask["cards"]]})
    return False


def play_or_go_on(page: Page) -> None:
    """Play the first possible card, or let a count pass."""
    page.wait_for_function(AWAITED)
    go_on = page.get_by_role("button", name="Go on", disabled=False)
    if go_on.is_visible():
        with suppress(PatienceError):  # the others went on meanwhile
            go_on.click(timeout=1000)
    elif page.locator("#send").is_visible():
        play(page)


def sort(page: Page) -> None:
    """Sort up from the ace, down, or as dealt; the page remembers the order."""
    expect(page.locator("#own button")).to_have_count(6)
    orders = {}
    for order in ("dealt", "down", "up"):
        page.get_by_label("Sorted").select_option(order)
        orders[order] = page.locator("#own li").evaluate_all("all => all.map(e => e.dataset.key)")
    assert orders["up"] == orders["down"][::-1] == sorted(orders["dealt"], key=Card.parse)
    page.get_by_label("Sorted").select_option("down")
    page.reload()
    expect(page.locator("#own li").first).to_have_attribute("data-key", orders["up"][-1])
    page.get_by_label("Sorted").select_option("up")


def throw(page: Page) -> None:
    """Discard two cards, the second one by the keyboard."""
    expect(page.locator("#ask")).to_have_text("Choose 2 cards for the crib")
    own = page.locator("#own button")
    expect(own).to_have_count(6)
    own.nth(0).click()
    expect(page.locator("#send")).to_be_disabled()
    own.nth(5).focus()
    page.keyboard.press("Space")
    expect(own.nth(5)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Throw into the crib").click()
    expect(own).to_have_count(4)


def unplayed(page: Page) -> list[str]:
    """Return the unplayed cards of the hand, in order."""
    every = page.locator("#own li:not(.played)").all()
    return [card.get_attribute("data-key") or "" for card in every]


def play(page: Page) -> None:
    """Play the first card that fits by two taps, or by one if no other fits (P1)."""
    expect(page.locator("#ask")).to_have_text(re.compile("^(Play a card|Tap the card to play it)$"))
    count = int(page.locator(".count").inner_text())
    fits = [card.value + count <= 31 for card in map(Card.parse, unplayed(page))]
    assert fits == [
        button.is_enabled() for button in page.locator("#own li:not(.played) button").all()
    ]
    card = page.locator("#own li:has(button:enabled)").first.get_attribute("data-key")
    chosen = page.locator(f"#own [data-key='{card}'] button")
    if fits.count(True) > 1:
        chosen.click()
        expect(page.locator("#ask")).to_have_text("Tap the card again to play it")
    chosen.click()
    page.wait_for_function(MOVED, arg=card)
    expect(page.locator("#refusal")).to_be_empty()
