"""The demo on the page: its scenes, the ways to end it, and a whole game of the real program."""

import json
import re
import threading
from collections.abc import Generator, Iterable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.cli.deal import deal_lines
from companion.rules.cards import Card
from tests.support.browser import Served, faultless, from_menu, live, opened, served, stop_clock
from tests.support.limits import TIMEOUT_S
from tests.support.program import Program, running
from tests.support.real_table import RealTable, stand

LINES = 4
LOOKS = """
window.looks = [];
const cardsIn = (place) => [...place.querySelectorAll(".card")].map((card) => ({
  card: card.dataset.key || null,
  played: card.classList.contains("played"),
}));
const text = (place, where) => place.querySelector(where).textContent;
const look = () => {
  const screen = document.getElementById("demo");
  const entries = (places, look) =>
    Object.fromEntries([...places].map((place) => [place.dataset.key, look(place)]));
  return {
    screen: document.querySelector("main").dataset.screen,
    lines: [...document.querySelectorAll("#caption li")].map((line) => line.textContent),
    starter: cardsIn(screen.querySelector(".starter")),
    pile: cardsIn(screen.querySelector(".pile")),
    count: text(screen, ".count"),
    crib: cardsIn(screen.querySelector(".crib")),
    dealer: [...screen.querySelectorAll(".seats")]
      .filter((side) => text(side, ".state").includes("dealer"))
      .map((side) => side.dataset.key),
    acting: [...screen.querySelectorAll(".hand.acts")].map((hand) => hand.dataset.key),
    cribCounts: screen.querySelector(".crib").classList.contains("acts"),
    fronts: entries(screen.querySelectorAll(".seats"), (side) =>
      side.querySelector(".front").lastChild.textContent),
    hands: entries(screen.querySelectorAll(".hand"), cardsIn),
  };
};
window.EventSource = class extends EventSource {
  addEventListener(name, listen) {
    super.addEventListener(name, (event) => {
      listen(event);
      if (name === "news") looks.push({ told: JSON.parse(event.data), shown: look() });
    });
  }
};
"""
"""Has the page note in `looks` each piece of news, and what it shows once it has taken it."""


def expected(demo: dict[str, Any] | None) -> dict[str, Any]:
    """Return the page's parts for a demo of two sides; all are empty without one."""
    cards: dict[str, Any] = (demo and demo["cards"]) or {}
    table: dict[str, Any] = (demo and demo["table"]) or {"teams": {}}
    acting = {cards.get("turn"), cards.get("showing")}
    hands = {str(hand["seat"]): in_order(hand["cards"]) for hand in cards.get("hands", [])}
    return {
        "screen": "demo" if demo else "game",
        "lines": demo["lines"][-LINES:] if demo else [],
        "starter": lying(filter(None, [cards.get("starter")])),
        "pile": lying(cards.get("pile", [])),
        "count": str(cards["count"]) if cards.get("phase") == "play" else "",
        "crib": in_order(lying(cards.get("crib", []))),
        "dealer": [str(cards["dealer"])] if cards else [],
        "acting": sorted(str(seat) for seat in acting if isinstance(seat, int)),
        "cribCounts": cards.get("showing") == "crib",
        "fronts": {side: str(pegs["front"]) for side, pegs in table["teams"].items()},
        "hands": hands,
    }


def lying(cards: Iterable[str | None]) -> list[dict[str, Any]]:
    """Return the cards of a hand that are not played."""
    return [{"card": card, "played": False} for card in cards]


