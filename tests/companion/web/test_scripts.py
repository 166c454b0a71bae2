"""The page's scripts: modules without a build step, whose JSDoc types hold."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from companion.web.pages import STATIC
from tests.support.program import ROOT

COMPILER = ROOT / "node_modules" / ".bin" / "tsc"
OPTIONS = (
    *("--noEmit", "--allowJs", "--checkJs", "--strict"),
    *("--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler"),
    *("--lib", "es2022,dom,dom.iterable"),
)
SCRIPTS = sorted(STATIC.rglob("*.js"))


@pytest.mark.tool(
    lacks="" if COMPILER.exists() else "needs typescript (npm install --no-save typescript@5)"
)
def test_the_types_hold() -> None:
    """As strict as TypeScript is, for all modules at once."""
    asked = [str(COMPILER), *OPTIONS, *map(str, SCRIPTS)]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert "" == found.stdout + found.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_no_text_becomes_markup(script: Path) -> None:
    """Text is text: no module builds HTML from strings, or code (D.4)."""
    words = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"
    assert [] == re.findall(words, script.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "file", sorted(filter(Path.is_file, STATIC.rglob("*"))), ids=lambda file: file.name
)
def test_nothing_comes_from_elsewhere(file: Path) -> None:
    """No address of another host stands in any file, but for the names of XML's vocabularies."""
    hosts = set(re.findall(rb"(?:https?:)?//([a-z0-9-]+(?:\.[a-z0-9-]+)+)", file.read_bytes()))
    assert hosts <= {b"www.w3.org"}
