"""`cribwars kit`: its files and its refusals."""

import json
import sys
from pathlib import Path

import pytest

from companion.cli import board
from tests.support.program import WRONG_USE, Ask, ask

__all__ = ["ask"]

pytest.importorskip("reportlab")
pytest.importorskip("manifold3d")


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder by its path in it."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def test_the_same_input_gives_the_same_bytes(ask: Ask, tmp_path: Path) -> None:
    """kit.json names all files with a purpose, and two runs make the same files."""
    for name in ("one", "two"):
        assert "" == ask("kit", "classic-61", str(tmp_path / name)).out
    one, two = contents(tmp_path / "one"), contents(tmp_path / "two")
    reported = json.loads(one["kit.json"])
    assert one == two
    assert one.keys() == reported["files"].keys()
    assert all(reported["files"].values())
    assert all(path in one["index.html"].decode() for path in one if path != "index.html")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--bed", "220"], "--bed '220': write two numbers"),
        (["--bed", "nanx220"], "--bed"),
        (["--measured", "99.2"], "--measured '99.2': write two numbers"),
        (["--measured", "50,100"], "from 90 to 110"),
        (["--paper", "a5"], "--paper"),
    ],
)
def test_wrong_options(ask: Ask, tmp_path: Path, arguments: list[str], problem: str) -> None:
    """One line has the option and its possible values; nothing is written."""
    answer = ask("kit", "classic-61", str(tmp_path / "kit"), *arguments)
    assert WRONG_USE == answer.code
    assert 1 == answer.err.count("\n")
    assert problem in answer.err
    assert not (tmp_path / "kit").exists()


def test_a_folder_with_something_in_it(ask: Ask, tmp_path: Path) -> None:
    """It is not changed."""
    (tmp_path / "mine").write_text("mine")
    answer = ask("kit", "classic-61", str(tmp_path))
    assert WRONG_USE == answer.code
    assert "not empty" in answer.err
    assert {"mine": b"mine"} == contents(tmp_path)


def test_packages_that_are_missing(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal names the packages to install."""
    monkeypatch.setattr(board, "find_spec", lambda name: None if name == "reportlab" else name)
    answer = ask("kit", "classic-61", str(tmp_path / "kit"))
    assert WRONG_USE == answer.code
    remedy = f"{sys.executable} -m pip install reportlab"
    assert f"cribwars: the kit needs reportlab: {remedy}\n" == answer.err
