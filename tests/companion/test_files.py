"""Files that must not be lost: whatever happens, the old or the new content is there."""

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion.files import free_name, sync_folder, write_durably

PROGRAM = """
import sys
from pathlib import Path
from companion.files import write_durably
write_durably(Path(sys.argv[1]), b"new" * 1000)
"""


def test_a_file_is_made_or_replaced(tmp_path: Path) -> None:
    """The file has exactly the given content, and no other file is left beside it."""
    file = tmp_path / "a"
    write_durably(file, b"one")
    assert b"one" == file.read_bytes()
    write_durably(file, b"two")
    assert b"two" == file.read_bytes()
    assert [file] == list(tmp_path.iterdir())


def test_it_keeps_its_mode_and_links_stay_links(tmp_path: Path) -> None:
    """A file keeps its mode, and a link stays a link."""
    file, link = tmp_path / "a", tmp_path / "b"
    file.write_bytes(b"one")
    file.chmod(0o640)
    link.symlink_to(file)
    write_durably(link, b"two")
    assert (b"two", 0o640) == (file.read_bytes(), stat.S_IMODE(file.stat().st_mode))
    assert link.is_symlink()


def test_what_a_power_cut_left_is_no_hindrance(tmp_path: Path) -> None:
    """An unfinished copy is overwritten."""
    file = tmp_path / "a"
    (tmp_path / ".a.new").write_bytes(b"ha")
    write_durably(file, b"whole")
    assert [file] == list(tmp_path.iterdir())


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    """A file that cannot be written whole is removed, and the old one stays."""
    file = tmp_path / "a"
    file.write_bytes(b"old")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    program = f"import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n{PROGRAM}"
    ended = subprocess.run(
        [sys.executable, "-B", "-c", program, str(file)],
        preexec_fn=limit,  # no thread runs here
        check=False,
        capture_output=True,
        timeout=50,
    )
    assert b"File too large" in ended.stderr
    assert b"old" == file.read_bytes()
    assert [file] == list(tmp_path.iterdir())


def test_it_is_on_disk_before_it_has_its_name_and_then_the_name_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order survives a power cut at any point: sync the file, rename it, sync the folder."""
    file = tmp_path / "a"
    done: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def synced(number: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(number).st_mode)
        size = 0 if is_folder else os.fstat(number).st_size
        done.append("folder synced" if is_folder else f"{size} bytes synced")
        fsync(number)

    def replaced(self: Path, target: Path) -> Path:
        done.append(f"{target.name} replaced")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    write_durably(file, b"four")
    assert ["4 bytes synced", "a replaced", "folder synced"] == done


def test_no_folder_no_file(tmp_path: Path) -> None:
    """The error has the system's message, and nothing is made."""
    with pytest.raises(FileNotFoundError):
        write_durably(tmp_path / "no" / "a", b"x")
    with pytest.raises(FileNotFoundError):
        sync_folder(tmp_path / "no")
    assert [] == list(tmp_path.iterdir())


def test_a_free_name_is_free_for_what_lies_beside_a_file_as_well(tmp_path: Path) -> None:
    """A database does not get a name whose longer names belong to another."""
    file = tmp_path / "games.sqlite"
    assert file == free_name(file)
    (tmp_path / "games.sqlite-wal").touch()
    assert tmp_path / "games-2.sqlite" == free_name(file)
    (tmp_path / "games-2.sqlite").touch()
    assert tmp_path / "games-3.sqlite" == free_name(file)
