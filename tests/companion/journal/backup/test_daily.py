"""Daily backups: one a day, read back, the right ones kept; and restored at the next start."""

import os
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadInputError, JournalError
from companion.journal.backup.create import back_up
from companion.journal.backup.daily import (
    STICK_FOLDER,
    backup_folders,
    daily_backups,
    folders_of_others,
    make_daily_backup,
    superfluous,
)
from companion.journal.backup.request import REQUEST, carry_out_request, request_restore
from companion.journal.records import Records
from companion.journal.store import FILE
from companion.rules.game import Peg
from tests.companion.journal.bundles import table
from tests.companion.journal.scribe import NOON, begun, played
from tests.support.nobody import as_nobody

DAY_S = 86_400.0
START = date(2026, 1, 1)
TODAY = datetime.fromtimestamp(NOON).astimezone().date()


@given(st.sets(st.integers(0, 400), max_size=60))
def test_seven_days_and_four_weeks_are_kept(offsets: set[int]) -> None:
    """The newest seven, and the newest of each of the newest four weeks that have any."""
    days = sorted((START + timedelta(offset) for offset in offsets), reverse=True)
    remaining = [day for day in days if day not in superfluous(days)]
    weeks = list(dict.fromkeys(day.isocalendar()[:2] for day in days))[:4]
    firsts = [next(day for day in days if day.isocalendar()[:2] == week) for week in weeks]
    assert sorted({*days[:7], *firsts}, reverse=True) == remaining


def written(data: Path, now: float) -> None:
    """Let the journal have been written at a time."""
    os.utime(data / FILE, (now, now))


def test_one_a_day_where_there_is_news(tmp_path: Path) -> None:
    """The second of a day, and a day without a write to the journal, make none."""
    data = table(tmp_path / "data")
    folder = data / "backups"
    names = []
    for day, news in ((0, True), (0, True), (1, False), (2, True)):
        now = NOON + day * DAY_S
        if news:
            written(data, now + 1)
        name = make_daily_backup(data, folder, settings=None, now=now)
        if name:
            os.utime(folder / name, (now + 2, now + 2))
        names.append(name)
    assert [True, False, False, True] == [name is not None for name in names]
    assert [NOON + 2 * DAY_S, NOON] == [each.manifest.made for each in daily_backups([folder])]
    assert 2 == len(list(folder.iterdir()))


def test_old_ones_go(tmp_path: Path) -> None:
    """After thirty days of play no more than seven days and four weeks are there."""
    data = table(tmp_path / "data")
    folder = data / "backups"
    folder.mkdir()
    old = [TODAY - timedelta(day) for day in range(1, 31)]
    for day in old:
        (folder / f"cribwars-{day}.zip").write_bytes(b"")
        os.utime(folder / f"cribwars-{day}.zip", (NOON - DAY_S, NOON - DAY_S))
    written(data, NOON)
    assert make_daily_backup(data, folder, settings=None, now=NOON)
    days = [TODAY, *old]
    assert len(days) - len(superfluous(days)) == len(list(folder.iterdir()))


def test_a_clock_that_was_never_set_deletes_nothing_of_today(tmp_path: Path) -> None:
    """In 1970 a backup is made too; it is not the one that goes."""
    data = table(tmp_path / "data")
    folder = data / "backups"
    folder.mkdir()
    for day in range(8):
        file = folder / f"cribwars-{START + timedelta(day)}.zip"
        file.write_bytes(b"")
        os.utime(file, (0, 0))
    name = make_daily_backup(data, folder, settings=None, now=DAY_S)
    assert name
    assert (folder / name).exists()


