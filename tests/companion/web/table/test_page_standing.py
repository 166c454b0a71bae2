"""The table's state on the page: sides, boxes, modes, and the log."""

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.web.table import table_responses
from tests.companion.web.table.test_page import HIDE
from tests.support.browser import Served, opened, served, served_anew
from tests.support.real_table import RealTable, entry, stand

TWO = {"1": stand(12), "2": stand(100)}


def counted(seq: int) -> table_responses.EntryResponse:
    """Return an entry with a line of its own."""
    return entry(seq, f"White counts {seq}.")


def test_a_side_that_leaves_takes_its_numbers_along(browser: Browser) -> None:
    """A side that does not play this game shows no numbers of the last one."""
    with served(RealTable(sides=3)) as table:
        page = opened(browser, table, viewport={"width": 390, "height": 844})
        magenta = page.locator("[data-side='3']")
        three = TWO | {"3": stand("trap-130:3", pending=4)}
        chances = {"1": 0.25, "2": 0.617, "3": 0.133}
        table.do(lambda real_table: real_table.tell(table={"sides": three}, win_chances=chances))
        expect(magenta.locator(".numbers > *")).to_have_text(["trap 3", "+4", "13%"])
        expect(page.locator(".side .chance")).to_have_text(["25%", "62%", "13%"])
        table.do(lambda real_table: real_table.tell(table={"sides": TWO}))
        expect(magenta.locator(".numbers")).to_have_text("")
        expect(magenta.locator(".state")).to_have_text("not playing")
        expect(magenta.locator(".arcade:visible")).to_have_count(0)
        for name in ("Deal", "Mode"):
            expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
        mode = {
            "state": "sign-up",
            "joined": [1],
            "people": {"1": 1},
            "joining": True,
            "presets": [""],
        }
        table.do(lambda real_table: real_table.tell(mode=mode))
        expect(magenta.locator(".arcade:visible")).to_have_count(4)
        page.context.close()


@pytest.mark.parametrize(
    ("chances", "shown"),
    [
        ({"1": 0.505, "2": 0.495}, ["51%", "49%"]),
        ({"1": 0.004, "2": 0.996}, ["0%", "100%"]),
        ({"1": 0.334, "2": 0.333, "3": 0.333}, ["34%", "33%", "33%"]),
    ],
)
def test_chances_to_win_add_up_to_all(
    browser: Browser, chances: dict[str, float], shown: list[str]
) -> None:
    """The shares are rounded together, on the board's page and on a television."""
    with served(RealTable(sides=len(chances))) as table:
        table.do(lambda real_table: real_table.tell(win_chances=chances))
        page = opened(browser, table)
        expect(page.locator(".side .chance")).to_contain_text(shown)
        page.goto(f"{table.url}tv")
        expect(page.locator("#scores .chance")).to_have_text(shown)
        page.context.close()


@pytest.mark.parametrize(
    ("box", "said"),
    [
        ({"hands": 2, "may_move": True}, "boxed, 2 hands to sit: press Enter to move"),
        ({"hands": 1, "may_move": False}, "boxed, 1 hand to sit"),
        ({"hands": 0, "may_move": False}, "free from the next deal"),
    ],
)
def test_a_boxed_side_knows_what_it_may_do(
    page: Page, table: Served, box: dict[str, object], said: str
) -> None:
    """The page shows its hands to sit, a due move, and the end of its time (Z7)."""
    hands = box["hands"]
    sides = {"1": stand(24, boxed=hands), "2": stand()}
    table.do(lambda real_table: real_table.tell(table={"sides": sides}, boxes={"1": box}))
    expect(page.locator(".state")).to_have_text([said, ""])


SIGN_UP: dict[str, object] = {
    "state": "sign-up",
    "joined": [],
    "people": {},
    "joining": True,
    "preset": "",
    "words": "",
    "presets": [""],
}


@pytest.mark.parametrize(
    ("mode", "head", "below"),
    [
        (
            SIGN_UP | {"joined": [1, 2], "people": {"1": 1, "2": 2}},
            "New game: Amber, White (2)",
            "Enter joins, +1 adds a person, Deal starts, Undo calls it off",
        ),
        (SIGN_UP | {"joining": False}, "New game", "Deal starts it, +1 adds a person"),
        (
            SIGN_UP
            | {"joining": False, "preset": "family", "words": "Family"}
            | {"presets": ["", "family"]},
            "New game",
            ("Deal starts it, +1 adds a person. Rules: Family; +5 changes them"),
        ),
        ({"state": "show"}, "", "The board shows off: any press wakes it"),
        ({"state": "asleep"}, "", "Asleep: any press wakes it"),
        ({"state": "lights"}, "", "The lights are being set up: any press ends that"),
    ],
)
def test_the_banner_tells_what_the_table_waits_for(
    page: Page, table: Served, mode: dict[str, object], head: str, below: str
) -> None:
    """Every mode has words and a way out, also after a win."""
    table.do(lambda real_table: real_table.tell(mode=mode, table={"winner": 2}))
    expect(page.locator("#banner")).to_have_text(head)
    expect(page.locator("#below")).to_have_text(below)
    table.do(lambda real_table: real_table.tell(mode=None, table={"winner": None}))
    expect(page.locator("#over")).to_be_hidden()


@pytest.mark.parametrize(
    ("winner", "said"),
    [(None, "White leads by 88"), (2, "White has won by 88"), (1, "Amber has won")],
)
def test_a_game_that_is_over_is_not_led(
    page: Page, table: Served, winner: int | None, said: str
) -> None:
    """The winner has won by a margin; a game given to a side has no margin."""
    table.do(lambda real_table: real_table.tell(table={"sides": TWO, "winner": winner}))
    expect(page.locator("#leader")).to_have_text(said)


