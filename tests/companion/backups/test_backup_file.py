"""Backup: one new file with all of a table, made while the table runs."""

import hashlib
import json
import os
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.backups.backup_file import back_up
from companion.errors import BadInputError, CompanionError, JournalError
from companion.journal.store import FILE
from companion.records.records import Records
from companion.rules.game import Peg
from companion.settings.sources import page_file
from tests.companion.backups.bundles import SETTINGS, backup, contents, table
from tests.companion.journal.scribe import NOON, Scribe, begun, changed, played


def test_a_backup_has_fixed_names_and_tells_of_each(tmp_path: Path) -> None:
    """It is its owner's alone: journal, settings, a manifest with versions, sizes, checksums."""
    file = backup(tmp_path)
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    entries = contents(file)
    manifest = json.loads(entries.pop("manifest.json"))
    assert ["journal.sqlite", "settings.toml"] == list(entries)
    assert {
        name: {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in entries.items()
    } == manifest["files"]
    assert ("cribwars-backup", 1, 2, NOON, 2, None) == tuple(
        manifest[key] for key in ("format", "version", "journal", "made", "games", "settings_board")
    )
    assert SETTINGS.encode() == entries["settings.toml"]


def test_a_backup_is_made_while_the_table_writes(tmp_path: Path) -> None:
    """It has everything on disk, although the table has the journal open."""
    scribe = Scribe(tmp_path).sit().do(Peg(side=1, points=5))
    manifest = back_up(tmp_path, tmp_path / "b.zip", settings=None, now=NOON)
    scribe.do(Peg(side=2, points=4)).close()
    assert 1 == manifest.games
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / FILE).write_bytes(contents(tmp_path / "b.zip")[FILE])
    with Records(copy) as records:
        assert 1 == records.games()[0].counts


def test_the_pages_settings_go_in_too(tmp_path: Path) -> None:
    """They have their own name, and their board is the one in force."""
    settings = tmp_path / "s.toml"
    settings.write_text('board = "not-there.toml"\n')
    page_file(settings).write_text('board = "classic"\n')
    manifest = back_up(table(tmp_path / "t"), tmp_path / "b.zip", settings=settings, now=NOON)
    assert {"settings.toml", "settings-of-page.toml"} <= manifest.files.keys()
    assert manifest.settings_board is None


def test_settings_that_are_not_there_are_left_out(tmp_path: Path) -> None:
    """Without a settings file the backup has none."""
    folder = table(tmp_path / "table")
    manifest = back_up(folder, tmp_path / "b.zip", settings=tmp_path / "none.toml", now=NOON)
    assert {FILE} == manifest.files.keys()


@pytest.mark.parametrize("played_on", [True, False])
def test_the_board_that_settings_name_by_its_path_is_marked(
    tmp_path: Path, *, played_on: bool
) -> None:
    """A board file is in it once, and the manifest names it."""
    mine, folder, settings = begun(note="mine"), tmp_path / "table", tmp_path / "settings.toml"
    (tmp_path / "mine.toml").write_bytes(mine.board_file)
    settings.write_text(f'board = "{tmp_path}/mine.toml"\n')
    folder.mkdir()
    played(folder, Peg(side=1, points=5), requested=mine if played_on else begun())
    manifest = back_up(folder, tmp_path / "b.zip", settings=settings, now=NOON)
    entries = contents(tmp_path / "b.zip")
    assert "board-1.toml" == manifest.settings_board
    assert mine.board_file == entries["board-1.toml"]


@pytest.mark.parametrize("settings", ['board = "not-there.toml"', "board = 7", "no toml", "\xff"])
def test_settings_go_in_as_they_are(tmp_path: Path, settings: str) -> None:
    """A backup has faulty settings, too."""
    (tmp_path / "s.toml").write_bytes(settings.encode("latin-1"))
    folder = table(tmp_path / "table")
    back_up(folder, tmp_path / "b.zip", settings=tmp_path / "s.toml", now=NOON)
    assert settings.encode("latin-1") == contents(tmp_path / "b.zip")["settings.toml"]


def test_a_place_that_cannot_be_had_is_said(tmp_path: Path) -> None:
    """An older backup of the same name is kept; a missing folder is named in one line."""
    folder, older = table(tmp_path / "table"), tmp_path / "b.zip"
    older.write_text("older")
    with pytest.raises(BadInputError, match=r"b\.zip is there already: give a new name"):
        back_up(folder, older, settings=None, now=NOON)
    assert "older" == older.read_text()
    with pytest.raises(BadInputError, match=r"nowhere/b\.zip cannot be written .No such file"):
        back_up(folder, tmp_path / "nowhere/b.zip", settings=None, now=NOON)


def test_a_disk_without_room_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    """A copy or backup that does not fit is an error, and no half of it is left."""
    folder, settings = with_boards(table(tmp_path / "table"), 30), tmp_path / "s.toml"
    settings.write_bytes(os.urandom(399_000))  # nothing that packs
    there = set(tmp_path.iterdir())
    for room, words in ((100_000, "cannot be copied"), (400_000, "cannot be written")):
        with files_up_to(room), pytest.raises(CompanionError, match=words) as caught:
            back_up(folder, tmp_path / "b.zip", settings=settings, now=NOON)
        assert "\n" not in str(caught.value)
        assert there == set(tmp_path.iterdir())


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Let no file grow beyond a size, as on a disk that is full then."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def with_boards(folder: Path, number: int) -> Path:
    """The folder with a journal in which games were begun on so many more boards."""
    insert = (
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {}) "
        "INSERT INTO game (t, begun_by, board_file, setup) "
        "SELECT 0, 0, CAST(CAST(board_file AS TEXT) || '# ' || i AS BLOB), setup "
        "FROM n JOIN game ON id = 1"
    )
    return changed(folder, insert.format(number))


def test_without_a_journal_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    """No file is made of nothing."""
    with pytest.raises(JournalError, match="there is no journal"):
        back_up(tmp_path, tmp_path / "b.zip", settings=None, now=NOON)
    assert [] == list(tmp_path.iterdir())
