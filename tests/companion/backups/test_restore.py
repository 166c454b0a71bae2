"""Restore: all of a backup is proven before anything is replaced, and what was there is kept."""

import os
import stat
import time
from pathlib import Path

import pytest

from companion.backups.backup_file import back_up
from companion.backups.folders import make_backup, staged
from companion.backups.restore import ASIDE, NOTE, READY, prepare_restore, resume_restore
from companion.errors import JournalError
from companion.journal.store import FILE
from companion.journal.writer import Journal
from companion.records.records import Records
from companion.rules.game import Peg
from companion.settings.load import load_settings
from companion.settings.sources import page_file
from tests.companion.backups.bundles import SETTINGS, backup, contents, restore, table
from tests.companion.journal.scribe import NOON, Scribe, begun

MIRROR = "journal-mirror.sqlite"


def progress(folder: Path) -> list[int]:
    """The first side's progress in each game."""
    with Records(folder) as records:
        return [game.sides[1].progress for game in records.games()]


def test_a_backup_is_restored_where_nothing_was(tmp_path: Path) -> None:
    """On a new machine journal and settings are put in their places, and nothing else is left."""
    data, settings = tmp_path / "new/data", tmp_path / "new/etc/cribwars.toml"
    said = restore(backup(tmp_path), data, settings)
    assert [9, 5] == progress(data)
    assert SETTINGS == settings.read_text()
    assert said.endswith("is restored; what was there is kept as nothing")
    assert {FILE, "lock"} == {path.name for path in data.iterdir()} - {"records-kept.sqlite"}


def test_the_table_goes_on_from_it(tmp_path: Path) -> None:
    """The next start stands where the table stood when the backup was made."""
    restore(backup(tmp_path), tmp_path / "new", tmp_path / "s.toml")
    journal = Journal(tmp_path / "new", now=time.time)
    history, _ = journal.begin(begun(names={"1": "Anna"}))
    journal.close()
    assert (5, None) == (history.state.pegs(1).front, journal.notice)


def test_what_was_there_is_kept_as_a_backup(tmp_path: Path) -> None:
    """Games, settings and phones of before come back with it; the mirror of the journal goes."""
    file, data, settings = backup(tmp_path), table(tmp_path / "old", 7), tmp_path / "mine.toml"
    settings.write_text("teams = 3\n")
    page_file(settings).write_text("teams = 2\n")
    (data / "phones.json").write_text("{}")
    (data / MIRROR).write_bytes((data / FILE).read_bytes())
    said = restore(file, data, settings)
    (kept,) = (data / "backups").iterdir()
    assert said.endswith(f"what was there is kept as {kept.name}")
    assert [9, 5] == progress(data)
    assert not (data / MIRROR).exists()
    restore(kept, data, settings)
    assert ([9, 7], "teams = 2\n") == (progress(data), page_file(settings).read_text())
    assert {"phones.json", "settings-of-page.toml"} <= contents(kept).keys()


def test_what_was_not_in_the_file_itself_yet_is_kept_too(tmp_path: Path) -> None:
    """After a power cut part of a journal stands beside it: that is in the old state as well."""
    file, data = backup(tmp_path), tmp_path / "cut"
    data.mkdir()
    scribe = Scribe(tmp_path).sit().do(Peg(side=1, points=3))
    for suffix in ("", "-wal"):  # as it is on disk while the table runs
        (data / f"{FILE}{suffix}").write_bytes((tmp_path / f"{FILE}{suffix}").read_bytes())
    scribe.close()
    restore(file, data, tmp_path / "s.toml")
    assert [9, 5] == progress(data)
    restore(next((data / "backups").iterdir()), data, tmp_path / "s.toml")
    assert [3] == progress(data)


def test_a_journal_that_cannot_be_read_is_replaced_and_kept(tmp_path: Path) -> None:
    """A restore is what helps when the journal is damaged: its bytes are kept as they are."""
    file, data, settings = backup(tmp_path), tmp_path / "bad", tmp_path / "s.toml"
    data.mkdir()
    page_file(settings).write_text("teams = 2\n")
    for name in (FILE, MIRROR):
        (data / name).write_bytes(b"no database" * 999)
    assert restore(file, data, settings).endswith(f"kept as {ASIDE}")
    assert (False, True) == ((data / MIRROR).exists(), (data / ASIDE / MIRROR).exists())
    assert [9, 5] == progress(data)
    assert b"no database" * 999 == (data / ASIDE / FILE).read_bytes()
    assert "teams = 2\n" == (data / ASIDE / page_file(settings).name).read_text()


