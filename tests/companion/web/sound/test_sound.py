"""Sounds and speech of the browser for events while the page is open."""

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import live, served
from tests.support.real_table import RealTable, entry

LISTEN = """
window.spoken = [];
window.notes = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.notes += 1; start.apply(this, when); };
speechSynthesis.speak = (words) => window.spoken.push([words.lang, words.text]);
"""
COUNTED = {"kind": "counted", "team": 1, "from": 0, "to": 42, "rule": "P7"}
SLID = {"kind": "slid", "team": 1, "from": 42, "to": 62, "rule": "Z2"}
COUNT, SLIDE = ["en", "Amber counts."], ["en", "Amber slides."]


@pytest.mark.parametrize(
    ("level", "spoken", "sounds"),
    [
        ("off", [], False),
        ("short", [SLIDE], True),
        ("full", [["en", "Amber counts."], SLIDE], True),
    ],
)
def test_a_device_hears_what_it_wants(
    browser: Browser, level: str, spoken: list[list[str]], sounds: bool
) -> None:
    """Its choice is remembered; events before the page was opened are silent."""
    with served(RealTable()) as table:
        table.do(lambda real_table: real_table.peg(1, 2))
        table.until(lambda real_table: real_table.snapshot()["seq"] == 1)
        context = browser.new_context()
        context.add_init_script(LISTEN)
        page = context.new_page()
        page.goto(table.url)
        live(page)
        page.get_by_role("button", name="View").click()
        page.get_by_label("Sound and speech").select_option(level)
        page.reload()
        live(page)
        page.get_by_role("button", name="View").click()
        expect(page.get_by_label("Sound and speech")).to_have_value(level)
        page.keyboard.press("Escape")
        page.locator("#hand").click()
        lines = ((2, "Amber counts.", COUNTED), (3, "Amber slides.", SLID))
        table.do(lambda real_table: real_table.accept(*(entry(*line) for line in lines)))
        expect(page.locator("#events li").first).to_contain_text("Amber slides.")
        assert spoken == page.evaluate("window.spoken")
        assert sounds == (page.evaluate("window.notes") > 0)
        context.close()
