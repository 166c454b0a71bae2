"""The board page on a bad network: every press reaches its pin once, in order."""

import random
from collections import deque
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.companion.web.table.test_pad_network import FATES, TAPS, dropped, unanswered, well
from tests.support.browser import Served, fetched, live, opened
from tests.support.limits import TIMEOUT_S

KEYS = {"q": "1.plus_one", "w": "1.plus_five", "a": "2.plus_one", "r": "1.undo"}


def edges(*keys: str) -> list[tuple[str, bool]]:
    """Return the edges of these presses."""
    return [(KEYS[key], down) for key in keys for down in (True, False)]


@pytest.fixture
def board(browser: Browser, table: Served) -> Iterator[Page]:
    """Open the board page, which must end without an error."""
    faults: list[str] = []
    page = opened(browser, table)
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    page.unroute_all(behavior="wait")  # a request on its way would fail the next test
    page.context.close()
    assert [] == faults


def felt(board: Page, table: Served, *keys: str) -> bool:
    """Wait for these presses at the pins while the routes go on; return True if all came."""
    wanted = edges(*keys)
    for _ in range(50 * TIMEOUT_S):
        if len(table.do(lambda real_table: real_table.presses)) >= len(wanted):
            break
        board.wait_for_timeout(20)
    return wanted == table.do(lambda real_table: real_table.presses)


def late(route: Route) -> None:
    """Delay the request until the page has almost given it up, or has done so."""
    fetched(route)
    route.fulfill(status=503, json={"error": "later"})


@pytest.mark.parametrize("seed", range(3))
def test_each_press_counts_once_whatever_becomes_of_requests(
    board: Page, table: Served, seed: int
) -> None:
    """Requests may be lost, late or repeated; the pins get each press once, in order."""
    chance = random.Random(seed)
    fates = deque(chance.choices((*FATES, late), k=10))

    def meets(route: Route) -> None:
        fate = fates.popleft() if fates else well
        fate(route)

    board.route(TAPS, meets)
    made = [chance.choice(list(KEYS)) for _ in range(20)]
    for key in made:
        board.keyboard.press(key)
    assert felt(board, table, *made)


def test_presses_faster_than_a_contact_are_as_many(board: Page, table: Served) -> None:
    """A hundred presses without a pause, half of them on one button, all arrive."""
    made = ["q", "q", "r", "r"] * 25
    for key in made:
        board.keyboard.press(key)
    assert felt(board, table, *made)


def test_what_is_not_sent_is_reported_and_sent_when_it_can_be(board: Page, table: Served) -> None:
    """The page reports what waits; a hold keeps its length, however late it arrives."""
    board.route(TAPS, dropped)
    board.keyboard.press("q")
    board.keyboard.press("w")
    expect(board.locator("#feedback")).to_have_text("Not sent yet, trying again: +1 +5")
    board.unroute_all(behavior="wait")
    assert felt(board, table, "q", "w")


def test_a_page_loaded_again_sends_what_it_left(board: Page, table: Served) -> None:
    """Unanswered taps are sent again with their numbers, and count once."""
    board.route(TAPS, unanswered)
    board.keyboard.press("q")
    assert felt(board, table, "q")
    board.keyboard.press("w")
    board.unroute_all(behavior="wait")
    board.reload()
    live(board)
    assert felt(board, table, "q", "w")
