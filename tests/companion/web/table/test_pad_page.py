"""A score pad on a phone, many windows, and whole games by keyboard and by a screen reader."""

import re
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from companion.rules.game.commands import Peg, Undo
from tests.companion.web.table.test_page_standing import outlook
from tests.support.browser import Served, faultless, live, opened, served, stop_clock
from tests.support.limits import TIMEOUT_S
from tests.support.real_table import RealTable, entry, stand

PHONE = {"width": 390, "height": 844}
LONG_MS = 1100
"""Longer than what makes a press meant."""


@pytest.fixture
def pad(browser: Browser, table: Served) -> Iterator[Page]:
    """Open the pad of side 1; it must end without an error or a breach of its policy."""
    with faultless(browser, viewport=PHONE, has_touch=True) as page:
        page.goto(f"{table.url}pad?side=1")
        live(page)
        yield page


def tapped(table: Served, *wanted: tuple[str, bool]) -> None:
    """Wait for these taps; each is a button, with True if it was held for a second."""
    table.until(lambda real_table: len(real_table.taps) >= len(wanted))
    taps = table.do(lambda real_table: list(real_table.taps))
    assert list(wanted) == [(button, held >= 1) for button, held in taps]


def click(pad: Page, *names: str) -> None:
    """Click keys as a screen reader does, without a pointer."""
    for name in names:
        pad.get_by_role("button", name=name, exact=True).dispatch_event("click")


WINDOWS = {"": "#panel .front", "tv": "#scores li", "pad?side=1": "#front .hole"}
BOARD = "classic-61"
COUNTS = [(1, 29), (2, 12), (1, 29), (2, 7), (1, 3)]
"""Counts of a game to 61, each in a hand of its own: what both games are made of."""


def tab_to(page: Page, name: str) -> None:
    """Press Tab until a button has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        focused = page.evaluate(
            "document.activeElement.ariaLabel ?? document.activeElement.textContent"
        )
        if focused == name:
            return
    raise AssertionError(name)


class Reader:
    """A screen reader's view of a page: the accessibility tree, and clicks on its nodes."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session: CDPSession = page.context.new_cdp_session(page)

    def nodes(self) -> list[dict[str, Any]]:
        """Return the nodes of the tree."""
        tree = self._session.send("Accessibility.getFullAXTree")["nodes"]
        return [node for node in tree if not node["ignored"]]

    def press(self, name: str) -> None:
        """Press the button of this name, as assistive programs do."""
        (button,) = (
            node
            for node in self.nodes()
            if node["role"]["value"] == "button" and node["name"]["value"] == name
        )
        assert not any(p["name"] == "disabled" for p in button.get("properties", ()))
        found = self._session.send("DOM.resolveNode", {"backendNodeId": button["backendDOMNodeId"]})
        self._session.send(
            "Runtime.callFunctionOn",
            {
                "objectId": found["object"]["objectId"],
                "functionDeclaration": "function () { this.click(); }",
            },
        )

    def hears(self, words: str) -> None:
        """Wait until a text of the tree has these words."""
        end = time.monotonic() + TIMEOUT_S
        while not any(words in str(node.get("name", {}).get("value")) for node in self.nodes()):
            assert time.monotonic() < end, words
            self._page.evaluate("new Promise(requestAnimationFrame)")


def test_a_phone_chooses_its_side(browser: Browser) -> None:
    """Without a valid side, the pad asks for one of the sides."""
    with served(RealTable(sides=3)) as table:
        page = browser.new_page(viewport=PHONE)  # type: ignore[arg-type]  # as it takes it
        for wanted in ("pad", "pad?side=7", "pad?side=__proto__"):
            page.goto(f"{table.url}{wanted}")
            expect(page.locator("#choose a")).to_have_text(["Amber", "White", "Magenta"])
            expect(page.locator("#keys")).to_be_hidden()
        page.get_by_role("link", name="White").click()
        expect(page.get_by_role("heading", name="White")).to_be_visible()
        expect(page.locator("#others .name")).to_have_text(["Amber", "Magenta"])
        page.get_by_role("link", name="Other side").click()
        expect(page.get_by_role("link", name="Magenta")).to_be_visible()


