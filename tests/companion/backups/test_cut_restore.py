"""A restore that is cut short: all of it is there, or nothing, and what was said is on disk."""

import os
import re
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from companion.backups.backup_file import back_up
from companion.backups.folders import backups_in, staged
from companion.backups.restore import READY, finish_restore, prepare_restore, resume_restore
from companion.journal.writer import Journal
from companion.records.records import Records
from companion.settings.sources import page_file
from tests.companion.backups.bundles import table
from tests.companion.journal.scribe import NOON, begun
from tests.support.program import ROOT

DIED = -9
STRACE = (shutil.which("strace") or "strace", "-f", "-y", "-qq", "-o")
OLD, NEW = ([9, 7], "teams = 2\n", b"{}"), ([9, 5], "teams = 3\n", b'{"phones": {}}')
pytestmark = pytest.mark.tool(lacks="" if shutil.which("strace") else "needs the package strace")


def places(folder: Path) -> tuple[Path, Path, Path]:
    """A backup of the new state; and a data folder and settings in the old one."""
    new, old = table(folder / "from", 5), table(folder / "data", 7)
    (new / "phones.json").write_bytes(NEW[2])
    (old / "phones.json").write_bytes(OLD[2])
    (folder / "etc").mkdir()
    (folder / "etc/s.toml").write_text("")
    page = page_file(folder / "etc/s.toml")
    page.write_text(NEW[1])
    back_up(new, folder / "b.zip", settings=folder / "etc/s.toml", now=NOON)
    page.write_text(OLD[1])
    return folder / "b.zip", old, folder / "etc/s.toml"


def found(data: Path, settings: Path) -> tuple[list[int], str, bytes]:
    """The first side's progress in each game, the settings and the phones."""
    with Records(data) as records:
        games = [game.sides[1].progress for game in records.games()]
    return games, page_file(settings).read_text(), (data / "phones.json").read_bytes()


def traced(folder: Path, *options: str) -> tuple[int, list[str]]:
    """The exit code of a restore under strace, and the calls that it wrote down."""
    log = folder / "strace.log"
    command = ("records", "restore", "b.zip", "--data", "data", "--config", "etc/s.toml")
    done = subprocess.run(
        [*STRACE, str(log), *options, sys.executable, "-m", "companion", *command],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
    )
    return done.returncode, log.read_text().splitlines()


def test_all_names_are_on_disk_before_it_is_said(tmp_path: Path) -> None:
    """Every folder in which a file was renamed or deleted is synced before the first word."""
    places(tmp_path)
    code, calls = traced(tmp_path, "-e", "trace=rename,unlink,fsync,write")
    assert code == 0
    said = next(number for number, call in enumerate(calls) if "the backup of" in call)
    waiting: set[str] = set()
    for call in calls[:said]:
        if done := re.search(r"(?:rename|unlink)\((?:.*, )?\"([^\"]+)\"", call):
            folder = str((tmp_path / done[1]).parent)
            if not re.search(r"/\.(restoring|cribwars-backup)-|^/proc", folder):
                waiting.add(folder)
        elif synced := re.search(r"fsync\(\d+<([^>]+)>", call):
            waiting.discard(synced[1])
    assert set() == waiting


@pytest.mark.timeout(240)
@pytest.mark.parametrize("call", ["rename", "fsync", "unlink"])
def test_a_kill_at_any_call_leaves_all_or_nothing(tmp_path: Path, call: str) -> None:
    """Games, settings and phones are those from before, or after the next start all are new."""
    seen = []
    for number in range(1, 80, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        _, data, settings = places(folder)
        code, _ = traced(
            folder, "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}"
        )
        assert code in (0, DIED)
        resume_restore(data, NOON)
        seen.append(found(data, settings))
        assert seen[-1] in (OLD, NEW)
        assert not (data / READY).exists()
        if seen[-1] == NEW:
            assert 1 <= len(backups_in([data / "backups"]))
        if code == 0:
            break
    assert NEW == seen[-1]
    assert seen == sorted(seen, key=NEW.__eq__)


def test_a_table_finishes_it(tmp_path: Path) -> None:
    """The next one to open the journal finds the new one."""
    file, data, settings = places(tmp_path)
    with staged(file, data) as backup:
        prepare_restore(backup, settings)
    assert OLD == found(data, settings)
    journal = Journal(data, now=time.time, when_locked=partial(finish_restore, now=NOON))
    journal.begin(begun())
    journal.close()
    assert NEW == found(data, settings)
