"""Pages on a bad network: each tap counts once, in order, and no page stays live for long."""

import os
import random
import signal
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.rules.game.commands import Peg
from tests.companion.night.test_hall_page import night_of
from tests.support.browser import (
    PROGRAM,
    Served,
    SilentProxy,
    faultless,
    fetched,
    firefox,
    live,
    opened,
    served,
    silent_proxy,
    stop_clock,
)
from tests.support.limits import TIMEOUT_S
from tests.support.night_tables import night_server
from tests.support.program import running
from tests.support.real_table import RealTable

TAPS = "**/api/taps"
KEYS = {"+1": "1.plus_one", "+5": "1.plus_five", "Enter": "1.enter"}
PENDING = """async (all) => {
    const { pendingAfter } = await import("/static/table/taps.js");
    return all.map(([pending, taps]) => pendingAfter("1", pending, taps));
}"""


@pytest.fixture
def pad(browser: Browser, table: Served) -> Iterator[Page]:
    """Open the pad of side 1 on a phone; it must end without an error."""
    phone = {"width": 390, "height": 844}
    with faultless(browser, requests_fail=True, viewport=phone, has_touch=True) as page:
        page.goto(f"{table.url}pad?side=1")
        live(page)
        yield page
        page.unroute_all(behavior="wait")  # a request on its way would fail the next test


def tap(pad: Page, *names: str) -> None:
    """Tap keys one after the other."""
    for name in names:
        pad.get_by_role("button", name=name, exact=True).tap()


def settled(pad: Page) -> None:
    """Wait until the table has answered every tap."""
    expect(pad.locator("#count")).not_to_have_class("unsure")
    expect(pad.locator("#unsent")).to_be_empty()


def counted(table: Served) -> list[str]:
    """Return the buttons that pads have pressed at the table."""
    return table.do(lambda real_table: [button for button, _ in real_table.taps])


def dropped(route: Route) -> None:
    """Drop the request."""
    route.abort()


def unanswered(route: Route) -> None:
    """Pass the request, and drop its response."""
    fetched(route)
    route.abort()


def repeated(route: Route) -> None:
    """Send the request twice."""
    fetched(route)
    route.fulfill(response=fetched(route))


def well(route: Route) -> None:
    """Pass the request and its response."""
    route.continue_()


FATES = (dropped, unanswered, repeated, well)


def _taps(rng: random.Random) -> list[dict[str, object]]:
    """Return taps of side 1, sometimes with one of another button."""
    keys = rng.choices(["plus_one", "plus_five", "enter", "undo"], [3, 4, 1, 2], k=12)
    taps: list[dict[str, object]] = [
        {"button": f"1.{key}", "held": rng.choice((0, 0.2, 1.05))} for key in keys
    ]
    return [*taps[:4], {"button": rng.choice(("deal", "2.plus_five")), "held": 0}, *taps[4:]]


def _slow_pending(pending: int, taps: list[dict[str, object]]) -> int:
    """Return the same, computed press by press; earlier pending points are kept."""
    before, presses = pending, list[int]()
    for tapped in taps:
        held = float(str(tapped["held"])) >= 1
        match tapped["button"]:
            case "1.plus_one" | "1.plus_five" as button:
                more = 1 if button == "1.plus_one" else 5
                presses += [more] if before + sum(presses) + more <= 29 else []
            case "1.enter":
                before, presses = 0, []
            case "1.undo":
                before, presses = (0, []) if held else (before, presses[:-1])
    return before + sum(presses)


BOARD_KEYS = {"q": "1.plus_one", "w": "1.plus_five", "a": "2.plus_one", "r": "1.undo"}


def edges(*keys: str) -> list[tuple[str, bool]]:
    """Return the edges of these presses."""
    return [(BOARD_KEYS[key], down) for key in keys for down in (True, False)]


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


DEAD_MS = 13_000
"""Longer than the silence after which a page takes a stream for dead."""


@pytest.fixture
def proxy(table: Served) -> Iterator[SilentProxy]:
    """Return the way to the table, which can fall silent."""
    with silent_proxy(table.port) as proxy:
        yield proxy


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open a page whose clock can be advanced."""
    with faultless(browser, requests_fail=True) as page:
        page.clock.install()
        yield page


def fell_silent(page: Page) -> None:
    """Advance a page's clock until it says that its state is old."""
    page.clock.fast_forward(DEAD_MS)
    expect(page.locator("#connection, .trouble")).to_contain_text("Not current since")


def live_again(page: Page) -> None:
    """Advance a page's clock past its next try to connect, and wait for the connection."""
    page.clock.fast_forward(DEAD_MS)
    live(page)


@pytest.mark.parametrize("seed", range(3))
def test_each_tap_counts_once_whatever_becomes_of_requests(
    pad: Page, table: Served, seed: int
) -> None:
    """Requests and responses may be lost or repeated; the table has each tap once, in order."""
    rng = random.Random(seed)
    fates = deque(rng.choices(FATES, k=12))

    def meets(route: Route) -> None:
        fate = fates.popleft() if fates else well
        fate(route)

    pad.route(TAPS, meets)
    made = [rng.choice(list(KEYS)) for _ in range(24)]
    tap(pad, *made)
    settled(pad)
    assert [KEYS[name] for name in made] == counted(table)


