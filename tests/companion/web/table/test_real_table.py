"""The whole system as users have it: a real browser at the real program."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.board import Hole, load_board
from tests.companion.web.table.test_page import lamp
from tests.support.browser import faultless, live
from tests.support.program import Program, running

PRESS_MS = 80
"""Seconds that a finger stays on a button or a key."""

PLACES: dict[tuple[int, Hole], tuple[float, float]] = {
    (row.lane, hole): (x, y) for row in load_board("crib-wars").rows for hole, x, y in row.places()
}


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """Run a table of two sides with a new game."""
    with running(tmp_path) as program:
        yield program
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr


@pytest.fixture
def page(browser: Browser, program: Program) -> Iterator[Page]:
    """Open its page, which must end without an error."""
    with faultless(browser) as page:
        page.goto(program.url)
        live(page)
        yield page


def click(page: Page, *names: str) -> None:
    """Press buttons with the mouse, one after the other."""
    for name in names:
        page.get_by_role("button", name=name, exact=True).click(delay=PRESS_MS)


def front(page: Page, side: int, hole: str) -> None:
    """Wait until a side's front peg is reported there."""
    expect(page.locator(f"[data-side='{side}'] .front")).to_have_text(hole)


def test_a_count_by_mouse_from_ghost_to_peg(page: Page, program: Program) -> None:
    """The ghost is lit before Enter, then the peg walks, and words and numbers follow."""
    assert 0 == lamp(page, PLACES[1, 5], lit=False)[3]
    click(page, "Amber, +5")
    ghost = lamp(page, PLACES[1, 5])
    assert ghost[0] > ghost[2]
    expect(page.locator("[data-side='1'] .pending")).to_have_text("+5")
    assert 0 == program.table()["seq"]
    click(page, "Amber, Enter")
    front(page, 1, "5")
    expect(page.locator("#events li")).to_have_text(["Amber counts five, to 5. P7"])
    assert {"front": 5, "back": 0, "pending": 0}.items() <= program.table()["teams"]["1"].items()


def test_pegs_leapfrog_and_leave_their_lamps(page: Page) -> None:
    """G1: two counts later the first hole is dark, and those of both pegs are lit."""
    for hole in ("5", "6", "7"):
        click(page, "Amber, +5" if hole == "5" else "Amber, +1", "Amber, Enter")
        front(page, 1, hole)
    assert 0 == lamp(page, PLACES[1, 5], lit=False)[3]
    assert min(lamp(page, PLACES[1, hole])[3] for hole in (6, 7)) > 0


def test_undo_by_keyboard(page: Page, program: Program) -> None:
    """R takes amber's own count back at once: the peg's lamp goes out, the page reports it."""
    for key in ("w", "q", "e"):
        page.keyboard.press(key, delay=PRESS_MS)
    front(page, 1, "6")
    lamp(page, PLACES[1, 6])
    page.keyboard.press("r", delay=PRESS_MS)
    front(page, 1, "0")
    assert 0 == lamp(page, PLACES[1, 6], lit=False)[3]
    assert 2 == program.table()["seq"]


def test_what_one_page_does_another_sees(page: Page, browser: Browser, program: Program) -> None:
    """Every page shows the same table, and a refusal with its reason."""
    other = browser.new_context().new_page()
    other.goto(program.url)
    live(other)
    click(page, "White, +5")
    assert lamp(other, PLACES[2, 5])[3] > 0
    click(page, *["White, +5"] * 5)
    expect(other.locator("#feedback")).to_have_text("A count is 29 at most")
    other.context.close()
