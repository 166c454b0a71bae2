"""Backups that are none: whatever is wrong with one, not a byte of what was there changes."""

import sqlite3
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from companion.backups.backup_file import LARGEST, read_manifest
from companion.errors import BadInputError
from companion.journal.store import FILE
from tests.companion.backups.bundles import (
    Change,
    backup,
    contents,
    pack,
    repacked,
    restore,
    table,
    with_manifest,
)


def everything(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def drop(name: str) -> Change:
    """Takes an entry out."""

    def change(entries: dict[str, bytes]) -> None:
        del entries[name]

    return change


def put(name: str, content: bytes) -> Change:
    """Puts an entry in, or another in its place."""
    return lambda entries: entries.update({name: content})


def assert_refused(file: Path, tmp_path: Path, why: str) -> None:
    """It is said in one line, and not a byte of what was there has changed."""
    data, settings = table(tmp_path / "victim", 7), tmp_path / "victim.toml"
    settings.write_text("teams = 2\n")
    before = everything(data)
    with pytest.raises(BadInputError, match=why) as caught:
        restore(file, data, settings)
    assert "\n" not in str(caught.value)
    assert str(file) in str(caught.value)
    assert str(data) not in str(caught.value)
    assert (before, "teams = 2\n") == (everything(data), settings.read_text())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (drop("manifest.json"), "it has no manifest.json"),
        (drop("journal.sqlite"), "it has no journal.sqlite"),
        (drop("settings.toml"), "its entries differ from those in its manifest"),
        (put("board-1.toml", b"x"), "its entries differ from those in its manifest"),
        (put("settings.toml", b"teams = 2"), "its settings.toml is damaged"),
        (with_manifest(format="other"), "its manifest is not that of a backup"),
        (with_manifest(version=2), "its version is 2, this program reads 1"),
        (with_manifest(version=...), "no zip file, or a damaged one"),
        (with_manifest(settings_board="board-7.toml"), "the board of its settings is missing"),
        (put("manifest.json", b"[" * 100_000), "no zip file, or a damaged one"),
        (put("manifest.json", b"{}"), "no zip file, or a damaged one"),
    ],
)
def test_a_backup_that_is_not_as_it_was_made_is_refused(
    tmp_path: Path, change: Change, why: str
) -> None:
    """Entries, manifest and checksums are what the program made, or nothing is touched."""
    assert_refused(repacked(backup(tmp_path), change, honest=False), tmp_path, why)


OTHER_NAMES = (
    *("../journal.sqlite", "boards/board-1.toml", "C:\\board-1.toml"),
    *("journal.sqlite-wal", "board-\u0661.toml"),
)
OTHER_TABLES = "its tables are not those of a journal"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (put("journal.sqlite", b"no database" * 99), "its journal cannot be read: file is not a"),
        (put("journal.sqlite", b""), OTHER_TABLES),
        (put("board-1.toml", b"finish = 9"), "its boards: board-1.toml: "),
        *((put(name, b""), "which is not part of a backup") for name in OTHER_NAMES),
    ],
)
def test_a_content_that_is_not_sound_is_refused(tmp_path: Path, change: Change, why: str) -> None:
    """A checksum proves nothing: what could not be read later, or has another name or a path."""
    assert_refused(repacked(backup(tmp_path), change), tmp_path, why)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("PRAGMA user_version = 3", "its version is 3, this program reads 2"),
        ("DROP TABLE game", OTHER_TABLES),
        ("CREATE TABLE more (a)", OTHER_TABLES),
        ("CREATE TRIGGER spy AFTER INSERT ON log BEGIN DELETE FROM log; END", OTHER_TABLES),
        ("UPDATE game SET setup = '{}'", "game 1 cannot be read: its row"),
        ("CREATE VIEW seen AS SELECT * FROM log", OTHER_TABLES),
    ],
)
def test_a_journal_of_other_tables_is_refused(tmp_path: Path, statement: str, why: str) -> None:
    """Its tables are the journal's own, and something in it can be read."""
    file = backup(tmp_path)
    journal = tmp_path / "changed.sqlite"
    journal.write_bytes(contents(file)[FILE])
    database = sqlite3.connect(journal)
    database.execute(statement)
    database.commit()
    database.close()
    assert_refused(repacked(file, put(FILE, journal.read_bytes())), tmp_path, why)