def in_order(held: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return cards from the ace up, then those face down."""
    faces = [one for one in held if one["card"]]
    return sorted(faces, key=lambda one: Card.parse(one["card"])) + [
        one for one in held if not one["card"]
    ]


def reported_in_all(windows: list[list[str]]) -> list[str]:
    """Return all lines in order, joined from overlapping lists of the last ones."""
    reported = list(windows[0])
    for before, now in pairwise(windows):
        same = next(k for k in range(len(before), -1, -1) if before[len(before) - k :] == now[:k])
        reported += now[same:]
    return reported


def deals(looks: list[dict[str, Any]]) -> list[tuple[dict[str, Any], list[int]]]:
    """The finished deals as `cribwars deal` takes them, from what was shown alone.

    Each with the `fronts` that it led to, which are those of the next one.
    """
    found: list[dict[str, Any]] = []
    for before, look in pairwise([{"starter": ["of another deal"], "pile": []}, *looks]):
        if before["starter"] and not look["starter"]:
            fronts = [int(front) for _, front in sorted(look["fronts"].items())]
            dealer = int(look["dealer"][0])
            found.append({"players": 2, "dealer": dealer, "fronts": fronts, "plays": []})
        found[-1]["plays"] += _played(before["pile"], look["pile"])
        found[-1] |= _opened(look)
    return [(deal, after["fronts"]) for deal, after in pairwise(found)]


def _played(before: list[dict[str, Any]], pile: list[dict[str, Any]]) -> list[str]:
    """Return the cards that were added to a pile, or began a new one."""
    new = pile[len(before) :] if pile[: len(before)] == before else pile
    return [one["card"] for one in new]


def _opened(look: dict[str, Any]) -> dict[str, Any]:
    """Return hands, starter and crib if all of them are open."""
    crib = [one["card"] for one in look["crib"]]
    if not crib or None in crib:
        return {}
    hands = [[one["card"] for one in hand] for _, hand in sorted(look["hands"].items())]
    return {"crib": crib, "starter": look["starter"][0]["card"], "hands": hands}


SIGN_STANDS_MS = 2600
BOXES = "all => all.map((one) => one.getBoundingClientRect().toJSON())"


def demo(**more: object) -> dict[str, Any]:
    """Return a demo of two sides during the play of a hand."""
    cards = {
        "phase": "play",
        "dealer": 1,
        "turn": 1,
        "starter": "5H",
        "count": 24,
        "pile": ["TH", "4C", "TS"],
        "hands": [hand(2, "4C 6C 7D AH", played="4C"), hand(1, "TH TS 2D KC", played="TH TS")],
        "crib": [None] * 4,
        "showing": None,
    }
    table = {"seq": 7, "dealer": 1, "hand": 3, "winner": None}
    sides = {"1": stand(62), "2": stand("trap-130:3")}
    lines = ["White plays the four of clubs: fourteen.", "Amber plays the ten of spades."]
    return {
        "on": True,
        "stage": more.pop("stage", "play"),
        "table": table | {"teams": more.pop("teams", sides), "winner": more.pop("winner", None)},
        "lines": more.pop("lines", lines),
        "names": more.pop("names", {"1": "Ambre", "2": "Blanc"}),
        "newest": more.pop("newest", None),
        "cards": cards | more,
    }


def hand(seat: int, cards: str, *, side: int = 0, played: str = "") -> dict[str, object]:
    """Return a seat's cards; "--" is face down."""
    held = [
        {"card": None if card == "--" else card, "played": card in played.split()}
        for card in cards.split()
    ]
    return {"seat": seat, "team": side or seat, "folded": False, "cards": held}


GAME_TO = 41
SETTINGS = f"""
board = "classic"
[rules]
game_to = {GAME_TO}
[demo]
speed = 20
players = ["child"]
"""
"""Fast, but not so fast that the stream draws two cards together: it tells 30 times a second."""
BETWEEN_GAMES = re.compile("pegs took|begins soon")
MAIN = """() => {
    const main = document.querySelector("main").cloneNode(true);
    for (const late of main.querySelectorAll("#feedback, .chance")) late.remove();
    return main.outerHTML.replaceAll(' style=""', "");
}"""
"""All of the page but the line about the last press, which is the one that ended the demo, and the
win chances, which are computed beside the game and come when they are known."""
CHANCE = re.compile(r"^\d+%$")
SIZED = re.compile("font-size")
"""The lettering follows the size of the sheet, a frame after that has changed."""


class Eavesdropper(threading.Thread):
    """Another stream of the same table, kept until the demo's first game is over."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.heard: list[dict[str, Any]] = []
        self._news = cast("Generator[dict[str, Any]]", program.news())
        self.heard.append(next(self._news))

    def run(self) -> None:
        """Listen until the path of the game has been shown, or the test has failed."""
        with suppress(httpx.TransportError):
            while not is_over(self.heard[-1]):
                self.heard.append(next(self._news))
        self._news.close()


def is_over(news: dict[str, Any]) -> bool:
    """Return True if a demo's game is over and the board shows something else."""
    return bool(news["demo"]) and news["demo"]["stage"] != "play"


def check_each(looks: list[dict[str, Any]]) -> None:
    """Check that the page shows at every change what it was sent."""
    for look in looks:
        wanted = expected(look["told"]["demo"])
        assert wanted == look["shown"]


def check_words(looks: list[dict[str, Any]], heard: list[dict[str, Any]]) -> None:
    """Check that the page got every line of the game that others got, in the same order."""
    reported = (look["told"]["demo"] for look in looks)
    others = (news["demo"] for news in heard)
    lines, said = (
        reported_in_all([demo["lines"] for demo in of if demo]) for of in (reported, others)
    )
    assert said == lines
    assert len(lines) > 40
    assert [line for line in lines if "wins" in line] == lines[-1:]


def check_counts(shown: list[dict[str, Any]]) -> None:
    """Check that the cards on the page, counted again, make the holes that the pegs have gone."""
    finished = deals(shown)
    assert finished
    for deal, fronts in finished:
        (answer,) = map(json.loads, deal_lines([json.dumps(deal).encode()], finish=GAME_TO))
        made = answer["pegged"]
        for counted in (*answer["shows"], answer["crib"]):
            made[counted["seat"] - 1] += counted["points"]
        assert fronts == [front + n for front, n in zip(deal["fronts"], made, strict=True)]


def test_the_page_begins_and_ends_it(page: Page, table: Served) -> None:
    """It begins with two clicks; meanwhile panel and menu are hidden, and a sign is shown."""
    from_menu(page, "Demo")
    table.do(lambda real_table: real_table.tell(demo=demo()))
    expect(page.locator("#sign")).to_be_visible()
    expect(page.locator("#sign")).to_have_text("Demo press any button to end it")
    for place in ("#panel", "#to-menu", "#leader", "#events"):
        expect(page.locator(place)).to_be_hidden()
    page.get_by_role("button", name="End the demo").click()
    table.until(lambda real_table: real_table.demos == [True, False])
    table.do(lambda real_table: real_table.tell(demo=None))
    expect(page.locator("#panel")).to_be_visible()
    for place in ("#sign", "#demo", "#caption"):
        expect(page.locator(place)).to_be_hidden()


def test_a_dialog_makes_way(page: Page, table: Served) -> None:
    """A demo closes the referee's dialog."""
    from_menu(page, "Referee")
    table.do(lambda real_table: real_table.tell(demo=demo()))
    expect(page.locator("dialog#referee")).to_be_hidden()


def test_a_dialog_that_comes_late_stays_away(page: Page, table: Served) -> None:
    """A dialog whose module is still loading when the demo begins does not open."""
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    page.route("**/table/referee.js", hold)
    with page.expect_request("**/table/referee.js"):
        from_menu(page, "Referee")
    table.do(lambda real_table: real_table.tell(demo=demo()))
    expect(page.locator("main")).to_have_attribute("data-screen", "demo")
    late[0].continue_()
    page.evaluate("import('/static/table/referee.js').then(() => {})")
    expect(page.locator("dialog")).to_have_count(0)


def test_who_only_watches_cannot_end_it(browser: Browser) -> None:
    """A page that may not run the table has only the sign."""
    real_table = RealTable()
    real_table.tell(demo=demo())
    with served(real_table, everywhere=True) as table:
        page = browser.new_page()
        page.goto(table.far)
        live(page)
        expect(page.locator("#sign")).to_be_visible()
        expect(page.locator("#end-demo")).to_be_hidden()


def test_what_lies_face_down_is_not_in_the_page(page: Page, table: Served) -> None:
    """A card face down is a back without a name, and its name is nowhere in the page."""
    cards = [hand(2, "-- 4C -- --", played="4C"), hand(1, "TH 2D KC")]
    table.do(lambda real_table: real_table.tell(demo=demo(hands=cards)))
    white = page.locator(".seats[data-key='2'] .face")
    expect(white).to_have_count(4)
    labels = page.locator("#demo .face").evaluate_all("all => all.map((face) => face.ariaLabel)")
    assert 7 == labels.count("face down")
    named = ["5 of hearts", "10 of hearts", "4 of clubs", "10 of spades"]
    assert sorted([*named, "4 of clubs", "10 of hearts", "2 of diamonds", "king of clubs"]) == (
        sorted(label for label in labels if label != "face down")
    )
    expect(page.locator(".face.back")).to_have_text([""] * 7)


@pytest.mark.parametrize(
    ("scene", "states", "turn"),
    [
        ({}, ["dealer", "on the blue path"], "Amber's turn"),
        ({"turn": None, "showing": 2}, ["dealer", "on the blue path"], "White counts"),
        (
            {"teams": {"1": stand(7, folded=True), "2": stand(24, boxed=2)}, "hands": []},
            ["folded until the next deal", "boxed, 2 hands to sit"],
            "",
        ),
    ],
)
def test_the_sides_stand_as_in_the_demo(
    page: Page, table: Served, scene: dict[str, Any], states: list[str], turn: str
) -> None:
    """Each side has its name and its hole; a line over the cards says whose turn it is."""
    table.do(lambda real_table: real_table.tell(demo=demo(**scene)))
    expect(page.locator("#demo .seats .name")).to_have_text(["Ambre", "Blanc"])
    expect(page.locator(".seats .state")).to_have_text(states)
    expect(page.locator(".turn")).to_have_text(turn)
    expect(page.locator("#hand")).to_have_text("Hand 3, Amber deals")


def test_partners_are_reported_by_their_seats(page: Page, table: Served) -> None:
    """Both hands of a side are in its row, each with its seat and its action."""
    hands = [hand(seat, "4C 6C", side=2 - seat % 2) for seat in (2, 3, 4, 1)]
    names = {str(seat): "somebody" for seat in range(1, 5)}
    table.do(lambda real_table: real_table.tell(demo=demo(hands=hands, turn=3, names=names)))
    expect(page.locator("#demo .seats .name")).to_have_text(["Amber", "White"])
    expect(page.locator(".does")).to_have_text(["seat 1, dealer", "seat 3", "seat 2", "seat 4"])
    expect(page.locator(".turn")).to_have_text("Amber, seat 3's turn")


@pytest.mark.parametrize(
    ("scene", "said"),
    [
        ({"winner": 1, "stage": "path"}, "The way the pegs took"),
        ({"winner": 1, "stage": "show"}, "The next game begins soon"),
    ],
)
def test_the_banner_tells_where_the_demo_is(
    page: Page, table: Served, scene: dict[str, Any], said: str
) -> None:
    """The path of the last game and the light show have words over the board."""
    table.do(lambda real_table: real_table.tell(mode={"state": "show"}, demo=demo(**scene)))
    expect(page.locator("#over")).to_have_text(said)


def test_the_caption_is_spoken_line_by_line(browser: Browser) -> None:
    """It is in the commentary's language, and earlier lines keep their places."""
    real_table = RealTable()
    said = [f"Phrase {number}." for number in range(6)]
    real_table.tell(demo=demo(lines=said[:5]))
    with served(real_table) as table:
        page = opened(browser, table)
        caption = page.locator("#caption")
        expect(caption).to_have_attribute("lang", "en")
        expect(caption).to_have_attribute("aria-live", "polite")
        expect(caption.locator("li")).to_have_text(said[1:5])
        page.evaluate("window.last = document.querySelector('#caption li:last-child')")
        table.do(lambda real_table: real_table.tell(demo=demo(lines=said)))
        expect(caption.locator("li")).to_have_text(said[2:])
        assert page.evaluate("last === document.querySelector('#caption li:nth-last-child(2)')")


def test_text_of_a_demo_is_text(page: Page, table: Served) -> None:
    """Names and lines are shown as they are, and never become markup."""
    text = "<img src=x onerror=alert(1)>"
    table.do(
        lambda real_table: real_table.tell(demo=demo(lines=[text], names={"1": text, "2": text}))
    )
    expect(page.locator("#caption li")).to_have_text([text])
    expect(page.locator("#demo .seats .name")).to_have_text([text, text])
    expect(page.locator("main img")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (844, 390)])
