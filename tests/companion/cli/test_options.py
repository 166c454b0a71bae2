"""Output for people at a terminal: languages, examples, colour, verdicts, completion."""

import io
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import pytest

from companion.board import board_names
from companion.cli.main import COMMANDS
from companion.cli.options import GOOD, coloured
from companion.players import KINDS
from companion.rules.game.house_rules import PRESETS
from hardware.strips.drivers import driver_names
from tests.companion.journal.scribe import Scribe
from tests.support.catalogues import PSEUDO, third_language
from tests.support.limits import TIMEOUT_S
from tests.support.program import MAIN, ROOT, Ask, ask, environment

__all__ = ["ask", "third_language"]

COMPLETED = (
    ("board ch", "board check"),
    ("board check cr", "board check crib-wars"),
    ("board check mi", "board check mine.toml"),
    ("play --ag", "play --against"),
    ("play --against sh", "play --against shark"),
    ("play --preset=e", "play --preset=electronic"),
    ("play --set=finish=e", "play --set=finish=exact"),
    ("simulate --players shark,re", "simulate --players shark,regular"),
    ("bridge flash --board me", "bridge flash --board mega"),
    ("run --strip rpi_ws281x:sp", "run --strip rpi_ws281x:spi"),
    ("config --config=mi", "config --config=mine.toml"),
    ("doctor --root su", "doctor --root sub"),
)
"""The beginning of a command, and what Tab makes of it."""


def lacks(shell: str) -> str:
    """Return the packages of a shell that this machine lacks, empty if none."""
    return "" if shutil.which(shell) else f"needs the package {shell}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder with a file and a folder to complete, and the program in its `bin`."""
    for folder in ("bin", "program", "sub"):
        (tmp_path / folder).mkdir()
    (tmp_path / "mine.toml").touch()
    program = tmp_path / "program" / "cribwars"
    program.write_text(f"import sys; sys.path.append({str(ROOT)!r}); {MAIN[1]}")
    command = tmp_path / "bin" / "cribwars"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{program}" "$@"\n')
    command.chmod(0o755)
    return tmp_path


def variables(home: Path) -> dict[str, str]:
    """Return the environment of a shell there."""
    path = f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return environment(home, PATH=path, TERM="dumb", LC_ALL="C.UTF-8")


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
        sections = ask("--help").out.split("\n\n")[-len(expected) - 1 : -1]  # then the documents
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


# All output of commands is in the terminal's language, except names and options


TOLD = re.compile(r"⟦[^⟦⟧]*(⟧|\.\.\.)")

NAMES = re.compile(
    r"`[^`]*`|'[^']*'|\"[^\"]*\"|\([^()⟦]*\)|--?[\w-]+|\S*[/.:=|_]\S*|\S*\d\S*|cribwars\b.*"
)
"""Quoted texts, options, files, addresses, keys, numbers and examples."""

WORD = re.compile(r"\b(?:[a-z]{2,}|[A-Z]{2,})\b")
GROUPS = {
    *("backup", "card", "check", "export", "flash", "identify", "list", "monitor", "print"),
    *("restore", "show", "soak", "test"),
}
"""Names of the commands in groups."""
VALUES = {"JC", "env", "note", "ok", "organiser", "pins", "pwm"}
"""Levels, a card, an option and other values."""
KNOWN = {*COMMANDS, *GROUPS, *VALUES, *KINDS, *board_names(), *driver_names(), *PRESETS}

IN_GROUPS = (("board", "check"), ("bridge", "flash"), ("lights", "test"), ("records", "restore"))
HELPS = [(*names, "--help") for names in (*zip(sorted(COMMANDS)), *IN_GROUPS)]
WRONG_USES = [
    (),
    ("nonsense",),
    ("board",),
    ("board", "check", "nowhere.toml"),
    ("board", "check", "--fare", "crib-wars"),
    ("board", "print", "classic", "--svg", "/nowhere/sheet.svg"),
    ("completion", "tcsh"),
    ("config", "--config", "nowhere.toml"),
    ("count",),
    ("count", "5h 5s 5d 5d", "--starter", "5c"),
    ("count", "5h 5s 5d jx", "--starter", "5c"),
    ("deal",),
    ("demo", "--speed", "0"),
    ("kit", "crib-wars", ".", "--bed", "1x1"),
    ("doctor", "--root", "nowhere"),
    ("lights", "test", "--strip", "null,pins=18"),
    ("lights", "test", "--strip", "rpi_ws281x:pwm,pins=4"),
    ("lights", "test", "--strip", "virtul", "--leds", "9"),
    ("lights", "test", "--strip", "virtual", "--leds", "x"),
    ("player", "--kind", "shark"),
    ("player", "--kind", "sharc", "--jsonl"),
    ("records", "show", "7"),
    ("records", "show", "x"),
    ("records", "backup"),
    ("records", "restore", "nowhere.zip"),
    ("replay", "--set", "finish"),
    ("replay", "--set", "finsh=exact"),
    ("replay", "--set", "finish=never"),
    ("replay", "--preset", "classc"),
    ("replay", "-", "--players", "5"),
    ("replay", "nowhere.jsonl"),
    ("run", "--port", "70000"),
    ("simulate", "--players", "shark,sharc"),
    ("simulate", "--players", "shark", "--seats", "5"),
]
RESULTS = [
    ("board", "check", "classic"),
    ("board", "show", "classic"),
    ("count", "5h 5s 5d jc", "--starter", "5c"),
    ("simulate", "--players", "child", "--games", "2", "--jobs", "1", "--board", "classic-61"),
    ("doctor", "--root", "."),
]


