"""The doctor's findings about disk, clock, watchdog and backups of an installed board."""

from pathlib import Path

import pytest

from companion.backups.folders import make_backup
from companion.devices.doctor.finding import EARLIEST, MOST_UNSAVED, Finding, Level, upkeep_findings
from companion.rules.game import Peg
from hardware.pi import Machine
from tests.companion.backups.bundles import table
from tests.companion.journal.scribe import NOON, begun, played
from tests.support.program import as_nobody

PI = Machine(model="Raspberry Pi 4 Model B Rev 1.4")
DATA = Path("/var/lib/cribwars")
DAY_S = 86_400.0
NOWHERE = Path("/proc/nowhere")
SOUND = "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n"
OVERLAY = "overlayroot / overlay rw,relatime,lowerdir=/lower,upperdir=/media/root-rw/overlay 0 0\n"
OWN_PARTITION = f"{OVERLAY}/dev/mmcblk0p3 /var/lib/cribwars ext4 rw 0 0\n"


def found(
    root: Path, *, mounts: str = SOUND, machine: Machine = PI, data: Path = DATA, now: float = NOON
) -> dict[str, Finding]:
    """Return the findings about a machine with these mounts, by subject."""
    (root / "proc").mkdir(exist_ok=True)
    (root / "proc/mounts").write_text(mounts)
    return {str(each.what): each for each in upkeep_findings(machine, data, root, now=now)}


def test_a_disk_that_keeps_nothing_is_to_be_mended(tmp_path: Path) -> None:
    """This is an overlay root or a read-only disk, unless the games have their own."""
    for mounts in (SOUND, OWN_PARTITION):
        assert f"the disk of {DATA}" not in found(tmp_path, mounts=mounts)
    for mounts, words in (
        (OVERLAY, "overlayroot=tmpfs:recurse=0"),
        (SOUND.replace("rw", "ro"), "replace it"),
        (f"{SOUND}/dev/sda1 /var/lib/cribwars vfat ro 0 0\n", "replace it"),
    ):
        disk = found(tmp_path, mounts=mounts)[f"the disk of {DATA}"]
        assert (Level.FIX, True) == (disk.level, words in str(disk.remedy))


def test_a_release_upgrade_is_known_before(tmp_path: Path) -> None:
    """The finding says what it does to the package and the games."""
    assert "release upgrades" not in found(tmp_path)
    (tmp_path / "usr/lib/cribwars").mkdir(parents=True)
    upgrades = found(tmp_path)["release upgrades"]
    assert (Level.OK, True) == (upgrades.level, "games and settings stay" in str(upgrades.why))


def test_a_clock_that_was_never_set_is_worth_a_note(tmp_path: Path) -> None:
    """The note appears only before the first year of the program."""
    assert Level.NOTE == found(tmp_path, now=0)["clock"].level
    assert "clock" not in found(tmp_path, now=EARLIEST)


def test_the_watchdog_of_the_pi(tmp_path: Path) -> None:
    """The last of systemd's files decides; other machines get no finding."""

    def drop_in(name: str, line: str) -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"[Manager]\n#RuntimeWatchdogSec=15\n{line}\n")
        return file

    assert Level.NOTE == found(tmp_path)["watchdog"].level
    drop_in("usr/lib/systemd/system.conf.d/30-ours.conf", "RuntimeWatchdogSec=1min")
    assert Level.OK == found(tmp_path)["watchdog"].level
    other = drop_in("usr/lib/systemd/system.conf.d/40-other.conf", "RuntimeWatchdogSec=0")
    assert Level.NOTE == found(tmp_path)["watchdog"].level
    other.unlink()
    masked = drop_in("etc/systemd/system.conf.d/30-ours.conf", "")
    assert Level.NOTE == found(tmp_path)["watchdog"].level
    masked.unlink()
    masked.symlink_to("/dev/null")
    assert Level.NOTE == found(tmp_path)["watchdog"].level
    assert "watchdog" not in found(tmp_path, machine=Machine())


def test_the_last_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the number of commands since, by the journal, whatever the clock says."""
    assert Level.OK == found(tmp_path)["last backup"].level
    data = table(tmp_path / "data")
    assert Level.NOTE == found(tmp_path, data=data)["last backup"].level
    make_backup(data, data / "backups", settings=None, now=NOON + 73 * 365 * DAY_S)
    for since in ("0 commands", "1 command"):
        last = found(tmp_path, data=data)["last backup"]
        assert (Level.OK, True) == (last.level, f"; {since} since then" in str(last.why))
        played(data, Peg(side=1, points=2), requested=begun(names={"1": "Anna"}))
    assert MOST_UNSAVED > 1
    monkeypatch.setattr("companion.devices.doctor.finding.MOST_UNSAVED", 1)
    assert Level.NOTE == found(tmp_path, data=data)["last backup"].level


def test_a_data_folder_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its backups cannot be seen, so there is no finding."""
    # That user may not enter this checkout either, where the version stands.
    monkeypatch.setattr("companion.devices.doctor.finding.version", lambda _: "1")
    data = table(tmp_path / "data")
    make_backup(data, data / "backups", settings=None, now=NOON)
    data.chmod(0)
    with as_nobody():
        found_there = [
            str(each.what) for each in upkeep_findings(Machine(), data, NOWHERE, now=NOON)
        ]
    data.chmod(0o700)
    assert ["version"] == found_there
