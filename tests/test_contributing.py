"""The recipes of CONTRIBUTING.md are worked examples: each applies to this tree, and works."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.program import MAIN, ROOT, environment, running

pytestmark = [pytest.mark.program, pytest.mark.timeout(900)]  # mypy begins without its cache

ZONE = "A zone kind"
DRIVER = "A strip driver"
BUTTON = "A button action"
SETTING = "A setting"
LIMITS = {ZONE: 11, DRIVER: 3, BUTTON: 6, SETTING: 3}
"""Product files that each recipe may touch."""

OF_KINDS = (
    "board/test_layout",
    "board/drawing/test_sheet",
    "commentary/test_every_phrase",
    "kit/test_kit",
    "lights/scene/test_shows",
    "lights/test_colour",
    "web/test_app",
)
"""Tests of what there is of each kind of zone."""

Change = tuple[str, str, str]
"""A file, the lines that it has once, and those that take their place; no lines and a new file."""

NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", "*_cache", "__pycache__", "node_modules")


def changes(recipe: str) -> Iterator[Change]:
    """Yield the changes of a recipe; its diffs name each file after `+++`, and parts by `@@`."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.partition(f"\n## {recipe}\n")[2].partition("\n## ")[0]
    for diff in re.findall(r"^```diff\n(.+?)^```$", section, re.MULTILINE | re.DOTALL):
        for change in re.split(r"^\+\+\+ ", diff, flags=re.MULTILINE)[1:]:
            file, _, hunks = change.partition("\n")
            for hunk in re.split(r"^@@\n", hunks, flags=re.MULTILINE):
                lines = hunk.splitlines(keepends=True)
                old = "".join(line[1:] or line for line in lines if line[0] != "+")
                new = "".join(line[1:] or line for line in lines if line[0] != "-")
                yield file, old, new


class Tree:
    """Copy of this tree with the changes of recipes."""

    def __init__(self, folder: Path, *recipes: str) -> None:
        self.root, self.home = folder / "tree", folder
        shutil.copytree(ROOT, self.root, ignore=NOT_COPIED)
        for file, old, new in (change for recipe in recipes for change in changes(recipe)):
            path = self.root / file
            before = path.read_text("utf-8") if old else ""
            assert before.count(old) == 1 if old else not path.exists(), f"{file}:\n{old}"
            path.write_text(before.replace(old, new) if old else new, "utf-8")

    def run(self, *arguments: str) -> str:
        """Run Python in the copy, and return what it prints."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=environment(self.home, PYTHONPATH=str(self.root)),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def cribwars(self, *arguments: str) -> str:
        """Run a command of the program, and return what it prints."""
        return self.run(*MAIN, *arguments)

    def test(self, *arguments: str) -> str:
        """Run tests of the copy."""
        return self.run("-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *arguments)


@pytest.mark.parametrize("recipe", LIMITS)
def test_a_recipe_touches_few_files(recipe: str) -> None:
    """A zone kind touches 11 product files, a button 6, a driver 3, a setting 1 and its use."""
    files = {file for file, _, _ in changes(recipe) if not file.startswith("tests/")}
    assert 1 <= len(files) <= LIMITS[recipe], files


def test_the_recipes_are_sound(tmp_path: Path) -> None:
    """With all of them applied, the linter, the types and the completeness tests pass."""
    tree = Tree(tmp_path, *LIMITS)
    tree.run("-m", "ruff", "check", "--no-cache", ".")
    tree.run("-m", "mypy", f"--cache-dir={tmp_path}")
    tree.test("tests/test_enums.py")


def test_a_zone_kind(tmp_path: Path) -> None:
    """A board with the new zone is sound, and is played, drawn and lit."""
    tree, board, config = Tree(tmp_path, ZONE), tmp_path / "spring.toml", tmp_path / "c.toml"
    zone = '\n[[zone]]\nid = "spring-10"\nkind = "plum-spring"\nfirst = 10\n'
    shipped = ROOT / "companion" / "board" / "boards" / "crib-wars.toml"
    board.write_text(shipped.read_text("utf-8") + zone, "utf-8")
    config.write_text(f'[rules]\nboard = "{board}"\n', "utf-8")
    commands = tmp_path / "commands.jsonl"
    commands.write_text('{"peg": {"team": 1, "points": 11}}\n', "utf-8")
    assert "sound" in tree.cribwars("board", "check", f"{board}")
    (played,) = tree.cribwars("replay", f"--board={board}", f"{commands}").splitlines()
    assert [("counted", 11), ("sprung", 16)] == [
        (event["kind"], event["to"]) for event in json.loads(played)["events"]
    ]
    assert "#f08fc0" in tree.cribwars("board", "print", f"{board}", "--svg=-")
    pattern = ("lights", "test", f"--config={config}", "--pattern=zones", "--frames=1", "--dump=-")
    leds = json.loads(tree.cribwars(*pattern).splitlines()[0])["channels"][0]
    assert [False, True, True, True, False] == [any(led) for led in leds[8:13]]
    tree.run("-m", "tests.api_types")
    tree.test("tests/test_enums.py", *(f"tests/companion/{each}.py" for each in OF_KINDS))


def test_a_strip_driver(tmp_path: Path) -> None:
    """The driver is as strict as the others, and its name shows a pattern."""
    tree, wire = Tree(tmp_path, DRIVER), tmp_path / "wire"
    wire.touch()
    tree.test("tests/hardware/strips/test_drivers.py")
    strip = f"--strip=raw:{wire},order=BRG"
    tree.cribwars("lights", "test", strip, "--leds=3", "--pattern=order", "--frames=1")
    assert [1, 4, 7] == [at for at, byte in enumerate(wire.read_bytes()) if byte]


def test_a_button_action(tmp_path: Path) -> None:
    """The settings wire the button, and it is pressed through the panel."""
    tree, config = Tree(tmp_path, BUTTON), tmp_path / "c.toml"
    config.write_text('[panel.pins]\n"1.plus_ten" = 12\n', "utf-8")
    path = str(tree.root)
    with running(tmp_path, f"--config={config}", PYTHONPATH=path, PYTHONSAFEPATH="1") as program:
        assert 11 == program.press("1.plus_ten", "1.plus_one")["teams"]["1"]["pending"]
    tree.cribwars("lights", "card", "docs/lights-and-buttons.svg")
    table = (f"tests/companion/table/panel/test_{name}.py" for name in ("panel", "button_test"))
    card = "tests/companion/kit/test_kit.py"
    tree.test("companion/buttons.py", "tests/companion/test_buttons.py", card, *table)


def test_a_setting(tmp_path: Path) -> None:
    """The setting is shown with its value, and takes effect where it is used."""
    tree, config = Tree(tmp_path, SETTING), tmp_path / "cribwars.toml"
    sheets = []
    for text in ('[sheet]\nlanguage = "fr"\n', 'language = "fr"\n', ""):
        config.write_text(text, "utf-8")
        print_sheet = ("board", "print", "classic", "--svg=-", f"--config={config}")
        sheets.append(tree.cribwars(*print_sheet))
    assert sheets[0] == sheets[1] != sheets[2]
    tree.test("tests/companion/settings")
