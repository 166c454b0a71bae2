"""Troubles of a machine with the package: parts that block, bad disks, no network, no clock.

These tests are run only by name, as they need root and minutes.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.appliance.machine import RESTART_S, Appliance, booted, missing_package, until

FAKETIME = next(iter(Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)

pytestmark = [pytest.mark.timeout(600), pytest.mark.tool(lacks=missing_package())]

STUCK = """
import os, time
from hardware.strips import Driver, VirtualStrip

class StuckStrip(VirtualStrip):
    def _send(self, frame):
        while os.path.exists("/run/cribwars/stuck"):
            time.sleep(0.1)
        super()._send(frame)

driver = Driver(make=lambda spec: StuckStrip(spec, clock=time.monotonic))
"""
"""A driver that does not return while a file exists."""


def change_service(machine: Appliance, *lines: str) -> None:
    """Add lines to the unit of the service, and restart it."""
    drop_in = machine.root / "etc/systemd/system/cribwars.service.d/story.conf"
    drop_in.parent.mkdir(exist_ok=True)
    drop_in.write_text("\n".join(("[Service]", *lines, "")))
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "cribwars")


def notices(machine: Appliance) -> str:
    """Return the lines that the page shows."""
    return " ".join(machine.news()["notices"])


def until_restarts(machine: Appliance, count: int) -> None:
    """Wait until systemd has restarted the service by itself once more."""
    until(lambda: machine.restarts == count, RESTART_S, "a restart")


def add_stuck_driver(machine: Appliance) -> None:
    """Install the driver beside the program, as people install drivers of others."""
    info = machine.root / "opt/stuck-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stuck\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[cribwars.strips]\nstuck = stuck_strip:driver\n")
    (machine.root / "opt/stuck_strip.py").write_text(STUCK)
    change_service(machine, "Environment=PYTHONPATH=/opt")
    machine.page()


def set_stuck_driver(machine: Appliance) -> None:
    """Set the driver in the settings by hand, and restart the table."""
    with (machine.root / "etc/cribwars/cribwars.toml").open("a") as settings:
        settings.write('[strip]\ndriver = "stuck"\n')
    restart(machine)


def restart(machine: Appliance) -> None:
    """Restart the table, as the page does, and wait until it answers."""
    run = machine.get("/api/about")["run"]
    machine.post("/api/restart", run=run)
    until(lambda: machine.get("/api/about")["run"] != run, RESTART_S, "another run")


def test_a_strip_that_blocks(machine: Appliance) -> None:
    """Each time the program restarts within 40 seconds with its game, also during a start.

    The fourth start in a row leaves the strip out and says why; the page can start it again.
    """
    add_stuck_driver(machine)
    set_stuck_driver(machine)
    assert 1 == machine.count()
    machine.run("touch", "/run/cribwars/stuck")
    for count in (1, 2, 3):
        until_restarts(machine, count)
    assert 1 == machine.page()["seq"]
    assert "the strip has not answered for 15 s" in machine.log()
    why = "safe start after 3 failed starts in a row (the strip's driver did not answer)"
    until(lambda: why in notices(machine), 20, why)
    assert "virtual" == machine.get("/api/about")["strip"]
    assert 2 == machine.count()
    machine.run("rm", "/run/cribwars/stuck")
    restart(machine)
    assert "stuck" == machine.get("/api/about")["strip"]
    assert (2, 3) == (machine.page()["seq"], machine.restarts)


def test_settings_with_a_strip_that_blocks(machine: Appliance) -> None:
    """A start takes changed settings of the page back; systemd waits for that."""
    add_stuck_driver(machine)
    machine.count()
    stamp = machine.get("/api/settings")["stamp"]
    machine.post("/api/settings", changes={"strip.driver": "stuck"}, stamp=stamp)
    machine.run("touch", "/run/cribwars/stuck")
    restart(machine)
    about = machine.get("/api/about")
    assert ("virtual", True) == (about["strip"], about["reverted"])
    assert (1, 0) == (machine.page()["seq"], machine.restarts)


@contextmanager
def disk(folder: Path) -> Iterator[Path]:
    """Mount a separate disk until the block ends."""
    image, mounted = folder / "disk", folder / "mounted"
    mounted.mkdir()
    with image.open("wb") as file:
        file.truncate(64 << 20)
    subprocess.run(["/usr/sbin/mkfs.ext4", "-q", str(image)], check=True, timeout=60)
    mount = ["/usr/bin/mount", "-o", "loop", str(image), str(mounted)]
    subprocess.run(mount, check=True, timeout=60)
    try:
        yield mounted
    finally:
        subprocess.run(["/usr/bin/umount", "--lazy", str(mounted)], check=True, timeout=60)


@contextmanager
def frozen(mounted: Path) -> Iterator[None]:
    """Block all writes to a disk until the block ends."""
    subprocess.run(["/usr/sbin/fsfreeze", "-f", str(mounted)], check=True, timeout=60)
    try:
        yield
    finally:
        subprocess.run(["/usr/sbin/fsfreeze", "-u", str(mounted)], check=True, timeout=60)


def test_a_disk_that_blocks(release: str, package: Path, port: int, tmp_path: Path) -> None:
    """Nothing is restarted: play goes on, shown as unsaved; when the disk is back, all is saved.

    If it is stopped meanwhile, it writes its counts elsewhere, and the next start has them.
    """
    with (
        disk(tmp_path) as mounted,
        booted(
            release, tmp_path / "machine", port, options=[f"--bind={mounted}:/var/lib/cribwars"]
        ) as machine,
    ):
        machine.install(package)
        machine.page()
        machine.count()
        with frozen(mounted):
            assert 2 == machine.count()
            assert machine.news()["saved"] is False
            with pytest.raises(AssertionError):
                until(lambda: machine.restarts, RESTART_S, "a restart")
            assert 2 == machine.page()["seq"]
        until(lambda: machine.news()["saved"], 20, "all is saved")
        assert 0 == machine.restarts
        with frozen(mounted):
            assert 3 == machine.count()
            machine.run("systemctl", "stop", "--no-block", "cribwars")
            elsewhere = "1 commands could not be saved in /var/lib/cribwars: they are in /var/cache"
            until(lambda: elsewhere in machine.log(), 30, elsewhere)
        until(lambda: machine.show("MainPID") == "0", 60, "the end")
        machine.run("systemctl", "start", "cribwars")
        assert 3 == machine.page()["seq"]


def test_hard_times(release: str, package: Path, port: int, tmp_path: Path) -> None:
    """Without a network, on a full or read-only card or an overlay root, it plays and says so."""
    folder = tmp_path / "machine"
    with booted(release, folder, port, options=["--private-network"]) as machine:
        machine.install(package)
        until(lambda: machine.show("ActiveState") == "active", 30, "ready without a network")
    with booted(release, folder, port, options=["--tmpfs=/var/lib/cribwars:size=64k"]) as machine:
        machine.page()
        machine.count()
        assert machine.news()["saved"] is False
    with booted(release, folder, port, options=["--read-only", "--tmpfs=/var/tmp"]) as machine:
        assert "seq" in machine.page()
    with booted(release, folder, port, options=["--volatile=overlay"]) as machine:
        machine.page()
        assert 1 == machine.count()
        assert "fix" == doctor(machine)["the disk of /var/lib/cribwars"]


def doctor(machine: Appliance, *environment: str) -> dict[str, str]:
    """Return the levels of the doctor's findings, as the machine's owner gets them."""
    command = ("cribwars", "doctor", "--json")
    found = machine.run(
        "env", "STATE_DIRECTORY=/var/lib/cribwars", *environment, *command, check=False
    )
    return {each["what"]: each["level"] for each in json.loads(found)}


@pytest.mark.tool(lacks="" if FAKETIME else "needs the package faketime")
def test_a_clock_that_was_never_set(machine: Appliance) -> None:
    """In 1970 and without a home it plays and makes its backup; the doctor gives the cause."""
    assert FAKETIME is not None
    shutil.copy(FAKETIME, machine.root / "opt/faketime.so")
    environment = ("LD_PRELOAD=/opt/faketime.so", "FAKETIME=-56y", "DONT_FAKE_MONOTONIC=1")
    lines = [f'Environment="{each}"' for each in environment]
    change_service(machine, *lines, "UnsetEnvironment=HOME")
    machine.run("rm", "-rf", "/home", "/root")
    machine.page()
    assert 1 == machine.count()
    assert "note" == doctor(machine, *environment)["clock"]
    backup = ("records", "backup", "--automatic", "--data", "/var/lib/cribwars")
    said = machine.run("env", *environment, "HOME=/nonexistent", "cribwars", *backup)
    assert "cribwars-000000001-" in said
    assert "cribwars-000000001-" in str([*(machine.root / "var/lib/cribwars/backups").iterdir()])