def test_the_last_restore_that_was_prepared_counts(tmp_path: Path) -> None:
    """A second one that is prepared before the next start takes the place of the first."""
    file, data = backup(tmp_path), table(tmp_path / "old", 7)
    second = make_backup(data, data / "backups", settings=None, now=NOON)
    with staged(file, data) as first:
        prepare_restore(first, None)
    restore(second, data, None)
    assert [9, 7] == progress(data)
    assert [] == [*data.glob("*restor*")]


def test_a_prepared_restore_that_cannot_be_read_is_called_off(tmp_path: Path) -> None:
    """A line says so, and the table goes on with the games it has."""
    file, data = backup(tmp_path), table(tmp_path / "old", 7)
    with staged(file, data) as found:
        prepare_restore(found, None)
    (data / READY / NOTE).write_text("{")
    with pytest.raises(JournalError, match="no backup was restored: "):
        resume_restore(data, NOON)
    assert resume_restore(data, NOON) is None
    assert [9, 7] == progress(data)


def test_without_room_for_a_backup_nothing_is_restored(tmp_path: Path) -> None:
    """What is there would be lost: the restore is called off, with a word."""
    file, data = backup(tmp_path), table(tmp_path / "old", 7)
    (data / "backups").write_text("a file")
    with staged(file, data) as found:
        prepare_restore(found, None)
    with pytest.raises(JournalError, match="no backup was restored"):
        resume_restore(data, NOON)
    assert ([9, 7], None) == (progress(data), resume_restore(data, NOON))


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
    restore(tmp_path / "b.zip", tmp_path / "new", tmp_path / "other.toml")
    named = Path(load_settings(tmp_path / "other.toml", {}).board)
    assert board == named.read_bytes()
    assert (named.parent == tmp_path / "new") is (on_disk != "the same")


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
    restore(file, data, settings)
    owners = {path.stat().st_uid for path in (data, data / "lock", *data.rglob("*"))}
    assert {data.stat().st_uid} == owners
    assert 0o640 == stat.S_IMODE(page_file(settings).stat().st_mode)


def test_nothing_is_replaced_while_a_table_has_the_folder(tmp_path: Path) -> None:
    """A running table is not pulled from under its players: stop it, or close its journal."""
    file, data = backup(tmp_path), table(tmp_path / "old", 7)
    journal = Journal(data, now=time.time)
    journal.begin(begun(names={"1": "Anna"}))
    with pytest.raises(JournalError, match=r"another table runs in .*stop it"):
        restore(file, data, tmp_path / "s.toml")
    journal.close()
    assert ([9, 7], None) == (progress(data), resume_restore(data, NOON))


def test_a_table_may_go_on_while_a_backup_is_looked_at(tmp_path: Path) -> None:
    """Proving touches nothing; what is counted until the next start is kept."""
    file, data = backup(tmp_path), tmp_path / "live"
    data.mkdir()
    scribe = Scribe(data).sit().do(Peg(side=1, points=3))
    with staged(file, data) as found:
        scribe.do(Peg(side=1, points=4))
        prepare_restore(found, tmp_path / "s.toml")
        scribe.do(Peg(side=1, points=5)).close()
    assert [12] == progress(data)
    resume_restore(data, NOON)
    assert [9, 5] == progress(data)
    assert not [path for path in data.iterdir() if path.name.startswith(".")]


def test_who_only_has_the_old_journal_open_goes_on_with_it(tmp_path: Path) -> None:
    """A reader that waits keeps the old state; what lies beside it never meets the new one."""
    file, data = backup(tmp_path), table(tmp_path / "old", 7)
    with Records(data) as records:
        assert 2 == len(records.games())
        restore(file, data, tmp_path / "s.toml")
        assert [9, 7] == [game.sides[1].progress for game in records.games()]
    assert [9, 5] == progress(data)
    assert [] == [*data.glob(f"{FILE}-*")]


def test_a_place_that_cannot_be_written_leaves_the_games(tmp_path: Path) -> None:
    """If the settings cannot be put in their place, no start goes on with the other games."""
    file, data, settings = backup(tmp_path), table(tmp_path / "old", 7), tmp_path / "s.toml"
    settings.write_text("")
    page_file(settings).mkdir()
    with pytest.raises(JournalError, match=r"cannot be finished .*make room"):
        restore(file, data, settings)
    assert [9, 7] == progress(data)
    page_file(settings).rmdir()
    assert "is restored" in str(resume_restore(data, NOON))
    assert ([9, 5], SETTINGS) == (progress(data), page_file(settings).read_text())
