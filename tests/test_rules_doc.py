"""The table of rules, rules.md, agrees with the program, its tests, house rules and presets.

`make structure` writes the column of the tests that prove a rule. They are the tests below
`tests/companion/rules` whose docstring begins with the number of the rule, and its examples.
"""

import ast
import re
from collections import defaultdict
from dataclasses import dataclass

from companion.rules.game.house_rules import PRESETS, HouseRules, as_settings
from tests.companion.rules.game.test_examples import examples, numbers
from tests.support.program import ROOT

PAGE = ROOT / "tests" / "rules.md"
NUMBERS = re.compile(r"[TPSMGZN]\d+")
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


def table_lines() -> list[list[str]]:
    """Return the cells of each table line of the page."""
    lines = PAGE.read_text("utf-8").splitlines()
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]


def rows() -> list[Row]:
    """Return the rules in order: the lines that begin with the number of a rule."""
    return [
        Row(rule=cells[0], says=cells[1], house_rules=cells[2])
        for cells in table_lines()
        if re.fullmatch(r"[A-Z]\d+", cells[0])
    ]


def proofs() -> dict[str, list[str]]:
    """Return the tests that prove each rule, in the order of their files and lines."""
    proved = defaultdict(list)
    for file in sorted((ROOT / "tests/companion/rules").rglob("test_*.py")):
        named = [
            (number, node.name)
            for node in ast.parse(file.read_text("utf-8")).body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
            for number in _at_head(ast.get_docstring(node) or "")
        ]
        shown = file.with_name("examples.txt")
        if "def test_rule(" in file.read_text("utf-8"):
            under = {number for rule, _ in examples(shown) for number in numbers(rule)}
            named += [(number, f"test_rule[{number}]") for number in sorted(under)]
        for number, name in named:
            proved[number].append(f"`{file.relative_to(ROOT).as_posix()}::{name}`")
    return proved


def _at_head(docstring: str) -> list[str]:
    """Return the numbers of rules before the colon, if it begins with one."""
    return NUMBERS.findall(docstring.partition(":")[0]) if NUMBERS.match(docstring) else []


def page() -> str:
    """Return the page with the tests that prove each rule in its last column.

    Raises:
        KeyError: a rule has no test, and is not `FOR_THE_PLAYERS`.
    """
    proved = proofs()
    lines = PAGE.read_text("utf-8").splitlines(keepends=True)
    for n, line in enumerate(lines):
        if rule := re.match(r"\| ([A-Z]\d+) \|", line):
            tests = FOR_THE_PLAYERS.get(rule[1]) or "<br>".join(proved.pop(rule[1]))
            lines[n] = f"{line.rsplit('|', 2)[0]}| {tests} |\n"
    return "".join(lines)


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


def test_a_rule_is_proved_by_the_tests_named() -> None:
    """The page is as `make structure` writes it; only the players' rules have no test."""
    assert page() == PAGE.read_text("utf-8")
    assert set(RULES) - proofs().keys() == FOR_THE_PLAYERS.keys()


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


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
