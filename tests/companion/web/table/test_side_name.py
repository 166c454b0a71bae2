"""The name of a side on its card, changed in a real browser."""

import tomllib
from pathlib import Path

from playwright.sync_api import Browser, expect

from companion.settings.sources import page_file
from tests.support.browser import opened, served
from tests.support.real_table import RealTable


def test_a_name_is_changed_on_its_card(browser: Browser, tmp_path: Path) -> None:
    """The button beside it, the name and Enter save it; letters press no button, Escape cancels."""
    file = tmp_path / "cribwars.toml"
    file.write_text('board = "classic"\n')
    with served(RealTable(folder=tmp_path)) as table:
        page = opened(browser, table)
        name = page.locator("[data-side='2'] h2")
        change = page.get_by_role("button", name="Change the name White")
        change.click()
        field = page.get_by_role("textbox", name="Name of White")
        expect(field).to_be_focused()
        page.keyboard.type("Someone")
        page.keyboard.press("Escape")
        expect(name).to_have_text("White")
        change.click()
        page.keyboard.type("Anna qwas")
        with page.expect_response(lambda response: response.request.method == "POST") as saved:
            page.keyboard.press("Enter")
        assert saved.value.ok
        written = tomllib.loads(page_file(file).read_text())
        assert {"2": "Anna qwas"} == written["names"]
        assert [] == table.do(lambda real_table: list(real_table.presses))
        page.context.close()


def test_names_typed_one_after_another_press_no_button(browser: Browser, tmp_path: Path) -> None:
    """Tab goes to the next name; keys after the last Enter press nothing."""
    file = tmp_path / "cribwars.toml"
    file.write_text('board = "classic"\n')
    with served(RealTable(folder=tmp_path)) as table:
        page = opened(browser, table)
        page.get_by_role("button", name="Change the name Amber").click()
        for key in ("Tab", "Enter"):
            page.keyboard.type("Quasdew r")
            page.keyboard.press(key)
        page.keyboard.type("Quasdew r")
        expect(page.locator(".side h2")).to_have_text(["Quasdew r"] * 2)
        assert [] == table.do(lambda real_table: list(real_table.presses))
        page.context.close()


def test_a_phone_that_only_watches_changes_no_name(browser: Browser) -> None:
    """There the name is only text."""
    with served(RealTable(), everywhere=True) as table:
        page = browser.new_context().new_page()
        page.goto(table.far)
        expect(page.locator(".side .name").first).to_have_text("Amber")
        expect(page.get_by_role("button", name="Change the name")).to_have_count(0)
        page.context.close()
