"""`cribwars demo`, and the demo of `cribwars run`: the real program, from outside."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.program import (
    HTTP,
    Ask,
    Program,
    ask,
    assert_refused,
    run_command,
    running,
    started,
)

__all__ = ["ask"]

QUICK = ("--speed", "100", "--board", "classic")
CHILDREN = '[demo]\nplayers = ["child"]\nvoice = false\n'


def of_children(folder: Path, text: str = "") -> tuple[str, str]:
    """Return settings by which children play."""
    file = folder / "quick.toml"
    file.write_text(text + CHILDREN)
    return "--config", str(file)


def demo_of(news: dict[str, Any]) -> dict[str, Any]:
    """Return the demo in a message of the page; it must be on."""
    demo = news["demo"]
    assert demo
    assert demo["on"] is True
    return dict(demo)


# Alone


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--games", "0"), "0 is not in the range"),
        (("--speed", "0"), "0.0 is not in the range"),
        (("--teams", "4"), "4 is not in the range"),
        (("--board", "clasic"), "did you mean 'classic'"),
        (("--data", "here"), "--data"),
    ],
)
def test_wrong_use_is_refused(ask: Ask, arguments: tuple[str, ...], words: str) -> None:
    """It exits 2 with a line before anything begins."""
    assert_refused(ask("demo", "--headless", *arguments), words)


@pytest.mark.parametrize(
    ("sides", "language", "end"), [("2", "fr_FR.UTF-8", "et gagne"), ("3", "C", "and wins")]
)
@pytest.mark.program
def test_a_headless_demo_plays_its_games_and_ends(
    tmp_path: Path, sides: str, language: str, end: str
) -> None:
    """Exit 0; nothing on stdout or disk, the game told on stderr in the terminal's language."""
    arguments = ("--headless", "--games", "1", "--teams", sides, *of_children(tmp_path), *QUICK)
    answer = run_command(tmp_path, "demo", *arguments, LANG=language)
    assert (0, "") == (answer.code, answer.out)
    assert end in answer.err
    assert ("Magenta" in answer.err) == (sides == "3")
    assert "Traceback" not in answer.err
    assert [tmp_path / "quick.toml"] == list(tmp_path.iterdir())


@pytest.mark.program
def test_a_demo_alone_has_a_page_and_ends_when_asked(tmp_path: Path) -> None:
    """Stdout has only the ready line; SIGTERM during a game gives exit 0."""
    with started(tmp_path, "demo", "--port", "0", *of_children(tmp_path), *QUICK) as program:
        assert re.fullmatch(r"ready http://127\.0\.0\.1:[1-9]\d*/\n", program.ready)
        cards = (news["demo"] for news in program.news() if news["demo"] and news["demo"]["cards"])
        assert_as_documented(next(demo for demo in cards if demo["cards"]["phase"] != "discard"))
        assert (0, "") == program.stop()
        assert "throws two cards into the crib." in program.stderr
        assert "Traceback" not in program.stderr
    assert {"quick.toml", "stderr"} == {file.name for file in tmp_path.iterdir()}


def assert_as_documented(demo: dict[str, Any]) -> None:
    """Check that the page gets every documented key of the documented kind."""
    assert {"on", "stage", "table", "cards", "lines", "names", "newest"} == set(demo)
    assert demo["stage"] in ("play", "path", "show")
    assert ["seq", "teams", "dealer", "hand", "winner"] == list(demo["table"])
    assert {"1", "2"} == set(demo["table"]["teams"])
    assert {"1": "Amber", "2": "White"} == demo["names"]
    assert all(isinstance(line, str) for line in demo["lines"])
    cards = demo["cards"]
    keys = {"phase", "dealer", "turn", "starter", "count", "pile", "hands", "crib", "showing"}
    assert keys == set(cards)
    assert cards["phase"] in ("discard", "starter", "play", "show", "over")
    for hand in cards["hands"]:
        assert {"seat", "team", "folded", "cards"} == set(hand)
        for card in hand["cards"]:
            assert re.fullmatch("[A2-9TJQK][SHDC]", card["card"])
            assert card["played"] in (True, False)