def test_a_count_of_many_taps_is_one_request(pad: Page, table: Served) -> None:
    """A quick count is sent as its fives and ones in one request, whole or not at all."""
    requests: list[object] = []
    pad.on("request", lambda sent: requests.append(sent) if "taps" in sent.url else None)
    tap(pad, "count 12")
    table.until(lambda real_table: len(real_table.taps) == 4)
    settled(pad)
    assert ["1.plus_five"] * 2 + ["1.plus_one"] * 2 == counted(table)
    assert 1 == len(requests)


def test_a_pad_without_a_network_keeps_its_taps(pad: Page, table: Served) -> None:
    """They show at once as unsent, and count in order when the network is back."""
    pad.context.set_offline(True)
    tap(pad, "+5", "+1", "+1")
    expect(pad.locator("#pending")).to_have_text("+7")
    expect(pad.locator("#unsent")).to_have_text("Not sent yet, trying again: +5 +1 +1")
    assert [] == counted(table)
    pad.context.set_offline(False)
    settled(pad)
    assert ["1.plus_five", "1.plus_one", "1.plus_one"] == counted(table)


def test_what_is_older_than_a_minute_is_not_sent(pad: Page, table: Served) -> None:
    """All of it is dropped with a message, as half of a count is wrong."""
    stop_clock(pad)
    pad.route(TAPS, dropped)
    tap(pad, "+5", "Enter")
    expect(pad.locator("#unsent")).to_contain_text("+5 Enter")
    pad.clock.fast_forward(59_000)
    tap(pad, "+1")
    pad.clock.fast_forward(2_000)
    expect(pad.locator("#lost")).to_contain_text(
        "Not sent: +5 Enter +1: the table was out of reach"
    )
    expect(pad.locator("#pending")).to_be_empty()
    pad.unroute(TAPS)
    tap(pad, "+5")
    table.until(lambda real_table: len(real_table.taps) > 0)
    expect(pad.locator("#lost")).to_be_empty()
    assert ["1.plus_five"] == counted(table)


@pytest.mark.parametrize("fate", [dropped, unanswered])
def test_a_page_loaded_anew_sends_what_it_left(
    pad: Page, table: Served, fate: Callable[[Route], None]
) -> None:
    """Unanswered taps are sent again with their numbers, by which the table knows them."""
    pad.route(TAPS, fate)
    tap(pad, "+5", "+1")
    expect(pad.locator("#unsent")).to_contain_text("+5 +1")
    pad.unroute_all(behavior="wait")
    pad.reload()
    table.until(lambda real_table: len(real_table.taps) >= 2)
    live(pad)
    tap(pad, "Enter")
    table.until(lambda real_table: len(real_table.taps) >= 3)
    settled(pad)
    assert ["1.plus_five", "1.plus_one", "1.enter"] == counted(table)


def test_a_copy_of_the_page_is_another_pad(pad: Page, table: Served) -> None:
    """A copied tab has a copy of the memory, but each pad keeps its own numbers."""
    tap(pad, "+5")
    settled(pad)
    with pad.context.expect_page() as opening:
        pad.evaluate("open(location.href)")
    copy = opening.value
    live(copy)
    copy.get_by_role("button", name="+1").click()
    table.until(lambda real_table: len(real_table.taps) == 2)
    tap(pad, "Enter")
    table.until(lambda real_table: len(real_table.taps) == 3)
    assert ["1.plus_five", "1.plus_one", "1.enter"] == counted(table)


def test_a_table_started_anew_is_looked_at_first(browser: Browser) -> None:
    """It does not know the taps of the last run, so they are dropped with a message."""
    with served(RealTable()) as table:
        page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        page.goto(f"{table.url}pad?side=1")
        live(page)
    page.get_by_role("button", name="+5").click()
    expect(page.locator("#pending")).to_have_text("+5")
    with served(RealTable(), port=table.port) as anew:
        expect(page.locator("#lost")).to_contain_text("Not sent: +5: the table was restarted")
        expect(page.locator("#pending")).to_be_empty()
        live(page)
        page.get_by_role("button", name="+1").click()
        anew.until(lambda real_table: len(real_table.taps) == 1)
        assert ["1.plus_one"] == counted(anew)


