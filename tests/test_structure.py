"""The structure: the root, the imports, the names of classes and modules, clocks, and the rules.

`make docs` writes into rules.md the tests that prove a rule. They are the tests below
`tests/companion/rules` whose docstring begins with the number of the rule, and its examples.
"""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from itertools import chain
from pathlib import Path

from companion.rules.game.house_rules import PRESETS, HouseRules, as_settings
from tests.companion.rules.game.test_examples import examples, numbers
from tests.support.program import ROOT

PACKAGES = ("companion", "firmware_bridge", "hardware")
ROOT_FILES = {
    ".ci",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "deploy",
    "docs",
    "pyproject.toml",
    "tests",
    *PACKAGES,
}
CLOCKS = {
    "time": ("monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "time", "time_ns"),
    "datetime": ("now", "today", "utcnow"),
    "date": ("today",),
}
READERS = {
    "companion/cli": "commands",
    "companion/runtime": "the running program",
    "companion/night/program.py": "the organiser's program",
    "hardware/strips/drivers.py": "a strip made by name is a real one, so its pacer is too",
    "firmware_bridge/connection/sharing.py": "the one pool of connections of a process",
}
"""Modules and packages that read the machine's clocks, with the reason."""
WALL_CLOCK = {"time": ("time", "time_ns"), "datetime": CLOCKS["datetime"], "date": CLOCKS["date"]}
WALL_READERS = {
    "companion/cli/doctor.py": "the date of a report; whether the clock was ever set",
    "companion/cli/lights.py": "the hours of the night, in which the lights are dim",
    "companion/cli/records.py": "the date in a backup's manifest, for people",
    "companion/cli/run.py": "the date in a backup's manifest, for people",
    "companion/runtime/page.py": "the dates of backups and of phones, for people",
    "companion/runtime/start.py": "the times of counts, for people; the hours of the night",
}
"""Readers of the wall clock, with the purpose; it may jump by years, so it decides nothing."""


def exceptions() -> set[str]:
    """Return the class names that CONTRIBUTING.md allows for several classes."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    (listed,) = re.findall(r"always written with its module: (.+?)\.\n", text, re.DOTALL)
    return {name.rpartition(".")[2].lstrip("_") for name in re.findall(r"`([\w.]+)`", listed)}


def names_a_clock(file: Path, clocks: Mapping[str, Collection[str]]) -> bool:
    """Return True if a module uses or imports one of these clocks."""
    return any(
        (isinstance(node, ast.Attribute) and node.attr in clocks.get(_last_name(node.value), ()))
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "time"
            and any(each.name in clocks["time"] for each in node.names)
        )
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
    )


def _last_name(node: ast.expr) -> str:
    """Return `datetime` of `datetime` and of `datetime.datetime`."""
    return str(getattr(node, "attr", getattr(node, "id", "")))


ONE_EACH = {"__init__.py", "errors.py"}
"""Modules of which each package may have one."""
TEAM = {
    "companion/cli": "the option --teams",
    "companion/devices/assembly.py": "the setting `teams`",
    "companion/settings": "the setting `teams`",
    "companion/web/table/table_responses.py": "keys of responses that are dictionaries",
}
"""Places of the contract's word *team*, and what for; who plays is a *side* everywhere else."""
LANE = {
    "companion/board": "the printed rows of holes",
    "companion/kit": "the same, and the light grid below them",
    "companion/lights": "the LEDs below them",
    "companion/night": "the small boards of a hall screen",
    "companion/web/calibration.py": "the holes that the light is seen under",
}
"""Rooms in which *lane* is a word; elsewhere a name may have the number of a track's lanes."""
OTHER_WORDS = {
    "Bare": "RawFrame",
    "Entered": "PhaseBegan",
    "Lamps": "LightThread",
    "LitTable": "StartedTable",
    "News": "TableNews",
    "broken": "wrap",
    "em": "font_size",
    "knows": "find_phone",
    "look": "poll",
    "patience": "timeout",
    "rest_s": "settle_s",
    "strange": "unknown",
}
"""Names that stand for something else, each with the word of the field."""
MEANT = {
    "companion/board/zone_kinds.py": {"rest_s"},  # a pause of a peg
    "companion/lights/scene/motion.py": {"rest_s"},
}


def _modules() -> Iterator[Path]:
    for package in PACKAGES:
        yield from (ROOT / package).rglob("*.py")


@cache
def _names(module: Path) -> frozenset[str]:
    """Return the names that a module defines, passes and uses."""
    fields = ("id", "attr", "arg", "name")
    nodes = ast.walk(ast.parse(module.read_text(encoding="utf-8")))
    found = (getattr(node, field, None) for node in nodes for field in fields)
    return frozenset(name for name in found if isinstance(name, str))


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


def test_the_root_holds_these_files_alone() -> None:
    """All of these files are there; any others are ignored by git."""
    ignored = (ROOT / ".gitignore").read_text("utf-8").replace("/", "").split()
    found = {
        each.name
        for each in ROOT.iterdir()
        if not any(fnmatch(each.name, pattern) for pattern in ignored)
        and not (each / ".gitignore").exists()
    }
    assert ROOT_FILES == found - {".git"}


def test_a_class_name_has_one_meaning() -> None:
    """No two classes share a name, except at most eight listed names, all of them in use."""
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    classes = (
        re.findall(r"^ *class _*(\w+)", each.read_text("utf-8"), re.MULTILINE) for each in files
    )
    uses = Counter(chain.from_iterable(classes))
    assert exceptions() == {name for name, number in uses.items() if number > 1}
    assert len(exceptions()) <= 8


def test_a_clock_is_an_argument() -> None:
    """Only programs read a clock; all else gets one without a default. Each listed reader is one.

    Few modules read the wall clock and the times of files, and only for people.
    """
    found, of_the_wall, of_files = set(), set(), set()
    for file in chain.from_iterable((ROOT / package).rglob("*.py") for package in PACKAGES):
        path = file.relative_to(ROOT)
        if names_a_clock(file, CLOCKS):
            within = [str(each) for each in (path, *path.parents) if str(each) in READERS]
            found.add(within[0] if within else str(path))
        if names_a_clock(file, WALL_CLOCK):
            of_the_wall.add(str(path))
        if re.search(r"\bst_[mac]time|getmtime", file.read_text("utf-8")):
            of_files.add(str(path))
    assert set(READERS) == found
    assert set(WALL_READERS) == of_the_wall
    assert {"companion/journal/unsaved.py"} >= of_files


def test_no_more_than_two_modules_have_the_same_name() -> None:
    """The tabs of an editor tell modules apart."""
    names = Counter(module.name for module in _modules() if module.name not in ONE_EACH)
    assert [] == [name for name, count in names.items() if count > 2]


def test_who_plays_is_a_side() -> None:
    """*Team* is a word only of the contract: its JSON, its options, its settings."""
    found = {
        str(module.relative_to(ROOT))
        for module in _modules()
        if {"team", "teams"} & {word for name in _names(module) for word in name.lower().split("_")}
    }
    assert set() == {module for module in found if not module.startswith(tuple(TEAM))}
    assert all(any(module.startswith(place) for module in found) for place in TEAM)


def test_a_lane_is_a_printed_row_of_holes() -> None:
    """No variable in other rooms calls a side a lane."""
    found = {
        str(module.relative_to(ROOT))
        for module in _modules()
        if "lane" in {word for name in _names(module) for word in name.lower().split("_")}
    }
    assert set() == {module for module in found if not module.startswith(tuple(LANE))}


def test_the_pages_scripts_take_a_side_from_the_api_s_team() -> None:
    """There *team* is only the key of a request, a response or a setting."""
    key = re.compile(
        r"""\??\.teams?\b|[{,(] *teams?: |"teams"|\|teams\||^ +teams?: """, re.MULTILINE
    )
    page = ROOT / "companion" / "page"
    scripts = [each for each in page.rglob("*.js") if "vendor" not in each.parts]
    found = {
        str(script.relative_to(page))
        for script in (*scripts, *page.rglob("*.css"))
        if re.search("team", key.sub("", script.read_text(encoding="utf-8")), re.IGNORECASE)
    }
    assert scripts
    assert set() == found


def test_each_thing_has_one_word() -> None:
    """A name that the word of the field has replaced does not come back."""
    found = {
        f"{module}: {name} is {OTHER_WORDS[name]}"
        for each in _modules()
        for module in [str(each.relative_to(ROOT))]
        for name in _names(each) & OTHER_WORDS.keys() - MEANT.get(module, set())
    }
    assert set() == found


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
    """The page is as `make docs` writes it; only the players' rules have no test."""
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