def test_the_log_stays(page: Page, table: Served) -> None:
    """The newest line is on top, and a reloaded page has the earlier ones, too."""
    for seq in range(1, 21):
        table.do(lambda real_table, seq=seq: real_table.accept(counted(seq)))  # type: ignore[misc]  # seq is bound
    table.do(lambda real_table: real_table.tell(notices=["told again"]))
    expect(page.locator("#notices li")).to_have_text(["told again"])
    for _ in ("as it is", "loaded again"):
        expect(page.locator("#events li")).to_have_text([said(seq) for seq in range(20, 0, -1)])
        page.reload()


def test_what_happens_is_announced_once_with_the_score(page: Page, table: Served) -> None:
    """A live region has the new line and the score; earlier lines are not announced."""
    place = page.locator("#announced")
    table.do(lambda real_table: real_table.tell(seq=1, table={"sides": TWO}))
    table.do(lambda real_table: real_table.accept(counted(1)))
    expect(place).to_have_text(f"{said(1)} Amber 12, White 100.")
    page.reload()
    expect(page.locator("#events li")).to_have_text([said(1)])
    expect(place).to_have_text("")
    table.do(lambda real_table: real_table.accept(counted(2), counted(3)))
    expect(place).to_have_text(f"{said(2)} {said(3)} Amber 12, White 100.")
    expect(page.locator("[aria-live] #events, #events[aria-live]")).to_have_count(0)


def test_what_happens_while_nobody_looks_is_told_after(page: Page, table: Served) -> None:
    """A page that comes back gets each missed entry once."""
    table.do(lambda real_table: real_table.accept(counted(1), counted(2)))
    expect(page.locator("#events li").first).to_have_text(said(2))
    page.evaluate(HIDE, "hidden")
    table.until(lambda real_table: real_table.watchers == 0)
    table.do(lambda real_table: real_table.accept(counted(3), counted(4)))
    page.evaluate(HIDE, "visible")
    expect(page.locator("#events li")).to_have_text([said(seq) for seq in (4, 3, 2, 1)])


def test_a_table_started_anew_begins_the_story_anew(browser: Browser) -> None:
    """Its entries have new numbers, and those of the last run disappear."""
    with served(RealTable()) as table:
        page = opened(browser, table)
        table.do(lambda real_table: real_table.accept(counted(1), counted(2)))
        expect(page.locator("#events li").first).to_have_text(said(2))
    real_table = RealTable()
    real_table.accept(entry(2, "White counts 7."))
    with served(real_table, port=table.port):
        expect(page.locator("#events li")).to_have_text([said(7)])
        page.context.close()


def test_a_line_has_the_colour_of_its_side_and_the_rules_numbers(page: Page, table: Served) -> None:
    """A line has its first side's colour and each rule once; an undo has what it took back."""
    events = [
        {"kind": "counted", "team": 2, "from": 12, "to": 22, "points": 10, "rule": "P7"},
        {"kind": "folded", "team": 2, "from": 12, "to": 22, "rule": "Z5"},
        {"kind": "sent_back", "team": 1, "from": 22, "to": 2, "points": 20, "rule": "Z5"},
    ]
    undo = {"kind": "undone", "team": None, "from": None, "to": None, "rule": None}
    line = page.locator("#events li").first
    for reported in (entry(1, "Counted.", *events), entry(2, "Back.", undo, undone=events)):
        table.do(lambda real_table, reported=reported: real_table.accept(reported))  # type: ignore[misc]  # told is bound
        expect(line).to_have_text(f"{reported.line} P7 Z5")
        colour = table.real_table.about["teams"]["2"]["colour"]
        assert colour == line.evaluate("(e) => e.style.getPropertyValue('--side')")


def test_a_table_switched_off_is_no_lost_one(browser: Browser) -> None:
    """The page says that it was switched off, and is dim until the table is back."""
    panel = "getComputedStyle(document.querySelector('#panel')).filter"
    with served(RealTable()) as table:
        page = opened(browser, table)
        assert "none" == page.evaluate(panel)
    for _ in ("fails", "is made again"):
        with page.expect_event("request", lambda request: "stream" in request.url):
            pass
    expect(page.locator("#connection")).to_contain_text("switched off")
    assert "none" != page.evaluate(panel)
    with served_anew(page, RealTable(), port=table.port):
        assert "none" == page.evaluate(panel)
        page.context.close()


def test_a_table_started_anew_is_not_said_to_be_off(browser: Browser) -> None:
    """After a change that needs a restart, it is back within seconds."""
    with served(RealTable()) as table:
        page = opened(browser, table)
        table.do(lambda real_table: setattr(real_table.shutdown, "restart", True))
    expect(page.locator("#connection")).to_have_text("The table restarts")
    page.context.close()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_a_phone_shows_refusals_between_board_and_buttons(
    browser: Browser, width: int, height: int
) -> None:
    """In any orientation board, buttons and refusals are in view at once."""
    real_table = RealTable()
    real_table.tell(feedback="White has folded: forgotten to press Deal? (Z5)", saved=False)
    with served(real_table) as table:
        page = opened(browser, table, viewport={"width": width, "height": height})
        for place in ("#feedback", "#unsaved", ".sheet"):
            expect(page.locator(place)).to_be_in_viewport(ratio=1)
        words = page.locator(".word > div").bounding_box()
        assert words
        for button in page.locator("#panel .arcade").all():
            expect(button).to_be_in_viewport(ratio=1)
            box = button.bounding_box()
            assert box
            beside = box["x"] >= words["x"] + words["width"]
            assert beside or box["y"] >= words["y"] + words["height"]
        page.context.close()


def said(seq: int) -> str:
    """Return the line of an entry."""
    return f"White counts {seq}."
