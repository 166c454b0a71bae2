"""What the page tells of the table's state: who plays, who sits in a box, modes, and the past."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.companion.web.table.test_page import HIDE
from tests.support.browser import Served, live, opened, served
from tests.support.real_table import RealTable, entry, side

WORDS = """async ([event, news]) => {
    const { eventWords } = await import("/static/i18n/words.js");
    const teams = { 1: { name: "Amber" }, 2: { name: "White" } };
    const event_ = { team: 1, from: 24, to: 24, points: 2, rule: null, ...event };
    return eventWords(event_, teams, news);
}"""

TWO = {"1": side(12), "2": side(100)}


def counted(points: int, team: int = 2) -> dict[str, object]:
    """A count from hole 12."""
    to = 12 + points
    return {"kind": "counted", "team": team, "from": 12, "to": to, "points": points, "rule": None}


def test_a_side_that_leaves_takes_its_numbers_along(browser: Browser) -> None:
    """Who does not play this game shows no number of the last one; who plays again does."""
    with served(RealTable(teams=3)) as table:
        page = opened(browser, table, viewport={"width": 390, "height": 844})
        magenta = page.locator("[data-team='3']")
        three = TWO | {"3": side("trap-130:3", pending=4)}
        table.do(lambda desk: desk.tell(table={"teams": three}))
        expect(magenta.locator(".numbers")).to_have_text("trap 3+4")
        table.do(lambda desk: desk.tell(table={"teams": TWO}))
        expect(magenta.locator(".numbers")).to_have_text("")
        expect(magenta.locator(".state")).to_have_text("not playing")
        expect(magenta.get_by_role("button")).to_have_count(0)
        for name in ("deal", "mode"):
            expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
        mode = {"state": "sign-up", "joined": [1], "joining": True}
        table.do(lambda desk: desk.tell(mode=mode))
        expect(magenta.get_by_role("button")).to_have_count(4)
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
    """How long it sits, whether it has a move to make, and when it has served (Z7)."""
    hands = box["hands"]
    teams = {"1": side(24, boxed=hands), "2": side()}
    table.do(lambda desk: desk.tell(table={"teams": teams}, boxes={"1": box}))
    expect(page.locator(".state")).to_have_text([said, ""])


@pytest.mark.parametrize(
    ("event", "news", "said"),
    [
        ({"kind": "box_moved"}, {}, "Amber serves a hand on 24."),
        ({"kind": "box_moved", "from": 23}, {}, "Amber moves up in the box, to 24."),
        ({"kind": "dealt", "to": 2, "team": 2}, {"table": {"teams": TWO}}, "White deals."),
        ({"kind": "dealt", "to": 3}, {"table": {"teams": TWO}}, "Amber deals, seat 3."),
        (
            {"kind": "skunked"},
            {"table": {"teams": TWO}},
            "Amber is skunked: if White wins, it counts 2 games.",
        ),
        (
            {"kind": "skunked", "points": 4},
            {},
            "Amber is double-skunked: if the leader wins, it counts 4 games.",
        ),
        (
            {"kind": "counted", "from": "trap-130:2", "to": "green-200:1"},
            {},
            "Amber counts 2: from 2 on the blue path to 1 on the green path.",
        ),
        ({"kind": "undone"}, {}, "The last command is taken back."),
    ],
)
def test_events_are_told_as_players_speak(
    page: Page, event: dict[str, object], news: dict[str, object], said: str
) -> None:
    """Sides have names, paths have colours, and a skunk threatens only while nobody has won."""
    assert said == page.evaluate(WORDS, [event, news])


@pytest.mark.parametrize(
    ("mode", "head", "below"),
    [
        (
            {"state": "sign-up", "joined": [1, 2], "joining": True},
            "New game: Amber, White",
            "Enter joins, Deal starts, Undo calls it off",
        ),
        ({"state": "sign-up", "joined": [], "joining": False}, "New game", "Deal starts it"),
        ({"state": "show"}, "", "The board shows off: any press wakes it"),
        ({"state": "asleep"}, "", "Asleep: any press wakes it"),
        ({"state": "lights"}, "", "The lights are being set up: any press ends that"),
        (None, "White wins", "Hold Mode 5 seconds for a new game, or Undo to take it back"),
    ],
)
def test_the_banner_tells_what_the_table_waits_for(
    page: Page, table: Served, mode: dict[str, object] | None, head: str, below: str
) -> None:
    """Every mode has its words and its way out; without one a win has."""
    table.do(lambda desk: desk.tell(mode=mode, table={"winner": 2}))
    expect(page.locator("#banner")).to_have_text(head)
    expect(page.locator("#below")).to_have_text(below)
    table.do(lambda desk: desk.tell(mode=None, table={"winner": None}))
    expect(page.locator("#over")).to_be_hidden()


@pytest.mark.parametrize(
    ("winner", "said"),
    [(None, "White leads by 88"), (2, "White has won by 88"), (1, "Amber has won")],
)
def test_a_game_that_is_over_is_not_led(
    page: Page, table: Served, winner: int | None, said: str
) -> None:
    """The winner has won by their lead; a game given to another has none to tell."""
    table.do(lambda desk: desk.tell(table={"teams": TWO, "winner": winner}))
    expect(page.locator("#leader")).to_have_text(said)


def test_the_last_six_entries_stay(page: Page, table: Served) -> None:
    """The newest stands out, five before it are kept, and a page loaded anew has them too."""
    for seq in range(1, 9):
        table.do(lambda desk, seq=seq: desk.accept(entry(seq, counted(seq))))  # type: ignore[misc]  # seq is bound
        expect(page.locator("#events li")).to_have_text([said(seq)])
    table.do(lambda desk: desk.tell(notices=["told again"]))
    expect(page.locator("#notices li")).to_have_text(["told again"])
    for _ in ("as it is", "loaded anew"):
        expect(page.locator("#events li")).to_have_text([said(8)])
        expect(page.locator("#earlier li")).to_have_text([said(seq) for seq in (7, 6, 5, 4, 3)])
        page.reload()


def test_what_happens_while_nobody_looks_is_told_after(page: Page, table: Served) -> None:
    """A page that comes back misses no entry, and tells none twice."""
    table.do(lambda desk: desk.accept(entry(1, counted(1)), entry(2, counted(2))))
    expect(page.locator("#events li")).to_have_text([said(2)])
    page.evaluate(HIDE, "hidden")
    table.until(lambda desk: desk.watchers == 0)
    table.do(lambda desk: desk.accept(entry(3, counted(3)), entry(4, counted(4))))
    page.evaluate(HIDE, "visible")
    expect(page.locator("#events li")).to_have_text([said(4)])
    expect(page.locator("#earlier li")).to_have_text([said(seq) for seq in (3, 2, 1)])


def test_a_table_started_anew_begins_the_story_anew(browser: Browser) -> None:
    """Its entries have numbers of their own, and what another run told is gone."""
    with served(RealTable()) as table:
        page = opened(browser, table)
        table.do(lambda desk: desk.accept(entry(1, counted(1)), entry(2, counted(2))))
        expect(page.locator("#events li")).to_have_text([said(2)])
    desk = RealTable()
    desk.accept(entry(2, counted(7)))
    with served(desk, port=table.port):
        expect(page.locator("#events li")).to_have_text([said(7)])
        expect(page.locator("#earlier li")).to_have_count(0)
        page.context.close()


def test_what_is_taken_back_is_told(page: Page, table: Served) -> None:
    """An undo says what it undid, in the words it was told with."""
    event = {"kind": "undone", "team": None, "from": None, "to": None, "rule": None}
    table.do(lambda desk: desk.accept(entry(3, event, undone=[counted(10)])))
    expect(page.locator("#events li")).to_have_text(["Taken back: White counts 10: from 12 to 22."])


def test_a_table_switched_off_is_no_lost_one(browser: Browser) -> None:
    """Until it is back the page says that it was switched off, and what it shows is dim."""
    rail = "getComputedStyle(document.querySelector('.rail')).filter"
    with served(RealTable()) as table:
        page = opened(browser, table)
        assert "none" == page.evaluate(rail)
    for _ in ("fails", "is made again"):
        with page.expect_event("request", lambda request: "stream" in request.url):
            pass
    expect(page.locator("#connection")).to_contain_text("switched off")
    assert "none" != page.evaluate(rail)
    with served(RealTable(), port=table.port):
        live(page)
        assert "none" == page.evaluate(rail)
        page.context.close()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_a_phone_shows_refusals_between_board_and_buttons(
    browser: Browser, width: int, height: int
) -> None:
    """However it is held, the board, every button and what was refused are in view at once."""
    desk = RealTable()
    desk.tell(feedback="White has folded: forgotten to press Deal? (Z5)", saved=False)
    with served(desk) as table:
        page = opened(browser, table, viewport={"width": width, "height": height})
        for place in ("#feedback", "#unsaved", ".sheet"):
            expect(page.locator(place)).to_be_in_viewport(ratio=1)
        words = page.locator(".word > div").bounding_box()
        assert words
        for button in page.locator("#panel").get_by_role("button").all():
            expect(button).to_be_in_viewport(ratio=1)
            box = button.bounding_box()
            assert box
            beside = box["x"] >= words["x"] + words["width"]
            assert beside or box["y"] >= words["y"] + words["height"]
        page.context.close()


def said(points: int) -> str:
    """The words of White's count from hole 12."""
    return f"White counts {points}: from 12 to {12 + points}."
