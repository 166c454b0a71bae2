"""The page of the records in a real browser: list, chart, slider, statistics, a real journal."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.backups.folders import make_backup, staged
from companion.backups.restore import READY
from companion.rules.game import Deal, NewGame, Peg
from companion.web.table.news import ReplayMode
from tests.companion.journal.scribe import MARKUP, NOON, Scribe, changed, many_games, three_games
from tests.companion.web.table.test_page import lamp
from tests.companion.web.table.test_signs import HOLES
from tests.support.browser import Served, faultless, fetched, live, served, stop_clock
from tests.support.limits import TIMEOUT_S
from tests.support.program import Program, running
from tests.support.real_table import RealTable

CHART = """() => [...document.querySelectorAll("#chart .race")].map((line) => {
    const box = document.querySelector("#chart svg").viewBox.baseVal;
    const points = [...line.points].map(({ x, y }) => [x, y]);
    return { side: line.dataset.side, points, width: box.width, height: box.height };
})"""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    """Serve a table at which three games were played, the second on another board."""
    with served(RealTable(folder=three_games(tmp_path))) as there:
        yield there


@pytest.fixture
def page(browser: Browser, table: Served) -> Iterator[Page]:
    """Open the page, which must end without an error or a breach of its policy."""
    with faultless(browser, requests_fail=True) as page:
        page.goto(f"{table.url}records")
        live(page)
        yield page


def look_at(page: Page, number: int) -> None:
    """Open a game of the list."""
    page.get_by_role("button", name=f"Game {number}", exact=True).click()
    expect(page.locator("#game-title")).to_contain_text(f"Game {number}")


def is_drawn(page: Page) -> bool:
    """Return True once the opened game has its whole board."""
    board = page.get_by_role("img", name="The board, ")
    return bool(board.evaluate("(image) => image.decode().then(() => image.naturalWidth > 0)"))


def replay(table: Served, game: int, at: int | None) -> None:
    """Show a game on the board from another page, or the running one again."""
    body = {"game": game, "at": at}
    answer = httpx.post(f"{table.url}api/replay", json=body, timeout=TIMEOUT_S)
    assert 200 == answer.status_code


def reported(table: Served, path: str) -> Any:  # noqa: ANN401  # JSON
    """Return the response of the API."""
    return httpx.get(f"{table.url}api/{path}", timeout=TIMEOUT_S).json()


def is_at(table: Served, game: int, at: int) -> bool:
    """Wait until the board shows a place of a game."""
    mode = ReplayMode(game=game, at=at, of=3)
    table.until(lambda real_table: real_table.records.mode() == mode)
    return True


def watching(route: Route) -> None:
    """Return the response to a phone that was not let in."""
    route.fulfill(json={**fetched(route).json(), "right": "watch"})


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
def past(browser: Browser, program: Program) -> Iterator[Page]:
    """Open its records; the page must end without an error."""
    with faultless(browser) as past:
        past.goto(f"{program.url}records")
        live(past)
        yield past


def test_games_are_listed_the_newest_first(page: Page) -> None:
    """Each has its sides, their progress, and its result."""
    rows = page.locator("#games tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text(f"{MARKUP} won, for 4 games")
    expect(rows.nth(2)).to_contain_text("not played to its end")
    expect(rows.nth(2).locator(".name")).to_have_text(["Amber 34", "White 8"])


def test_older_games_come_when_asked_for(browser: Browser, tmp_path: Path) -> None:
    """Ten more come at a time, until there are no more."""
    with served(RealTable(folder=many_games(tmp_path, 12))) as table:
        page = browser.new_context().new_page()
        page.goto(f"{table.url}records")
        expect(page.locator("#games tbody tr")).to_have_count(10)
        page.get_by_role("button", name="Older games").click()
        expect(page.locator("#games tbody tr")).to_have_count(12)
        expect(page.locator("#older")).to_be_hidden()


def test_the_chart_is_the_race(page: Page, table: Served) -> None:
    """Each side has a line of holes over counts, with the finish on top."""
    look_at(page, 1)
    expect(page.locator("#chart .race")).to_have_count(2)
    progress = reported(table, "games/1")["progress"]
    found = page.evaluate(CHART)
    assert list(progress) == [line["side"] for line in found]
    (left, start), *_, (right, end) = found[0]["points"]
    a_hole = (start - end) / 34
    for line in found:
        across, up = zip(*line["points"], strict=True)
        assert [left + (right - left) * n / 3 for n in range(4)] == pytest.approx(across)
        holes = progress[line["side"]]
        assert [start - a_hole * hole for hole in holes] == pytest.approx(up)
    assert 0 <= start - a_hole * 121 < start < found[0]["height"]
    expect(page.get_by_role("img", name="The race of game 1")).to_be_visible()


def test_chances_to_win_go_along_the_race(page: Page, table: Served) -> None:
    """Each side has a line below the race, and words at the place."""
    look_at(page, 3)
    chances = reported(table, "games/3")["win_chances"]
    page.get_by_role("button", name="Go to place 2").click()
    wanted = [f"wins {100 * chances[side][2]:.0f}%" for side in ("1", "2")]
    expect(page.locator("#chances li")).to_contain_text(wanted)
    lines = page.locator("#chart .chance")
    for line, side in zip(lines.all(), ("1", "2"), strict=True):
        heights = line.evaluate("(line) => [...line.points].map((point) => point.y)")
        sure, none = min(heights), max(heights)
        found = [(none - height) / (none - sure) for height in heights]
        low, high = min(chances[side]), max(chances[side])
        assert [(each - low) / (high - low) for each in chances[side]] == pytest.approx(
            found, abs=1e-4
        )


def test_the_log_goes_to_a_place(page: Page) -> None:
    """Every place has hand, holes and words; a tap or a key leads there."""
    look_at(page, 1)
    rows = page.locator("#steps tbody tr")
    expect(rows.nth(0)).to_have_text("0100The start.")
    expect(rows.nth(3)).to_have_text("31348Amber counts twenty-nine, to 34.")
    rows.nth(1).click()
    expect(page.locator("#at")).to_have_text("1 of 3")
    expect(rows.nth(1)).to_have_attribute("aria-current", "step")
    page.get_by_role("button", name="Go to place 2").press("Enter")
    expect(page.locator("#at")).to_have_text("2 of 3")


def test_the_board_shows_the_pegs_of_the_place(page: Page, table: Served) -> None:
    """It is the board of that game, with the pegs in their holes."""
    for game in (1, 2):
        look_at(page, game)
        pegs = reported(table, f"games/{game}")["pegs"]
        for at in (3, 1):
            page.get_by_role("button", name=f"Go to place {at}").click()
            for side, place in (("1", 0), ("2", 1)):
                x, y = pegs[side][at]["front"]
                peg = page.locator(".replayed .front").nth(place)
                expect(peg).to_have_css("transform", f"matrix(1, 0, 0, 1, {x:g}, {y:g})")
        assert is_drawn(page)


def test_marks_and_buttons_lead_to_what_happened(page: Page) -> None:
    """Landings and wins have marks; buttons go between them and to both ends."""
    look_at(page, 3)
    expect(page.locator("#chart .mark.won")).to_have_count(1)
    expect(page.get_by_role("button", name="Next event")).to_be_disabled()
    page.get_by_role("button", name="Go to place 1").click()
    page.get_by_role("button", name="Event before").click()
    expect(page.locator("#words")).to_contain_text("the start")
    expect(page.get_by_role("button", name="Event before")).to_be_disabled()
    page.get_by_role("button", name="Next event").click()
    expect(page.locator("#words")).to_contain_text("wins")


def test_an_address_names_a_game_and_a_place(browser: Browser, table: Served) -> None:
    """It has the number of a game or a command, as a line of the log does."""
    seq = reported(table, "games/1")["places"][2]["seq"]
    for named in ("#game=1&at=2", f"#seq={seq}"):
        page = browser.new_context().new_page()
        page.goto(f"{table.url}records{named}")
        expect(page.locator("#game-title")).to_contain_text("Game 1")
        expect(page.locator("#at")).to_have_text("2 of 3")
        page.context.close()


def test_the_slider_goes_through_a_game_by_keyboard(page: Page, table: Served) -> None:
    """Words, numbers and spoken text follow it; the board does not."""
    look_at(page, 1)
    slider = page.get_by_role("slider", name="Place in the game")
    expect(page.locator("#at")).to_have_text("3 of 3")
    slider.press("ArrowLeft")
    expect(page.locator("#words")).to_have_text("Hand 1: White counts eight, to 8.")
    slider.press("Home")
    expect(page.locator("#words")).to_have_text("Hand 1: the start.")
    expect(slider).to_have_attribute("aria-valuetext", "0 of 3: Amber 0, White 0")
    assert table.do(lambda real_table: real_table.records.mode()) is None


def test_the_slider_moves_what_the_board_shows(page: Page, table: Served) -> None:
    """This holds from a request until the table shows the running game again."""
    look_at(page, 1)
    page.get_by_role("switch", name="Show it on the board").check()
    assert is_at(table, 1, 3)
    page.get_by_role("slider").press("ArrowLeft")
    assert is_at(table, 1, 2)
    expect(page.locator("#at")).to_have_text("2 of 3")
    replay(table, 1, None)
    expect(page.get_by_role("switch")).not_to_be_checked()
    assert table.do(lambda real_table: real_table.records.mode()) is None


def test_another_page_moves_it_too(page: Page, table: Served) -> None:
    """The slider follows the table."""
    look_at(page, 1)
    replay(table, 1, 1)
    expect(page.locator("#at")).to_have_text("1 of 3")
    expect(page.get_by_role("switch")).to_be_checked()
    replay(table, 3, 1)
    expect(page.get_by_role("switch")).not_to_be_checked()


def test_it_plays_by_itself_to_its_end(page: Page) -> None:
    """It begins at the start if it is at its end; the button names its action."""
    look_at(page, 1)
    stop_clock(page)
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#at")).to_have_text("0 of 3")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.clock.run_for(1600)
    expect(page.locator("#at")).to_have_text("1 of 3")
    page.clock.run_for(5000)
    expect(page.locator("#at")).to_have_text("3 of 3")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_it_plays_at_other_speeds(page: Page) -> None:
    """At four times the speed it takes a quarter of the time."""
    look_at(page, 1)
    stop_clock(page)
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(400)
    expect(page.locator("#at")).to_have_text("1 of 3")


def test_a_game_of_another_board_is_only_drawn(page: Page) -> None:
    """There is no switch, and the page gives the reason."""
    look_at(page, 2)
    expect(page.locator("#lend")).to_be_hidden()
    expect(page.locator("#lent")).to_have_text(
        "It was played on another board, so it is only drawn here."
    )


def test_a_refusal_is_reported_and_the_switch_goes_back(page: Page, tmp_path: Path) -> None:
    """The reason is shown, and the switch is off again."""
    look_at(page, 1)
    assert is_drawn(page)
    changed(tmp_path, "UPDATE game SET setup = '{}' WHERE id = 1")
    page.get_by_role("switch").click()
    expect(page.locator("#refusal")).to_contain_text("game 1 of the journal cannot be read")
    expect(page.get_by_role("switch")).not_to_be_checked()


def test_statistics_are_reported_in_plain_words(page: Page) -> None:
    """They are by side and by name; an unknown value is a dash with a reason."""
    sides = page.get_by_role("region", name="By side").get_by_role("row")
    expect(sides.filter(has_text="Games won")).to_have_text("Games won01, counted as 4")
    expect(sides.filter(has_text="Average hand")).to_have_text("Average hand" + 2 * "\N{EN DASH}")
    expect(sides.filter(has_text="Best swing")).to_contain_text("+29 holes, game 3")
    names = page.get_by_role("region", name="By name").get_by_role("row")
    expect(names.nth(0)).to_have_text(f"{MARKUP}Anna")
    expect(page.locator("#unknown")).to_be_visible()


def test_averages_are_reported_where_reasons_are_known(browser: Browser, tmp_path: Path) -> None:
    """Points a deal of hand and pegging have one decimal."""
    with served(RealTable(folder=three_games(tmp_path, reasons=True))) as table:
        page = browser.new_context().new_page()
        page.goto(f"{table.url}records")
        sides = page.get_by_role("region", name="By side").get_by_role("row")
        expect(sides.filter(has_text="Average hand")).to_have_text("Average hand12.00.0")


def test_matches_are_reported_in_a_line_each(page: Page) -> None:
    """Each line has the games, the goal if there is one, and the score."""
    expect(page.get_by_role("list", name="Matches").get_by_role("listitem")).to_have_text(
        [
            f"Match 3, game 3, first to 7: Anna 0, {MARKUP} 4.",
            "Match 2, game 2: Amber 0, White 0.",
            "Match 1, game 1, first to 7: Amber 0, White 0.",
        ]
    )


def test_names_are_text(page: Page) -> None:
    """They are shown as they are at every place, and never become markup."""
    look_at(page, 3)
    expect(page.locator("#game-title")).to_have_text(f"Game 3: {MARKUP} won, for 4 games")
    expect(page.locator("#steps thead")).to_contain_text(MARKUP)
    expect(page.locator("#chart text", has_text="<img src=x on…")).to_have_count(1)
    expect(page.locator("main img")).to_have_count(1)  # the board


def test_who_only_watches_is_told_so(browser: Browser, table: Served) -> None:
    """Without the right to run the table there is neither switch nor backup."""
    page = browser.new_context().new_page()
    page.route("**/api/about", watching)
    page.goto(f"{table.url}records")
    look_at(page, 1)
    expect(page.locator("#lend")).to_be_hidden()
    expect(page.locator("#backup")).to_be_hidden()
    expect(page.locator("#lent")).to_contain_text("only watches")


def test_the_board_s_page_tells_what_is_shown(browser: Browser, table: Served) -> None:
    """It names the replayed game and the way back; numbers are of the running game."""
    page = browser.new_context().new_page()
    page.goto(table.url)
    live(page)
    replay(table, 3, 2)
    expect(page.locator("#over")).to_contain_text("Game 3 again, 2 of 7")


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (1366, 768), (1920, 1080)])
def test_it_fits_from_a_phone_to_a_television(
    browser: Browser, table: Served, width: int, height: int
) -> None:
    """Nothing is cut off at the side, and each target fits a finger."""
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    page.goto(f"{table.url}records")
    look_at(page, 3)
    expect(page.locator("#chart .race")).to_have_count(2)
    assert width >= page.evaluate("document.documentElement.scrollWidth")
    for place in page.locator(".plain:visible, [type=range], select").all():
        box = place.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    for word in page.locator("#chart text").all():
        box, chart = word.bounding_box(), page.locator("#chart").bounding_box()
        assert box
        assert chart
        assert chart["x"] <= box["x"]
        assert box["x"] + box["width"] <= chart["x"] + chart["width"] + 1
    files, backups = (page.locator(part).bounding_box() for part in ("#files", "#backups"))
    assert files
    assert backups
    assert (files["x"], files["y"] + files["height"]) <= (backups["x"], backups["y"])
    assert files["x"] == backups["x"]


def test_a_backup_is_looked_into_and_restored(browser: Browser, tmp_path: Path) -> None:
    """Its games are shown first; the second press restores it, and says so."""
    data = three_games(tmp_path)
    make_backup(data, data / "backups", settings=None, now=NOON)
    with served(RealTable(folder=data)) as table, browser.new_context() as window:
        page = window.new_page()
        page.goto(f"{table.url}records")
        live(page)
        backups = page.locator("#backups")
        backups.get_by_role("button", name="3 games").click()
        expect(page.locator("#inside li")).to_have_count(3)
        page.locator("#restore").click()
        expect(page.locator("#restore")).to_have_text(
            "Restore: what is there now is kept as a backup"
        )
        assert not (data / READY).exists()
        page.locator("#restore").click()
        expect(backups.get_by_role("status")).to_have_text("The table restarts with this backup.")
        assert (data / READY).exists()


def test_the_slider_moves_the_lamps_and_a_press_gives_them_back(
    past: Page, program: Program
) -> None:
    """The lamps of the pegs follow it; the running game is unchanged."""
    before = program.table()
    board = past.context.new_page()
    board.goto(program.url)
    live(board)
    past.get_by_role("button", name="Game 1", exact=True).click()
    past.get_by_role("switch", name="Show it on the board").check()
    assert lamp(board, HOLES[1, 17])[3] > 0
    assert lamp(board, HOLES[2, 8])[3] > 0
    past.get_by_role("slider").press("ArrowLeft")
    assert 0 == lamp(board, HOLES[1, 17], lit=False)[3]
    assert lamp(board, HOLES[1, 5])[3] > 0
    past.get_by_role("slider").press("Home")
    assert 0 == lamp(board, HOLES[2, 8], lit=False)[3]
    assert before == program.table()
    program.press("1.plus_five")
    expect(past.get_by_role("switch")).not_to_be_checked()
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


def test_leaving_the_page_gives_the_lamps_back(past: Page, program: Program) -> None:
    """The table reports that it shows the running game again."""
    news = program.news()
    next(news)
    past.get_by_role("button", name="Game 1", exact=True).click()
    past.get_by_role("switch").check()
    assert any(reported["mode"] for reported in news)
    past.goto(program.url)
    assert any(reported["mode"] is None for reported in news)
    live(past)
