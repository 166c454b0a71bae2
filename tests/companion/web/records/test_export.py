"""Export: everything as JSON, and the counts as a table without formulas."""

import csv
import io
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.records.records import Records
from companion.rules.game import Claim, Deal, NewGame, Overpeg, Peg
from companion.web.records.export import CSV_COLUMNS, export_csv, export_json, harmless
from tests.companion.journal.scribe import Scribe, begun, changed, played
from tests.companion.records.random_tables import random_table

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