def test_a_phone_shows_the_demo(browser: Browser, width: int, height: int) -> None:
    """Nothing is cut off at the side, and board, words and cards are in view."""
    real_table = RealTable(sides=3)
    six = [hand(seat, "4C 6C 7D AH KC", side=(seat - 1) % 3 + 1) for seat in (2, 3, 4, 5, 6, 1)]
    sides = {str(side): stand(100 * side) for side in (1, 2, 3)}
    real_table.tell(demo=demo(hands=six, teams=sides))
    with served(real_table) as table:
        page = opened(browser, table, viewport={"width": width, "height": height})
        assert width >= page.evaluate("document.documentElement.scrollWidth")
        for place in (".sheet", "#sign", "#caption", ".middle"):
            expect(page.locator(place)).to_be_in_viewport(ratio=1)
        for box in page.locator(".face").evaluate_all(BOXES):
            assert box["width"] > 20
            assert 0 <= box["left"] < box["right"] <= width


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1920, 1080)])
@pytest.mark.parametrize("sides", [2, 3])
def test_a_screen_shows_it_all_and_large(
    browser: Browser, width: int, height: int, sides: int
) -> None:
    """On a laptop or a television all is in view; a rank can be read from two metres."""
    real_table = RealTable(sides=sides)
    hands = [hand(side, "4C 6C 7D AH KC TD") for side in range(1, sides + 1)]
    all_pegs = {str(side): stand(100 * side) for side in range(1, sides + 1)}
    real_table.tell(demo=demo(hands=hands, teams=all_pegs))
    with served(real_table) as table:
        page = opened(browser, table, viewport={"width": width, "height": height})
        assert height >= page.evaluate("document.documentElement.scrollHeight")
        for box in page.locator(".face, #sign, #caption, #end-demo").evaluate_all(BOXES):
            assert min(box["left"], box["top"]) >= 0
            assert box["right"] <= width
            assert box["bottom"] <= height
        sizes = page.locator(".hand .rank").evaluate_all(
            "all => all.map((rank) => parseFloat(getComputedStyle(rank).fontSize))"
        )
        assert min(sizes) >= height / 24


