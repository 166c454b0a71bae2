"""USB sticks at a machine with the package: udev sees one, it takes backups and brings a version.

They are collected by name alone, as they need root and minutes.
"""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.appliance.machine import Appliance, booted, missing_package, until
from tests.appliance.packages import repacked

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.tool(lacks=missing_package()),
]
STICKS = "/run/cribwars-sticks"


class Stick:
    """A stick: a loop device that udev takes for one at a USB plug."""

    def __init__(self, device: Path) -> None:
        self.device, self.name = device, device.name

    def uevent(self, action: str) -> None:
        """Have the kernel tell every udev that the stick was put in, or pulled out."""
        (Path("/sys/block") / self.name / "uevent").write_text(action)

    def write(self, file: Path, folder: Path) -> None:
        """Copy a file onto the stick, on another machine."""
        _run("mount", str(self.device), str(folder))
        try:
            _run("cp", str(file), str(folder))
        finally:
            _run("umount", str(folder))


def _run(*command: str) -> str:
    run = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, timeout=60)
    return run.stdout.strip()


@pytest.fixture
def sticks(tmp_path: Path) -> Iterator[list[Stick]]:
    """Return two sticks."""
    with ExitStack() as opened:
        yield [opened.enter_context(_stick(tmp_path / f"stick-{n}")) for n in range(2)]


@contextmanager
def _stick(image: Path) -> Iterator[Stick]:
    with image.open("wb") as file:
        file.truncate(128 << 20)
    _run("/usr/sbin/mkfs.ext4", "-q", str(image))  # not every kernel that CI has knows FAT
    device = Path(_run("losetup", "--find", "--show", str(image)))
    try:
        yield Stick(device)
    finally:
        _run("losetup", "--detach", str(device))


def take_for_sticks(root: Path, sticks: list[Stick]) -> None:
    """Have udev believe that loop devices are at a USB plug."""
    names = "|".join(stick.name for stick in sticks)
    rule = f'KERNEL=="{names}", ENV{{ID_BUS}}="usb"\n'
    (root / "etc/udev/rules.d/60-story.rules").write_text(rule)


def test_two_sticks(
    release: str, package: Path, port: int, sticks: list[Stick], tmp_path: Path
) -> None:
    """Each gets a backup that the page lists, and is let go when pulled out.

    A version on one of them is installed.
    """
    options = [f"--bind={stick.device}" for stick in sticks]
    with booted(
        release,
        tmp_path / "machine",
        port,
        options=options,
        has_udev=True,
        prepare=lambda root: take_for_sticks(root, sticks),
    ) as machine:
        machine.install(package)
        machine.page()
        machine.count()
        for stick in sticks:
            stick.uevent("add")
        until(lambda: on_sticks(machine) == len(sticks), 30, "a backup on each stick")
        for stick in sticks:
            stick.uevent("remove")
        until(lambda: machine.run("ls", STICKS) == "", 30, "no stick")
        folder = tmp_path / "there"
        folder.mkdir()
        sticks[1].write(repacked(package, tmp_path, f"9.0~{release}"), folder)
        sticks[1].uevent("add")
        until(lambda: machine.version == f"9.0~{release}", 60, "the version on the stick")
        assert 1 == machine.page(60)["seq"]


def on_sticks(machine: Appliance) -> int:
    """Return the number of backups on sticks that the page lists."""
    return sum(backup["on_stick"] for backup in machine.get("/api/backups"))
