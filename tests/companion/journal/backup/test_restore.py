"""Restore: all of a backup is proven before anything is replaced, and what was there is kept."""

import os
import sqlite3
import stat
import time
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.journal.backup.create import back_up
from companion.journal.backup.restore import staged
from companion.journal.records import Records
from companion.journal.store import FILE
from companion.journal.writer import Journal
from companion.rules.game import Peg
from companion.settings.load import load_settings
from companion.settings.sources import page_file
from tests.companion.journal.bundles import SETTINGS, backup, restore, table
from tests.companion.journal.scribe import NOON, Scribe, begun


def progress(folder: Path) -> list[int]:
    """The first side's progress in each game."""
    with Records(folder) as records:
        return [game.sides[1].progress for game in records.games()]


def test_a_backup_is_restored_where_nothing_was(tmp_path: Path) -> None:
    """On a new machine journal, settings and boards are put in their places."""
    data, settings = tmp_path / "new/data", tmp_path / "new/etc/cribwars.toml"
    restored = restore(backup(tmp_path), data, settings)
    assert [9, 5] == progress(data)
    assert SETTINGS == settings.read_text()
    assert (settings, data / FILE, ()) == (
        restored.placed[0],
        restored.placed[-1],
        restored.previous,
    )


def test_the_table_goes_on_from_it(tmp_path: Path) -> None:
    """The next start stands where the table stood when the backup was made."""
    restore(backup(tmp_path), tmp_path / "new", tmp_path / "s.toml")
    journal = Journal(tmp_path / "new", now=time.time)
    history, _ = journal.begin(begun(names={"1": "Anna"}))
    journal.close()
    assert (5, None) == (history.state.side(1).front, journal.notice)


def test_what_was_there_is_kept_under_a_dated_name(tmp_path: Path) -> None:
    """The old journal and the page's old settings stay beside the new ones, whole."""
    file, data, settings = backup(tmp_path), table(tmp_path / "old", 7), tmp_path / "mine.toml"
    settings.write_text("teams = 3\n")
    page_file(settings).write_text("teams = 2\n")
    restored = restore(file, data, settings)
    journal, previous_settings = sorted(restored.previous, key=lambda path: path.suffix)
    assert ("settings-of-page-before-2027-01-1", "journal-before-2027-0") == (
        previous_settings.name[:33],
        journal.name[:21],
    )
    assert "teams = 2\n" == previous_settings.read_text()
    (tmp_path / "look").mkdir()
    journal.rename(tmp_path / "look" / FILE)
    assert ([9, 7], [9, 5]) == (progress(tmp_path / "look"), progress(data))


def test_what_was_not_in_the_file_itself_yet_is_kept_too(tmp_path: Path) -> None:
    """After a power cut part of a journal stands beside it: that is in the old state as well."""
    file, data = backup(tmp_path), tmp_path / "cut"
    data.mkdir()
    scribe = Scribe(tmp_path).sit().do(Peg(team=1, points=3))
    for suffix in ("", "-wal"):  # as it is on disk while the table runs
        (data / f"{FILE}{suffix}").write_bytes((tmp_path / f"{FILE}{suffix}").read_bytes())
    scribe.close()
    restored = restore(file, data, tmp_path / "s.toml")
    assert [9, 5] == progress(data)
    (tmp_path / "look").mkdir()
    restored.previous[-1].rename(tmp_path / "look" / FILE)
    assert [3] == progress(tmp_path / "look")


def test_a_journal_that_cannot_be_read_is_replaced_and_kept(tmp_path: Path) -> None:
    """A restore is what helps when the journal is damaged: its bytes are kept as they are."""
    file, data = backup(tmp_path), tmp_path / "bad"
    data.mkdir()
    (data / FILE).write_bytes(b"no database" * 999)
    restored = restore(file, data, tmp_path / "s.toml")
    assert [9, 5] == progress(data)
    (previous,) = restored.previous
    assert b"no database" * 999 == previous.read_bytes()


def test_it_can_be_done_twice(tmp_path: Path) -> None:
    """Each restore keeps what the one before it had put there."""
    file, data = backup(tmp_path), tmp_path / "new"
    restore(file, data, tmp_path / "s.toml")
    again = restore(file, data, tmp_path / "s.toml", now=NOON + 1)
    assert 1 == len(again.previous)
    with pytest.raises(JournalError, match=r"File exists.*so nothing was"):
        restore(file, data, tmp_path / "s.toml", now=NOON + 1)
    assert [9, 5] == progress(data)


@pytest.mark.parametrize("on_disk", ["the same", "another", None])
def test_restored_settings_name_a_board_that_is_there(tmp_path: Path, on_disk: str | None) -> None:
    """A board that they name by its path: where it is no more, the one in the data folder."""
    mine, settings = tmp_path / "mine.toml", tmp_path / "s.toml"
    mine.write_bytes(begun(note="mine").board_file)
    settings.write_text(f'board = "{mine}"\n')
    back_up(table(tmp_path / "t"), tmp_path / "b.zip", settings=settings, now=NOON)
    board = mine.read_bytes()
    if on_disk is None:
        mine.unlink()
    elif on_disk == "another":
        mine.write_bytes(begun(note="another").board_file)
    restored = restore(tmp_path / "b.zip", tmp_path / "new", tmp_path / "other.toml")
    named = Path(load_settings(tmp_path / "other.toml", {}).board)
    assert board == named.read_bytes()
    assert restored.settings_board == (None if on_disk == "the same" else named)


