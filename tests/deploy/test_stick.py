"""A USB stick at an installed board is mounted, and searched for a new version."""

import hashlib
import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"
_TOOLS = ("dpkg", "dpkg-deb", "findmnt", "flock", "openssl")
_MISSING = next((name for name in _TOOLS if shutil.which(name) is None), "")
pytestmark = pytest.mark.tool(lacks=_MISSING and f"needs the command {_MISSING}")


def fake(folder: Path, name: str, script: str) -> None:
    """Put a command before the system's commands."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def run(script: str, *arguments: str, fakes: Path, **environment: str) -> None:
    """Run a script of `deploy` with the fakes of a folder."""
    path = f"{fakes}:{os.environ['PATH']}"
    command = ["/bin/sh", str(DEPLOY / script), *arguments]
    subprocess.run(command, env={**os.environ, **environment, "PATH": path}, check=True)


@pytest.mark.parametrize(("device", "is_stick"), [("sdz1", False), ("sdy1", True)])
def test_a_disk_of_the_system_is_no_stick(tmp_path: Path, device: str, *, is_stick: bool) -> None:
    """On a Pi that runs from a USB disk, no backup goes to its boot partition."""
    fstab, calls = tmp_path / "fstab", tmp_path / "calls"
    fstab.write_text("/dev/sdz1 /boot/firmware vfat defaults 0 2\n")
    for name in ("mount", "mkdir", "chown", "id", "systemctl"):
        fake(tmp_path, name, f'echo "{name} $*" >>{calls}')
    run("mount-stick", device, fakes=tmp_path, LIBMOUNT_FSTAB=str(fstab))
    assert is_stick is calls.exists()
    if is_stick:
        assert f"/dev/{device} /run/cribwars-sticks/sdy1" in calls.read_text()


class Board:
    """A board with version 1.0 and a stick, which records the packages that dpkg should install."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stick, self.update = folder / "sticks/sda1", folder / "update"
        self.stick.mkdir(parents=True)
        self.key, self.public = folder / "key.pem", folder / "public.pem"
        self._openssl("genpkey", "-algorithm", "ed25519", "-out", str(self.key))
        self._openssl("pkey", "-in", str(self.key), "-pubout", "-out", str(self.public))
        fakes = folder / "fakes"
        fake(fakes, "dpkg-query", "echo 1.0")
        noted = f"dpkg-deb --field $3 Version >>{folder}/installed"
        other = f'exec {shutil.which("dpkg")} "$@"'
        cases = f'"--force-confold --install "*) {noted};; "--print-architecture "*) echo arm64;;'
        fake(fakes, "dpkg", f'case "$1 $2 " in {cases} *) {other};; esac')
        fake(fakes, "sleep", f"test ! -x {folder}/second || {folder}/second")

    def _openssl(self, *words: str) -> None:
        subprocess.run([str(shutil.which("openssl")), *words], check=True)

    def add(self, version: str, *, sign: bool = True, **changes: str) -> Path:
        """Put a package of this machine's release, without files, on the stick."""
        version = f"{version}~{platform.freedesktop_os_release()['VERSION_CODENAME']}"
        tree = self.folder / f"tree-{version}"
        (tree / "DEBIAN").mkdir(parents=True)
        fields = {"Package": "cribwars", "Version": version, "Architecture": "arm64"} | changes
        fields |= {"Maintainer": "Nobody <nobody@example.com>", "Description": "none"}
        text = "".join(f"{name}: {value}\n" for name, value in fields.items())
        (tree / "DEBIAN/control").write_text(text)
        file = self.stick / f"cribwars_{version}_arm64.deb"
        build = [str(shutil.which("dpkg-deb")), "--build", str(tree), str(file)]
        subprocess.run(build, capture_output=True, check=True)
        if sign:
            files = ("-in", str(file), "-out", f"{file}.sig")
            self._openssl("pkeyutl", "-sign", "-rawin", "-inkey", str(self.key), *files)
        return file

    def each_second(self, script: str) -> None:
        """Run a script each time that the update waits for a second."""
        fake(self.folder, "second", script)

    def put_in(self) -> tuple[list[str], list[str]]:
        """Plug in the stick. Return the installed versions, and the lines for the page."""
        run(
            "update/update-from-stick",
            "sda1",
            fakes=self.folder / "fakes",
            CRIBWARS_STICKS=str(self.stick.parent),
            CRIBWARS_UPDATE=str(self.update),
            CRIBWARS_PUBLIC_KEY=str(self.public),
            CRIBWARS_CONSENT=str(self.folder / "consent"),
        )
        assert {"lock"} >= {file.name for file in self.update.iterdir()} - {"report.json"}
        return lines(self.folder / "installed"), lines(self.stick.with_name("sda1.update"))


