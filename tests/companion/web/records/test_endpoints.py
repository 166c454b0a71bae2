"""What is asked of the records: told, taken away, shown again, each answered or refused."""

from __future__ import annotations

import pytest

from companion.errors import JournalError, RuleError
from companion.web.app import make_app
from companion.web.http.endpoint import Right
from tests.companion.web.asking import asked
from tests.support.desk import FakeDesk
from tests.support.record_games import match, tally, told_game

READS = (
    "/api/games",
    "/api/games/1",
    "/api/matches",
    "/api/statistics",
    "/api/export.json",
    "/api/export.csv",
    "/api/backup",
)
FILES = {
    "/api/export.json": ("cribwars-games.json", "application/json", b"{}"),
    "/api/export.csv": ("cribwars-counts.csv", "text/csv; charset=utf-8", b"game,team\r\n"),
    "/api/backup": ("cribwars-backup.zip", "application/zip", b"PK"),
}


def desk_with(games: int) -> FakeDesk:
    """A table at which so many games were played."""
    desk = FakeDesk()
    desk.records.told = {number: told_game(number) for number in range(1, games + 1)}
    return desk


@pytest.mark.parametrize(
    ("query", "numbers", "more"),
    [
        ("", list(range(25, 5, -1)), True),
        ("?most=3", [25, 24, 23], True),
        ("?before=4&most=3", [3, 2, 1], False),
        ("?before=1", [], False),
    ],
)
def test_games_are_listed_in_pages(query: str, numbers: list[int], more: bool) -> None:
    """Twenty unless asked otherwise, below a number if one is given; anybody may look."""
    app = make_app(desk_with(25))
    answer = asked(app, "GET", f"/api/games{query}", client="192.168.1.9")
    assert (200, "no-store") == (answer.status_code, answer.headers["cache-control"])
    page = answer.json()
    assert (numbers, more) == ([game["number"] for game in page["games"]], page["more"])


@pytest.mark.parametrize("query", ["most=0", "most=101", "before=0", "before=x", "page=2"])
def test_a_page_that_cannot_be_is_refused(query: str) -> None:
    """400 with one line."""
    answer = asked(make_app(desk_with(1)), "GET", f"/api/games?{query}")
    assert 400 == answer.status_code
    assert "\n" not in answer.json()["error"]


def test_what_is_told_is_the_desks() -> None:
    """As they are told, and nothing added."""
    desk = desk_with(2)
    desk.records.statistics_told = {"games": 2, "sides": {"1": tally()}, "names": {"Anna": tally()}}
    desk.records.matches_told = [match(1, [1, 2])]
    app = make_app(desk)
    assert desk.records.matches_told == asked(app, "GET", "/api/matches").json()
    assert desk.records.told[2] == asked(app, "GET", "/api/games/2").json()
    assert desk.records.statistics_told == asked(app, "GET", "/api/statistics").json()


@pytest.mark.parametrize("number", ["3", "0", "01", "x", "-1", "1" * 30, "%2e%2e"])
def test_there_is_no_other_game(number: str) -> None:
    """404 with one line."""
    answer = asked(make_app(desk_with(2)), "GET", f"/api/games/{number}")
    assert 404 == answer.status_code
    assert "\n" not in answer.json()["error"]


@pytest.mark.parametrize("path", FILES)
def test_files_are_taken_away(path: str) -> None:
    """Under a name of their own, whole, and kept by no browser."""
    name, media, content = FILES[path]
    answer = asked(make_app(desk_with(1)), "GET", path)
    assert f'attachment; filename="{name}"' == answer.headers["content-disposition"]
    assert (media, "no-store") == (
        answer.headers["content-type"],
        answer.headers["cache-control"],
    )
    assert content == answer.content


@pytest.mark.parametrize("path", READS)
def test_a_journal_that_cannot_be_read_is_told_before_anything_is_sent(path: str) -> None:
    """500 with the line that says what to do, also where a file was asked for."""
    desk = desk_with(1)
    desk.records.refusal = JournalError("the journal cannot be read: restore a backup of it")
    answer = asked(make_app(desk), "GET", path)
    assert (500, {"error": str(desk.records.refusal)}) == (answer.status_code, answer.json())


def test_a_game_is_shown_again_and_put_away() -> None:
    """The place is passed on, null ends it; the answer is the running game's table."""
    desk = desk_with(3)
    app = make_app(desk)
    for at in ("0", "2", "null"):
        body = f'{{"game": 3, "at": {at}}}'.encode()
        answer = asked(app, "POST", "/api/replay", body=body)
        assert (200, desk.table()) == (answer.status_code, answer.json())
    assert [(3, 0), (3, 2), None] == desk.records.replays


@pytest.mark.parametrize(
    "body", [b"{}", b'{"game": 1}', b'{"game": 1, "at": -1}', b'{"game": 0, "at": 1}', b"["]
)
def test_what_is_no_place_is_refused(body: bytes) -> None:
    """400 with one line, and nothing shown."""
    desk = desk_with(1)
    answer = asked(make_app(desk), "POST", "/api/replay", body=body)
    assert 400 == answer.status_code
    assert "\n" not in answer.json()["error"]
    assert [] == desk.records.replays


def test_a_game_of_another_board_is_a_conflict() -> None:
    """409 with the line that says so."""
    desk = desk_with(1)
    desk.records.refusal = RuleError("it was played on another board")
    answer = asked(make_app(desk), "POST", "/api/replay", body=b'{"game": 1, "at": 1}')
    refusal = {"error": "it was played on another board", "rule": None}
    assert (409, refusal) == (answer.status_code, answer.json())


def test_who_only_watches_changes_nothing_and_takes_no_backup() -> None:
    """The lamps and the settings are for phones that were let in to run the table."""
    desk = desk_with(1)
    app = make_app(desk)
    body = b'{"game": 1, "at": 1}'
    replay = asked(app, "POST", "/api/replay", body=body, client="192.168.1.9")
    backup = asked(app, "GET", "/api/backup", client="192.168.1.9")
    assert [403, 403] == [replay.status_code, backup.status_code]
    assert [] == desk.records.replays
    needs = {each.name: each.needs for each in app.state.operations}
    assert {Right.RUN} == {needs["replay"], needs["backup"]}


def test_the_page_of_the_records_is_another() -> None:
    """`/records` has its own script, and the board's page leads there."""
    app = make_app(FakeDesk())
    assert "records.js" in asked(app, "GET", "/records").text
    assert 'href="/records"' in asked(app, "GET", "/").text