def test_it_tells_how_its_side_stands(pad: Page, table: Served) -> None:
    """It shows hole, pending count, landing, crib, the other sides, and the last events."""
    outcomes = [outlook(5, "red-slide", 62), outlook(7, "time-trap", 130), outlook(9, front=121)]
    outcomes[0]["lands"] = 42
    table.do(
        lambda real_table: real_table.advise({"1": {"outlooks": outcomes, "lead_five_to": [2]}})
    )
    sides = {"1": stand(37, pending=5), "2": stand("trap-130:2", pending=3)}
    table.do(lambda real_table: real_table.tell(seq=1, table={"sides": sides, "hand": 4}))
    event = {"kind": "dealt", "team": 1, "from": None, "to": 1, "rule": "T2"}
    table.do(lambda real_table: real_table.accept(entry(1, "Amber deals.", event)))
    expect(pad.locator("#front")).to_have_text("On hole 37")
    expect(pad.locator("#pending")).to_have_text("+5")
    expect(pad.locator("#lands")).to_have_text("5 lands on 42: slides to 62")
    expect(pad.locator("#hand")).to_have_text("Hand 4, Amber deals, your crib")
    expect(pad.locator("#others li")).to_have_text(["White trap 2 +3"])
    expect(pad.locator("#told li")).to_have_text(["Amber deals. T2"])
    expect(pad.locator("#told .rule")).to_be_hidden()
    expect(pad.locator("#advice")).to_be_empty()
    pad.get_by_role("switch", name="Trap adviser").check()
    expect(pad.locator("#advice")).to_contain_text("7 time trap")
    for pending, said in ((7, "7 lands on 130: time trap"), (9, "9 lands on 121: wins")):
        sides["1"] = stand(37, pending=pending)
        table.do(lambda real_table: real_table.tell(table={"sides": sides}))
        expect(pad.locator("#lands")).to_have_text(said)


def test_what_the_table_waits_for_is_reported(pad: Page, table: Served) -> None:
    """Refusals, boxes, a new game and a win come with what to do."""
    table.do(
        lambda real_table: real_table.tell(feedback="side 1 has folded: has somebody forgotten?")
    )
    expect(pad.locator("#feedback")).to_contain_text("has folded")
    box = {"1": {"hands": 2, "may_move": True}}
    sides = {"1": stand(24, boxed=2), "2": stand()}
    table.do(lambda real_table: real_table.tell(feedback=None, table={"sides": sides}, boxes=box))
    expect(pad.locator("#state")).to_have_text("boxed, 2 hands to sit: press Enter to move")
    mode = {"state": "sign-up", "joined": [2], "people": {"2": 1}, "joining": True, "presets": [""]}
    table.do(lambda real_table: real_table.tell(mode=mode))
    expect(pad.locator("#hand")).to_have_text("New game: White")
    expect(pad.locator("#below")).to_have_text(
        "Enter joins, +1 adds a person, Deal starts, Undo calls it off"
    )
    table.do(lambda real_table: real_table.tell(mode=None, table={"winner": 2}))
    expect(pad.locator("#hand")).to_have_text("White wins")


def test_fingers_count(pad: Page, table: Served) -> None:
    """Each touch is a tap of its own, also of two fingers on one key, and shows at once."""
    plus = pad.get_by_role("button", name="+1")
    for _ in range(3):
        plus.tap()
    pad.get_by_role("button", name="+5").tap()
    pad.get_by_role("button", name="Enter").tap()
    wanted = [("1.plus_one", False)] * 3 + [("1.plus_five", False), ("1.enter", False)]
    tapped(table, *wanted)
    box = plus.bounding_box()
    assert box
    points = [{"x": box["x"] + x, "y": box["y"] + 20, "id": x} for x in (30, 90)]
    touch = pad.context.new_cdp_session(pad)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    tapped(table, *wanted, ("1.plus_one", False), ("1.plus_one", False))


def test_a_count_that_would_be_too_long_is_not_made_in_part(pad: Page, table: Served) -> None:
    """More than 29 is refused as a whole, with a line (S5)."""
    table.do(
        lambda real_table: real_table.tell(table={"sides": {"1": stand(pending=20), "2": stand()}})
    )
    expect(pad.locator("#pending")).to_have_text("+20")
    pad.get_by_role("button", name="count 10").tap()
    expect(pad.locator("#lost")).to_have_text("A count is 29 at most")
    pad.get_by_role("button", name="count 9").tap()
    tapped(table, ("1.plus_five", False), *[("1.plus_one", False)] * 4)
    expect(pad.locator("#lost")).to_be_empty()


