"""Evenings of a machine with the package, on real systemd: `make test-appliance`.

They are collected by name alone, as they need root and minutes.
"""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.appliance.machine import Appliance, booted, missing_package, until

ROOT = Path(__file__).parents[2]
RELEASES = os.environ.get("RELEASES", "bookworm trixie").split()
RESTART_S = 40.0
DPKG_DEB = "/usr/bin/dpkg-deb"

pytestmark = [pytest.mark.timeout(600), pytest.mark.tool(lacks=missing_package())]


@pytest.fixture(scope="module", params=RELEASES)
def release(request: pytest.FixtureRequest) -> str:
    """Return the release of a machine."""
    return str(request.param)


@pytest.fixture(scope="module")
def package(release: str) -> Path:
    """Return the package of the release, as `make deb` makes it; made anew if sources changed."""
    found = list((ROOT / "dist").glob(f"cribwars_*~{release}_*.deb"))
    folders = [ROOT / name for name in ("companion", "deploy", "firmware_bridge", "hardware")]
    sources = [file.stat().st_mtime for folder in folders for file in folder.rglob("*.*")]
    if len(found) == 1 and found[0].stat().st_mtime > max(sources):
        return found[0]
    build = [sys.executable, str(ROOT / "deploy/deb/build.py"), "--release", release]
    run = subprocess.run(build, stdout=subprocess.PIPE, check=True, text=True)
    return Path(run.stdout.strip())


@pytest.fixture
def port() -> int:
    """Return a port that is free here."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture
def machine(release: str, package: Path, port: int, tmp_path: Path) -> Iterator[Appliance]:
    """Return a machine on which the package was just installed."""
    with booted(release, tmp_path, port) as machine:
        machine.install(package)
        yield machine


def count_once(machine: Appliance) -> int:
    """Enter a count, and return the number of commands that are acknowledged then."""
    before = machine.get("/api/table")["seq"]
    machine.press("1.plus_five", "1.enter")
    return until(lambda: _after(machine, before), 10, "an acknowledged count")


def _after(machine: Appliance, before: int) -> int | None:
    seq = int(machine.get("/api/table")["seq"])
    return seq if seq > before else None


def restarts(machine: Appliance) -> int:
    """Return how often systemd has restarted the service by itself."""
    return int(machine.show("NRestarts"))


def test_a_first_evening(machine: Appliance) -> None:
    """Installed, the page is there within 20 seconds, a count is lit and kept; it is locked in.

    A frozen program is started again within 40 seconds, with the game as it was.
    """
    machine.page()
    assert 1 == count_once(machine)
    assert ("notify", "active") == (machine.show("Type"), machine.show("ActiveState"))
    said = machine.run("systemd-analyze", "security", "--no-pager", "cribwars.service")
    found = re.search(r"level for cribwars.service: ([0-9.]+)", said)
    assert found
    assert float(found[1]) <= 1.5
    machine.run("sh", "-c", f"kill -STOP {machine.show('MainPID')}")
    until(lambda: restarts(machine) == 1, RESTART_S, "a restart")
    assert 1 == machine.page()["seq"]


def repacked(package: Path, folder: Path, version: str, *changes: tuple[str, str]) -> Path:
    """Return the package as another version, with files appended to."""
    tree, file = folder / version, folder / f"{version}.deb"
    subprocess.run([DPKG_DEB, "-R", str(package), str(tree)], check=True)
    control = tree / "DEBIAN/control"
    text = control.read_text()
    control.write_text(re.sub(r"(?m)^Version: .*$", f"Version: {version}", text))
    for name, content in changes:
        (tree / name).write_text(content)
    build = [DPKG_DEB, "-Znone", "--root-owner-group", "-b", str(tree), str(file)]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    return file


def version_of(machine: Appliance) -> str:
    """Return the version that dpkg has installed."""
    return machine.run("dpkg-query", "-W", "-f", "${Version}", "cribwars")


def test_updates(machine: Appliance, package: Path, tmp_path: Path) -> None:
    """A version that does not run is replaced by the previous one, and the page says so.

    One that runs stays; one whose journal could not be read back is refused untouched; the way back
    to an older version and a purge leave the games.
    """
    machine.page()
    count_once(machine)
    first = version_of(machine)
    bad = ("usr/lib/cribwars/bin/cribwars", "#!/bin/sh\nexit 70\n")
    machine.install(repacked(package, tmp_path, "9.0", bad))
    assert "9.0" == version_of(machine)
    until(lambda: version_of(machine) == first, 120, "the previous version")
    assert 1 == machine.page(60)["seq"]
    assert "version 9.0 did not run for a minute" in machine.log()

    control = ("DEBIAN/preinst", (machine.root / "var/lib/dpkg/info/cribwars.preinst").read_text())
    ahead = (control[0], re.sub(r"(?m)^writes=.*$", "writes=99", control[1]))
    said = machine.install(repacked(package, tmp_path, "9.1", ahead), check=False)
    assert "install a version between the two first" in said
    assert first == version_of(machine)
    assert 1 == machine.page()["seq"]

    machine.install(repacked(package, tmp_path, "9.2"))
    machine.page(60)
    unproven = machine.root / "var/lib/cribwars-update/unproven"
    until(lambda: not unproven.exists(), 120, "the proof of the new version")
    assert ("9.2", 1) == (version_of(machine), machine.page()["seq"])

    machine.install(package)
    assert (first, 1) == (version_of(machine), machine.page(60)["seq"])
    machine.run("dpkg", "--purge", "cribwars")
    assert not (machine.root / "etc/cribwars").exists()
    assert (machine.root / "var/lib/cribwars/journal.sqlite").exists()


BLOCKING = """
import os, time
from hardware.strips import virtual
send = virtual.VirtualStrip._send
def blocked(self, frame):
    while os.path.exists("/run/cribwars/block"):
        time.sleep(0.1)
    send(self, frame)