def lines(file: Path) -> list[str]:
    """Return the lines of a file, versions without their release; none if it is missing."""
    content = file.read_text() if file.exists() else ""
    return [line.partition("~")[0] for line in content.splitlines()]


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """Return a board with a stick."""
    return Board(tmp_path)


def test_the_newest_whole_version_is_installed(board: Board) -> None:
    """A damaged package, and one with a wrong name, are skipped."""
    for version in ("0.9", "1.1", "1.2"):
        board.add(version)
    board.add("1.0.9").write_bytes(b"damaged")
    board.add("2.0").write_bytes(b"damaged")
    board.add("3.0", Package="other")
    board.add("4.0", Version="1.5")
    assert (["1.2"], ["installed", "1.2"]) == board.put_in()


def test_a_version_that_did_not_run_is_not_tried_again(board: Board) -> None:
    """The report of its failure names it."""
    version = board.add("1.1").name.split("_")[1]
    board.update.mkdir()
    (board.update / "report.json").write_text(f'{{"failed": "{version}", "running": "1.0"}}\n')
    assert ([], []) == board.put_in()


def test_no_link_on_a_stick_is_followed(board: Board) -> None:
    """Neither a package nor a signature outside of the stick is used."""
    file = board.add("1.1")
    file.rename(board.folder / file.name)
    file.symlink_to(board.folder / file.name)
    assert ([], []) == board.put_in()


@pytest.mark.parametrize("signature", ["none", "of another package", "by another key", "a link"])
def test_without_a_signature_nothing_is_installed_unless_it_is_allowed(
    board: Board, signature: str
) -> None:
    """Without a held button the request lapses, and the page says so."""
    file = board.add("1.1", sign=signature != "none")
    beside = Path(f"{file}.sig")
    if signature == "of another package":
        Path(f"{board.add('0.9')}.sig").rename(beside)
    elif signature == "by another key":
        shutil.copy(Board(board.folder / "other").public, board.public)
    elif signature == "a link":
        beside.symlink_to(beside.rename(board.folder / "signature"))
    assert ([], ["lapsed", "1.1"]) == board.put_in()


def test_a_held_button_allows_one_file_once(board: Board) -> None:
    """The table repeats the request, which has the file's hash; no other answer counts."""
    file = board.add("1.1", sign=False)
    asked = f"sed -n 3p {board.stick}.update"
    board.each_second(f"{asked} >{board.folder}/consent")
    assert (["1.1"], ["installed", "1.1"]) == board.put_in()
    consent = (board.folder / "consent").read_text()
    assert hashlib.sha256(file.read_bytes()).hexdigest() == consent.split()[1]
    board.each_second("true")
    assert (["1.1"], ["lapsed", "1.1"]) == board.put_in()


def test_a_file_that_is_changed_while_it_is_asked_for_is_not_installed(board: Board) -> None:
    """The copy from the stick is the file that is allowed and installed."""
    file = board.add("1.1", sign=False)
    board.each_second(f"echo else >{file}; sed -n 3p {board.stick}.update >{board.folder}/consent")
    assert ["1.1"] == board.put_in()[0]


def test_a_request_ends_with_its_stick(board: Board) -> None:
    """If it is pulled out, nothing is installed, and nothing is left for the page."""
    board.add("1.1", sign=False)
    board.each_second(f"rm -rf {board.stick} {board.stick}.update")
    assert ([], []) == board.put_in()