def test_nothing_moves_for_who_wants_no_motion(browser: Browser) -> None:
    """New cards and lines fade in, but not with reduced motion."""
    real_table = RealTable()
    real_table.tell(demo=demo())
    moving = "getComputedStyle(document.querySelector('.card')).animationName"
    with served(real_table) as table:
        for motion, wanted in (("no-preference", "rise"), ("reduce", "none")):
            page = opened(browser, table, reduced_motion=motion)
            expect(page.locator("#sign")).to_be_visible()
            assert wanted == page.evaluate(moving)
            page.context.close()


def test_a_television_has_a_sign_for_each_event(browser: Browser) -> None:
    """Each event of the demo's game has one sign, as in any other game."""
    with served(RealTable()) as table:
        page = browser.new_page()
        page.goto(table.url + "tv")
        live(page)
        stop_clock(page)
        counted = {"kind": "counted", "team": 2, "from": 0, "to": 6, "points": 6, "rule": "P7"}
        slid = {"kind": "slid", "team": 1, "from": 42, "to": 62, "points": None, "rule": "Z2"}
        for newest in ({"seq": 1, "events": [counted]}, {"seq": 2, "events": [slid]}):
            table.do(lambda shown, newest=newest: shown.tell(demo=demo(newest=newest)))  # type: ignore[misc]  # newest is bound
            expect(page.locator("main")).to_have_attribute("data-screen", "demo")
        expect(page.locator(".plate")).to_have_text("Amber Red slide +20")
        page.clock.fast_forward(SIGN_STANDS_MS)
        expect(page.locator(".plate")).to_have_text("")


