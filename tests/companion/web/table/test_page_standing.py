"""The table's state on the page: sides, their names, boxes, modes, the log, and hints."""

import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.settings.sources import page_file
from companion.web.table import table_responses
from tests.companion.web.table.test_page import HIDE
from tests.support.browser import Served, live, opened, served, served_anew, stop_clock
from tests.support.real_table import RealTable, entry, stand

TWO = {"1": stand(12), "2": stand(100)}


def counted(seq: int) -> table_responses.EntryResponse:
    """Return an entry with a line of its own."""
    return entry(seq, f"White counts {seq}.")


SIGN_UP: dict[str, object] = {
    "state": "sign-up",
    "joined": [],
    "people": {},
    "joining": True,
    "preset": "",
    "words": "",
    "presets": [""],
}


def said(seq: int) -> str:
    """Return the line of an entry."""
    return f"White counts {seq}."


PULSE = """(button) => button.getAnimations({ subtree: true })
    .filter((one) => one.animationName === "hint").map((one) => {
        const { duration, direction } = one.effect.getTiming();
        return (direction === "alternate" ? 2 : 1) * duration;
    })"""
"""Milliseconds of each blink of a button; empty when it does not blink."""


def outlook(points: int, kind: str | None = None, front: int = 0) -> dict[str, object]:
    """Return the advice on a count as the table gives it; on the finish it wins."""
    rest = {"lands": front, "forfeited": False, "wins": front == 121}
    return {"points": points, "kind": kind, "front": front, **rest}


ADVICE = {
    "1": {
        "outlooks": [
            outlook(4, front=24),
            outlook(5, "red-slide", 62),
            outlook(7, "time-trap", 130),
            *(outlook(points, "penalty-box", 2) for points in (9, 10, 11, 13)),
            outlook(20, "green-advance", 200),
            outlook(21, front=121),
        ],
        "lead_five_to": [2],
    },
    "2": {"outlooks": [], "lead_five_to": []},
}


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


def test_a_table_started_anew_is_not_said_to_be_off(browser: Browser) -> None:
    """After a change that needs a restart, it is back within seconds."""
    with served(RealTable()) as table:
        page = opened(browser, table)
        table.do(lambda real_table: setattr(real_table.shutdown, "restart", True))
    expect(page.locator("#connection")).to_have_text("The table restarts")


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


def test_the_adviser_speaks_when_it_is_asked(page: Page, table: Served) -> None:
    """It is off at first; once switched on, it follows the game and stays on."""
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url.removeprefix(table.url)))
    table.do(lambda real_table: real_table.advise(ADVICE))
    lever = page.get_by_role("switch", name="Trap adviser")
    advice = page.locator(".advice")
    page.get_by_role("button", name="View").click()
    expect(lever).not_to_be_checked()
    table.do(lambda real_table: real_table.tell(seq=1, notices=["told"]))
    expect(page.locator("#notices li")).to_have_text(["told"])
    assert "api/advice" not in fetched
    lever.check()
    said = (
        "5 slides to 62 · 7 time trap · 9\N{EN DASH}11, 13 penalty box · 20 green advance · 21 wins"
    )
    expect(advice).to_have_text([f"{said} · lead a five", ""])
    now = {"1": ADVICE["2"], "2": {"outlooks": [outlook(3, "time-trap")], "lead_five_to": []}}
    table.do(lambda real_table: real_table.advise(now))
    table.do(lambda real_table: real_table.tell(seq=2))
    expect(advice).to_have_text(["", "3 time trap"])
    page.reload()
    live(page)
    expect(advice).to_have_text(["", "3 time trap"])
    page.get_by_role("button", name="View").click()
    lever.uncheck()
    expect(advice).to_have_text(["", ""])


def test_the_space_bar_moves_the_switch_that_has_the_focus(page: Page, table: Served) -> None:
    """It deals only if no focused element wants the key."""
    page.get_by_role("button", name="View").click()
    lever = page.get_by_role("switch", name="Trap adviser")
    lever.focus()
    page.keyboard.press("Space")
    expect(lever).to_be_checked()
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    assert table.felt(("mode", True), ("mode", False))


