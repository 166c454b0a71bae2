"""The page's buttons in a real browser: mouse, touch, keyboard, and every way to release."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import TOOLS, Served, live, opened, served, stop_clock
from tests.support.real_table import RealTable


def test_a_press_by_mouse_reaches_the_pin(page: Page, table: Served) -> None:
    """The button is down while the mouse holds it, and looks pressed."""
    button = page.get_by_role("button", name="Amber, +1")
    button.hover()
    page.mouse.down()
    assert table.felt(("1.plus_one", True))
    expect(button).to_have_class("arcade plus_one down")
    page.mouse.up()
    assert table.felt(("1.plus_one", True), ("1.plus_one", False))
    expect(button).to_have_class("arcade plus_one")


def test_a_press_slips_off_the_button(page: Page, table: Served) -> None:
    """A release beside the button releases it, too."""
    page.get_by_role("button", name="mode").hover()
    page.mouse.down()
    assert table.felt(("mode", True))
    page.mouse.move(5, 5)
    page.mouse.up()
    assert table.felt(("mode", True), ("mode", False))


def test_keys_press_from_anywhere(page: Page, table: Served) -> None:
    """A held key is one press however often it repeats; space deals, even after a click."""
    page.get_by_role("button", name="White, undo").click()
    assert table.felt(("2.undo", True), ("2.undo", False))
    for _ in range(3):
        page.keyboard.down("e")
    page.keyboard.up("e")
    presses = [("2.undo", True), ("2.undo", False), ("1.enter", True), ("1.enter", False)]
    assert table.felt(*presses)
    page.keyboard.press("Space")
    assert table.felt(*presses, ("deal", True), ("deal", False))


@pytest.mark.parametrize(
    ("code", "key", "button"),
    [("KeyQ", "a", "1.plus_one"), ("KeyZ", "w", "3.plus_one"), ("KeyA", "ф", "2.plus_one")],
    ids=["AZERTY", "AZERTY, lower row", "Cyrillic"],
)
def test_keys_press_by_their_place(browser: Browser, code: str, key: str, button: str) -> None:
    """The letters on them may differ: the browser knows these, and the buttons show them."""
    layout = f"navigator.keyboard.getLayoutMap = async () => new Map([['{code}', '{key}']])"
    with served(RealTable(sides=3)) as table:
        context = browser.new_context()
        context.add_init_script(layout)
        page = context.new_page()
        page.goto(table.url)
        live(page)
        for event in ("keyDown", "keyUp"):
            keyboard = context.new_cdp_session(page)
            keyboard.send("Input.dispatchKeyEvent", {"type": event, "code": code, "key": key})
        assert table.felt((button, True), (button, False))
        shown = page.locator(f"[data-button='{button}']")
        expect(shown).to_have_attribute("aria-keyshortcuts", key.upper())
        context.close()


def test_keys_rest_after_a_load(browser: Browser, table: Served) -> None:
    """They act after a second without a key, so that typing during the load presses nothing."""
    page = browser.new_page()
    stop_clock(page)
    page.goto(table.url)
    expect(page.locator("#connection")).to_have_text("Live")
    for key in "qwas":
        page.keyboard.press(key)
        page.clock.run_for(900)
    expect(page.locator("html")).to_have_class("single-keys-rest")
    page.clock.run_for(100)
    live(page)
    page.keyboard.press("w")
    assert table.felt(("1.plus_five", True), ("1.plus_five", False))
    page.context.close()


def test_a_focused_button_is_pressed_by_the_space_bar(page: Page, table: Served) -> None:
    """Tab moves the focus, and space presses the focused button."""
    page.get_by_role("button", name="White, enter").focus()
    page.keyboard.press("Space")
    assert table.felt(("2.enter", True), ("2.enter", False))


def test_a_screen_reader_presses_by_a_click_alone(page: Page, table: Served) -> None:
    """A click without pointer or key, as assistive programs make it, is a short press."""
    page.get_by_role("button", name="Amber, +5").dispatch_event("click")
    assert table.felt(("1.plus_five", True), ("1.plus_five", False))


def test_a_window_that_loses_the_focus_lets_up(page: Page, table: Served) -> None:
    """A window in the background may miss the key's release."""
    page.keyboard.down("m")
    assert table.felt(("mode", True))
    page.evaluate("dispatchEvent(new Event('blur'))")
    assert table.felt(("mode", True), ("mode", False))


def test_a_closed_page_lets_up(browser: Browser, table: Served) -> None:
    """If a page is closed while it holds a button, the end of its stream releases it."""
    page = opened(browser, table)
    page.keyboard.down("m")
    assert table.felt(("mode", True))
    page.context.close()
    assert table.felt(("mode", True), ("mode", False))


def test_a_finger_presses_and_holds(browser: Browser, table: Served) -> None:
    """A touch is a press for as long as it lasts."""
    page = opened(browser, table, has_touch=True, is_mobile=True)
    box = page.get_by_role("button", name="Amber, enter").bounding_box()
    assert box
    at = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + 20}]
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
    assert table.felt(("1.enter", True))
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert table.felt(("1.enter", True), ("1.enter", False))
    page.context.close()


def test_without_a_mock_panel_there_is_nothing_to_press(browser: Browser) -> None:
    """With real buttons the panel shows only numbers, but the table can be run."""
    with served(RealTable(mock=False)) as table:
        page = opened(browser, table)
        expect(page.locator(".front")).to_have_count(2)
        expect(page.locator("#panel .arcade")).to_have_count(0)
        expect(page.locator("#panel img")).to_have_count(0)
        buttons = page.locator(".tools").get_by_role("button")
        expect(buttons).to_have_text(TOOLS)
        page.context.close()


def test_a_table_with_real_buttons_shows_the_codes_of_its_pads(browser: Browser) -> None:
    """On its own screen each side has a code to scan in place of buttons."""
    with served(RealTable(mock=False), everywhere=True) as table:
        page = opened(browser, table)
        codes = page.locator("#panel").get_by_role("img")
        expect(codes).to_have_count(2)
        expect(codes.first).to_have_accessible_name("Code to scan: Amber's score pad")
        expect(codes.last).to_have_attribute("src", "/qr.svg?side=2")
        page.context.close()


def test_whoever_only_watches_has_nothing_to_press(browser: Browser) -> None:
    """A page on another machine shows numbers, how to be let in, and harmless tools."""
    with served(RealTable(), everywhere=True) as table:
        page = browser.new_page()
        page.goto(table.far)
        live(page)
        expect(page.locator(".front")).to_have_count(2)
        expect(page.locator("#panel .arcade")).to_have_count(0)
        tools = page.locator(".tools").get_by_role("button")
        expect(tools).to_have_text(["Phones", "Join", "Menu", "View"])
        page.get_by_role("button", name="Menu").click()
        expect(page.get_by_role("link", name="Score pad")).to_be_visible()
        page.close()


def test_every_button_has_its_name_and_its_key(page: Page) -> None:
    """A screen reader gets the side of a button, and the key that presses it."""
    names = {
        button.get_attribute("aria-label"): button.get_attribute("aria-keyshortcuts")
        for button in page.locator("#panel .arcade").all()
    }
    assert names == {
        "Amber, +1": "Q",
        "Amber, +5": "W",
        "Amber, Enter": "E",
        "Amber, Undo": "R",
        "White, +1": "A",
        "White, +5": "S",
        "White, Enter": "D",
        "White, Undo": "F",
        "Deal": "Space",
        "Mode": "M",
    }