virtual.VirtualStrip._send = blocked
"""
"""Makes a strip of which a driver does not come back while a file is there."""


def test_a_strip_that_blocks(machine: Appliance) -> None:
    """A strip that stops taking light ends in a restart within 40 seconds, the game as it was."""
    machine.page()
    drop_in = machine.root / "etc/systemd/system/cribwars.service.d/block.conf"
    drop_in.parent.mkdir()
    drop_in.write_text("[Service]\nEnvironment=PYTHONPATH=/opt\n")
    (machine.root / "opt/sitecustomize.py").write_text(BLOCKING)
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "cribwars")
    machine.page()
    assert 1 == count_once(machine)
    machine.run("touch", "/run/cribwars/block")
    until(lambda: restarts(machine) == 1, RESTART_S, "a restart")
    machine.run("rm", "/run/cribwars/block")
    assert "the strip has not answered for 15 s" in machine.log()
    assert 1 == machine.page(60)["seq"]


def test_a_disk_that_blocks(release: str, package: Path, port: int, tmp_path: Path) -> None:
    """Nothing is restarted: play goes on, shown as unsaved; when the disk is back, all is saved."""
    disk, mounted = tmp_path / "disk", tmp_path / "mounted"
    mounted.mkdir()
    with disk.open("wb") as file:
        file.truncate(64 << 20)
    subprocess.run(["/usr/sbin/mkfs.ext4", "-q", str(disk)], check=True)
    subprocess.run(["/usr/bin/mount", "-o", "loop", str(disk), str(mounted)], check=True)
    try:
        bound = [f"--bind={mounted}:/var/lib/cribwars"]
        with booted(release, tmp_path / "machine", port, options=bound) as machine:
            machine.install(package)
            machine.page()
            count_once(machine)
            subprocess.run(["/usr/sbin/fsfreeze", "-f", str(mounted)], check=True)
            try:
                machine.press("2.plus_five", "2.enter")
                news = until(lambda: _with_seq(machine, 2), 20, "play goes on")
                assert news["saved"] is False
                time.sleep(RESTART_S)
                assert 0 == restarts(machine)
                assert 2 == machine.page()["seq"]
            finally:
                subprocess.run(["/usr/sbin/fsfreeze", "-u", str(mounted)], check=True)
            until(lambda: machine.news()["saved"], 20, "all is saved")
            assert 0 == restarts(machine)
    finally:
        subprocess.run(["/usr/bin/umount", "--lazy", str(mounted)], check=True)


def _with_seq(machine: Appliance, seq: int) -> dict[str, Any] | None:
    news = machine.news()
    return news if news["seq"] == seq else None


def test_hard_times(release: str, package: Path, port: int, tmp_path: Path) -> None:
    """No network, a full card, a read-only one, an overlay root, 1970: it plays, and says so."""
    folder = tmp_path / "machine"
    with booted(release, folder, port, options=["--private-network"]) as machine:
        machine.install(package)
        until(lambda: machine.show("ActiveState") == "active", 30, "ready without a network")
    with booted(release, folder, port, options=["--tmpfs=/var/lib/cribwars:size=64k"]) as machine:
        machine.page()
        machine.press("1.plus_five", "1.enter")
        news = until(lambda: _with_seq(machine, 1), 20, "play on a full card")
        assert news["saved"] is False
    with booted(release, folder, port, options=["--read-only", "--tmpfs=/var/tmp"]) as machine:
        assert "seq" in machine.page()
    with booted(release, folder, port, options=["--volatile=overlay"]) as machine:
        count_once(machine)
