"""Files that must not be lost: whatever happens, the old or the new content is there."""

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import Text
from companion.files import RETRY_WAITS_S, StoredFile, free_name, sync_folder, write_durably
from companion.night.book import Book
from companion.night.messages import NightPlan
from companion.night.organiser import StoredNight
from companion.runtime.service_manager import Starts, StartStage
from companion.settings.probation import Probation
from companion.web.pairing import Phone, StoredPhones

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


HASH = "e3b98a4da31a127d4bde6e43033f66ba274cab0eb7eb1c70ec41402bf6273dd8"
PHONE = Phone(id=HASH[:16], name="Zoé", right="run", hash=HASH, since=0)
PHONE_JSON = f'{{"id":"{HASH[:16]}","name":"Zoé","right":"run","hash":"{HASH}","since":0}}'
PLAN = NightPlan(night="0" * 16)
PLAN_JSON = '{"night":"0000000000000000","revision":0,"finish":363,"planned_rounds":9}'
WHY = Text("no {x} in {y}", x="é", y=Text("{n} cards", n="2"))
WHY_JSON = (
    '{"template":"no {x} in {y}","values":{"x":"é",'
    '"y":{"template":"{n} cards","values":{"n":"2"}}}}'
)
SUM = "f5898e07e6c1669d"
STORED: dict[str, tuple[object, str]] = {
    "phones": (
        StoredPhones(phones=(PHONE,), checksum=SUM),
        f'{{"phones":[{PHONE_JSON}],"checksum":"{SUM}"}}',
    ),
    "night-friday": (StoredNight(plan=PLAN), f'{{"plan":{PLAN_JSON},"states":[]}}'),
    "night": (Book(plan=PLAN), f'{{"plan":{PLAN_JSON},"start":null,"games":[]}}'),
    "page.probation": (
        Probation(before="a = 1", after="x", attempted=True, reason=WHY),
        f'{{"before":"a = 1","after":"x","attempted":true,"reason":{WHY_JSON}}}',
    ),
    "starts": (
        Starts(count=1, stage=StartStage.LIT, reason=WHY),
        f'{{"count":1,"stage":"lit","reason":{WHY_JSON}}}',
    ),
}
"""Values of the program's stored files, and the content that earlier versions have written."""


@pytest.mark.parametrize("name", STORED)
def test_a_stored_file_lasts_and_a_damaged_one_is_put_aside(tmp_path: Path, name: str) -> None:
    """The value of an earlier version is read; each damaged file is kept, and a notice names it."""
    value, content = STORED[name]
    notices: list[Text] = []
    file = StoredFile(tmp_path / f"{name}.json", type(value), notices.append)
    assert file.load() is None
    file.save(value)
    assert value == file.load()
    file.path.write_text(content, encoding="utf-8")
    assert value == file.load()
    damaged = (b"", b"{", b"\xff", b"[" * 50_000, b"[1]", content.encode()[:-1])
    for each in damaged:
        file.path.write_bytes(each)
        assert [None, None] == [file.load(), file.load()]
    names = [f"{name}.damaged.json", *(f"{name}.damaged-{n}.json" for n in range(2, 7))]
    assert list(damaged) == [(tmp_path / aside).read_bytes() for aside in names]
    assert names == [str(notice).rpartition(" ")[2] for notice in notices]


@pytest.mark.parametrize("failures", [3, 4])
def test_a_stored_file_that_cannot_be_read_is_tried_again_and_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    """A card that fails for a moment makes nothing missing."""
    waits: list[float] = []
    file = StoredFile(tmp_path / "starts.json", Starts, wait=waits.append)
    file.save(Starts(count=2))
    read = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if len(waits) < failures:
            raise OSError(5, "Input/output error")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    found = file.load_if_readable()
    assert list(RETRY_WAITS_S) == waits
    assert (Starts(count=2) if failures == len(waits) else None) == found
    assert [file.path] == list(tmp_path.iterdir())
