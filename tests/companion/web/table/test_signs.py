"""Signs of events, settings that change on all open pages, and the real program in a browser."""

import random
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from operator import methodcaller
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from companion.board import Hole, load_board
from companion.rules.game import Peg, SetPegs
from companion.rules.game.commands import Deal
from tests.companion.web.table.test_page import lamp
from tests.companion.web.table.test_page_layout import all_on_screen, on_screen
from tests.support.browser import Served, faultless, live, opened, served, stop_clock
from tests.support.program import Program, running
from tests.support.real_table import RealTable, entry, stand

NEAR_HOLES = 20
STANDS_MS = 2600
FETCHES_MS = 200
"""Time of a stopped clock in which a card that was just drawn asks the table for its facts."""
CLEAR_MM = 4
SLACK_MM = 1e-5
SHEET = {"x": 10.0, "y": 8.0, "width": 570.0, "height": 400.0}
TELEVISION: ViewportSize = {"width": 1920, "height": 1080}
LAPTOP: ViewportSize = {"width": 1366, "height": 768}
SCREENS = [("", LAPTOP), ("tv", TELEVISION)]
PLACES = """async (cases) => {
    const { bestPlace } = await import("/static/table/signs.js");
    return cases.map(({ size, area, points, target }) => bestPlace(size, area, points, target));
}"""


@pytest.fixture
def crib_wars() -> Iterator[Served]:
    """Serve a table of three sides."""
    with served(RealTable(sides=3, board="crib-wars")) as table:
        yield table


def case_of(size: tuple[float, float], points: np.ndarray) -> dict[str, Any]:
    """Return a case for the page."""
    return {
        "size": dict(zip(("width", "height"), size, strict=True)),
        "area": SHEET,
        "points": [dict(zip(("x", "y", "weight"), each, strict=True)) for each in points.tolist()],
        "target": {"x": 300, "y": 200},
    }


def moved(side: int, way: list[tuple[str, Hole, Hole]]) -> list[dict[str, Any]]:
    """Return the events of a side's way."""
    return [
        {"kind": kind, "team": side, "from": origin, "to": to, "points": 9, "rule": "P7"}
        for kind, origin, to in way
    ]


WAYS: list[tuple[int, list[tuple[str, Hole, Hole]], str]] = [
    (1, [("counted", 36, 42), ("slid", 42, 62)], "Amber Red slide +20"),
    (2, [("counted", 138, 150), ("slid", 150, 170)], "White Red slide +20"),
    (3, [("counted", 121, 130), ("trapped", 130, 130)], "Magenta Time trap"),
    (1, [("counted", 190, 200), ("advanced", 200, 200)], "Amber Green advance"),
    (2, [("counted", 200, 212), ("folded", 212, 212)], "White Penalty box"),
    (3, [("counted", 3, 22), ("folded", 22, 22)], "Magenta Penalty box"),
    (1, [("counted", 290, 304), ("slid", 304, 324)], "Amber Red slide +20"),
]
FRONTS: list[dict[int, Hole]] = [{1: 62, 2: 170, 3: 240}, {1: 20, 2: 330, 3: 100}]


def show(
    sides: dict[str, Any], seq: int, side: int, way: list[tuple[str, Hole, Hole]]
) -> Callable[[RealTable], None]:
    """Return a call that reports pegs and an entry."""

    def call(real_table: RealTable) -> None:
        real_table.tell(table={"sides": sides})
        real_table.accept(entry(seq, "Something happens.", *moved(side, way)))

    return call