@pytest.mark.parametrize(
    ("saved", "there", "restored"),
    [
        (("H", "P"), (None, None), ("H", "P")),
        (("H", "P"), ("h", "p"), ("h", "P")),
        (("H", None), (None, "p"), ("H", "")),
        (("H", None), ("h", None), ("h", "H")),
        ((None, "P"), (None, "p"), (None, "P")),
        ((None, None), ("h", "p"), ("h", "p")),
    ],
)
def test_settings_written_by_hand_stay(
    tmp_path: Path,
    saved: tuple[str | None, ...],
    there: tuple[str | None, ...],
    restored: tuple[str | None, ...],
) -> None:
    """The page's file has those of the backup then, of older ones too, which had one file."""

    def place(texts: tuple[str | None, ...]) -> None:
        for file, text in zip(files, texts, strict=True):
            file.unlink(missing_ok=True)
            if text:
                file.write_text(f"# {text}\n")

    files = (tmp_path / "s.toml", page_file(tmp_path / "s.toml"))
    place(saved)
    back_up(table(tmp_path / "t"), tmp_path / "b.zip", settings=files[0], now=NOON)
    place(there)
    restore(tmp_path / "b.zip", tmp_path / "new", files[0])
    found = (file.read_text().strip("# \n") if file.exists() else None for file in files)
    assert restored == tuple(found)


def test_files_belong_to_whom_the_folder_does(tmp_path: Path) -> None:
    """The table can open a journal restored by another user; settings keep their mode."""
    file, data, settings = backup(tmp_path), tmp_path / "new", tmp_path / "s.toml"
    data.mkdir()
    if os.geteuid() == 0:
        os.chown(data, 65534, 65534)
    settings.write_text("")
    page_file(settings).write_text("")
    page_file(settings).chmod(0o640)
    restored = restore(file, data, settings)
    owners = {path.stat().st_uid for path in (data, data / "lock", *data.rglob("*"))}
    assert {data.stat().st_uid} == owners
    assert {0o640} == {
        stat.S_IMODE(path.stat().st_mode) for path in (page_file(settings), restored.previous[0])
    }


def test_nothing_is_replaced_while_a_table_has_the_folder(tmp_path: Path) -> None:
    """A running table is not pulled from under its players: stop it, or close its journal."""
    file, data = backup(tmp_path), table(tmp_path / "old", 7)
    journal = Journal(data, now=time.time)
    journal.begin(begun(names={"1": "Anna"}))
    with (
        staged(file, data) as found,
        pytest.raises(JournalError, match=r"another table runs in .*stop it"),
    ):
        found.put_in_place(tmp_path / "s.toml", now=NOON)
    journal.close()
    assert [9, 7] == progress(data)


def test_a_table_may_go_on_while_a_backup_is_looked_at(tmp_path: Path) -> None:
    """Proving touches nothing; once the journal is closed the same proof is put in place."""
    file, data = backup(tmp_path), tmp_path / "live"
    data.mkdir()
    scribe = Scribe(data).sit().do(Peg(team=1, points=3))
    with staged(file, data) as found:
        scribe.do(Peg(team=1, points=4)).close()
        found.put_in_place(tmp_path / "s.toml", now=NOON)
    assert [9, 5] == progress(data)
    assert not [path for path in data.iterdir() if path.name.startswith(".")]


def test_a_journal_that_is_being_read_is_not_replaced(tmp_path: Path) -> None:
    """Rows that only a reader keeps from the file would be lost: it is said, to try again."""
    file, data = backup(tmp_path), table(tmp_path / "old", 7)
    Scribe(data).sit(begun(names={"1": "Anna"})).close()
    reader = sqlite3.connect(data / FILE)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM log").fetchone()
    writer = sqlite3.connect(data / FILE)
    writer.execute("UPDATE log SET t = t + 1, checksum = NULL")
    writer.commit()
    with pytest.raises(JournalError, match="being read by another program: try again"):
        restore(file, data, tmp_path / "s.toml")
    reader.close()
    writer.close()
    assert [9, 7] == progress(data)


def test_who_only_has_the_old_journal_open_goes_on_with_it(tmp_path: Path) -> None:
    """A reader that waits keeps the old state; what lies beside it never meets the new one."""
    file, data = backup(tmp_path), table(tmp_path / "old", 7)
    with Records(data) as records:
        assert 2 == len(records.games())
        restored = restore(file, data, tmp_path / "s.toml")
        assert [9, 7] == [game.sides[1].progress for game in records.games()]
    assert [9, 5] == progress(data)
    assert Path(f"{restored.previous[-1]}-wal").exists()


@pytest.mark.parametrize("place", ["settings", "data"])
def test_a_place_that_cannot_be_written_changes_nothing(tmp_path: Path, place: str) -> None:
    """If one of the files cannot be put in its place, none is."""
    file, data, settings = backup(tmp_path), table(tmp_path / "old", 7), tmp_path / "s.toml"
    settings.write_text("")
    page_file(settings).write_text("")
    blocked = page_file(settings) if place == "settings" else data / FILE
    old = blocked.read_bytes()
    blocked.unlink()
    blocked.mkdir()
    with pytest.raises(JournalError, match=r"cannot be replaced .* so nothing was"):
        restore(file, data, settings)
    blocked.rmdir()
    blocked.write_bytes(old)
    assert ([9, 7], b"") == (progress(data), page_file(settings).read_bytes())
    assert not list(tmp_path.rglob("*2027-01-1*"))
