"""Zoom and pan of the board by wheel, keys, buttons, one finger or two."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.companion.web.table.test_page import lamp
from tests.companion.web.table.test_page_layout import on_screen
from tests.support.browser import Served, opened, served
from tests.support.real_table import RealTable

VIEW = """document.querySelector("[data-part=board] svg").getAttribute("viewBox")
    .split(" ").map(Number)"""

COVERED = """() => [...document.querySelectorAll(".sheet .holes circle")].filter((circle) => {
    const { left, top, width, height } = circle.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    return seen && !seen.closest(".sheet");
}).length"""


def view(page: Page) -> list[float]:
    """Return the visible part of the sheet: left, top, width, height in millimetres."""
    seen: list[float] = page.evaluate(VIEW)
    return seen


def factor(page: Page, button: str) -> str | None:
    """Press a button. Return the zoom that is shown then."""
    page.get_by_role("button", name=button, exact=True).click()
    return page.locator("[data-zoom=reset]").get_attribute("data-factor")


def test_a_browser_s_zoom_covers_no_hole(browser: Browser) -> None:
    """At 200 %, windows of usual screens have half their size; the buttons stay off the board."""
    with served(RealTable(board="crib-wars")) as table:
        page = opened(browser, table)
        expect(page.locator(".sheet .holes").first).to_be_attached()
        for width, height in ((683, 384), (640, 360), (960, 540), (512, 384), (740, 360)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(COVERED) == 0, (width, height)
        page.context.close()


def test_buttons_zoom_and_say_why_they_cannot(page: Page) -> None:
    """They zoom in steps up to eight times; another button shows the whole board."""
    whole = view(page)
    reset = page.get_by_role("button", name="The whole board")
    expect(reset).to_be_disabled()
    expect(reset).to_have_attribute("title", "This is the whole board")
    assert "1.5" == factor(page, "Zoom in")
    assert pytest.approx(whole[2] / 1.5) == view(page)[2]
    while page.get_by_role("button", name="Zoom in").is_enabled():
        factor(page, "Zoom in")
    assert pytest.approx(whole[2] / 8) == view(page)[2]
    assert "1" == factor(page, "The whole board")
    assert whole == view(page)


def test_the_wheel_zooms_about_the_pointer_and_light_follows(page: Page, table: Served) -> None:
    """The hole under the pointer stays there, keeps its name, and is lit there."""
    table.do(lambda real_table: real_table.light({(1, 20): (255, 0, 0)}))
    hole = table.real_table.places[1, 20]
    place = on_screen(page, hole)
    page.mouse.move(*place)
    page.mouse.wheel(0, -300)
    expect(page.locator("[data-zoom=reset]")).not_to_have_attribute("data-factor", "1")
    assert pytest.approx(place, abs=3) == on_screen(page, hole)
    place = on_screen(page, hole)
    page.mouse.move(*place)
    expect(page.locator(".tip")).to_contain_text("Hole 20, lane 1")
    assert lamp(page, hole)[0] > 200
    page.mouse.move(place[0] + 60, place[1] + 40)
    page.mouse.down()
    page.mouse.move(place[0] + 80, place[1] + 50, steps=4)
    page.mouse.up()
    moved = on_screen(page, hole)
    assert pytest.approx((place[0] + 20, place[1] + 10), abs=2) == moved


def test_keys_zoom_and_pan(page: Page) -> None:
    """Plus and minus zoom, 0 shows all, and the arrows stop at the sheet's edge."""
    whole = view(page)
    page.keyboard.press("+")
    page.keyboard.press("+")
    near = view(page)
    assert near[2] < whole[2]
    page.keyboard.press("ArrowRight")
    assert view(page)[0] > near[0]
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    assert pytest.approx(whole[0] + whole[2]) == view(page)[0] + view(page)[2]
    page.keyboard.press("-")
    assert view(page)[2] > near[2]
    page.keyboard.press("0")
    assert whole == view(page)


def test_two_fingers_zoom_and_one_pans(browser: Browser) -> None:
    """Fingers moving apart zoom in, and the place between them stays there."""
    with served(RealTable(board="crib-wars")) as table:
        page = opened(
            browser, table, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
        )
        touch = page.context.new_cdp_session(page)

        def mock_panel(kind: str, *points: tuple[float, float]) -> None:
            touch.send(
                "Input.dispatchTouchEvent",
                {
                    "type": kind,
                    "touchPoints": [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)],
                },
            )

        whole = view(page)
        hole = table.real_table.places[1, 200]
        x, y = on_screen(page, hole)
        mock_panel("touchStart", (x - 20, y), (x + 20, y))
        for spread in (25, 30, 40, 50, 60):
            mock_panel("touchMove", (x - spread, y), (x + spread, y))
        mock_panel("touchEnd")
        assert pytest.approx(whole[2] / 3, rel=0.02) == view(page)[2]
        assert pytest.approx((x, y), abs=3) == on_screen(page, hole)
        before = view(page)
        mock_panel("touchStart", (x, y))
        for step in (10, 20, 40):
            mock_panel("touchMove", (x - step, y))
        mock_panel("touchEnd")
        assert view(page)[0] > before[0]
        page.context.close()