def covers(box: Any, at: tuple[float, float]) -> bool:  # noqa: ANN401  # as Playwright returns it
    """Return True if a point is in a box."""
    x, y = at
    return bool(box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"])


WINDOWS = {"": (1366, 768), "tv": (1920, 1080), "pad?side=2": (390, 844)}
"""A laptop, a television and a phone, by the page that each shows."""
NAMES = {"Amber": "Qwe Asd", "White": "Zxcv rrr", "Magenta": "Mmm qaz"}
"""Names of letters that are keys of the panel."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    """A table of three sides with a settings file."""
    (tmp_path / "cribwars.toml").write_text('board = "classic"\n')
    with served(RealTable(sides=3, folder=tmp_path)) as table:
        yield table


@pytest.fixture
def pages(browser: Browser, table: Served) -> Iterator[list[Page]]:
    """Open pages on three devices, in a language that the table lacks; none may reload."""
    with ExitStack() as opened:
        pages = []
        for path, (width, height) in WINDOWS.items():
            viewport = {"width": width, "height": height}
            page = opened.enter_context(faultless(browser, locale="de-DE", viewport=viewport))
            page.goto(table.url + path)
            live(page)
            page.evaluate("window.isOld = true")
            pages.append(page)
        yield pages
        assert [True] * len(pages) == [page.evaluate("window.isOld") for page in pages]


def change(page: Page, table: Served, **changes: object) -> None:
    """Save settings as another page would; underscores stand for dots."""
    form = page.request.get(f"{table.url}api/settings").json()
    named = {name.replace("__", "."): value for name, value in changes.items()}
    data = {"changes": named, "stamp": form["stamp"]}
    saved = page.request.post(f"{table.url}api/settings", data=data)
    assert (200, False) == (saved.status, saved.json()["pending"])


def rename(page: Page, old: str, new: str) -> None:
    """Give a side another name on its card, as fast as a browser types."""
    page.get_by_role("button", name=f"Change the name {old}", exact=True).click()
    page.keyboard.type(new)
    page.keyboard.press("Enter")


def nothing(_table: Served) -> None:
    """Leave the table as it is."""


def pend(table: Served) -> None:
    """Leave a count pending."""
    table.do(lambda table: table.lit.table.tap("1.plus_one"))


PRESS_MS = 80
"""Seconds that a finger stays on a button or a key."""
HOLES: dict[tuple[int, Hole], tuple[float, float]] = {
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


def test_no_place_covers_less_than_the_one_chosen(browser: Browser, crib_wars: Served) -> None:
    """A search of the whole sheet, 3 mm by 3 mm, finds nothing better, for any pegs and plates."""
    rng = random.Random(35)
    places = crib_wars.do(lambda real_table: real_table.places)
    holes = [(place[1], at) for place, at in places.items() if isinstance(place, tuple)]
    cases = []
    for _ in range(60):
        first = rng.randrange(1, 320)
        near = range(first, first + rng.randrange(20, 120))
        points = [(*at, 1e3) for hole, at in holes if hole in near]
        points += [(*rng.choice(holes)[1], 1e6) for _ in range(3)]
        cases.append(((rng.uniform(40, 216), rng.uniform(15, 56)), np.array(points)))
    page = opened(browser, crib_wars)
    for ((width, height), weighed), place in zip(
        cases, page.evaluate(PLACES, [case_of(*case) for case in cases]), strict=True
    ):
        right, below = SHEET["x"] + SHEET["width"] - width, SHEET["y"] + SHEET["height"] - height
        xs = np.append(np.arange(SHEET["x"], right, 3), place["x"])
        ys = np.append(np.arange(SHEET["y"], below, 3), place["y"])
        free = CLEAR_MM - SLACK_MM
        beside = (abs(weighed[:, :1] - xs - width / 2) < width / 2 + free) * weighed[:, 2:]
        level = abs(weighed[:, 1:2] - ys - height / 2) < height / 2 + free
        covered = beside.T @ level
        assert covered[-1, -1] == place["weight"] == covered.min()
        assert SHEET["x"] <= place["x"] <= right
        assert SHEET["y"] <= place["y"] <= below


@pytest.mark.parametrize(("path", "size"), SCREENS)
def test_a_plate_hides_neither_pegs_nor_ways(
    browser: Browser, crib_wars: Served, path: str, size: ViewportSize
) -> None:
    """No hole within 20 of the way, and no front peg, is below it; it is small, on both screens."""
    places = crib_wars.do(lambda real_table: real_table.places)
    page = browser.new_page(viewport=size)
    page.goto(crib_wars.url + path)
    live(page)
    stop_clock(page)
    board = page.locator("[data-part=board]").bounding_box()
    assert board
    for seq, (fronts, (side, way, words)) in enumerate(
        ((fronts, way) for fronts in FRONTS for way in WAYS), start=int(size["width"] * 100)
    ):
        now = {**fronts, side: way[-1][2]}
        sides = {str(each): stand(hole) for each, hole in now.items()}
        crib_wars.do(show(sides, seq, side, way))
        plate = page.locator(".plate")
        expect(plate).to_have_text(words)
        box = plate.bounding_box()
        assert box
        assert box["height"] <= 0.14 * board["height"]
        assert box["width"] <= 0.38 * board["width"]
        numbers = [int(hole) for _, origin, to in way for hole in (origin, to)]
        near = range(min(numbers) - NEAR_HOLES, max(numbers) + NEAR_HOLES + 1)
        shown = [
            place
            for place in places
            if isinstance(place, tuple) and (place[1] in near or now[place[0]] == place[1])
        ]
        on_page = all_on_screen(page, [places[place] for place in shown])
        hidden = [place for place, at in zip(shown, on_page, strict=True) if covers(box, at)]
        assert [] == hidden
        page.clock.fast_forward(STANDS_MS)
        expect(plate).to_have_text("")


def test_a_sign_tells_muggins_from_a_penalty(browser: Browser, crib_wars: Served) -> None:
    """Muggins is named where it is the cause (M1, M2), and mercy where it is shown (M3)."""
    page = opened(browser, crib_wars)
    stop_clock(page)
    signs = {"M1": "Muggins", "M2": "Muggins", "M3": "Let off", "N9": "Penalty"}
    for seq, (rule, words) in enumerate(signs.items(), start=1):
        event = {"kind": "penalised", "team": 1, "from": 9, "to": None, "points": 2, "rule": rule}
        crib_wars.do(methodcaller("accept", entry(seq, "Something happens.", event)))
        expect(page.locator(".plate")).to_have_text(f"Amber {words}")
        page.clock.fast_forward(STANDS_MS)
    page.context.close()


def test_a_win_is_told_at_once_on_every_screen(browser: Browser, tmp_path: Path) -> None:
    """It replaces the sign of a box; the laptop has one title, on a card that hides no peg.

    The television tells name, worth, race, best count and next game.
    """
    with served(RealTable(folder=tmp_path, sides=3, board="crib-wars")) as table:
        table.execute(Peg(side=2, points=22))
        table.execute(Deal())
        for points in (29, 24):
            table.execute(Peg(side=3, points=points))
        table.execute(SetPegs(side=1, front=325, back=310))
        table.execute(SetPegs(side=3, front=200, back=180))
        television = opened(browser, table, viewport=TELEVISION)
        television.goto(table.url + "tv")
        live(television)
        stop_clock(television)
        laptop = opened(browser, table, viewport=LAPTOP)
        stop_clock(laptop)
        table.execute(Peg(side=3, points=12))
        for page in (television, laptop):
            expect(page.locator(".plate")).to_have_text("Magenta Penalty box")
        table.execute(Peg(side=1, points=25))
        expect(television.locator(".plate")).to_have_text("Amber Wins")
        for page in (television, laptop):
            expect(page.get_by_role("heading", name="Amber wins")).to_be_visible()
            page.clock.run_for(FETCHES_MS)
        name = television.get_by_role("heading", name="Amber wins")
        size = name.evaluate("name => parseFloat(getComputedStyle(name).fontSize) / innerHeight")
        assert size == pytest.approx(0.09, rel=0.01)
        column = television.locator("#win")
        expect(column.locator(".worth")).to_have_text("Worth one game")
        expect(column.get_by_role("img", name="The race, hole by count")).to_be_visible()
        expect(column.locator(".facts")).to_contain_text("Best countMagenta, 29")
        expect(column.locator("#next")).to_have_text(
            "Deal starts the next game, Undo takes the win back"
        )
        for part in television.locator(".masthead, #scores, #match, #win > :not(nav)").all():
            expect(part).to_be_in_viewport(ratio=1)
        card = laptop.locator("#win")
        expect(card.locator(".worth")).to_have_text("Worth one game")
        expect(laptop.get_by_text("Amber wins")).to_have_count(1)
        expect(laptop.locator(".plate")).to_have_text("")
        box = card.bounding_box()
        places, sides = table.do(lambda real: (real.places, real.snapshot()["teams"]))
        for side, pegs in sides.items():
            assert not covers(box, on_screen(laptop, places[int(side), pegs["front"]]))


@pytest.mark.parametrize("before", [nothing, pend, Served.hand])
def test_names_typed_one_after_another_press_nothing(
    table: Served, pages: list[Page], before: Callable[[Served], object]
) -> None:
    """Names show on every page at once; nothing is counted, and nothing restarts."""
    board, tv, pad = pages
    before(table)
    pending = table.do(lambda table: dict(table.lit.table.panel.counts.by_side))
    seq = table.do(lambda table: table.lit.table.queue.seq)
    run = board.request.get(f"{table.url}api/about").json()["run"]
    for old, new in NAMES.items():
        rename(board, old, new)
    for name in NAMES.values():
        expect(board.get_by_role("button", name=f"Change the name {name}")).to_be_visible()
        expect(tv.locator("#scores")).to_contain_text(name)
    expect(pad.locator("#who")).to_have_text("Zxcv rrr")
    expect(board.locator("#feedback")).to_have_text("")
    assert run == board.request.get(f"{table.url}api/about").json()["run"]
    assert seq == table.do(lambda table: table.lit.table.queue.seq)
    assert pending == table.do(lambda table: dict(table.lit.table.panel.counts.by_side))
    assert ([], 0) == table.do(lambda table: (table.presses, table.shutdown.restarts))


def test_lines_and_colours_follow_the_settings(table: Served, pages: list[Page]) -> None:
    """The log has the new name in earlier lines; lettering and lights have the new colour."""
    board, tv, _ = pages
    table.do(lambda table: table.peg(1, 3))
    log = [page.locator("#events li") for page in (board, tv)]
    for lines in log:
        expect(lines).to_contain_text(["Amber counts three, to 3."])
    drawing = "document.querySelector('.sheet > svg').innerHTML"
    drawn = board.evaluate(drawing)
    frame = table.do(lambda table: table.lit.broadcast.frame[1].tobytes())
    change(board, table, names__1="Anna", lights__colours__1="#00ffff")
    for lines in log:
        expect(lines).to_contain_text(["Anna counts three, to 3."])
        expect(lines).to_have_attribute("style", re.compile("#00ffff"))
    for page in (board, tv):
        page.wait_for_function(f"old => {drawing} !== old", arg=drawn)
    table.until(lambda table: table.lit.broadcast.frame[1].tobytes() != frame)
    change(board, table, lights__brightness=0.05)
    assert 0.05 == table.do(lambda table: table.lit.lamps.brightness)


def test_the_language_changes_on_open_pages(table: Served, pages: list[Page]) -> None:
    """Devices without a language of their own follow, back and forth, with all texts."""
    board, tv, pad = pages
    table.do(lambda table: table.peg(1, 3))
    for language, line, title in (
        ("fr", "Ambre compte trois, jusqu'à 3.", "Crib Wars\N{NO-BREAK SPACE}: marqueur"),
        ("en", "Amber counts three, to 3.", "Crib Wars: score pad"),
    ):
        change(board, table, language=language)
        for page in (board, tv):
            expect(page.locator("#events li")).to_contain_text([line])
            expect(page.locator("html")).to_have_attribute("lang", language)
        expect(pad.locator("#told li")).to_contain_text([line])
        expect(pad).to_have_title(title)


def test_a_count_by_mouse_from_ghost_to_peg(page: Page, program: Program) -> None:
    """The ghost is lit before Enter, then the peg walks, and words and numbers follow."""
    assert 0 == lamp(page, HOLES[1, 5], lit=False)[3]
    click(page, "Amber, +5")
    ghost = lamp(page, HOLES[1, 5])
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
    assert 0 == lamp(page, HOLES[1, 5], lit=False)[3]
    assert min(lamp(page, HOLES[1, hole])[3] for hole in (6, 7)) > 0


def test_undo_by_keyboard(page: Page, program: Program) -> None:
    """R takes amber's own count back at once: the peg's lamp goes out, the page reports it."""
    for key in ("w", "q", "e"):
        page.keyboard.press(key, delay=PRESS_MS)
    front(page, 1, "6")
    lamp(page, HOLES[1, 6])
    page.keyboard.press("r", delay=PRESS_MS)
    front(page, 1, "0")
    assert 0 == lamp(page, HOLES[1, 6], lit=False)[3]
    assert 2 == program.table()["seq"]


def test_what_one_page_does_another_sees(page: Page, browser: Browser, program: Program) -> None:
    """Every page shows the same table, and a refusal with its reason."""
    other = browser.new_context().new_page()
    other.goto(program.url)
    live(other)
    click(page, "White, +5")
    assert lamp(other, HOLES[2, 5])[3] > 0
    click(page, *["White, +5"] * 5)
    expect(other.locator("#feedback")).to_have_text("A count is 29 at most")
