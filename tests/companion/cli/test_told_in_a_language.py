"""All output of commands is in the terminal's language, except names and options."""

import re
from pathlib import Path

import pytest

from companion.board import board_names
from companion.cli.main import COMMANDS
from companion.players import KINDS
from companion.rules.game.house_rules import PRESETS
from hardware.strips.drivers import driver_names
from tests.support.catalogues import PSEUDO, third_language
from tests.support.program import Ask, ask

TOLD = re.compile(r"⟦[^⟦⟧]*(⟧|\.\.\.)")
NAMES = re.compile(
    r"`[^`]*`|'[^']*'|\"[^\"]*\"|\([^()⟦]*\)|--?[\w-]+|\S*[/.:=|_]\S*|\S*\d\S*|cribwars\b.*"
)
"""Quoted texts, options, files, addresses, keys, numbers and examples."""
__all__ = ["ask", "third_language"]

WORD = re.compile(r"\b(?:[a-z]{2,}|[A-Z]{2,})\b")
GROUPS = {
    *("backup", "card", "check", "export", "flash", "identify", "list", "monitor", "print"),
    *("restore", "show", "soak", "test"),
}
"""Names of the commands in groups."""
VALUES = {"JC", "env", "note", "ok", "organiser", "pins", "pwm"}
"""Levels, a card, an option and other values."""
KNOWN = {*COMMANDS, *GROUPS, *VALUES, *KINDS, *board_names(), *driver_names(), *PRESETS}

HELPS = [(name, "--help") for name in sorted(COMMANDS)] + [
    ("board", "check", "--help"),
    ("bridge", "flash", "--help"),
    ("lights", "test", "--help"),
    ("records", "restore", "--help"),
]
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
