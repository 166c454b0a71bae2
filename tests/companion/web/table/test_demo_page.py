"""The page while the demo plays: its scenes, and the ways to end it."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.browser import Served, from_menu, live, opened, served, stop_clock
from tests.support.real_table import RealTable, stand

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
        page.close()


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
        page.context.close()


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
        page.context.close()


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
        page.context.close()


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
        page.close()