def test_one_that_cannot_be_read_back_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that keeps something else leaves no backup of that day."""
    data = table(tmp_path / "data")
    honest = back_up

    def torn(data: Path, file: Path, *, settings: Path | None, now: float) -> object:
        manifest = honest(data, file, settings=settings, now=now)
        file.write_bytes(file.read_bytes()[:-100])
        return manifest

    monkeypatch.setattr("companion.journal.backup.daily.back_up", torn)
    with pytest.raises(BadInputError, match="no backup"):
        make_daily_backup(data, data / "backups", settings=None, now=NOON)
    assert [] == daily_backups([data / "backups"])


def test_without_a_journal_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    """Backups of an older journal change nothing of that."""
    data = table(tmp_path / "data")
    make_daily_backup(data, data / "backups", settings=None, now=NOON)
    for file in data.glob(f"{FILE}*"):
        file.unlink()
    with pytest.raises(JournalError):
        make_daily_backup(data, data / "backups", settings=None, now=NOON + DAY_S)


def test_a_folder_that_cannot_be_read(tmp_path: Path) -> None:
    """It has no backups to show, and takes none: one line says so."""
    data = table(tmp_path / "data")
    (tmp_path / "stick").write_text("a file")
    with pytest.raises(BadInputError, match="cannot be written"):
        make_daily_backup(data, tmp_path / "stick", settings=None, now=NOON)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    with as_nobody():
        assert [] == daily_backups([closed, closed / "backups"])


def test_a_stick_counts_only_while_it_is_mounted(tmp_path: Path) -> None:
    """An empty mount point is no stick: nothing is written to the card in its name."""
    (tmp_path / "sticks" / "sda1").mkdir(parents=True)
    for nothing in (None, tmp_path / "none", tmp_path / "sticks"):
        assert [tmp_path / "backups"] == backup_folders(tmp_path, nothing)
    found = backup_folders(tmp_path, Path("/"))  # where many file systems are mounted
    assert tmp_path / "backups" == found[0]
    parents = [folder.parent for folder in found]
    assert Path("/proc/cribwars-backups") in parents
    assert Path("/etc/cribwars-backups") not in parents


def test_a_stick_serves_several_boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has its own backups there, and sees those of the others; a new board sees all."""
    stick = tmp_path / "sticks" / "sda1"
    stick.mkdir(parents=True)
    monkeypatch.setattr(Path, "is_mount", lambda path: path == stick)
    boards = [tmp_path / name for name in ("anna", "berta")]
    for data in boards:
        data.mkdir()
        played(data, Peg(team=1, points=5), requested=begun(names={"1": data.name}))
        [_, folder] = backup_folders(data, stick.parent)
        assert make_daily_backup(data, folder, settings=None, now=NOON)
    for data, other in (boards, boards[::-1]):
        [_, own] = backup_folders(data, stick.parent)
        assert 1 == len(daily_backups([own]))
        others = [stick / STICK_FOLDER, *backup_folders(other, stick.parent)[1:]]
        assert others == folders_of_others(data, stick.parent)
    assert 2 == len(daily_backups(folders_of_others(tmp_path / "new", stick.parent)))
    assert make_daily_backup(boards[0], stick / STICK_FOLDER, settings=None, now=NOON)
    found = daily_backups(folders_of_others(tmp_path / "new", stick.parent))
    assert 3 == len(found), "one of a version without folders for journals is found too"


@pytest.mark.parametrize("link", ["folder", "journal", "file"])
def test_no_link_on_a_stick_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, link: str
) -> None:
    """Neither is a backup written through it, nor one shown that lies elsewhere."""
    data, elsewhere, stick = (tmp_path / name for name in ("data", "elsewhere", "sticks/sda1"))
    table(data)
    stick.mkdir(parents=True)
    monkeypatch.setattr(Path, "is_mount", lambda path: path == stick)
    [_, own] = backup_folders(data, stick.parent)
    name = str(make_daily_backup(data, elsewhere, settings=None, now=NOON))
    places = {"folder": own.parent, "journal": own, "file": own / name}
    places[link].parent.mkdir(parents=True, exist_ok=True)
    places[link].symlink_to(elsewhere / name if link == "file" else elsewhere)
    folders = backup_folders(data, stick.parent)
    assert (link == "file") is (own in folders)
    assert [] == daily_backups([*folders, *folders_of_others(data, stick.parent)])


def test_a_restore_is_carried_out_once(tmp_path: Path) -> None:
    """At the next start, and what was there is kept; the start after that does nothing."""
    data = table(tmp_path / "data", points=5)
    name = make_daily_backup(data, data / "backups", settings=None, now=NOON)
    with Records(data) as records:
        before = records.games()
    played(data, Peg(team=2, points=12))
    request_restore(data, data / "backups" / str(name), "2026-01-02")
    said = carry_out_request(data, tmp_path / "cribwars.toml", now=lambda: NOON)
    assert said
    assert "the backup of 2026-01-02 is restored; what was there is kept as journal-before" in said
    with Records(data) as records:
        assert before == records.games()
    assert carry_out_request(data, tmp_path / "cribwars.toml", now=lambda: NOON) is None


@pytest.mark.parametrize("content", [b"{}", b"not json", b'{"file": "\xff"}'])
def test_a_request_that_cannot_be_carried_out_says_so(tmp_path: Path, content: bytes) -> None:
    """One line, and the start goes on with the games that are there."""
    data = table(tmp_path / "data")
    (data / REQUEST).write_bytes(content)
    said = carry_out_request(data, tmp_path / "s.toml", now=lambda: NOON)
    assert str(said).startswith("no backup was restored: ")
    assert not (data / REQUEST).exists()
    request_restore(data, tmp_path / "gone.zip", "2026-01-02")
    said = carry_out_request(data, tmp_path / "s.toml", now=lambda: NOON)
    assert "gone.zip cannot be read" in str(said)
    assert not (data / REQUEST).exists()
