"""The Makefile on a fresh machine: each fault of it is one sentence with a remedy."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.support.limits import TIMEOUT_S
from tests.support.program import ROOT

MAKE: Final = shutil.which("make") or ""
pytestmark = pytest.mark.tool(lacks="" if MAKE else "needs make")

PYTHON: Final = """#!/bin/sh
case "$*" in
    -V) echo "Python 3.9.2" ;;
    *version_info*) [ -z "$TOO_OLD" ] ;;
    *ensurepip*) [ -z "$LACKS_VENV" ] ;;
    "-m venv "*) [ ! -e "$3/lib/python3.11/site-packages/pip" ] && mkdir -p "$3/bin" &&
        cp "$0" "$3/bin/python" && cp "$0" "$3/bin/cribwars" ;;
    "-m pip "*) echo "$PIP_SAYS"; [ -z "$PIP_SAYS" ] ;;
    "run "*) exit 2 ;;
esac
"""
"""A Python with the faults of its variables, also `cribwars` where the port is taken."""


def said(folder: Path, *arguments: str, **variables: str) -> list[str]:
    """Return the lines of a failed `make demo` in a checkout whose path has a space."""
    checkout = folder / "my games"
    checkout.mkdir(exist_ok=True)
    shutil.copy(ROOT / "Makefile", checkout)
    (checkout / "pyproject.toml").touch()
    python = folder / "python3"
    python.write_text(PYTHON)
    python.chmod(0o755)
    done = subprocess.run(
        [MAKE, "demo", *arguments],
        cwd=checkout,
        env={"PATH": f"{folder}:{os.environ['PATH']}", "LC_ALL": "C", **variables},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert 0 != done.returncode
    *lines, _ = (line for line in done.stderr.splitlines() if "Deleting" not in line)  # make's own
    return lines


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"TOO_OLD": "1"}, "python3 is Python 3.9.2, too old: install Python 3.11 or later"),
        ({"LACKS_VENV": "1"}, "python3 has no venv package: on Debian, sudo apt install"),
        ({"PIP_SAYS": "[Errno 28] No space left on device"}, "the disk is full: make room"),
        ({"PIP_SAYS": "Retrying after connection broken"}, "cannot be fetched: check the network"),
        ({"PIP_SAYS": "Unknown compiler(s): cc gcc"}, "must be compiled for this machine: install"),
        ({}, "another port: make demo PORT=8001"),
    ],
)
def test_a_fault_is_one_sentence(tmp_path: Path, variables: dict[str, str], words: str) -> None:
    """Whatever Python, its packages or the port lack, the remedy is in the same line."""
    (line,) = said(tmp_path, **variables)
    assert line.startswith("make: ")
    assert words in line


def test_other_faults_of_pip_are_shown(tmp_path: Path) -> None:
    """Make adds what to do."""
    fault, remedy = said(tmp_path, PIP_SAYS="ERROR: a new fault")
    assert ("ERROR: a new fault", "make: pip failed: mend") == (fault, remedy[:22])


def test_no_python(tmp_path: Path) -> None:
    """A Python that is not there is not an old one."""
    (line,) = said(tmp_path, "PYTHON=python3.0")
    assert line.startswith("make: there is no python3.0 here: install Python 3.11 or later")


def test_an_environment_that_cannot_be_made(tmp_path: Path) -> None:
    """The remedy is another folder."""
    *_, line = said(tmp_path, "VENV=pyproject.toml")
    assert line.endswith("make VENV=/somewhere/else")


def test_a_half_made_environment_is_made_again(tmp_path: Path) -> None:
    """The part of a pip that a full disk left there is removed first."""
    packages = tmp_path / "my games" / ".venv" / "lib" / "python3.11" / "site-packages"
    (packages / "pip").mkdir(parents=True)
    assert ["make: for another port: make demo PORT=8001"] == said(tmp_path)


def test_make_alone_begins_with_what_most_people_want() -> None:
    """The words of developers come after an empty line."""
    done = subprocess.run(
        [MAKE],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    first, rest = done.stdout.split("\n\n")
    assert ["demo", "test", "card", "deb"] == [line.split()[1] for line in first.splitlines()]
    assert "make lint" in rest
