"""The pictures of the README, taken from the real pages: `python -m tests.page_pictures`."""

import shutil
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, expect, sync_playwright

from companion.rules.game import Command, Peg, SetPegs
from tests.support.browser import ARGUMENTS, PROGRAMS, Served, live, served
from tests.support.program import ROOT
from tests.support.real_table import RealTable

FOLDER: Final = ROOT / "docs" / "pictures"
QUALITY: Final = 82
STILL_MS: Final = 2500
"""Time after which all pegs rest."""

LET_SIGN_STAND: Final = """() => {
    for (let last = setTimeout(() => {}); last; last -= 1) clearTimeout(last);
}"""

BEFORE: Final[tuple[Command, ...]] = (
    SetPegs(side=1, front=118, back=106),
    SetPegs(side=2, front=132, back=121),
    SetPegs(side=3, front=233, back=205),
    Peg(side=3, points=4),
    Peg(side=2, points=6),
    Peg(side=1, points=6),
)
SLIDE: Final = Peg(side=2, points=12)
"""Count from 138 into the red slide at 150."""

WON: Final[tuple[Command, ...]] = (
    SetPegs(side=1, front=290, back=278),
    SetPegs(side=2, front=340, back=331),
    SetPegs(side=3, front=352, back=345),
    Peg(side=3, points=12),
)
"""Counts after which side 3 wins."""

TRAPPED: Final = 6
"""Count of side 1 that would land in the trap at 130."""


def main() -> None:
    """Take all pictures."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise SystemExit("the pictures need the package chromium")
    FOLDER.mkdir(exist_ok=True)
    with served(RealTable(sides=3, board="crib-wars")) as table, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=Path(program), args=ARGUMENTS)
        for command in BEFORE:
            table.execute(command)
        _take_tv(browser, table)
        for key in ["plus_five", "plus_one"]:
            table.do(lambda shown, key=key: shown.lit.table.tap(f"1.{key}"))  # type: ignore[misc]  # key is bound
        _take_page(browser, table)
        _take_phone(browser, table)
        for key in ("1.undo", "1.undo"):
            table.do(lambda shown, key=key: shown.lit.table.tap(key))  # type: ignore[misc]  # key is bound
        _take_win(browser, table)
    with served(RealTable(board="crib-wars")) as table, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=Path(program), args=ARGUMENTS)
        _take_hand(browser, table)


def _opened(browser: Browser, url: str, width: int, height: int, **how: Any) -> Page:  # noqa: ANN401  # as Playwright takes them
    window = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark", locale="en", **how
    )
    page = window.new_page()
    page.goto(url)
    live(page)
    return page


def _take_tv(browser: Browser, table: Served) -> None:
    page = _opened(browser, table.url + "tv", 1920, 1080)
    table.execute(SLIDE)
    expect(page.locator(".plate")).to_contain_text("Red slide")
    page.evaluate(LET_SIGN_STAND)
    _save(page, "tv")


def _take_page(browser: Browser, table: Served) -> None:
    page = _opened(browser, table.url, 1440, 900)
    page.get_by_role("button", name="Not now").click()
    expect(page.locator("[data-side='1'] .pending")).to_have_text(f"+{TRAPPED}")
    page.get_by_role("button", name="View").click()
    page.get_by_role("switch", name="Trap adviser").check()
    page.keyboard.press("Escape")
    expect(page.locator("[data-side='1'] .advice")).not_to_be_empty()
    _save(page, "page")


def _take_phone(browser: Browser, table: Served) -> None:
    page = _opened(browser, table.url + "pad?side=1", 390, 844, device_scale_factor=2)
    expect(page.locator("#pending")).to_have_text(f"+{TRAPPED}")
    expect(page.locator("#lands")).not_to_be_empty()
    _save(page, "phone")


def _take_win(browser: Browser, table: Served) -> None:
    page = _opened(browser, table.url + "tv", 1920, 1080)
    for command in WON:
        table.execute(command)
    expect(page.locator("#win-title")).to_be_visible()
    _save(page, "win")


def _take_hand(browser: Browser, table: Served) -> None:
    page = _opened(browser, table.hand(), 390, 844, device_scale_factor=2)
    cards = page.locator("#own button")
    for card in (0, 3):
        cards.nth(card).click()
    _save(page, "hand")


def _save(page: Page, name: str) -> None:
    page.wait_for_timeout(STILL_MS)
    page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=QUALITY)
    page.context.close()


if __name__ == "__main__":
    main()