def test_who_taps_too_fast_waits_as_long_as_told(pad: Page, table: Served) -> None:
    """Nothing is sent before the given time is over, then everything."""
    refusals: list[Route] = []

    def too_fast(route: Route) -> None:
        refusals.append(route)
        route.fulfill(status=429, headers={"Retry-After": "7"}, json={"error": "too fast"})

    stop_clock(pad)
    pad.route(TAPS, too_fast)
    tap(pad, "+5")
    expect(pad.locator("#unsent")).to_contain_text("+5")
    pad.clock.fast_forward(6_000)
    tap(pad, "+1", "+1")
    expect(pad.locator("#unsent")).to_contain_text("+5 +1 +1")
    assert 1 == len(refusals)
    pad.unroute(TAPS)
    pad.clock.fast_forward(2_000)
    settled(pad)
    assert ["1.plus_five", "1.plus_one", "1.plus_one"] == counted(table)


def test_what_is_shown_before_the_answer_is_what_will_be(pad: Page) -> None:
    """Counts stop at 29, Undo takes a press back, a held Undo all, Enter ends the count."""
    rng = random.Random(29)
    scenes = [(rng.choice((0, 0, 4)), _taps(rng)) for _ in range(300)]
    shown = pad.evaluate(PENDING, scenes)
    assert [_slow_pending(pending, taps) for pending, taps in scenes] == shown


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
    made = [chance.choice(list(BOARD_KEYS)) for _ in range(20)]
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


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("", "#panel .front"),
        ("tv", "#scores li"),
        ("pad?side=1", "#front .hole"),
        ("pad?side=2", "#others li"),
        ("hand?hand=ended", "#fronts li"),
    ],
)
def test_a_silent_stream_is_reported_and_opened_again(
    page: Page, table: Served, proxy: SilentProxy, path: str, place: str
) -> None:
    """Each page shows since when it is not current, and later the present state."""
    table.execute(Peg(side=1, points=3))
    page.goto(proxy.url + path)
    live(page)
    proxy.silence()
    table.execute(Peg(side=1, points=4))
    fell_silent(page)
    expect(page.locator(place).first).to_contain_text("3")
    proxy.speak()
    live_again(page)
    expect(page.locator(place).first).to_contain_text("7")


@pytest.mark.parametrize(
    ("path", "sign"), [("hall", "header:not(:has(.trouble))"), ("", "#connection[data-state=live]")]
)
def test_pages_of_a_night_report_it_too(page: Page, path: str, sign: str) -> None:
    """The hall screen and the organiser's page show since when they are not current."""
    with night_server(night_of(1)) as night, silent_proxy(night.port) as proxy:
        page.goto(proxy.url + path)
        expect(page.locator(sign)).to_have_count(1)
        proxy.silence()
        fell_silent(page)
        proxy.speak()
        page.clock.fast_forward(DEAD_MS)
        expect(page.locator(sign)).to_have_count(1)


@pytest.mark.parametrize(
    ("path", "front", "pending"),
    [("pad?side=1", "#front .hole", "#pending"), ("", "#panel .front", "#panel .pending")],
)
def test_an_answer_is_never_taken_back_by_older_news(
    page: Page, proxy: SilentProxy, path: str, front: str, pending: str
) -> None:
    """A count in a response stays, even if the stream is dead or late."""
    page.goto(proxy.url + path)
    live(page)
    hole = page.locator(front).first
    proxy.silence(streams_only=True)
    page.get_by_role("button", name="+5").first.click()
    page.get_by_role("button", name="Enter").first.click()
    expect(hole).to_have_text("5")
    page.clock.fast_forward(3_000)
    assert "5" == hole.text_content()
    page.get_by_role("button", name="+1").first.click()
    expect(page.locator(pending).first).to_have_text("+1")
    proxy.speak()
    page.get_by_role("button", name="Enter").first.click()
    expect(hole).to_have_text("6")


@pytest.mark.tool(lacks="" if PROGRAM else "needs the package firefox-esr")
def test_firefox_reports_it_too(table: Served, proxy: SilentProxy, tmp_path: Path) -> None:
    """In Firefox, too, a silent stream is reported and reopened, and a response stays."""
    table.execute(Peg(side=1, points=3))
    with firefox(tmp_path) as page:
        page.goto(f"{proxy.url}pad?side=1")
        assert page.shows("#connection", "Live")
        proxy.silence(streams_only=True)
        page.click("[data-key=plus_five]")
        page.click("[data-key=enter]")
        assert page.shows("#front .hole", "8")
        assert page.shows("#connection", "Not current since")
        assert page.shows("#front .hole", "8")
        proxy.speak()
        assert page.shows("#connection", "Live")
        assert page.shows("#front .hole", "8")


@pytest.mark.program
def test_a_server_that_hangs_is_reported(page: Page, tmp_path: Path) -> None:
    """A stopped program keeps its connections, but the page does not call it live."""
    with running(tmp_path) as program:
        page.goto(f"{program.url}pad?side=1")
        live(page)
        os.kill(program.pid, signal.SIGSTOP)
        fell_silent(page)
        page.get_by_role("button", name="+5").click()
        expect(page.locator("#count")).to_have_class("unsure")
        os.kill(program.pid, signal.SIGCONT)
        live_again(page)
        expect(page.locator("#pending")).to_have_text("+5")
        expect(page.locator("#count")).not_to_have_class("unsure")
