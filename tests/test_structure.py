"""The structure: the root, the picture of the imports, class names, and readers of clocks."""

import ast
import re
import runpy
from collections import Counter
from collections.abc import Collection, Mapping
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path

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


def test_the_picture_is_what_the_imports_are() -> None:
    """The page is the one that `make structure` writes."""
    drawing = runpy.run_path(str(ROOT / "docs" / "structure.py"))
    assert drawing["PAGE"].read_text("utf-8") == drawing["page"]()


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


def exceptions() -> set[str]:
    """Return the class names that CONTRIBUTING.md allows for several classes."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    (listed,) = re.findall(r"always written with its module: (.+?)\.\n", text, re.DOTALL)
    return {name.rpartition(".")[2].lstrip("_") for name in re.findall(r"`([\w.]+)`", listed)}


def test_a_class_name_has_one_meaning() -> None:
    """No two classes share a name, except at most eight listed names, all of them in use."""
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    classes = (
        re.findall(r"^ *class _*(\w+)", each.read_text("utf-8"), re.MULTILINE) for each in files
    )
    uses = Counter(chain.from_iterable(classes))
    assert exceptions() == {name for name, number in uses.items() if number > 1}
    assert len(exceptions()) <= 8


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
