"""The structure: the picture of the imports, and class names with one meaning."""

import re
import runpy
from collections import Counter
from itertools import chain

from tests.support.program import ROOT

PACKAGES = ("companion", "firmware_bridge", "hardware")


def test_the_picture_is_what_the_imports_are() -> None:
    """The page is what `make structure` writes."""
    drawing = runpy.run_path(str(ROOT / "docs" / "structure.py"))
    assert drawing["PAGE"].read_text("utf-8") == drawing["page"]()


def exceptions() -> set[str]:
    """Return the class names that CONTRIBUTING.md allows to stand for several classes."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    (listed,) = re.findall(r"always written with its module: (.+?)\.\n", text, re.DOTALL)
    return {name.rpartition(".")[2].lstrip("_") for name in re.findall(r"`([\w.]+)`", listed)}


def test_a_class_name_has_one_meaning() -> None:
    """No two classes share a name but for the few exceptions, at most eight; none is idle."""
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    classes = (
        re.findall(r"^ *class _*(\w+)", each.read_text("utf-8"), re.MULTILINE) for each in files
    )
    uses = Counter(chain.from_iterable(classes))
    assert exceptions() == {name for name, number in uses.items() if number > 1}
    assert len(exceptions()) <= 8
