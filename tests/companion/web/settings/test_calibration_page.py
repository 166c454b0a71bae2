"""A wiring is found in a real browser at a real table, by taps where light is."""

import random
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect

from companion.board import Board, load_board
from companion.lights import Per, Points, Wiring
from tests.companion.lights import built_strips
from tests.companion.web.set_up import LAPTOP, TEXT, button, saved_in, set_up, settings_of
from tests.support.browser import browser
from tests.support.program import HTTP, Program

__all__ = ["browser"]


def spot_names(board: Board) -> dict[int, str]:
    """Return the page's name of each place of a board with one light a hole."""
    points = Points(board, Per.HOLE)
    holes = {points.index(row.lane, h): f"hole {h}" for row in points.rows for h in row.holes}
    return holes | {
        points.lamps[lamp.id]: f"lamp {lamp.id.replace('-', ' ')}" for lamp in board.lamps
    }


def test_strips_that_lie_otherwise_are_found_by_tapping(browser: Browser, tmp_path: Path) -> None:
    """Strips are shuffled and reversed, an LED is skipped; the file has exactly these."""
    board = load_board("classic")
    names = spot_names(board)
    strips = built_strips.random_strips(
        board, Per.HOLE, random.Random(5), channels=1, skips=1, dead=0
    )
    with set_up(browser, tmp_path, TEXT, size=LAPTOP) as (program, page):
        page.get_by_role("link", name="Lights").click()
        page.get_by_label("One a hole, which the lanes share").check()
        button(page, "Begin")
        expect(page.locator(".calibration")).to_contain_text("pieces of strip found")
        answers = 0
        while requested_about := calibration(program)["asked"]:
            leds = range(requested_about["first"], requested_about["last"] + 1)
            lights = (strips.seen(requested_about["channel"], led) for led in leds)
            point = next((each for each in lights if each is not None), None)
            match requested_about["asked"], point:
                case "where", int():
                    button(page, f"It is at {names[point]}")
                case "where", None:
                    button(page, "I see no light")
                case "any", _:
                    button(page, "No light" if point is None else "Yes, I see light")
                case _:
                    button(page, "None stays dark")
            answers += 1
            shown = page.locator(".calibration")
            expect(shown).to_have_attribute("data-answers", str(answers))
        button(page, "Save the wiring")
        expect(page.get_by_text("The wiring is saved.")).to_be_visible()
    wired = saved_in(tmp_path)["wiring"]
    assert strips.shown() == built_strips.shown(Wiring.make(board, wired))
    assert TEXT == settings_of(tmp_path).read_text()


def calibration(program: Program) -> dict[str, Any]:
    """Return the progress."""
    return dict(HTTP.get(f"{program.url}api/calibration").json())


def test_a_tap_on_the_picture_is_where_it_falls(browser: Browser, tmp_path: Path) -> None:
    """Beside all rings it is refused with a reason; going back shows the last question."""
    with set_up(browser, tmp_path, TEXT) as (_, page):
        page.get_by_role("link", name="Lights").click()
        button(page, "Begin")
        sheet = page.locator("#lights .tapped-sheet")
        expect(sheet.locator(".dot").first).to_be_visible()
        board = load_board("classic")
        row = max(board.rows, key=lambda row: len(row.holes))
        _, x, y = list(row.places())[len(row.holes) // 2]
        box = sheet.bounding_box()
        assert box
        at = {"x": x / board.width_mm * box["width"], "y": y / board.height_mm * box["height"]}
        sheet.click(position=at)  # type: ignore[arg-type]  # as Playwright names it
        expect(page.locator("#lights .fault").last).to_contain_text("begins at an end of a row")
        button(page, "I see no light")
        button(page, "Go back")
        expect(page.get_by_role("button", name="Go back")).to_be_hidden()
        button(page, "Stop")
        expect(page.get_by_role("button", name="Begin")).to_be_visible()
