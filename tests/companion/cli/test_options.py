"""Output for people at a terminal: languages, examples, colour, verdicts."""

import io
import re
import sys
from itertools import groupby
from pathlib import Path

import pytest

from companion.cli.main import COMMANDS
from companion.cli.options import GOOD, coloured
from tests.companion.journal.scribe import Scribe
from tests.support.program import Ask, ask

__all__ = ["ask"]

FOR_PROGRAMS = {"deal", "player"}
"""Commands that read lines of JSON."""


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - FOR_PROGRAMS))
def test_help_ends_with_examples(ask: Ask, command: str) -> None:
    """Each example is a line that begins with the program and the command."""
    lines = ask(command, "--help").out.splitlines()
    examples = [line.strip() for line in lines[lines.index("  Examples:") + 1 :]]
    assert examples
    assert all(example.startswith(f"cribwars {command}") for example in examples)


def test_help_shows_whole_purposes_in_sections(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command is in its section with its whole purpose, also in 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    grouped = groupby(COMMANDS, lambda name: COMMANDS[name][0])
    expected = [list(names) for _, names in grouped]
    for language in ("en", "fr"):  # English first: click names types when commands are imported
        monkeypatch.setenv("LC_ALL", language)
        sections = ask("--help").out.split("\n\n")[-len(expected) :]
        listed = [re.findall(r"^  (\w+)", section, re.MULTILINE) for section in sections]
        assert expected == listed
        for name in ("board", "bridge", "lights", "records"):
            sections.append(ask(name, "--help").out.split("\n\n")[-2])
        lines = "\n".join(sections).splitlines()
        assert all(len(line) <= 80 and not line.endswith("...") for line in lines)


class Terminal(io.StringIO):
    """A stream to a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def test_colour_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe, a terminal without escape sequences and NO_COLOR get none."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "sound" == coloured("sound", GOOD)
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert "\x1b[32msound\x1b[0m" == coloured("sound", GOOD)
    for variable, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as changed:
            changed.setenv(variable, value)
            assert "sound" == coloured("sound", GOOD)


@pytest.mark.parametrize(
    ("variables", "arguments", "first"),
    [
        ({}, (), "You are Amber."),
        ({"LANG": "fr_CA.UTF-8"}, (), "Vous êtes Ambre."),
        ({"LANG": "fr_CA.UTF-8", "LC_ALL": "en_GB"}, (), "You are Amber."),
        ({"LANG": "fr.UTF-8"}, (), "Vous êtes Ambre."),
        ({"LANG": "tlh"}, (), "You are Amber."),
        ({}, ("--language", "fr"), "Vous êtes Ambre."),
    ],
)
def test_a_game_in_the_terminal_speaks_its_language(
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    arguments: tuple[str, ...],
    first: str,
) -> None:
    """It is the requested language, else the terminal's, else the table's."""
    for name in ("LANG", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert ask("play", "--seed", "1", *arguments).out.startswith(first)


def test_errors_are_reported_in_the_terminals_language(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds for errors with words in it."""
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    refused = ask("count", "5h 5s 5d", "--starter", "5c")
    assert (2, "cribwars: il faut 4 cartes, il y en a 3\n") == (refused.code, refused.err)


def test_house_rules_are_set_for_a_game_in_the_terminal(ask: Ask) -> None:
    """They are set as in `simulate` and `replay`; a wrong one is refused."""
    assert "hole 61" in ask("play", "--seed", "1", "--set", "game_to=61").out
    assert "did you mean 'finish'?" in ask("play", "--set", "finsh=exact").err


def test_no_games_are_reported_in_a_line(ask: Ask, tmp_path: Path) -> None:
    """An empty list says so; as JSON it is empty."""
    Scribe(tmp_path).sit().close()
    assert "No games yet" in ask("records", "list", "--data", str(tmp_path)).out
    assert "[]\n" == ask("records", "list", "--json", "--data", str(tmp_path)).out
