"""The place of the journal in the doctor's findings."""

import tempfile
from pathlib import Path

from companion.devices.doctor.finding import Level
from companion.devices.doctor.settings import ROOM, data_finding
from companion.journal.store import FILE
from tests.support.nobody import as_nobody


def test_a_folder_to_be_made_is_in_order(tmp_path: Path) -> None:
    """A missing folder is judged by its parent, and is not made."""
    folder = tmp_path / "a" / "b"
    found = data_finding(folder)
    assert (Level.OK, f"data folder {folder}") == (found.level, str(found.what))
    assert [] == list(tmp_path.iterdir())


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """A folder cannot be made in a file, either."""
    file = tmp_path / "file"
    file.write_text("")
    for place in (file, file / "data"):
        found = data_finding(place)
        assert (Level.FIX, f"{file} is no folder") == (found.level, str(found.why))


def test_a_full_disk(tmp_path: Path) -> None:
    """Too little room for a future journal needs a fix before it is full."""
    found = data_finding(tmp_path, free=lambda _: ROOM - 1)
    assert (Level.FIX, "only 50 MB are left on the disk") == (found.level, str(found.why))
    assert Level.OK is data_finding(tmp_path, free=lambda _: ROOM).level


def test_what_this_user_may_not_write() -> None:
    """It may be another user's, as after a first start with sudo."""
    with tempfile.TemporaryDirectory() as parent:  # unlike tmp_path one that others may enter
        Path(parent).chmod(0o755)
        closed, theirs = Path(parent, "closed"), Path(parent, "theirs")
        closed.mkdir()
        closed.chmod(0o555)
        theirs.mkdir()
        theirs.chmod(0o777)  # the folder is open, the journal in it is not
        (theirs / FILE).write_text("")
        (theirs / FILE).chmod(0o444)
        with as_nobody():
            said = [str(data_finding(place).why) for place in (closed / "data", theirs)]
    assert [f"{place} may not be written by this user" for place in (closed, theirs / FILE)] == said
