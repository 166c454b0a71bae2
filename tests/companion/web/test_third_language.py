"""A language is one file: a third one in a folder is spoken by the table and by its pages."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.commentary import languages, load_phrases, phrase_file
from companion.web.http.language import COOKIE
from tests.companion.web.client import fetch
from tests.support.browser import served
from tests.support.real_table import RealTable

PSEUDO = "eo"
CACHED = (languages, load_phrases)


def marked(text: str) -> str:
    """A text of the pseudo-language: its places stay."""
    return f"⟦{text}⟧"


def dumped(table: Mapping[str, Any], where: str = "") -> Iterator[str]:
    """The lines of a TOML file whose texts are marked, plain values before tables."""
    for key, value in table.items():
        if isinstance(value, list):
            yield f"{json.dumps(key)} = {json.dumps([marked(item) for item in value])}"
        elif isinstance(value, str):
            yield f"{json.dumps(key)} = {json.dumps(marked(value))}"
    for key, value in table.items():
        if isinstance(value, dict):
            name = f"{where}{json.dumps(key)}"
            yield f"[{name}]"
            yield from dumped(value, f"{name}.")


@pytest.fixture
def third_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A pseudo-language, made of the French file, in a folder beside the others."""
    for language in languages():
        content = (phrase_file._SHIPPED / f"{language}.toml").read_bytes()
        (tmp_path / f"{language}.toml").write_bytes(content)
    french = tomllib.loads((tmp_path / "fr.toml").read_text(encoding="utf-8"))
    text = "\n".join(dumped(french))
    (tmp_path / f"{PSEUDO}.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(phrase_file, "_SHIPPED", tmp_path)
    for cached in CACHED:
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in CACHED:
        cached.cache_clear()


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
    assert marked("En direct") == words["Live"]
    assert marked("il n'y a rien de ce nom") == refused["error"]
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