def test_undo_and_deal_are_held_to_be_meant(pad: Page, table: Served) -> None:
    """A short touch is a press, a long one a hold; a touch that slips off does nothing."""
    stop_clock(pad)
    undo = pad.get_by_role("button", name="Undo")
    undo.tap()
    tapped(table, ("1.undo", False))
    undo.hover()
    pad.mouse.down()
    pad.clock.run_for(LONG_MS)
    tapped(table, ("1.undo", False), ("1.undo", True))
    pad.mouse.up()
    undo.dispatch_event("pointerdown", {"button": 0, "pointerId": 1, "isPrimary": True})
    undo.dispatch_event("pointercancel", {"pointerId": 1})
    pad.clock.run_for(LONG_MS)
    pad.get_by_role("button", name="Deal").focus()
    pad.keyboard.down("Space")
    pad.clock.run_for(LONG_MS)
    tapped(table, ("1.undo", False), ("1.undo", True), ("deal", True))


def test_a_deal_that_was_forgotten_shows_at_its_key(pad: Page, table: Served) -> None:
    """Deal shines on each pad, as on the panel."""
    deal = pad.get_by_role("button", name="Deal")
    expect(deal).not_to_have_class(re.compile("hint"))
    table.do(lambda real_table: real_table.tell(hint={"kind": "deal-forgotten", "team": None}))
    expect(deal).to_have_class(re.compile("hint"))


def test_mode_acts_when_it_is_let_go(pad: Page, table: Served) -> None:
    """The time for which it was held selects brightness, demo or new game."""
    stop_clock(pad)
    mode = pad.get_by_role("button", name="Mode")
    expect(mode).to_have_accessible_description(
        "Short: brightness. Held two seconds: the demo. Five seconds: a new game."
    )
    for n, seconds in enumerate((0, 2, 5), 1):
        mode.hover()
        pad.mouse.down()
        pad.clock.run_for(1000 * seconds)
        pad.mouse.up()
        table.until(lambda real_table, n=n: len(real_table.sent) == n)  # type: ignore[misc]  # n is bound
    assert [0, 2, 5] == [int(held) for _, held in table.do(lambda real_table: real_table.sent)]


def test_keys_of_a_keyboard_work_it(pad: Page, table: Served) -> None:
    """Tab reaches all keys in their order; a key that is held down taps once."""
    pad.get_by_role("button", name="count 20").focus()
    pad.keyboard.press("Tab")
    for _ in range(5):
        pad.keyboard.down("Enter")
    pad.keyboard.up("Enter")
    pad.keyboard.press("Tab")
    pad.keyboard.press("Space")
    for name in ("Undo", "Enter", "Deal", "Mode"):
        pad.keyboard.press("Tab")
        expect(pad.get_by_role("button", name=name)).to_be_focused()
    tapped(table, ("1.plus_one", False), ("1.plus_five", False))


def test_a_screen_reader_works_it(pad: Page, table: Served) -> None:
    """Bare clicks tap; if the table asks for a hold, a second click replaces it."""
    pegged = [*[("2.plus_one", False)] * 3, ("2.enter", False)]
    table.do(lambda real_table: real_table.peg(2, 3))
    click(pad, "Undo")
    expect(pad.locator("#feedback")).to_contain_text("hold Undo for a second")
    click(pad, "Undo")
    tapped(table, *pegged, ("1.undo", False), ("1.undo", True))
    table.until(lambda real_table: real_table.commands == [Peg(side=2, points=3), Undo()])
    expect(pad.locator("#feedback")).to_be_empty()
    click(pad, "+1", "count 6", "Deal")
    expect(pad.locator("#feedback")).to_contain_text("hold Deal for a second")
    click(pad, "Undo")
    first = [("1.undo", False), ("1.undo", True), ("1.plus_one", False)]
    rest = [("1.plus_five", False), ("1.plus_one", False), ("deal", False), ("1.undo", False)]
    tapped(table, *pegged, *first, *rest)


