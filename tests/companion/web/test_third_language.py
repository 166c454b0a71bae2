"""A language is one file: table and pages speak a third one that is put into a folder."""

import pytest
from playwright.sync_api import Browser, expect

from companion.web.http.requests import LANGUAGE_COOKIE as COOKIE
from tests.companion.web.client import fetch
from tests.support.browser import served
from tests.support.catalogues import PSEUDO, marked, third_language
from tests.support.real_table import RealTable

__all__ = ["third_language"]


@pytest.mark.usefixtures("third_language")
def test_the_table_speaks_it() -> None:
    """Names, lines, refusals and rulings are those of the new file."""
    headers = {"Accept-Language": PSEUDO}
    with RealTable() as table:
        about = fetch(table, "GET", "/api/about", headers=headers).json()
        words = fetch(table, "GET", "/api/words", headers=headers).json()
        refused = fetch(table, "GET", "/api/cards/none", headers=headers).json()
        rulings = fetch(table, "GET", "/api/referee", headers=headers).json()["rulings"]
    assert marked("Français") == about["languages"][PSEUDO]
    assert marked("Ambre") == about["teams"]["1"]["name"]
    assert [marked("En direct")] == words["texts"]["Live"]
    assert marked("rien ici ne porte ce nom") == refused["error"]
    assert all(ruling["what"].startswith("⟦") for ruling in rulings)


@pytest.mark.usefixtures("third_language")
def test_the_page_speaks_it(browser: Browser) -> None:
    """A device that has chosen it reads its words, and may choose another."""
    with served(RealTable()) as table:
        window = browser.new_context()
        window.add_cookies([{"name": COOKIE, "value": PSEUDO, "url": table.url}])
        page = window.new_page()
        page.goto(table.url + "pad?side=1")
        expect(page.locator("#connection")).to_have_text(marked("En direct"))
        expect(page.locator("html")).to_have_attribute("lang", PSEUDO)
        expect(page.locator("#who")).to_have_text(marked("Ambre"))
        window.close()
