"""Endpoints of recorded games and backups with their refusals, and the export of everything."""

import csv
import io
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.backups.folders import make_backup
from companion.backups.restore import READY
from companion.board import load_board
from companion.board.drawing.board_drawing import draw
from companion.records.records import Records
from companion.rules.game import Claim, Deal, HouseRules, NewGame, Overpeg, Peg
from companion.web.export import CSV_COLUMNS, export_csv, export_json, harmless
from companion.web.http.endpoint import Right
from companion.web.record_responses import GameTimeline
from companion.web.table.news import ReplayMode
from tests.companion.journal.scribe import NOON, Scribe, begun, changed, played
from tests.companion.records.random_tables import random_table
from tests.companion.web.client import fetch, refusal
from tests.support.real_table import RealTable

GAMES = 25
CLASSIC = begun("classic", rules=HouseRules(board="classic", game_to=121, skunk_at="finish"))
OTHER_BOARD = begun()
READS = (
    "/api/games",
    "/api/games/1",
    "/api/matches",
    "/api/statistics",
    "/api/export.json",
    "/api/export.csv",
    "/api/backup",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a journal of 25 games on the board of the table."""
    folder = tmp_path_factory.mktemp("records")
    commands = (each for n in range(GAMES) for each in (NewGame(), Peg(side=1, points=1 + n)))
    return Scribe(folder).sit(CLASSIC).do(*commands).close()


@pytest.fixture
def real_table(folder: Path) -> Iterator[RealTable]:
    """Serve a table at which these games were played."""
    with RealTable(folder=folder) as real_table:
        yield real_table


def numbers(folder: Path) -> list[int]:
    """Return the numbers of the games in a folder, newest first."""
    with Records(folder) as records:
        return [game.number for game in records.games()][::-1]


@pytest.fixture
def backed_up(tmp_path: Path) -> Iterator[tuple[RealTable, Path]]:
    """Serve a table with a backup of one game, and a later game."""
    data = Scribe(tmp_path).sit().do(Peg(side=1, points=5)).close()
    make_backup(data, data / "backups", settings=None, now=NOON)
    played(data, Peg(side=2, points=9))
    with RealTable(folder=data) as real_table:
        yield real_table, data


WIN = Claim(rule="N10", by=1, game_to=2)


def as_json(folder: Path, language: str = "en") -> dict[str, Any]:
    """Return the whole export."""
    with Records(folder) as records:
        return dict(json.loads(b"".join(export_json(records, language=language))))


def as_rows(folder: Path, language: str = "en") -> list[dict[str, str]]:
    """Return the rows of the table by column."""
    with Records(folder) as records:
        text = b"".join(export_csv(records, language=language)).decode("utf-8-sig")
    separator = "," if language == "en" else ";"
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=separator))


FORMULAS = [
    *("=1+1", "+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1"),
    *("\uff1d1+1", "\uff0b1", "\uff0d1", "\uff201"),
    *(
        'Anna;=HYPERLINK("http://example.org")',
        "Anna,=1",
        "Anna\t=1",
        'Anna"=1',
        "Anna|-1",
        "Anna; =1",
    ),
]


def test_games_are_listed_in_pages(real_table: RealTable, folder: Path) -> None:
    """There are twenty by default, below a number if one is given, for anybody."""
    all_games = numbers(folder)
    third, first = all_games[-3], all_games[-1]
    for query, listed, more in (
        ("", all_games[:20], True),
        ("?most=3", all_games[:3], True),
        (f"?before={third}&most=3", all_games[-2:], False),
        (f"?before={first}", [], False),
    ):
        answer = fetch(real_table, "GET", f"/api/games{query}", client="192.168.1.9")
        assert (200, "no-store") == (answer.status_code, answer.headers["cache-control"])
        page = answer.json()
        assert (listed, more) == ([game["number"] for game in page["games"]], page["more"])


def test_a_page_that_cannot_be_is_refused(real_table: RealTable) -> None:
    """It gets 400 with one line."""
    for query in ("most=0", "most=101", "before=0", "before=x", "page=2"):
        assert 400 == refusal(real_table, "GET", f"/api/games?{query}")


def test_answers_are_the_records_in_json(real_table: RealTable, folder: Path) -> None:
    """Nothing is added or left out."""
    with Records(folder) as records:
        matches, statistics = records.matches()[::-1], records.statistics()
        last = records.games()[-1]
    for path, value in (("matches", matches), ("statistics", statistics)):
        assert msgspec.json.encode(value) == fetch(real_table, "GET", f"/api/{path}").content
    reported = fetch(real_table, "GET", f"/api/games/{last.number}").json()
    assert msgspec.to_builtins(last, str_keys=True) == reported["game"]
    assert {field.name for field in fields(GameTimeline)} == reported.keys()
    drawn = fetch(real_table, "GET", f"/api/games/{last.number}/board.svg")
    assert ("image/svg+xml", draw(load_board("classic"))) == (
        drawn.headers["content-type"],
        drawn.text,
    )


def test_there_is_no_other_game(real_table: RealTable) -> None:
    """It gets 404 with one line."""
    for number in ("99", "0", "01", "x", "-1", "1" * 30, "%2e%2e"):
        assert 404 == refusal(real_table, "GET", f"/api/games/{number}")


def test_files_are_downloaded_whole(real_table: RealTable, folder: Path) -> None:
    """Each has a name of its own, and is not cached."""
    with Records(folder) as records:
        as_json, as_csv = b"".join(export_json(records)), b"".join(export_csv(records))
    for path, name, media, content in (
        ("export.json", "cribwars-games.json", "application/json", as_json),
        ("export.csv", "cribwars-counts.csv", "text/csv; charset=utf-8", as_csv),
        ("backup", "cribwars-backup.zip", "application/zip", b"PK"),
    ):
        answer = fetch(real_table, "GET", f"/api/{path}")
        headers = answer.headers
        assert f'attachment; filename="{name}"' == headers["content-disposition"]
        assert (media, "no-store") == (headers["content-type"], headers["cache-control"])
        assert answer.content.startswith(content)
    french = fetch(real_table, "GET", "/api/export.csv", headers={"Accept-Language": "fr"}).content
    assert as_csv.replace(b",", b";").splitlines()[0] == french.splitlines()[0]


def test_an_export_needs_no_lower_priority(
    real_table: RealTable, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is complete even if the system refuses a lower one, as under the service's filter."""

    def refuse(*_: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", refuse)
    with Records(folder) as records:
        whole = b"".join(export_csv(records))
    assert whole == fetch(real_table, "GET", "/api/export.csv").content


def test_an_unreadable_journal_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    """It gets 500 with a remedy, also in place of a file."""
    played(tmp_path, Peg(side=1, points=5))
    with RealTable(folder=tmp_path) as real_table:
        changed(tmp_path, "DROP TABLE log", checked=True)
        statuses = {path: refusal(real_table, "GET", path) for path in READS}
    assert dict.fromkeys(READS, 500) == statuses


def test_a_game_is_replayed_and_put_away(real_table: RealTable, folder: Path) -> None:
    """Null ends the replay; the response is the running game's table."""
    number = numbers(folder)[0]
    for at in (0, 1, None):
        body = msgspec.json.encode({"game": number, "at": at})
        answer = fetch(real_table, "POST", "/api/replay", body=body)
        assert (200, real_table.snapshot()) == (answer.status_code, answer.json())
        mode = None if at is None else ReplayMode(game=number, at=at, of=1)
        assert mode == real_table.records.mode()


def test_what_is_no_place_is_refused(real_table: RealTable) -> None:
    """It gets 400 with one line."""
    bodies = (b"{}", b'{"game": 1}', b'{"game": 1, "at": -1}', b'{"game": 0, "at": 1}', b"[")
    for body in bodies:
        assert 400 == refusal(real_table, "POST", "/api/replay", body=body)


def test_a_game_of_another_board_is_a_conflict(tmp_path: Path) -> None:
    """It gets 409 with a line that says so."""
    real_table = RealTable(folder=played(tmp_path, Peg(side=1, points=5), requested=OTHER_BOARD))
    answer = fetch(real_table, "POST", "/api/replay", body=b'{"game": 1, "at": 1}')
    assert (409, None) == (answer.status_code, answer.json()["rule"])
    assert "another board" in answer.json()["error"]


def test_who_only_watches_changes_nothing_and_takes_no_backup(real_table: RealTable) -> None:
    """Only phones that run the table get the lamps and the settings."""
    needs = {each.name: each.right for each in real_table.endpoints}
    assert {Right.RUN} == {needs["replay"], needs["backup"]}


def test_a_backup_is_looked_into(backed_up: tuple[RealTable, Path]) -> None:
    """The list has its date and number of games; its content has those games."""
    real_table, _ = backed_up
    (summary,) = fetch(real_table, "GET", "/api/backups").json()
    assert (NOON, 1) == (summary["made"], summary["games"])
    assert not summary["on_stick"]
    assert not summary["of_others"]
    place = f"/api/backups/content?name={summary['name']}"
    inside = fetch(real_table, "GET", place).json()
    assert ([1], []) == ([game["counts"] for game in inside["games"]], inside["faults"])
    assert 404 == fetch(real_table, "GET", "/api/backups/content?name=1").status_code
    assert 403 == fetch(real_table, "GET", "/api/backups", client="192.168.1.9").status_code


def test_a_restore_is_asked_for_by_this_run_alone(backed_up: tuple[RealTable, Path]) -> None:
    """A page of an earlier run is refused; else it waits for the next start."""
    real_table, data = backed_up
    run = fetch(real_table, "GET", "/api/about").json()["run"]

    def restore(of_run: str) -> httpx.Response:
        (summary,) = fetch(real_table, "GET", "/api/backups").json()
        body = msgspec.json.encode({"name": summary["name"], "run": of_run})
        return fetch(real_table, "POST", "/api/backups/restore", body=body)

    other = restore("other")
    assert (409, False) == (other.status_code, (data / READY).exists())
    answer = restore(run)
    assert (204, True) == (answer.status_code, (data / READY).exists())


def test_a_command_of_the_log_is_found_in_its_game(real_table: RealTable, folder: Path) -> None:
    """This holds for any game; a number without a command is refused."""
    with Records(folder) as records:
        seqs = {number: records.past(number).steps[-1].seq for number in (2, 26)}
    for number, seq in seqs.items():
        assert {"game": number} == fetch(real_table, "GET", f"/api/commands/{seq}").json()
    assert 404 == fetch(real_table, "GET", "/api/commands/999").status_code


def test_json_has_everything(tmp_path: Path) -> None:
    """It has format and version, series, statistics, and each game with its steps."""
    played(tmp_path, Peg(side=1, points=5), WIN, NewGame(), Peg(side=2, points=4))
    exported = as_json(tmp_path)
    assert ["format", "version", "games", "matches", "statistics"] == list(exported)
    assert ("cribwars-records", 1, 1) == (
        exported["format"],
        exported["version"],
        exported["statistics"]["games"],
    )
    assert [3, 2] == [len(game["steps"]) for game in exported["games"]]
    assert {"1", "2"} == exported["games"][0]["figures"].keys()


def test_json_of_no_games_is_json(tmp_path: Path) -> None:
    """A journal without games is exported as empty lists."""
    exported = as_json(played(tmp_path))
    assert ([], []) == (exported["games"], exported["matches"])


def test_json_comes_a_game_at_a_time(tmp_path: Path) -> None:
    """No piece has more than one game, and nothing is read in advance."""
    scribe = Scribe(tmp_path).sit().do(Peg(side=1, points=5), NewGame(), Peg(side=1, points=6))
    with Records(tmp_path) as records:
        pieces = export_json(records)
        head, first = next(pieces), next(pieces)
        rest = list(pieces)
    scribe.close()
    assert b'"games":[' == head[-9:]
    assert 1 == json.loads(first)["game"]["number"]
    assert 2 == json.loads(rest[0].removeprefix(b",\n"))["game"]["number"]
    assert b'\n],"matches":[' == rest[1][:14]


def test_an_export_may_go_on_in_another_thread(tmp_path: Path) -> None:
    """A server that streams it may read each piece in another thread."""
    played(tmp_path, Peg(side=1, points=5), NewGame(), Peg(side=1, points=6))
    with Records(tmp_path) as records, ThreadPoolExecutor(2) as threads:
        pieces = export_json(records)
        next(pieces)
        later = threads.submit(lambda: list(pieces)).result()
    assert 3 == len(later)


def test_json_is_in_the_language_asked_for(tmp_path: Path) -> None:
    """The words of each step are in the requested language."""
    played(tmp_path, Peg(side=1, points=5))
    assert "cinq" in as_json(tmp_path, "fr")["games"][0]["steps"][1]["words"]


def test_csv_has_a_row_a_count(tmp_path: Path) -> None:
    """Each valid count has its way, its zone and the position after it."""
    requested = begun(names={"1": "Anna"})
    played(tmp_path, Peg(side=1, points=15), Deal(), Peg(side=1, points=7), requested=requested)
    first, second = as_rows(tmp_path)
    assert tuple(CSV_COLUMNS) == tuple(first)
    assert {
        "game": "1",
        "board": "crib-wars",
        "count": "2",
        "time": "2027-01-15T08:00:03+00:00",
        "hand": "2",
        "dealer": "2",
        "team": "1",
        "name": "Anna",
        "points": "7",
        "for": "",
        "rule": "P7",
        "from": "15",
        "to": "22",
        "zone": "penalty-box",
        "front": "2",
        "back": "15",
        "lead": "-18",
        "progress_1": "2",
        "progress_2": "20",
        "progress_3": "",
        "boxed_1": "0",
        "boxed_2": "0",
        "boxed_3": "",
        "winner": "",
    } == second


def test_csv_is_marked_and_parted_as_spreadsheets_read_it(tmp_path: Path) -> None:
    """Excel needs marked UTF-8, and semicolons in languages with decimal commas."""
    played(tmp_path, Peg(side=1, points=5), requested=begun(names={"1": "Zoé; A, B"}))
    for language, head in (("en", b"game,board,"), ("fr", b"game;board;")):
        with Records(tmp_path) as records:
            assert b"\xef\xbb\xbf" + head == next(export_csv(records, language=language))[:14]
        assert "Zoé; A, B" == as_rows(tmp_path, language)[0]["name"]


def test_csv_tells_what_stands_alone(tmp_path: Path) -> None:
    """A corrected count is there once, with its right points."""
    played(tmp_path, Peg(side=1, points=9), Overpeg(side=1, extra=4, taken_by=2))
    rows = [(row["team"], row["points"], row["rule"], row["to"]) for row in as_rows(tmp_path)]
    assert [("1", "5", "P7", "5"), ("2", "4", "N11", "4")] == rows


def test_csv_and_json_agree(tmp_path: Path) -> None:
    """Rows and counts, final progress and results agree over many games."""
    random_table(tmp_path, seed=5, commands=120)
    games, rows = as_json(tmp_path)["games"], as_rows(tmp_path)
    for game in games:
        mine = [row for row in rows if row["game"] == str(game["game"]["number"])]
        assert game["game"]["counts"] == len(mine)
        for side, figures in game["figures"].items():
            cards = [r for r in mine if (r["team"], r["rule"]) == (side, "P7")]
            assert figures["counts"] == len(cards)


def test_csv_lines_end_as_the_standard_has_them(tmp_path: Path) -> None:
    """RFC 4180: lines end with CR and LF."""
    requested = begun(names={"1": 'Zoë, "the\nshark"'})
    played(tmp_path, Peg(side=1, points=5), requested=requested)
    with Records(tmp_path) as records:
        content = b"".join(export_csv(records))
    assert content.endswith(b"\r\n")
    assert 'Zoë, "the\nshark"' == as_rows(tmp_path)[0]["name"]


def test_no_name_is_a_formula_whatever_the_separator(tmp_path: Path) -> None:
    """Neither a cell nor a part split by another separator begins a formula."""
    played(tmp_path, Peg(side=1, points=5), requested=begun(names={"1": FORMULAS[0]}))
    (row,) = as_rows(tmp_path)
    names = [harmless(name) for name in FORMULAS]
    assert names[0] == row["name"]
    for name in names:
        for separator in ';,\t|"\r\n':
            for part in name.split(separator):
                assert part.strip()[:1] not in tuple("=+-@\uff1d\uff0b\uff0d\uff20")


@given(st.text())
def test_harmless_text_is_left_alone_and_no_other_is_lost(text: str) -> None:
    """Only quotes are added, and a text without a sign is unchanged."""
    reported = harmless(text)
    assert text.replace("'", "") == reported.replace("'", "")
    if not set(text) & set("=+-@\uff1d\uff0b\uff0d\uff20"):
        assert text == reported


def test_a_board_of_a_hostile_name_is_no_formula(tmp_path: Path) -> None:
    """A board's own name has letters and hyphens; its name in settings is not exported."""
    played(tmp_path, Peg(side=1, points=5))
    changed(tmp_path, "UPDATE game SET setup = json_set(setup, '$.board', '=1+1')")
    assert "crib-wars" == as_rows(tmp_path)[0]["board"]
