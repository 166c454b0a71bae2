"""Settings that change while the table runs, on all its open pages, in a real browser."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import Served, faultless, live, served
from tests.support.real_table import RealTable

WINDOWS = {"": (1366, 768), "tv": (1920, 1080), "pad?side=2": (390, 844)}
"""A laptop, a television and a phone, by the page that each shows."""
NAMES = {"Amber": "Qwe Asd", "White": "Zxcv rrr", "Magenta": "Mmm qaz"}
"""Names of letters that are keys of the panel."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    """A table of three sides with a settings file."""
    (tmp_path / "cribwars.toml").write_text('board = "classic"\n')
    with served(RealTable(sides=3, folder=tmp_path)) as table:
        yield table


@pytest.fixture
def pages(browser: Browser, table: Served) -> Iterator[list[Page]]:
    """Open pages on three devices, in a language that the table lacks; none may reload."""
    with ExitStack() as opened:
        pages = []
        for path, (width, height) in WINDOWS.items():
            viewport = {"width": width, "height": height}
            page = opened.enter_context(faultless(browser, locale="de-DE", viewport=viewport))
            page.goto(table.url + path)
            live(page)
            page.evaluate("window.isOld = true")
            pages.append(page)
        yield pages
        assert [True] * len(pages) == [page.evaluate("window.isOld") for page in pages]


def change(page: Page, table: Served, **changes: object) -> None:
    """Save settings as another page would; underscores stand for dots."""
    form = page.request.get(f"{table.url}api/settings").json()
    named = {name.replace("__", "."): value for name, value in changes.items()}
    data = {"changes": named, "stamp": form["stamp"]}
    saved = page.request.post(f"{table.url}api/settings", data=data)
    assert (200, False) == (saved.status, saved.json()["pending"])


def rename(page: Page, old: str, new: str) -> None:
    """Give a side another name on its card, as fast as a browser types."""
    page.get_by_role("button", name=f"Change the name {old}", exact=True).click()
    page.keyboard.type(new)
    page.keyboard.press("Enter")


def nothing(_table: Served) -> None:
    """Leave the table as it is."""


def pend(table: Served) -> None:
    """Leave a count pending."""
    table.do(lambda table: table.lit.table.tap("1.plus_one"))


@pytest.mark.parametrize("before", [nothing, pend, Served.hand])
def test_names_typed_one_after_another_press_nothing(
    table: Served, pages: list[Page], before: Callable[[Served], object]
) -> None:
    """Names show on every page at once; nothing is counted, and nothing restarts."""
    board, tv, pad = pages
    before(table)
    pending = table.do(lambda table: dict(table.lit.table.panel.counts.by_side))
    seq = table.do(lambda table: table.lit.table.queue.seq)
    run = board.request.get(f"{table.url}api/about").json()["run"]
    for old, new in NAMES.items():
        rename(board, old, new)
    for name in NAMES.values():
        expect(board.get_by_role("button", name=f"Change the name {name}")).to_be_visible()
        expect(tv.locator("#scores")).to_contain_text(name)
    expect(pad.locator("#who")).to_have_text("Zxcv rrr")
    expect(board.locator("#feedback")).to_have_text("")
    assert run == board.request.get(f"{table.url}api/about").json()["run"]
    assert seq == table.do(lambda table: table.lit.table.queue.seq)
    assert pending == table.do(lambda table: dict(table.lit.table.panel.counts.by_side))
    assert ([], 0) == table.do(lambda table: (table.presses, table.shutdown.restarts))


def test_lines_and_colours_follow_the_settings(table: Served, pages: list[Page]) -> None:
    """The log has the new name in earlier lines; lettering and lights have the new colour."""
    board, tv, _ = pages
    table.do(lambda table: table.peg(1, 3))
    log = [page.locator("#events li") for page in (board, tv)]
    for lines in log:
        expect(lines).to_contain_text(["Amber counts three, to 3."])
    drawing = "document.querySelector('.sheet > svg').innerHTML"
    drawn = board.evaluate(drawing)
    frame = table.do(lambda table: table.lit.broadcast.frame[1].tobytes())
    change(board, table, names__1="Anna", lights__colours__1="#00ffff")
    for lines in log:
        expect(lines).to_contain_text(["Anna counts three, to 3."])
        assert "#00ffff" in (lines.get_attribute("style") or "")
    for page in (board, tv):
        page.wait_for_function(f"old => {drawing} !== old", arg=drawn)
    table.until(lambda table: table.lit.broadcast.frame[1].tobytes() != frame)
    change(board, table, lights__brightness=0.05)
    assert 0.05 == table.do(lambda table: table.lit.lamps.brightness)


def test_the_language_changes_on_open_pages(table: Served, pages: list[Page]) -> None:
    """Devices without a language of their own follow, back and forth, with all texts."""
    board, tv, pad = pages
    table.do(lambda table: table.peg(1, 3))
    for language, line, title in (
        ("fr", "Ambre compte trois, jusqu'à 3.", "Crib Wars\N{NO-BREAK SPACE}: marqueur"),
        ("en", "Amber counts three, to 3.", "Crib Wars: score pad"),
    ):
        change(board, table, language=language)
        for page in (board, tv):
            expect(page.locator("#events li")).to_contain_text([line])
            expect(page.locator("html")).to_have_attribute("lang", language)
        expect(pad.locator("#told li")).to_contain_text([line])
        expect(pad).to_have_title(title)
