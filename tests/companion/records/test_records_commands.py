"""`cribwars records`: what each command prints, and that every error is one line."""

import json
from pathlib import Path

import pytest

from companion.rules.game import Claim, NewGame, Peg
from tests.companion.journal.scribe import begun, played
from tests.support.program import Ask, ask, assert_refused, run_command

__all__ = ["ask"]

WIN = Claim(rule="N10", by=1, game_to=2)


@pytest.fixture
def data(tmp_path: Path) -> str:
    """A folder with a game that Bert has won, and one that is running."""
    folder = tmp_path / "data"
    folder.mkdir()
    commands = Peg(side=1, points=9), WIN, NewGame(), Peg(side=1, points=5)
    return str(played(folder, *commands, requested=begun(names={"2": "Bert"})))


def test_list_has_a_line_a_game(ask: Ask, data: str) -> None:
    """Number, board, counts, sides with their progress, and how it stands; JSON for programs."""
    won, running = ask("records", "list", "--data", data).out.splitlines()
    assert ["1", "crib-wars"] == [won.split()[0], won.split()[3]]
    assert won.endswith("1 count    1 hand  Side 1 9, Bert 363; Bert won")
    assert running.endswith("Side 1 5, Bert 0; running")
    games = json.loads(ask("records", "list", "--json", "--data", data).out)
    assert [(1, "won"), (2, "running")] == [(game["number"], game["standing"]) for game in games]


def test_show_tells_a_game_in_the_language_of_the_settings(
    ask: Ask, data: str, tmp_path: Path
) -> None:
    """A line a step, in words."""
    lines = ask("records", "show", "1", "--data", data).out.splitlines()
    assert 3 == len(lines)
    assert lines[1].endswith("Side 1 counts nine, to 9.")
    (tmp_path / "fr.toml").write_text('language = "fr"\n')
    config = str(tmp_path / "fr.toml")
    assert "neuf" in ask("records", "show", "1", "--data", data, "--config", config).out
    whole = json.loads(ask("records", "show", "2", "--json", "--data", data).out)
    assert [0, 5] == whole["race"]["progress"]["1"]


def test_export_writes_a_file_or_stdout(ask: Ask, data: str, tmp_path: Path) -> None:
    """JSON unless CSV is asked for."""
    file = tmp_path / "all.json"
    answer = ask("records", "export", str(file), "--data", data)
    assert (0, "") == (answer.code, answer.out)
    assert 2 == len(json.loads(file.read_text())["games"])
    table = ask("records", "export", "--csv", "-", "--data", data).out
    assert 3 == len(table.splitlines())


def test_backup_and_restore_bring_all_back(ask: Ask, data: str, tmp_path: Path) -> None:
    """A backup is restored whole; where settings are written by hand, as those of the page."""
    file, config = str(tmp_path / "b.zip"), str(tmp_path / "c.toml")
    Path(config).write_text("teams = 3\n")
    said = ask("records", "backup", file, "--data", data, "--config", config)
    assert (0, f"{file}: 2 games, journal.sqlite, settings.toml\n") == (said.code, said.out)
    new, settings = str(tmp_path / "new"), str(tmp_path / "d.toml")
    said = ask("records", "restore", file, "--data", new, "--config", settings)
    assert said.out.endswith("is restored; what was there is kept as nothing\n")
    assert ask("records", "list", "--data", data).out == ask("records", "list", "--data", new).out
    assert "teams = 3\n" == Path(settings).read_text()
    Path(settings).write_text("teams = 2\n")
    again = ask("records", "restore", file, "--data", new, "--config", settings).out
    (kept,) = Path(new, "backups").iterdir()
    assert again.endswith(f"what was there is kept as {kept.name}\n")
    texts = [Path(settings), tmp_path / "settings-of-page.toml"]
    assert ["teams = 2\n", "teams = 3\n"] == [text.read_text() for text in texts]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("list", "--data", "NONE"), "there is no journal in"),
        (("show", "7", "--data", "DATA"), "there is no game 7: `cribwars records list` lists"),
        (("show", "x", "--data", "DATA"), "'x' is not a valid integer"),
        (("show", "1", "--data", "DATA", "--config", "NONE"), "give a file that is there"),
        (("export", "NONE/a", "--data", "DATA"), "cannot be written (No such file"),
        (("export", "NONE/a", "--data", "NONE"), "there is no journal in"),
        (("backup", "NONE/a", "--data", "DATA"), "cannot be written (No such file"),
        (("backup", "HERE", "--data", "DATA"), "is there already: give a new name"),
        (("restore", "HERE", "--data", "DATA"), "is no backup to restore"),
        (("restore", "NONE", "--data", "DATA"), "cannot be read (No such file"),
        (("restore", "HERE", "--data", "HERE"), "nothing can be written in"),
    ],
)
def test_whatever_is_wrong_is_one_line(
    ask: Ask, data: str, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    """Exit 2, nothing on stdout, and a line that says what, where and what to do."""
    (tmp_path / "here").write_text("no zip")
    places = {"NONE": tmp_path / "none", "DATA": data, "HERE": tmp_path / "here"}
    filled = [argument.replace("NONE", str(places["NONE"])) for argument in arguments]
    filled = [str(places.get(argument, argument)) for argument in filled]
    answer = ask("records", *filled)
    assert_refused(answer, words)
    assert 1 == len(answer.err.splitlines())


@pytest.mark.program
def test_it_finds_the_usual_places_by_itself(tmp_path: Path) -> None:
    """In a process of its own it finds the usual places, and prints UTF-8."""
    folder = tmp_path / ".local/share/cribwars"
    folder.mkdir(parents=True)
    played(folder, Peg(side=1, points=5), requested=begun(names={"1": "Zoë"}))
    answer = run_command(tmp_path, "records", "list", LC_ALL="C", PYTHONUTF8="0")
    assert "Zoë 5" in answer.out