def test_one_whole_game_and_the_way_back(browser: Browser, tmp_path: Path) -> None:
    """Cards, counts and captions are those of the stream; a press brings the game back."""
    settings = tmp_path / "settings.toml"
    settings.write_text(SETTINGS)
    with running(tmp_path, "--config", str(settings)) as program, faultless(browser) as page:
        program.press("1.plus_five", "1.enter", "2.plus_one", "2.plus_one")
        before = program.until(1)
        page.add_init_script(LOOKS)
        page.goto(program.url)
        live(page)
        expect(page.locator("[data-side='2'] .pending")).to_have_text("+2")
        expect(page.locator(".lettering text").first).to_have_attribute("style", SIZED)
        game = page.evaluate(MAIN)
        other = Eavesdropper(program)
        other.start()
        from_menu(page, "Demo")
        expect(page.locator("#below")).to_have_text(BETWEEN_GAMES)
        other.join(TIMEOUT_S)
        page.keyboard.press("q", delay=80)
        expect(page.locator("main")).to_have_attribute("data-screen", "game")
        page.keyboard.up("q")
        page.wait_for_function(f"(game) => ({MAIN})() === game", arg=game, timeout=1000 * TIMEOUT_S)
        expect(page.locator("[data-side='1'] .chance")).to_have_text(CHANCE)
        assert before == program.table()
        looks: list[dict[str, Any]] = page.evaluate("looks")
    check_each(looks)
    of_game = looks[: next(n for n, look in enumerate(looks) if is_over(look["told"]))]
    check_words(of_game, other.heard)
    check_counts([look["shown"] for look in of_game if look["shown"]["hands"]])
