"""The table of rules, rules.md, agrees with the program, its tests, house rules and presets."""

import ast
import re
from dataclasses import dataclass

import pytest

from companion.rules.game.house_rules import PRESETS, HouseRules, as_settings
from tests.companion.rules.game.test_examples import examples, numbers
from tests.support.program import ROOT

LAST_OF_GROUP = {"T": 7, "P": 9, "S": 5, "M": 4, "G": 7, "Z": 12, "N": 17}
RULES = tuple(f"{group}{n}" for group, last in LAST_OF_GROUP.items() for n in range(1, last + 1))
FOR_THE_PLAYERS = {"P9": "for the players: nothing to compute"}
"""Rules that the program does not implement, and the words in place of a test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Line of a rules table: the rule's number and the other cells."""

    rule: str
    says: str
    house_rules: str
    proved_by: str


def table_lines() -> list[list[str]]:
    """Return the cells of each table line of the page."""
    lines = (ROOT / "tests" / "rules.md").read_text("utf-8").splitlines()
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]


def rows() -> list[Row]:
    """Return the rules in order: the lines that begin with the number of a rule."""
    return [
        Row(rule=cells[0], says=cells[1], house_rules=cells[2], proved_by=cells[3])
        for cells in table_lines()
        if re.fullmatch(r"[A-Z]\d+", cells[0])
    ]


def docstring_of(path: str, name: str) -> str:
    """Return the docstring of a test; raise a `LookupError` if there is no such test.

    The test of the examples of a rule has the number in brackets behind its name.
    """
    if name.startswith("test_rule["):
        shown = examples((ROOT / path).with_name("examples.txt"))
        return next(n for rule, _ in shown for n in numbers(rule) if name == f"test_rule[{n}]")
    for node in ast.parse((ROOT / path).read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_docstring(node) or ""
    raise LookupError(f"tests/rules.md names {name}, which is not in {path}")


def test_every_rule_is_there_once_in_order() -> None:
    """The page has each rule once, in the order of the numbers."""
    assert RULES == tuple(row.rule for row in rows())


def test_every_rule_that_the_program_names_is_there() -> None:
    """Each rule number in modules and phrases has a row."""
    number = re.compile(r"(?<![\w#.])[TPSMGZN][1-9]\d?(?![\w.])")
    files = [*(ROOT / "companion").rglob("*.py"), *(ROOT / "companion").rglob("*.toml")]
    named = {rule for file in files for rule in number.findall(file.read_text("utf-8"))}
    assert set() == named - {row.rule for row in rows()}


def test_every_rule_is_reported() -> None:
    """Each rule has words that end a sentence."""
    assert [] == [row.rule for row in rows() if not re.fullmatch(r"[A-Z0-9`].{20,}\.", row.says)]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.rule)
def test_a_rule_is_proved_by_the_tests_named(row: Row) -> None:
    """Each named test exists, and its docstring names the rule."""
    tests = re.findall(r"`(tests/[\w/]+\.py)::(test_[\w\[\]]+)`", row.proved_by)
    written = "<br>".join(f"`{path}::{name}`" for path, name in tests)
    assert FOR_THE_PLAYERS.get(row.rule, written) == row.proved_by
    assert (row.rule in FOR_THE_PLAYERS) != bool(tests)
    for path, name in tests:
        assert re.search(rf"\b{row.rule}\b", docstring_of(path, name)), f"{path}::{name}"


def test_every_house_rule_stands_beside_its_rule() -> None:
    """Each house rule is named once, with its default."""
    named = [
        (name, value)
        for row in rows()
        for name, value in re.findall(r"`(\w+)` = `([^`]+)`", row.house_rules)
    ]
    assert sorted(as_settings(HouseRules()).items()) == sorted(named)


def test_the_presets_are_as_the_program_has_them() -> None:
    """There is a line for each house rule and a column for each preset, with its value."""
    heading = ["house rule", *(f"`{name}`" for name in PRESETS)]
    settings = [as_settings(rules) for rules in PRESETS.values()]
    values = [[f"`{name}`", *(preset[name] for preset in settings)] for name in settings[0]]
    lines = table_lines()
    begin = lines.index(heading)
    assert values == lines[begin + 2 :]
