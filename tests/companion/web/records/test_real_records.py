"""Past games at the real program, with a real journal and a real browser."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from companion.backups.staging import staged
from companion.rules.game import Deal, NewGame, Peg
from tests.companion.journal.scribe import Scribe
from tests.companion.web.table.test_page import lamp
from tests.companion.web.table.test_real_table import PLACES
from tests.support.browser import faultless, live
from tests.support.limits import TIMEOUT_S
from tests.support.program import Program, running

PAST = (Peg(side=1, points=5), Peg(side=2, points=8), Deal(), Peg(side=1, points=12))
RUNNING = (NewGame(), Peg(side=1, points=2), Peg(side=2, points=3))


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """Run a table whose second game is running."""
    (tmp_path / "data").mkdir()
    Scribe(tmp_path / "data").sit().do(*PAST, *RUNNING).close()
    with running(tmp_path) as program:
        yield program
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr


@pytest.fixture
def page(browser: Browser, program: Program) -> Iterator[Page]:
    """Open its records; the page must end without an error."""
    with faultless(browser) as page:
        page.goto(f"{program.url}records")
        live(page)
        yield page


def test_the_slider_moves_the_lamps_and_a_press_gives_them_back(
    page: Page, program: Program
) -> None:
    """The lamps of the pegs follow it; the running game is unchanged."""
    before = program.table()
    board = page.context.new_page()
    board.goto(program.url)
    live(board)
    page.get_by_role("button", name="Game 1", exact=True).click()
    page.get_by_role("switch", name="Show it on the board").check()
    assert lamp(board, PLACES[1, 17])[3] > 0
    assert lamp(board, PLACES[2, 8])[3] > 0
    page.get_by_role("slider").press("ArrowLeft")
    assert 0 == lamp(board, PLACES[1, 17], lit=False)[3]
    assert lamp(board, PLACES[1, 5])[3] > 0
    page.get_by_role("slider").press("Home")
    assert 0 == lamp(board, PLACES[2, 8], lit=False)[3]
    assert before == program.table()
    program.press("1.plus_five")
    expect(page.get_by_role("switch")).not_to_be_checked()
    assert before == program.table()


@pytest.mark.program
def test_files_of_a_running_table_are_whole(program: Program, tmp_path: Path) -> None:
    """The export has the whole game, and the backup can be restored."""
    with httpx.Client(base_url=program.url, timeout=TIMEOUT_S) as client:
        reported = json.loads(client.get("api/export.json").content)
        rows = client.get("api/export.csv").text.splitlines()
        (tmp_path / "backup.zip").write_bytes(client.get("api/backup").content)
    assert [1, 2] == [game["game"]["number"] for game in reported["games"]]
    assert 1 + 5 == len(rows)
    with staged(tmp_path / "backup.zip", tmp_path / "restored") as backup:
        assert 2 == backup.manifest.games


def test_leaving_the_page_gives_the_lamps_back(page: Page, program: Program) -> None:
    """The table reports that it shows the running game again."""
    news = program.news()
    next(news)
    page.get_by_role("button", name="Game 1", exact=True).click()
    page.get_by_role("switch").check()
    assert any(reported["mode"] for reported in news)
    page.goto(program.url)
    assert any(reported["mode"] is None for reported in news)
    live(page)
