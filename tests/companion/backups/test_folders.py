"""Folders of backups: numbered without a clock, made if needed, read back, the right ones kept."""

from contextlib import closing
from errno import EIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.backups.backup_file import back_up
from companion.backups.folders import (
    BLOCK,
    backup_folders,
    backups_in,
    commands_since,
    folders_of_others,
    is_needed,
    make_backup,
    superfluous,
)
from companion.errors import BadInputError, JournalError
from companion.journal.reader import JournalReader
from companion.journal.store import FILE
from companion.journal.writer import Journal
from companion.records.records import Records
from companion.rules.game import Peg
from tests.companion.backups.bundles import restore, table
from tests.companion.journal.scribe import NOON, begun, played
from tests.support.program import as_nobody

NAMES = {"1": "Anna"}
YEAR_S = 365 * 86_400.0


def numbered(number: int) -> Path:
    """The name of a backup."""
    return Path(f"cribwars-{number:09}-{number:016x}.zip")


@given(st.sets(st.integers(1, 20 * BLOCK), max_size=60))
def test_the_newest_and_some_older_ones_are_kept(numbers: set[int]) -> None:
    """The newest seven, and the last of each of the newest four blocks that have any."""
    found = sorted(numbers, reverse=True)
    gone = superfluous(numbered(number) for number in numbers)
    blocks = list(dict.fromkeys(number // BLOCK for number in found))[:4]
    lasts = {max(each for each in found if each // BLOCK == block) for block in blocks}
    kept = lasts.union(found[:7])
    assert [numbered(number) for number in found[::-1] if number not in kept] == gone


def count(data: Path, now: float, *points: int) -> None:
    """Start a table at a time of its clock, count, and stop it."""
    journal = Journal(data, now=lambda: now)
    history, _ = journal.begin(begun(names=NAMES))
    for each in points:
        journal.write(history.do(Peg(side=1, points=each)), lambda _: None)
    journal.close()


def start(data: Path, clock: float, *points: int) -> Path | None:
    """A start of an installed board at a time of its clock, with its backup, and some counts."""
    folder = data / "backups"
    made = None
    if (data / FILE).exists() and is_needed(data, folder):
        made = make_backup(data, folder, settings=None, now=clock)
    count(data, clock, *points)
    return made


CLOCKS = {
    "1970": [0.0] * 8,
    "2099": [NOON, NOON, NOON + 73 * YEAR_S, *[NOON] * 5],
    "back and forth": [NOON, 0.0, NOON + 73 * YEAR_S, 9.0, NOON, 5e9, 1.0, NOON],
}


@pytest.mark.parametrize("clock", CLOCKS)
def test_each_start_that_counted_is_backed_up_whatever_the_clock_says(
    tmp_path: Path, clock: str
) -> None:
    """Each start after one that counted, here every second one, has a backup; they are in order."""
    counts = [(1, 2), ()] * 4
    made = [start(tmp_path, now, *each) for now, each in zip(CLOCKS[clock], counts, strict=True)]
    assert [False, True] * 4 == [each is not None for each in made]
    found = backups_in([tmp_path / "backups"])
    assert [each for each in made[::-1] if each] == [each.file for each in found]
    assert [8, 6, 4, 2] == [int(each.file.name[9:18]) for each in found]
    with Records(tmp_path) as records:
        assert [8] == [game.counts for game in records.games()]


def test_a_clock_that_jumps_within_a_game_changes_nothing(tmp_path: Path) -> None:
    """After each count, at whatever time, a backup is needed; after each backup none is."""
    for now in CLOCKS["back and forth"]:
        count(tmp_path, now, 2)
        assert is_needed(tmp_path, tmp_path / "backups")
        make_backup(tmp_path, tmp_path / "backups", settings=None, now=now)
        assert not is_needed(tmp_path, tmp_path / "backups")
        assert 0 == commands_since(tmp_path, backups_in([tmp_path / "backups"]), 99)
    assert 8 >= len(backups_in([tmp_path / "backups"])) >= 7


@pytest.mark.parametrize(
    "content", [b"tems = 2\n", b"teams = \n", b"\xff", b"board = 'faulty.toml'\n"]
)
def test_settings_with_faults_keep_no_backup_from_being_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    """A table plays without what it cannot use, and so it does after the restore."""
    monkeypatch.chdir(tmp_path)
    Path("faulty.toml").write_text("finish = 9\n")
    by_hand, data = tmp_path / "cribwars.toml", table(tmp_path / "data")
    by_hand.write_bytes(content)
    file = make_backup(data, data / "backups", settings=by_hand, now=NOON)
    by_hand.unlink()
    restore(file, tmp_path / "other", by_hand)
    assert content == by_hand.read_bytes()
    with Records(tmp_path / "other") as records:
        assert [1, 1] == [game.counts for game in records.games()]


def test_counts_after_a_restore_are_backed_up(tmp_path: Path) -> None:
    """They have numbers that lost counts had before; their backup is newer than all the others."""
    data = table(tmp_path / "data")
    early = make_backup(data, data / "backups", settings=None, now=NOON)
    played(data, *[Peg(side=1, points=1)] * 5, requested=begun(names=NAMES))
    said = restore(early, data, None)
    kept = backups_in([data / "backups"])[0].file
    assert kept.name in said
    assert not is_needed(data, data / "backups")
    assert 0 == commands_since(data, backups_in([data / "backups"]), 9)
    played(data, Peg(side=2, points=3), requested=begun(names=NAMES))
    assert is_needed(data, data / "backups")
    assert 1 == commands_since(data, backups_in([data / "backups"]), 9)
    new = make_backup(data, data / "backups", settings=None, now=0)
    assert [new, kept, early] == [each.file for each in backups_in([data / "backups"])]
    assert commands_since(data, [], 3) is None


def test_one_that_cannot_be_read_back_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that keeps something else leaves no backup, and one is needed still."""
    data = table(tmp_path / "data")
    honest = back_up

    def torn(data: Path, file: Path, *, settings: Path | None, now: float) -> object:
        manifest = honest(data, file, settings=settings, now=now)
        file.write_bytes(file.read_bytes()[:-100])
        return manifest

    monkeypatch.setattr("companion.backups.folders.back_up", torn)
    with pytest.raises(BadInputError, match="no backup"):
        make_backup(data, data / "backups", settings=None, now=NOON)
    assert [] == backups_in([data / "backups"])
    assert is_needed(data, data / "backups")


def test_a_damaged_backup_counts_for_nothing(tmp_path: Path) -> None:
    """A file whose name is right and whose content is not leaves its counts without a backup."""
    data = table(tmp_path / "data")
    make_backup(data, data / "backups", settings=None, now=NOON).write_bytes(b"")
    assert is_needed(data, data / "backups")


def test_without_a_count_nothing_is_needed(tmp_path: Path) -> None:
    """A table that was only started has nothing to back up; without a journal it is an error."""
    with pytest.raises(JournalError):
        is_needed(tmp_path, tmp_path / "backups")
    count(tmp_path, NOON)
    assert not is_needed(tmp_path, tmp_path / "backups")


def test_a_folder_that_cannot_be_read(tmp_path: Path) -> None:
    """It has no backups to show, and takes none: one line says so."""
    data = table(tmp_path / "data")
    (tmp_path / "stick").write_text("a file")
    with pytest.raises(BadInputError, match="cannot be written"):
        make_backup(data, tmp_path / "stick", settings=None, now=NOON)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    with as_nobody():
        assert [] == backups_in([closed, closed / "backups"])


def test_a_backup_made_while_the_table_counts_is_named_by_what_is_in_it(tmp_path: Path) -> None:
    """Its checksum is that of the last command of the copy, read back."""
    data = table(tmp_path / "data")
    journal = Journal(data, now=lambda: NOON)
    journal.begin(begun(names=NAMES))
    file = make_backup(data, data / "backups", settings=None, now=NOON)
    journal.close()
    with closing(JournalReader(data)) as reader, reader.store() as store:
        assert int(file.name[9:18]) == store.last_seq


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
        played(data, Peg(side=1, points=5), requested=begun(names={"1": data.name}))
        [_, folder] = backup_folders(data, stick.parent)
        make_backup(data, folder, settings=None, now=NOON)
    for data, other in (boards, boards[::-1]):
        [_, own] = backup_folders(data, stick.parent)
        assert 1 == len(backups_in([own]))
        assert backup_folders(other, stick.parent)[1:] == folders_of_others(data, stick.parent)
    assert 2 == len(backups_in(folders_of_others(tmp_path / "new", stick.parent)))


@pytest.mark.parametrize("broken", ["lstat", "stat", "iterdir"])
def test_a_stick_that_is_pulled_out_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """Until it is unmounted each access to it fails."""
    data, stick = tmp_path / "data", tmp_path / "sticks" / "sda1"
    table(data)
    monkeypatch.setattr(Path, "is_mount", lambda path: path == stick)
    (stick / "cribwars-backups" / "other").mkdir(parents=True)
    works = getattr(Path, broken)

    def fail(path: Path, **options: bool) -> object:
        if stick in path.parents:
            raise OSError(EIO, "Input/output error")
        return works(path, **options)

    monkeypatch.setattr(Path, broken, fail)
    folders = backup_folders(data, stick.parent)
    assert [] == backups_in([*folders, *folders_of_others(data, stick.parent)])


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
    name = make_backup(data, elsewhere, settings=None, now=NOON).name
    places = {"folder": own.parent, "journal": own, "file": own / name}
    places[link].parent.mkdir(parents=True, exist_ok=True)
    places[link].symlink_to(elsewhere / name if link == "file" else elsewhere)
    folders = backup_folders(data, stick.parent)
    assert (link == "file") is (own in folders)
    assert [] == backups_in([*folders, *folders_of_others(data, stick.parent)])
