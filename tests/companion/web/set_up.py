"""The set-up page of a real table, for tests that use it as people do."""

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from companion.settings.sources import page_file
from tests.support.browser import faultless
from tests.support.program import Program, running

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1366, "height": 768}
TEXT = '# our table\nboard = "classic"  # the small one\n\n[panel]\nbounce_ms = 50  # old buttons\n'


def settings_of(folder: Path) -> Path:
    """Return the path of this home's settings."""
    return folder / ".config" / "cribwars" / "cribwars.toml"


def saved_in(folder: Path) -> dict[str, Any]:
    """Return what the page has saved in this home."""
    file = page_file(settings_of(folder))
    return tomllib.loads(file.read_text()) if file.exists() else {}


@contextmanager
def set_up(
    browser: Browser, folder: Path, text: str | None, *arguments: str, size: dict[str, int] = PHONE
) -> Iterator[tuple[Program, Page]]:
    """Serve a table whose settings file has this text, and open its set-up page."""
    if text is not None:
        settings_of(folder).parent.mkdir(parents=True)
        settings_of(folder).write_text(text)
    with (
        running(folder, *arguments) as program,
        faultless(browser, requests_fail=True, viewport=size) as page,
    ):
        page.goto(f"{program.url}setup")
        expect(page.locator("main")).to_have_attribute(
            "data-screen", re.compile("questions|settings")
        )
        yield program, page


def button(page: Page, name: str) -> None:
    """Press a visible button."""
    page.get_by_role("button", name=name, exact=True).click()