@pytest.mark.usefixtures("third_language")
@pytest.mark.parametrize("arguments", [*HELPS, *WRONG_USES, *RESULTS], ids=" ".join)
def test_no_english_is_left(
    ask: Ask, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Words outside of the brackets are names, keys, options and values."""
    monkeypatch.setenv("LC_ALL", PSEUDO)
    monkeypatch.chdir(tmp_path)
    answer = ask(*arguments)
    said = answer.out + answer.err
    assert "⟦" in said
    left = set(WORD.findall(NAMES.sub(" ", TOLD.sub(" ", said))))
    assert set() == left - KNOWN - set(" ".join(arguments).split()), said


# Completion: each script in its shell, at a real terminal


RUN = "cribwars() { printf 'completed: %s\\n' \"$*\"; }; echo rea''dy"
"""Commands for a shell that then shows what it would run."""

BASH = ("bash", "--norc", "--noprofile", "-i")
ZSH = ("zsh", "-f", "-i")
START = {
    BASH: "source <(cribwars completion bash)",
    ZSH: "autoload -U compinit; compinit -u -D; source <(cribwars completion zsh)",
}


class ShellTerminal:
    """A terminal with a shell at its other end."""

    def __init__(self, end: int) -> None:
        self._end = end

    def type(self, keys: str, *, until: str) -> None:
        """Type keys, and wait until a text is shown."""
        os.write(self._end, keys.encode())
        shown, deadline = "", time.monotonic() + TIMEOUT_S
        while until not in shown:
            ready = select.select([self._end], [], [], max(0.0, deadline - time.monotonic()))
            assert ready[0], f"{keys!r} shows {shown!r} and not {until!r}"
            shown += os.read(self._end, 4096).decode(errors="replace")


@contextmanager
def terminal(shell: tuple[str, ...], home: Path) -> Iterator[ShellTerminal]:
    """Open a terminal with a shell that completes; it is killed at the end."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        shell,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=home,
        env=variables(home),
        start_new_session=True,
    ) as process:
        os.close(theirs)
        try:
            opened = ShellTerminal(ours)
            opened.type(f"{START[shell]}; {RUN}\n", until="ready")
            yield opened
        finally:
            process.kill()
            process.wait(TIMEOUT_S)
            os.close(ours)


@pytest.mark.parametrize(
    "shell",
    [
        pytest.param(each, id=each[0], marks=pytest.mark.tool(lacks=lacks(each[0])))
        for each in START
    ],
)
def test_tab_completes_commands_options_names_and_files(shell: tuple[str, ...], home: Path) -> None:
    """This holds after = and :, too, and for the last of several values."""
    with terminal(shell, home) as opened:
        for typed, completed in COMPLETED:
            opened.type(f"cribwars {typed}\t\n", until=f"completed: {completed}")


@pytest.mark.tool(lacks=lacks("fish"))
def test_fish_completes_commands_options_names_and_files(home: Path) -> None:
    """It lists the last word of each command, a tab, and the whole help."""
    asked = [f"complete -C 'cribwars {typed}'" for typed, _ in COMPLETED]
    script = "; ".join(("cribwars completion fish | source", *asked))
    done = subprocess.run(
        [shutil.which("fish") or "", "--no-config", "--command", script],
        cwd=home,
        env=variables(home),
        capture_output=True,
        check=True,
        timeout=2 * TIMEOUT_S,
        encoding="utf-8",
    )
    lines = dict(line.partition("\t")[::2] for line in done.stdout.splitlines())
    expected = [completed.split(" ")[-1] for _, completed in COMPLETED]
    assert expected == [word.rstrip("/") for word in lines]
    assert "Check a board: print every fault with..." == lines["check"]
