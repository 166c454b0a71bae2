"""Signs of events: a plate that hides neither pegs nor their ways, and the win on every screen."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from companion.board import Hole
from companion.rules.game import Peg, SetPegs
from companion.rules.game.commands import Deal
from tests.companion.web.table.test_page_layout import on_screen
from tests.support.browser import Served, live, opened, served, stop_clock
from tests.support.real_table import RealTable, entry, stand

NEAR_HOLES = 20
STANDS_MS = 2600
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
    page.context.close()


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
        hidden = [
            place
            for place, at in places.items()
            if isinstance(place, tuple) and (place[1] in near or now[place[0]] == place[1])
            if covers(box, on_screen(page, at))
        ]
        assert [] == hidden
        page.clock.fast_forward(STANDS_MS)
        expect(plate).to_have_text("")
    page.context.close()


def show(
    sides: dict[str, Any], seq: int, side: int, way: list[tuple[str, Hole, Hole]]
) -> Callable[[RealTable], None]:
    """Return a call that reports pegs and an entry."""

    def call(real_table: RealTable) -> None:
        real_table.tell(table={"sides": sides})
        real_table.accept(entry(seq, "Something happens.", *moved(side, way)))

    return call


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
        for page in (television, laptop):
            page.context.close()


def covers(box: Any, at: tuple[float, float]) -> bool:  # noqa: ANN401  # as Playwright returns it
    """Return True if a point is in a box."""
    x, y = at
    return bool(box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"])