def test_the_match_stands_beside_the_sides(page: Page, table: Served) -> None:
    """Won games show once there is one, the goal from the first game on, and the winner."""
    games = page.locator(".name .games")
    expect(games).to_have_text(["", ""])
    expect(page.locator("#match")).to_have_text("")
    match = {"games": {"1": 0, "2": 0}, "to": 3, "winner": None}
    table.do(lambda real_table: real_table.tell(match=match))
    expect(page.locator("#match")).to_have_text("Match to 3: Amber 0, White 0")
    expect(games).to_have_text(["", ""])
    table.do(lambda real_table: real_table.tell(match={**match, "games": {"1": 0, "2": 1}}))
    expect(games).to_have_text(["0 games", "1 game"])
    table.do(
        lambda real_table: real_table.tell(match={**match, "games": {"1": 0, "2": 4}, "winner": 2})
    )
    expect(games).to_have_text(["0 games", "4 games"])
    expect(page.locator("#match")).to_have_text("White has won the match: Amber 0, White 4")
    single = {**match, "games": {"1": 1, "2": 0}, "to": None}
    table.do(lambda real_table: real_table.tell(match=single))
    expect(games).to_have_text(["1 game", "0 games"])
    expect(page.locator("#match")).to_have_text("")


@pytest.mark.parametrize(("motion", "least_ms"), [("no-preference", 500), ("reduce", 3000)])
def test_deal_blinks_when_it_was_forgotten(
    page: Page, table: Served, motion: str, least_ms: int
) -> None:
    """The button that helps blinks at most twice a second; with reduced motion it swells."""
    page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]  # a str of the two it takes
    deal = page.get_by_role("button", name="Deal", exact=True)
    assert [] == deal.evaluate(PULSE)
    table.do(lambda real_table: real_table.tell(hint={"kind": "deal-forgotten", "team": None}))
    expect(deal).to_have_class("arcade deal hint")
    (pulse,) = deal.evaluate(PULSE)
    assert pulse >= least_ms
    table.do(lambda real_table: real_table.tell(hint={"kind": "refused", "team": 2}))
    expect(deal).to_have_class("arcade deal")
    assert [] == deal.evaluate(PULSE)


def test_feedback_stands_at_its_side_fades_and_comes_again(page: Page) -> None:
    """Each Enter without a count gets the same words, which fade each time."""
    stop_clock(page)
    page.clock.run_for(2_000)  # the jump may cut the stream, which is then opened again
    live(page)
    hint = page.locator("[data-side='2'] p.hint")
    for _ in ("first", "again"):
        page.get_by_role("button", name="White, Enter").click()
        page.clock.run_for(2_000)  # a tap that got lost is sent again
        expect(hint).to_have_text("White has no count to enter: press +1 or +5 first")
        expect(page.locator("#feedback")).to_have_text(hint.inner_text())
        expect(page.locator("[data-side='1'] p.hint")).to_have_text("")
        page.clock.fast_forward(12_000)
        expect(hint).to_have_text("")
        expect(page.locator("[data-side='2'].hinted")).to_have_count(0)


def test_a_name_is_changed_on_its_card(browser: Browser, tmp_path: Path) -> None:
    """The button beside it, the name and Enter save it; letters press no button, Escape cancels."""
    file = tmp_path / "cribwars.toml"
    file.write_text('board = "classic"\n')
    with served(RealTable(folder=tmp_path)) as table:
        page = opened(browser, table)
        name = page.locator("[data-side='2'] h2")
        change = page.get_by_role("button", name="Change the name White")
        change.click()
        field = page.get_by_role("textbox", name="Name of White")
        expect(field).to_be_focused()
        page.keyboard.type("Someone")
        page.keyboard.press("Escape")
        expect(name).to_have_text("White")
        change.click()
        page.keyboard.type("Anna qwas")
        with page.expect_response(lambda response: response.request.method == "POST") as saved:
            page.keyboard.press("Enter")
        assert saved.value.ok
        written = tomllib.loads(page_file(file).read_text())
        assert {"2": "Anna qwas"} == written["names"]
        assert [] == table.do(lambda real_table: list(real_table.presses))


def test_names_typed_one_after_another_press_no_button(browser: Browser, tmp_path: Path) -> None:
    """Tab goes to the next name; keys after the last Enter press nothing."""
    file = tmp_path / "cribwars.toml"
    file.write_text('board = "classic"\n')
    with served(RealTable(folder=tmp_path)) as table:
        page = opened(browser, table)
        page.get_by_role("button", name="Change the name Amber").click()
        for key in ("Tab", "Enter"):
            page.keyboard.type("Quasdew r")
            page.keyboard.press(key)
        page.keyboard.type("Quasdew r")
        expect(page.locator(".side h2")).to_have_text(["Quasdew r"] * 2)
        assert [] == table.do(lambda real_table: list(real_table.presses))


def test_a_phone_that_only_watches_changes_no_name(browser: Browser) -> None:
    """There the name is only text."""
    with served(RealTable(), everywhere=True) as table:
        page = browser.new_context().new_page()
        page.goto(table.far)
        expect(page.locator(".side .name").first).to_have_text("Amber")
        expect(page.get_by_role("button", name="Change the name")).to_have_count(0)
