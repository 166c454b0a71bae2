"""Evenings of a machine with the package, on real systemd: `make test-appliance`.

These tests are run only by name, as they need root and minutes.
"""

import re
import shutil
from pathlib import Path

import pytest

from tests.appliance.machine import RESTART_S, Appliance, booted, missing_package, until
from tests.appliance.packages import repacked

pytestmark = [pytest.mark.timeout(600), pytest.mark.tool(lacks=missing_package())]

PROOF = "cribwars-prove-update.service"


def test_a_first_evening(machine: Appliance) -> None:
    """The page answers 20 seconds after the installation; a count is lit, kept and backed up.

    A frozen program restarts within 40 seconds with its game.
    """
    machine.page()
    assert 1 == machine.count()
    assert ("notify", "active") == (machine.show("Type"), machine.show("ActiveState"))
    said = machine.run("systemd-analyze", "security", "--no-pager", "cribwars.service")
    found = re.search(r"level for cribwars.service: ([0-9.]+)", said)
    assert found
    assert float(found[1]) <= 1.5
    machine.run("systemctl", "start", "cribwars-backup.service")
    assert 1 == len(machine.get("/api/backups"))
    machine.run("sh", "-c", f"kill -STOP {machine.show('MainPID')}")
    until(lambda: machine.restarts == 1, RESTART_S, "a restart")
    assert 1 == machine.page()["seq"]


def test_updates(machine: Appliance, package: Path, tmp_path: Path) -> None:
    """A version that does not run is replaced by the previous one, and the page says so.

    A version that runs stays. A version that could not read the journal is refused before any
    change. A downgrade and a purge leave the games.
    """
    machine.page()
    machine.count()
    first = machine.version
    bad = ("usr/lib/cribwars/bin/cribwars", "#!/bin/sh\nexit 70\n")
    machine.install(repacked(package, tmp_path, "9.0", bad))
    assert "9.0" == machine.version
    until(lambda: machine.version == first, 120, "the previous version")
    assert 1 == machine.page(60)["seq"]
    until(lambda: machine.show("ActiveState", PROOF) == "inactive", 30, "dpkg at its end")
    assert "version 9.0 failed in its first minute" in machine.log()

    control = ("DEBIAN/preinst", (machine.root / "var/lib/dpkg/info/cribwars.preinst").read_text())
    ahead = (control[0], re.sub(r"(?m)^writes=.*$", "writes=99", control[1]))
    said = machine.install(repacked(package, tmp_path, "9.1", ahead), check=False)
    assert "install a version between the two first" in said
    assert first == machine.version
    assert 1 == machine.page()["seq"]

    machine.install(repacked(package, tmp_path, "9.2"))
    machine.page(60)
    unproven = machine.root / "var/lib/cribwars-update/unproven"
    until(lambda: not unproven.exists(), 120, "the proof of the new version")
    assert ("9.2", 1) == (machine.version, machine.page()["seq"])

    machine.install(package)
    assert (first, 1) == (machine.version, machine.page(60)["seq"])
    machine.run("dpkg", "--purge", "cribwars")
    assert not (machine.root / "etc/cribwars").exists()
    assert (machine.root / "var/lib/cribwars/journal.sqlite").exists()


@pytest.mark.parametrize("state", ["unpacked", "half-installed"])
def test_a_plug_pulled_in_an_update(
    release: str, package: Path, port: int, tmp_path: Path, state: str
) -> None:
    """After a cut while or just after a bad version is unpacked, the next start restores the old.

    The page says so, and the game is there.
    """
    folder, bad = tmp_path / "machine", ("usr/lib/cribwars/bin/cribwars", "#!/bin/sh\nexit 70\n")
    with booted(release, folder, port) as machine:
        machine.install(package)
        machine.page()
        machine.count()
        first = machine.version
        shutil.copy(repacked(package, tmp_path, "9.0", bad), machine.root / "bad.deb")
        machine.run("dpkg", "--unpack", "/bad.deb")
        if state == "half-installed":
            edit = "s/^Status: install ok unpacked$/Status: install reinstreq half-installed/"
            machine.run("sed", "-i", edit, "/var/lib/dpkg/status")
            machine.run("rm", "/usr/lib/cribwars/pyvenv.cfg")
    with booted(release, folder, port) as machine:
        until(lambda: machine.version == first, 180, "the previous version")
        assert 1 == machine.page(60)["seq"]
        assert "version 9.0 failed in its first minute" in machine.news()["notices"][0]
        until(lambda: machine.show("ActiveState", PROOF) == "inactive", 30, "dpkg at its end")
        machine.run("dpkg", "--audit")


def test_a_plug_pulled_before_the_first_file(
    release: str, package: Path, port: int, tmp_path: Path
) -> None:
    """The next start removes the mark of an update, and keeps the version."""
    folder = tmp_path / "machine"
    unproven = "/var/lib/cribwars-update/unproven"
    with booted(release, folder, port) as machine:
        machine.install(package)
        machine.run("sh", "-c", f"mkdir -p {Path(unproven).parent}; echo 9.0 >{unproven}")
    with booted(release, folder, port) as machine:
        until(lambda: not (machine.root / unproven[1:]).exists(), 60, "the mark is gone")
        machine.page()
        assert [] == machine.news()["notices"]
