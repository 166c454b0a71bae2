"""Settings of a device: its theme, and its single-character keys."""

from playwright.sync_api import Browser, Page, expect

from tests.support.browser import Served, live, opened
from tests.support.real_table import entry

INK = "getComputedStyle(document.body).color"


def test_the_theme_is_the_devices_until_one_is_chosen(browser: Browser, table: Served) -> None:
    """A choice survives a reload, applies to every page, and can be reset."""
    page = opened(browser, table, color_scheme="light")
    theme = page.locator("html")
    expect(theme).to_have_attribute("data-theme", "light")
    dark = page.evaluate(INK)
    page.emulate_media(color_scheme="dark")
    expect(theme).to_have_attribute("data-theme", "dark")
    assert dark != page.evaluate(INK)
    page.get_by_role("button", name="View").click()
    choice = page.get_by_role("dialog", name="View").get_by_label("Theme")
    choice.select_option("Light theme")
    expect(theme).to_have_attribute("data-theme", "light")
    page.goto(table.url + "records")
    expect(theme).to_have_attribute("data-theme", "light")
    page.goto(table.url)
    page.get_by_role("button", name="View").click()
    choice.select_option("As the device")
    expect(theme).to_have_attribute("data-theme", "dark")
    page.context.close()


def test_a_key_shows_all_keys(page: Page) -> None:
    """Each is listed with its button; nothing is pressed meanwhile."""
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="View")
    for key, name in (
        ("Q", "Amber, +1"),
        ("D", "White, Enter"),
        ("Space", "Deal"),
        ("+", "Zoom in"),
    ):
        row = dialog.locator("dl > div").filter(has=page.get_by_text(name, exact=True))
        expect(row.locator("kbd")).to_have_text(key)
    page.keyboard.press("q")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("[data-side='1'] .pending")).to_have_text("")


def test_the_log_names_rules_for_who_wants_them(page: Page, table: Served) -> None:
    """A switch shows their numbers, and the device remembers it."""
    counted = {"kind": "counted", "team": 1, "from": 0, "to": 6, "points": 6, "rule": "P7"}
    table.do(lambda real_table: real_table.accept(entry(1, "Amber counts six, to 6.", counted)))
    expect(page.locator("#events .rule")).to_be_hidden()
    page.get_by_role("button", name="View").click()
    page.get_by_role("switch", name="Numbers of the rules in the log").check()
    page.reload()
    expect(page.locator("#events .rule")).to_be_visible()


def test_keys_of_a_single_character_are_switched_off(page: Page, table: Served) -> None:
    """Then they do not count, zoom or help; a focused button still works."""
    page.get_by_role("button", name="View").click()
    page.get_by_role("switch", name="Shortcuts of a single key").uncheck()
    for reload in (False, True):
        if reload:
            page.reload()
            live(page)
        page.keyboard.press("Escape")
        for key in ("q", "+", "?"):
            page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator("kbd >> visible=true")).to_have_count(0)
        assert "1" == page.locator("[data-zoom=reset]").get_attribute("data-factor")
    page.get_by_role("button", name="White, +1").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-side='2'] .pending")).to_have_text("+1")
    assert ("2.plus_one", True) == table.do(lambda real_table: real_table.presses)[0]
