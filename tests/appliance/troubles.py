"""Troubles of a machine with the package: parts that block, bad disks, no network, no clock.

These tests are run only by name, as they need root and minutes.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from tests.appliance.machine import (
    RESTART_S,
    Appliance,
    ReleaseKey,
    booted,
    missing_package,
    repacked,
)
from tests.appliance.page import until

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

STICKS = "/run/cribwars-sticks"


def change_service(machine: Appliance, *lines: str) -> None:
    """Add lines to the unit of the service, and restart it."""
    drop_in = machine.root / "etc/systemd/system/cribwars.service.d/story.conf"
    drop_in.parent.mkdir(exist_ok=True)
    drop_in.write_text("\n".join(("[Service]", *lines, "")))
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "cribwars")


def add_stuck_driver(machine: Appliance) -> None:
    """Install the driver beside the program, as people install drivers of others."""
    info = machine.root / "opt/stuck-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stuck\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[cribwars.strips]\nstuck = stuck_strip:driver\n")
    (machine.root / "opt/stuck_strip.py").write_text(STUCK)
    change_service(machine, "Environment=PYTHONPATH=/opt")
    machine.page()


def restart(machine: Appliance) -> None:
    """Restart the table, as the page does, and wait until it answers."""
    run = machine.get("/api/about")["run"]
    machine.post("/api/restart", run=run)
    until(lambda: machine.get("/api/about")["run"] != run, RESTART_S, "another run")


def doctor(machine: Appliance, *environment: str) -> dict[str, str]:
    """Return the levels of the doctor's findings, as the machine's owner gets them."""
    command = ("cribwars", "doctor", "--json")
    found = machine.run(
        "env", "STATE_DIRECTORY=/var/lib/cribwars", *environment, *command, check=False
    )
    return {each["what"]: each["level"] for each in json.loads(found)}


class Stick:
    """A stick: a loop device that udev takes for a disk at a USB plug."""

    def __init__(self, image: Path, opened: ExitStack, *options: str) -> None:
        loop = _run("losetup", "--find", "--show", *options, str(image))
        opened.callback(_run, "losetup", "--detach", loop)
        self.device, self.name = Path(loop), Path(loop).name

    def uevent(self, action: str) -> None:
        """Have the kernel report to every udev that the stick was put in or pulled out."""
        (Path("/sys/block") / self.name / "uevent").write_text(action)

    def __str__(self) -> str:
        return f"USB stick {self.name}: "


def _run(*command: str) -> str:
    run = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, timeout=60)
    return run.stdout.strip()


@contextmanager
def mounted(image: Path) -> Iterator[Path]:
    """Mount the file system of an image, as another machine does."""
    folder = image.with_suffix(".there")
    folder.mkdir(exist_ok=True)
    _run("mount", "-o", "loop", str(image), str(folder))
    try:
        yield folder
    finally:
        _run("umount", str(folder))


def ext4(image: Path, *files: Path, megabytes: int = 128) -> Path:
    """Make a file system with files; some CI kernels do not know FAT."""
    with image.open("wb") as file:
        file.truncate(megabytes << 20)
    _run("/usr/sbin/mkfs.ext4", "-q", "-m", "0", str(image))
    with mounted(image) as folder:
        for each in files:
            _run("cp", "-P", str(each), str(folder))
    return image


class Story:
    """A release's package, sticks, and a key that the story's versions trust."""

    def __init__(
        self, release: str, package: Path, port: int, folder: Path, opened: ExitStack
    ) -> None:
        self.release, self._package, self._port = release, package, port
        self.folder, self._opened = folder, opened
        self._key = ReleaseKey(folder)

    def version(self, number: str) -> str:
        """Return a version for this release."""
        return f"{number}~{self.release}"

    def package(self, number: str) -> Path:
        """Return the package as another version."""
        key = ("usr/share/cribwars/release-key.pem", self._key.public)
        return repacked(self._package, self.folder, self.version(number), key)

    def signed(self, number: str) -> tuple[Path, Path]:
        """Return another version and its signature."""
        package = self.package(number)
        return package, self._key.sign(package)

    def stick(self, image: Path, *options: str) -> Stick:
        """Plug in an image, with options for losetup, before udev sees it."""
        return Stick(image, self._opened, *options)

    def machine(self, *sticks: Stick) -> Appliance:
        """Boot a machine with version 1.0, whose udev takes sticks for disks at a USB adapter."""

        def prepare(root: Path) -> None:
            names = "|".join(stick.name for stick in sticks)
            rule = f'KERNEL=="{names}", ENV{{ID_USB_DRIVER}}="uas", ENV{{ID_BUS}}="ata"\n'
            (root / "etc/udev/rules.d/60-story.rules").write_text(rule)

        machine = self._opened.enter_context(
            booted(
                self.release,
                self.folder / "machine",
                self._port,
                options=[f"--bind={stick.device}" for stick in sticks],
                has_udev=True,
                prepare=prepare,
            )
        )
        machine.install(self.package("1.0"))
        machine.page()
        machine.count()
        return machine


@pytest.fixture
def story(release: str, package: Path, port: int, tmp_path: Path) -> Iterator[Story]:
    """Return the means of a story about sticks."""
    with ExitStack() as opened:
        yield Story(release, package, port, tmp_path, opened)


def until_shown(machine: Appliance, stick: Stick, line: str, seconds: float = 60) -> None:
    """Wait until the page shows one line about a stick."""
    shown: list[str] = []

    def is_shown() -> bool:
        notices = machine.news()["notices"]
        shown[:] = [each for each in notices if each.startswith(str(stick))]
        return [f"{stick}{line}"] == shown

    try:
        until(is_shown, seconds, line)
    except AssertionError as error:
        raise AssertionError(f"{error}, but {shown}; {machine.log()[-3000:]}") from None


def until_gone(machine: Appliance) -> None:
    """Wait until no stick is mounted, and the page has no line about one."""
    until(lambda: machine.run("ls", STICKS) == "", 30, "no stick")
    until(lambda: "USB" not in str(machine.news()["notices"]), 10, "no line")


def notices(machine: Appliance) -> str:
    """Return the lines that the page shows."""
    return " ".join(machine.news()["notices"])


def until_restarts(machine: Appliance, count: int) -> None:
    """Wait until systemd has restarted the service by itself once more."""
    until(lambda: machine.restarts == count, RESTART_S, "a restart")


def set_stuck_driver(machine: Appliance) -> None:
    """Set the driver in the settings by hand, and restart the table."""
    with (machine.root / "etc/cribwars/cribwars.toml").open("a") as settings:
        settings.write('[strip]\ndriver = "stuck"\n')
    restart(machine)


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
            elsewhere = "1 command could not be saved in /var/lib/cribwars: it is in /var/cache"
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


FAKETIME = next(iter(Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)


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


# USB sticks: each takes backups, and may bring a version


def exposure(machine: Appliance, unit: str) -> float:
    """Return the exposure of a unit, from 0 (safe) to 10 (exposed)."""
    said = machine.run("systemd-analyze", "security", "--no-pager", unit)
    return float(said.rpartition(f"level for {unit}: ")[2].split()[0])


def test_two_sticks(story: Story) -> None:
    """Each gets a backup that the page lists, and is released when pulled out.

    A signed version on one of them is installed. The units for that are confined.
    """
    images = [ext4(story.folder / f"stick-{n}") for n in range(2)]
    sticks = [story.stick(image) for image in images]
    machine = story.machine(*sticks)
    for stick in sticks:
        stick.uevent("add")
    for stick in sticks:
        until_shown(machine, stick, "a backup was made")
    assert 2 == sum(backup["on_stick"] for backup in machine.get("/api/backups"))
    assert exposure(machine, f"cribwars-stick@{sticks[0].name}.service") <= 3.5
    for unit in ("cribwars-update@x.service", "cribwars-prove-update.service"):
        assert exposure(machine, unit) <= 2.5
    for stick in sticks:
        stick.uevent("remove")
    until_gone(machine)
    with mounted(images[1]) as there:
        for file in story.signed("9.0"):
            _run("cp", str(file), str(there))
    sticks[1].uevent("add")
    until(lambda: machine.version == story.version("9.0"), 90, "the version on the stick")
    assert 1 == machine.page(60)["seq"]
    until_shown(machine, sticks[1], f"version {story.version('9.0')} was installed")
    sticks[1].uevent("remove")
    until_gone(machine)


def test_a_version_without_a_signature(story: Story) -> None:
    """It is installed once Deal was held for it at the table, which deals nothing."""
    stick = story.stick(ext4(story.folder / "stick", story.package("9.0")))
    machine = story.machine(stick)
    stick.uevent("add")
    waits = f"version {story.version('9.0')} is not signed, and waits to be allowed"
    until_shown(machine, stick, f"a backup was made; {waits}")
    (consent,) = until(lambda: machine.news()["consents"], 20, "a request")
    assert ("update", "deal") == (consent["kind"], consent["button"])
    stick.uevent("remove")
    until_gone(machine)
    assert [] == machine.news()["consents"]
    stick.uevent("add")
    until(lambda: machine.news()["consents"], 60, "a request again")
    machine.post("/api/press", button="deal", seconds=0.5)
    before = machine.page()
    machine.post("/api/press", button="deal", seconds=1.5)
    until(lambda: machine.version == story.version("9.0"), 90, "the version on the stick")
    after = machine.page(60)
    assert (before["seq"], before["hand"]) == (after["seq"], after["hand"])
    until_shown(machine, stick, f"version {story.version('9.0')} was installed")


def unreadable(folder: Path) -> Path:
    """Make a stick that cannot be mounted."""
    image = folder / "stick"
    image.write_bytes(os.urandom(1 << 20))
    return image


def full(folder: Path) -> Path:
    """Make a stick without room for a backup."""
    image = ext4(folder / "stick", megabytes=4)
    with mounted(image) as there, suppress(OSError), (there / "films").open("wb") as file:
        while file.write(bytes(4096)):
            pass
    return image


def linked(folder: Path) -> Path:
    """Make a stick with a link that leads out of it in place of its backups."""
    (folder / "cribwars-backups").symlink_to("../../../etc")
    return ext4(folder / "stick", folder / "cribwars-backups")


UNREADABLE = (
    "it could not be mounted (wrong fs type, bad option, bad superblock on {device}, "
    "missing codepage or helper program, or other error)"
)


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (unreadable, UNREADABLE),
        (full, "it is full: no backup"),
        (linked, "its folder for backups is a link: no backup"),
    ],
)
def test_a_stick_with_a_trouble(story: Story, make: Callable[[Path], Path], line: str) -> None:
    """Each is one line on the page; no file outside of the stick changes owner or mode."""
    stick = story.stick(make(story.folder))
    machine = story.machine(stick)
    before = machine.run("stat", "--format=%U %a", "/etc")
    stick.uevent("add")
    until_shown(machine, stick, line.format(device=stick.device))
    assert before == machine.run("stat", "--format=%U %a", "/etc")
    stick.uevent("remove")
    until_gone(machine)


def test_a_write_protected_stick(story: Story) -> None:
    """It takes no backup, but its version is installed, and it is let go afterwards."""
    stick = story.stick(ext4(story.folder / "stick", *story.signed("9.0")), "--read-only")
    machine = story.machine(stick)
    stick.uevent("add")
    until(lambda: machine.version == story.version("9.0"), 90, "the version on the stick")
    line = f"version {story.version('9.0')} was installed"
    until_shown(machine, stick, f"it is write-protected: no backup; {line}")
    stick.uevent("remove")
    until_gone(machine)
