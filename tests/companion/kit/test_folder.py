"""A folder is written as a whole or not at all."""

from pathlib import Path

import pytest

from companion.errors import BadInputError
from companion.kit.folder import write_folder

FILES = {"a.txt": b"a", "grid/b.stl": b"b"}


@pytest.mark.parametrize("name", ["empty", "new", "new/below"])
def test_a_new_or_an_empty_folder(tmp_path: Path, name: str) -> None:
    """Both take the files, and nothing else is left beside them."""
    (tmp_path / "empty").mkdir()
    write_folder(tmp_path / name, FILES)
    files = {file for file in (tmp_path / name).rglob("*") if file.is_file()}
    assert FILES == {str(file.relative_to(tmp_path / name)): file.read_bytes() for file in files}
    assert files == {file for file in tmp_path.rglob("*") if file.is_file()}


def test_what_is_there_stays(tmp_path: Path) -> None:
    """A folder with anything in it, or a file, is refused."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    for taken in (tmp_path / "full", tmp_path / "full" / "mine"):
        with pytest.raises(BadInputError, match="new or an empty folder"):
            write_folder(taken, FILES)
    assert ["full", "mine"] == sorted(path.name for path in tmp_path.rglob("*"))


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    """A file that cannot be written takes the others with it."""
    with pytest.raises(BadInputError, match="choose another place"):
        write_folder(tmp_path / "kit", {**FILES, "x" * 300: b""})
    assert [] == list(tmp_path.iterdir())