@pytest.mark.program
def test_a_press_ends_a_demo_alone_and_leaves_a_table_to_play_at(tmp_path: Path) -> None:
    """The table is empty and counts in memory; the page may begin the demo again."""
    with started(tmp_path, "demo", "--port", "0", *of_children(tmp_path), *QUICK) as program:
        next(news for news in program.news() if news["demo"] and news["demo"]["cards"])
        assert 0 == program.press("1.plus_five")["teams"]["1"]["pending"]
        assert next(program.news())["demo"] is None
        program.press("1.plus_five", "1.enter")
        assert 5 == program.until(1)["teams"]["1"]["front"]
        assert 200 == program.demo(on=True).status_code
        next(news for news in program.news() if news["demo"])
        assert 1 == program.table()["seq"]
        assert (0, "") == program.stop()
    assert {"quick.toml", "stderr"} == {file.name for file in tmp_path.iterdir()}


# At a running table


def rows(folder: Path) -> list[tuple[object, ...]]:
    """Return all rows of the journal."""
    with closing(sqlite3.connect(folder / "data" / "journal.sqlite")) as journal:
        queries = ("SELECT * FROM game ORDER BY 1", "SELECT * FROM log ORDER BY 1")
        return [row for query in queries for row in journal.execute(query)]


def play_a_little(program: Program) -> dict[str, Any]:
    """Enter some counts, one of them pending."""
    program.press("1.plus_five", "1.enter", "2.plus_one", "2.plus_one", "2.enter")
    program.until(2)
    return program.press("1.plus_one")


@pytest.mark.parametrize("by", ["button", "page"])
@pytest.mark.program
def test_an_interrupted_game_is_as_it_was(tmp_path: Path, by: str) -> None:
    """After a demo table and journal are unchanged, however it begins and ends."""
    config = of_children(tmp_path, "[rules]\n")
    with running(tmp_path, *config, "--board", "classic") as program:
        before = play_a_little(program)
        written = rows(tmp_path)
        if by == "button":
            program.press("mode", seconds=2.1)
        else:
            assert before == program.demo(on=True).json()
        during = next(news for news in program.news() if news["demo"] and news["demo"]["cards"])
        assert before == during["table"] == program.table()
        assert before != demo_of(during)["table"]
        if by == "button":
            assert before == program.press("2.enter")
        else:
            assert before == program.demo(on=False).json()
        after = next(program.news())
        assert (None, None) == (after["demo"], after["mode"])
        assert before == after["table"]
        assert written == rows(tmp_path)
        program.press("1.enter")
        assert 6 == program.until(3)["teams"]["1"]["front"]
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr
    assert written == rows(tmp_path)[: len(written)]


@pytest.mark.program
def test_a_running_demo_ends_with_the_program(tmp_path: Path) -> None:
    """SIGTERM during a demo gives exit 0, and the journal has no row of the demo."""
    with running(tmp_path, *of_children(tmp_path), "--board", "classic") as program:
        program.demo(on=True)
        next(news for news in program.news() if news["demo"] and news["demo"]["cards"])
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr
    assert [] == rows(tmp_path)


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        ({"on": 1}, {}, 400),
        ({}, {}, 400),
        ({"on": True}, {"Origin": "http://elsewhere.example"}, 403),
    ],
)
@pytest.mark.program
def test_who_may_not_begin_the_demo(
    tmp_path: Path, body: object, headers: dict[str, str], status: int
) -> None:
    """An unknown word and a page of another site begin nothing."""
    with running(tmp_path) as program:
        answer = HTTP.post(f"{program.url}api/demo", json=body, headers=headers)
        assert status == answer.status_code
        assert next(program.news())["mode"] is None
        assert (0, "") == program.stop()
