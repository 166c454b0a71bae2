"""Evenings of a machine with the package, on real systemd: `make test-appliance`.

These tests are run only by name, as they need root and minutes.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case

from tests.appliance.machine import RESTART_S, Appliance, booted, missing_package, repacked
from tests.appliance.page import until

pytestmark = [pytest.mark.timeout(600), pytest.mark.tool(lacks=missing_package())]

PROOF = "cribwars-prove-update.service"
UPDATES = "/var/lib/cribwars-update"


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
    unproven = machine.root / UPDATES[1:] / "unproven"
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
        machine.run("mkdir", "-p", f"{UPDATES}/tree.cut")
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
        assert [] == list((machine.root / UPDATES[1:]).glob("tree.*"))


@pytest.mark.parametrize("flag", ["reinstreq", "ok"])
def test_a_plug_pulled_before_or_after_the_files(
    release: str, package: Path, port: int, tmp_path: Path, flag: str
) -> None:
    """While the previous version was kept, or was back: dpkg is in order after the start."""
    folder, state = tmp_path / "machine", f"install {flag} half-configured"
    with booted(release, folder, port) as machine:
        machine.install(package)
        machine.page()
        machine.count()
        first = machine.version
        lines = f"/^Package: cribwars$/,/^$/s/^Status: .*$/Status: {state}/"
        machine.run("sed", "-i", lines, "/var/lib/dpkg/status")
        assert "cribwars" in machine.run("dpkg", "--audit", check=False)
    with booted(release, folder, port) as machine:
        until(lambda: not machine.run("dpkg", "--audit", check=False), 180, "dpkg in order")
        assert (first, 1) == (machine.version, machine.page(60)["seq"])
        assert [] == machine.news()["notices"]


def test_a_plug_pulled_before_the_first_file(
    release: str, package: Path, port: int, tmp_path: Path
) -> None:
    """The next start removes the mark of an update, and keeps the version."""
    folder = tmp_path / "machine"
    unproven = f"{UPDATES}/unproven"
    with booted(release, folder, port) as machine:
        machine.install(package)
        machine.run("sh", "-c", f"mkdir -p {UPDATES}; echo 9.0 >{unproven}")
    with booted(release, folder, port) as machine:
        until(lambda: not (machine.root / unproven[1:]).exists(), 60, "the mark is gone")
        machine.page()
        assert [] == machine.news()["notices"]


# The unit: its user's files and devices, and each endpoint under its restrictions


ENDLESS = "/api/stream"


def requests(machine: Appliance) -> Iterator[Case[Any]]:
    """Yield a request for each endpoint that the page describes, those that change nothing first.

    The requested game and backup exist. No request restarts the table, as that needs the number of
    its run.
    """
    described = schemathesis.openapi.from_dict(machine.get("/api/openapi.json"))
    names = [
        (path, method)
        for path, methods in described.raw_schema["paths"].items()
        for method in methods
    ]
    drawn: list[Case[Any]] = []
    (backup,) = machine.get("/api/backups")
    known = {"number": "1", "name": backup["name"], "seconds": 0.02, "run": "another"}
    for path, method in sorted(names, key=lambda name: name[1] != "get"):

        @settings(
            max_examples=1,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        @given(described[path][method].as_strategy())
        def draw(case: Case[Any]) -> None:
            drawn.append(case)

        draw()
        case = drawn[-1]
        for values in (case.path_parameters, case.query, case.body):
            if isinstance(values, dict):
                values.update((name, known[name]) for name in values.keys() & known.keys())
        if path != ENDLESS:
            yield case


def test_every_endpoint(machine: Appliance) -> None:
    """No endpoint ends in a server error, and the exports are complete."""
    machine.page()
    machine.count()
    machine.run("systemctl", "start", "cribwars-backup.service")
    answers = {
        case.operation.label: case.call(base_url=machine.url, timeout=60)
        for case in requests(machine)
    }
    failed = {label: each.content for label, each in answers.items() if each.status_code >= 500}
    assert {} == failed
    for export in ("/api/export.csv", "/api/export.json"):
        assert b"crib-wars" in answers[f"GET {export}"].content


def test_the_registers(release: str, package: Path, port: int, tmp_path: Path) -> None:
    """The service may use the registers' devices only with its drop-in for PWM.

    This kernel has neither of the two devices, so another one takes their place.
    """
    with booted(release, tmp_path, port, has_udev=True) as machine:
        machine.install(package)
        machine.page()
        name = "lib/udev/rules.d/90-cribwars.rules"
        rules = (machine.root / "usr" / name).read_text().replace('"mem|vcio"', '"full"')
        (machine.root / "etc" / name.removeprefix("lib/")).write_text(rules)
        look = ("udevadm", "test", "--action=add", "/sys/devices/virtual/mem/full")
        assert "OWNER" not in machine.run(*look)
        machine.run("/usr/lib/cribwars/prepare-machine", "--pwm")
        assert f"OWNER {machine.run('id', '-u', 'cribwars')}" in machine.run(*look)


CAP_SYS_RAWIO = 1 << 17


def rights(machine: Appliance) -> tuple[str, int]:
    """Return the user of the running table, and the bits of its capabilities."""
    process = f"/proc/{machine.show('MainPID')}"
    (capabilities,) = re.findall(r"CapEff:\s(\w+)", machine.run("cat", f"{process}/status"))
    return machine.run("stat", "-c", "%U", process).strip(), int(capabilities, 16)


def test_a_strip_on_pwm(release: str, package: Path, port: int, tmp_path: Path) -> None:
    """Table and backup have the same user: no count is lost when the plug is pulled.

    The table may write the Pi's registers, and no other files than its own.
    """
    folder, options = tmp_path / "machine", ["--capability=CAP_SYS_RAWIO"]
    with booted(release, folder, port, options=options) as machine:
        machine.install(package)
        machine.run("/usr/lib/cribwars/prepare-machine", "--pwm")
        machine.run("systemctl", "daemon-reload")
        machine.run("systemctl", "restart", "cribwars")
        machine.page()
        assert 1 == machine.count()
        machine.run("systemctl", "start", "cribwars-backup.service")
        assert [2, 3, 4] == [machine.count() for _ in range(3)]
        assert machine.news()["saved"]
        assert ("cribwars", CAP_SYS_RAWIO) == rights(machine)
    with booted(release, folder, port) as machine:
        assert 4 == machine.page()["seq"]


OLD_DROP_IN = """[Service]
User=root
Group=root
SupplementaryGroups=
CapabilityBoundingSet=CAP_SYS_RAWIO
"""
"""The drop-in of an earlier version, with which the table ran as root."""


def test_an_upgrade_of_a_table_of_roots(
    machine: Appliance, package: Path, release: str, tmp_path: Path
) -> None:
    """Files left by root become the service's, but the targets of links stay root's."""
    machine.page()
    machine.count()
    machine.run("systemctl", "start", "cribwars-backup.service")
    drop_in = machine.root / "etc/systemd/system/cribwars.service.d/pwm.conf"
    drop_in.parent.mkdir()
    drop_in.write_text(OLD_DROP_IN)
    (machine.root / "etc/outside").mkdir()
    machine.run("ln", "-s", "/etc/outside", "/var/lib/cribwars/backups/link")
    machine.run("sh", "-c", "chown --recursive --no-dereference root: /var/lib/cribwars/*")
    machine.install(repacked(package, tmp_path, f"9.0~{release}"))
    machine.page()
    assert 2 == machine.count()
    assert machine.news()["saved"]
    owners = machine.run("find", "/var/lib/cribwars", "/etc/cribwars", "!", "-user", "cribwars")
    assert "" == owners
    assert "root" == machine.run("stat", "-c", "%U", "/etc/outside").strip()


SOUND_FILE = 'pcm.!default {\n type file\n slave.pcm "null"\n file "/var/lib/cribwars/said"\n}\n'
"""Settings of ALSA for a sound card that is a file."""


def test_the_voice(machine: Appliance) -> None:
    """Without a sound card the page says so; with one espeak-ng speaks under the unit's limits."""
    machine.page()
    with (machine.root / "etc/cribwars/cribwars.toml").open("r+") as file:
        text = file.read()
        file.seek(0)
        file.write(f'voice = "full"\n{text}')
    machine.run("systemctl", "restart", "cribwars")
    machine.page()
    machine.count()
    silent = "espeak-ng: cannot open a sound device"
    until(lambda: silent in " ".join(machine.news()["notices"]), 20, silent)
    found = {each["what"]: each["why"] for each in machine.get("/api/doctor")}
    assert "there is no sound card" == found["voice"]
    (machine.root / "etc/asound.conf").write_text(SOUND_FILE)
    machine.count()
    spoken = machine.root / "var/lib/cribwars/said"
    until(spoken.exists, 20, "a sound device that was opened")


def test_a_package_that_goes(machine: Appliance, package: Path) -> None:
    """A removal, as by a release upgrade, leaves games and settings, and says so.

    The handling of sticks goes, too. After an installation by hand the game goes on.
    """
    machine.page()
    machine.count()
    doctor = {each["what"] for each in machine.get("/api/doctor")}
    assert "release upgrades" in doctor
    assert "games and settings stay" in machine.run("dpkg", "--remove", "cribwars")
    assert (machine.root / "etc/cribwars/cribwars.toml").exists()
    units, rules = (machine.root / "usr/lib" / name for name in ("systemd/system", "udev/rules.d"))
    assert [] == [*units.glob("cribwars*"), *rules.glob("*cribwars*")]
    machine.install(package)
    assert 1 == machine.page()["seq"]