def test_damaged_pages_are_found(tmp_path: Path) -> None:
    """A journal whose pages were damaged before the backup was made is not put in place."""
    file = backup(tmp_path)
    content = bytearray(contents(file)[FILE])
    page = 2 * 4096  # the third page is that of the rows
    content[page + 8 : page + 12] = b"\xff" * 4
    assert_refused(repacked(file, put(FILE, bytes(content))), tmp_path, "its pages are damaged")


def test_a_manifest_takes_no_more_memory_than_its_size_says(tmp_path: Path) -> None:
    """A small file that unpacks to megabytes is refused at the size that its directory names."""
    file = pack(tmp_path / "bomb.zip", {"manifest.json": b" " * (1 << 24), FILE: b""})
    with zipfile.ZipFile(file, "a") as bundle:
        bundle.getinfo("manifest.json").file_size = 100
        bundle.comment = b"so that the directory is written again"
    tracemalloc.start()
    try:
        with pytest.raises(BadInputError, match="no zip file, or a damaged one"):
            read_manifest(file)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("length", [0, 21, 2000, -1, -22])
def test_a_cut_file_is_refused(tmp_path: Path, length: int) -> None:
    """However much of a backup is missing, it is no backup."""
    file = backup(tmp_path)
    file.write_bytes(file.read_bytes()[:length])
    assert_refused(file, tmp_path, "no zip file, or a damaged one")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_a_damaged_byte_is_found(tmp_path: Path, part: float) -> None:
    """A bit that turned on the way is found by the zip's own sum or by ours."""
    file = backup(tmp_path)
    content = bytearray(file.read_bytes())
    content[int(len(content) * part)] ^= 0x10
    file.write_bytes(content)
    assert_refused(file, tmp_path, "no backup to restore")


@pytest.mark.parametrize(("name", "why"), [("none.zip", "No such file"), ("", "Is a directory")])
def test_what_is_no_file_is_said(tmp_path: Path, name: str, why: str) -> None:
    """A wrong path or a folder is named, with what to give instead."""
    assert_refused(tmp_path / name, tmp_path, f"cannot be read .{why}")


# Bombs


def test_an_entry_that_says_it_is_huge_is_not_unpacked(tmp_path: Path) -> None:
    """Sizes are judged before a byte of an entry is read."""
    bomb = put("settings.toml", bytes(1 << 20))
    assert_refused(repacked(backup(tmp_path), bomb), tmp_path, "is too large")


def test_an_entry_that_lies_about_its_size_is_cut_and_refused(tmp_path: Path) -> None:
    """Of a directory that tells less than there is no more is read, and that is wrong."""
    file = repacked(backup(tmp_path), put("settings.toml", b"#" * 200_000))
    content = file.read_bytes()
    reported = struct.pack("<L", 200_000)
    assert 2 == content.count(reported)
    file.write_bytes(content.replace(reported, struct.pack("<L", 9)))
    assert_refused(file, tmp_path, "no zip file, or a damaged one")


def test_a_journal_beyond_the_limit_is_not_unpacked(tmp_path: Path) -> None:
    """A directory that tells of a journal of gigabytes is refused for it."""
    file = backup(tmp_path)
    size = struct.pack("<L", len(contents(file)[FILE]))
    content = file.read_bytes()
    assert size in content
    file.write_bytes(content.replace(size, struct.pack("<L", LARGEST + 1)))
    assert_refused(file, tmp_path, "its journal.sqlite is too large")


def test_an_entry_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    """Two of a name: which one was judged, and which one would be taken?"""
    file = backup(tmp_path)
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(file, "a") as bundle:
        bundle.writestr("settings.toml", "teams = 2")
    assert_refused(file, tmp_path, "it has an entry twice")


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_entry_packed_another_way_is_refused(tmp_path: Path, packing: int) -> None:
    """There is one way to pack a backup; others are none of ours to unpack."""
    file = backup(tmp_path)
    assert_refused(pack(file, contents(file), packing), tmp_path, "is packed in an unknown way")


def test_an_encrypted_entry_is_refused(tmp_path: Path) -> None:
    """A flag for a password is refused before it is asked for."""
    file = backup(tmp_path)
    content = bytearray(file.read_bytes())
    place = content.index(b"PK\x01\x02")
    content[place + 8] |= 1
    file.write_bytes(content)
    assert_refused(file, tmp_path, "no zip file, or a damaged one")
