"""A USB stick at an installed board: mounted, and searched for a new version."""

import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"
DPKG_DEB = shutil.which("dpkg-deb")
_TOOLS = ("dpkg", "dpkg-deb", "findmnt")
_MISSING = next((name for name in _TOOLS if shutil.which(name) is None), "")
pytestmark = pytest.mark.tool(lacks=_MISSING and f"needs the command {_MISSING}")


def fake(folder: Path, name: str, script: str) -> None:
    """Put a command before those of the system."""
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def run(script: str, *arguments: str, fakes: Path, **environment: str) -> None:
    """Run a script of `deploy` with the fakes of a folder."""
    path = f"{fakes}:{os.environ['PATH']}"
    command = ["/bin/sh", str(DEPLOY / script), *arguments]
    subprocess.run(command, env={**os.environ, **environment, "PATH": path}, check=True)


@pytest.mark.parametrize(("device", "is_stick"), [("/dev/sdz1", False), ("/dev/sdy1", True)])
def test_a_disk_of_the_system_is_no_stick(tmp_path: Path, device: str, *, is_stick: bool) -> None:
    """On a Pi that runs from a USB disk, backups do not go to its boot partition."""
    fstab, calls = tmp_path / "fstab", tmp_path / "calls"
    fstab.write_text("/dev/sdz1 /boot/firmware vfat defaults 0 2\n")
    for name in ("mount", "mkdir", "install", "id"):
        fake(tmp_path, name, f'echo "{name} $*" >>{calls}')
    run("mount-stick", device, fakes=tmp_path, LIBMOUNT_FSTAB=str(fstab))
    assert is_stick is calls.exists()
    if is_stick:
        assert f"{device} /run/cribwars-sticks/sdy1" in calls.read_text()


def make_package(stick: Path, version: str) -> Path:
    """Put a package of this machine's release, without files, on a stick."""
    tree = stick.parent / f"tree-{version}"
    (tree / "DEBIAN").mkdir(parents=True)
    fields = {"Package": "cribwars", "Version": version, "Architecture": "all"}
    fields |= {"Maintainer": "Nobody <nobody@example.com>", "Description": "none"}
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    (tree / "DEBIAN/control").write_text(text)
    release = platform.freedesktop_os_release()["VERSION_CODENAME"]
    file = stick / f"cribwars_{version}~{release}_arm64.deb"
    subprocess.run(
        [str(DPKG_DEB), "--build", str(tree), str(file)], capture_output=True, check=True
    )
    return file


def test_the_newest_whole_version_is_installed(tmp_path: Path) -> None:
    """A damaged package is passed over; no question about a changed file stops the update."""
    stick, fakes, calls = tmp_path / "sticks/sda1", tmp_path / "fakes", tmp_path / "calls"
    stick.mkdir(parents=True)
    fakes.mkdir()
    for version in ("0.9", "1.1", "1.2"):
        make_package(stick, version)
    make_package(stick, "1.0.9").write_bytes(b"damaged")
    make_package(stick, "2.0").write_bytes(b"damaged")
    fake(fakes, "dpkg-query", "echo 1.0")
    dpkg = shutil.which("dpkg")
    installs = f"dpkg-deb --field $3 Version >{calls}; echo $1 $2 >>{calls}"
    fake(
        fakes,
        "dpkg",
        f'case "$*" in *--install*) {installs} ;; '
        f'--print-architecture) echo arm64 ;; *) exec {dpkg} "$@" ;; esac',
    )
    update = tmp_path / "update"
    run(
        "update/update-from-stick",
        fakes=fakes,
        CRIBWARS_STICKS=str(stick.parent),
        CRIBWARS_UPDATE=str(update),
    )
    assert ["1.2", "--force-confold --install"] == calls.read_text().splitlines()
    assert [] == list(update.iterdir())