def test_what_a_screen_reader_hears(pad: Page) -> None:
    """New lines are announced, and the keys have names."""
    pad.get_by_role("button", name="count 4").tap()
    expect(pad.locator("#lands")).to_have_text("4 lands on 4")
    for spoken, role in (("lands", "status"), ("feedback", "status"), ("lost", "alert")):
        expect(pad.locator(f"#{spoken}")).to_have_role(role)  # type: ignore[arg-type]  # a str of those it takes
    assert not [key for key in pad.get_by_role("button").all() if not key.inner_text()]


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 740), (844, 390), (768, 1024)])
def test_it_fits_a_thumb(browser: Browser, width: int, height: int) -> None:
    """All keys are large and in view, with any message."""
    real_table = RealTable(sides=3)
    real_table.tell(
        feedback="side 1 has folded until the next deal: has somebody forgotten to press?"
    )
    with served(real_table) as table:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(f"{table.url}pad?side=1")
        live(page)
        expect(page.locator("#feedback")).to_be_in_viewport(ratio=1)
        assert width >= page.evaluate("document.documentElement.scrollWidth")
        for key in page.locator("#keys").get_by_role("button").all():
            expect(key).to_be_in_viewport(ratio=1)
            box = key.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 44


@pytest.mark.parametrize(("motion", "moves"), [("reduce", 0), ("no-preference", 1)])
def test_calm_eyes_see_no_bar_grow(pad: Page, motion: str, moves: int) -> None:
    """A bar grows while a key is held; with reduced motion it is there at once."""
    pad.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]  # a str of the two it takes
    undo = pad.get_by_role("button", name="Undo")
    undo.evaluate("(key) => key.classList.add('down')")
    assert moves == undo.evaluate("(key) => key.getAnimations({ subtree: true }).length")


def test_more_windows_than_connections_all_follow(browser: Browser, table: Served) -> None:
    """Seven visible windows load, show each count, and can enter one."""
    with closing(browser.new_context()) as window:
        pages = []
        for path in [*WINDOWS, *["pad?side=1"] * 4]:
            page = window.new_page()
            page.goto(table.url + path)
            live(page)
            pages.append((page, page.locator(WINDOWS[path]).first))
        table.execute(Peg(side=1, points=5))
        for _, front in pages:
            expect(front).to_contain_text("5")
        assert table.do(lambda real_table: real_table.watchers) < len(pages)
        first, front = pages[0]
        first.get_by_role("button", name="Amber, +1").click()
        first.get_by_role("button", name="Amber, Enter").click()
        for _, front in pages:
            expect(front).to_contain_text("6")


def test_a_game_by_keyboard_alone(browser: Browser) -> None:
    """From sign-up to win, Tab reaches all that has no key of its own."""
    with served(RealTable(board=BOARD)) as table:
        page = opened(browser, table)
        for side, points in COUNTS:
            one, five, enter = {1: ("q", "w", "e"), 2: ("a", "s", "d")}[side]
            for key in [five] * (points // 5) + [one] * (points % 5) + [enter]:
                page.keyboard.press(key)
            if (side, points) != COUNTS[-1]:
                page.keyboard.press("Space")
        expect(page.locator("#win-title")).to_have_text("Amber wins")
        expect(page.locator("[data-side='1'] .front")).to_have_text("61")
        tab_to(page, "White, Undo")
        page.keyboard.down("Enter")
        expect(page.locator("#win")).to_be_hidden()
        page.keyboard.up("Enter")
        expect(page.locator("[data-side='1'] .front")).to_have_text("58")
        tab_to(page, "Correct")
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Correct a count")
        expect(dialog.get_by_label("Points")).to_have_value("7")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        for key in ("q", "q", "q", "e"):
            page.keyboard.press(key)
        expect(page.locator("#win")).to_be_visible()
        tab_to(page, "Deal")
        page.keyboard.press("Enter")
        expect(page.locator("#win")).to_be_hidden()
        expect(page.locator("[data-side='1'] .front")).to_have_text("0")


def test_a_game_by_the_accessibility_tree_alone(browser: Browser) -> None:
    """Buttons have names; pending counts, score and win are texts of the tree."""
    with served(RealTable(board=BOARD)) as table:
        page = opened(browser, table)
        live(page)
        reader = Reader(page)
        reader.press("Amber, Enter")
        reader.hears("Amber has no count to enter")
        holes = {1: 0, 2: 0}
        for side, points in COUNTS:
            name = {1: "Amber", 2: "White"}[side]
            for key in ["+5"] * (points // 5) + ["+1"] * (points % 5):
                reader.press(f"{name}, {key}")
            reader.hears(f"+{points}")
            reader.press(f"{name}, Enter")
            holes[side] += points
            reader.hears(f"Amber {holes[1]}, White {holes[2]}.")
            if (side, points) != COUNTS[-1]:
                reader.press("Deal")
        reader.hears("Amber wins")
        reader.press("Deal")
        reader.hears("Hand 1, ")
