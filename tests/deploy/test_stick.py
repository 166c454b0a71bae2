"""The machine: its first settings, a USB stick with a new version, and the proof of that."""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion.settings.load import load_settings

DEPLOY = Path(__file__).parents[2] / "deploy"
_TOOLS = ("dpkg", "dpkg-deb", "findmnt", "flock", "openssl")
_MISSING = next((name for name in _TOOLS if shutil.which(name) is None), "")
HAS_TOOLS = pytest.mark.tool(lacks=_MISSING and f"needs the command {_MISSING}")


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


class Machine:
    """A machine on which version 2 should replace version 1.

    Args:
        state: the state of the package in dpkg.
        configured: its state after an attempt to configure it; "" if that fails.
        restarts: the number of restarts of the service so far.
    """

    def __init__(self, folder: Path, state: str, *, configured: str, restarts: int) -> None:
        self.folder, self.fakes = folder / "update", folder / "fakes"
        self.folder.mkdir()
        (self.folder / "unproven").write_text("2\n")
        now = folder / "state"
        now.write_text(state)
        configure = f"echo {configured} >{now}" if configured else "exit 1"
        install = f'test "$CRIBWARS_PUT_BACK" && echo installed 1 >{now}'
        fake(self.fakes, "dpkg-query", f"cat {now}")
        fake(self.fakes, "dpkg", f'case "$2" in --configure) {configure};; *) {install};; esac')
        fake(self.fakes, "dpkg-deb", "echo 1")
        fake(self.fakes, "sleep", "true")
        answers = f"*NRestarts*) echo {restarts};; *InvocationID*) echo one;;"
        fake(self.fakes, "systemctl", f'case "$*" in {answers} esac')
        self._now = now

    def prove(self) -> tuple[str, object]:
        """Run the proof; return the version at its end, and the report."""
        run("update/prove-update", fakes=self.fakes, CRIBWARS_UPDATE=str(self.folder))
        assert not (self.folder / "unproven").exists()
        report = self.folder / "report.json"
        return self._now.read_text().strip(), report.exists() and json.loads(report.read_text())


BACK = {"failed": "2", "running": "1"}
STOCK_CONFIG = (
    "dtparam=audio=on\ndtoverlay=vc4-kms-v3d\n\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n\n[all]"
)
STOCK_CMDLINE = "console=serial0,115200 console=tty1 root=PARTUUID=5a2b rootfstype=ext4 rootwait\n"
SETTINGS = "etc/cribwars/cribwars.toml"
DROP_IN = "etc/systemd/system/cribwars.service.d/pwm.conf"
ON_LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="prepare-machine needs GNU tools: run on Linux"
)


def prepare(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run prepare-machine in the C locale, from the files of the repository."""
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "CRIBWARS_SHARE": str(DEPLOY)}
    command = ["sh", str(DEPLOY / "prepare-machine"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def prepare_root(root: Path, *arguments: str) -> str:
    """Run it on a fake root and return its output."""
    run = prepare("--root", root, *arguments)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def tree(root: Path) -> dict[str, bytes]:
    """Return every file below a directory."""
    files = (file for file in root.rglob("*") if file.is_file())
    return {str(file.relative_to(root)): file.read_bytes() for file in files}


def make_model(root: Path, model: str) -> None:
    """Give the fake machine the name of a board."""
    (root / "proc/device-tree").mkdir(parents=True)
    (root / "proc/device-tree/model").write_text(f"{model}\0", encoding="utf-8")


@pytest.fixture(params=["boot/firmware", "boot"])
def pi(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a fake root with the stock boot files, in their new or old directory."""
    boot = tmp_path / str(request.param)
    boot.mkdir(parents=True)
    (tmp_path / "run").mkdir()
    (boot / "config.txt").write_text(STOCK_CONFIG, encoding="utf-8")
    (boot / "cmdline.txt").write_text(STOCK_CMDLINE, encoding="utf-8")
    return tmp_path


def boot_file(root: Path, name: str) -> Path:
    """Find the boot file of a name in the fake root."""
    (file,) = (root / "boot").rglob(name)
    return file


@HAS_TOOLS
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


@HAS_TOOLS
def test_the_newest_whole_version_is_installed(board: Board) -> None:
    """A damaged package, and one with a wrong name, are skipped."""
    for version in ("0.9", "1.1", "1.2"):
        board.add(version)
    board.add("1.0.9").write_bytes(b"damaged")
    board.add("2.0").write_bytes(b"damaged")
    board.add("3.0", Package="other")
    board.add("4.0", Version="1.5")
    assert (["1.2"], ["installed", "1.2"]) == board.put_in()


@HAS_TOOLS
def test_a_version_that_did_not_run_is_not_tried_again(board: Board) -> None:
    """The report of its failure names it."""
    version = board.add("1.1").name.split("_")[1]
    board.update.mkdir()
    (board.update / "report.json").write_text(f'{{"failed": "{version}", "running": "1.0"}}\n')
    assert ([], []) == board.put_in()


@HAS_TOOLS
def test_no_link_on_a_stick_is_followed(board: Board) -> None:
    """Neither a package nor a signature outside of the stick is used."""
    file = board.add("1.1")
    file.rename(board.folder / file.name)
    file.symlink_to(board.folder / file.name)
    assert ([], []) == board.put_in()


@HAS_TOOLS
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


@HAS_TOOLS
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


@HAS_TOOLS
def test_a_file_that_is_changed_while_it_is_asked_for_is_not_installed(board: Board) -> None:
    """The copy from the stick is the file that is allowed and installed."""
    file = board.add("1.1", sign=False)
    board.each_second(f"echo else >{file}; sed -n 3p {board.stick}.update >{board.folder}/consent")
    assert ["1.1"] == board.put_in()[0]


@HAS_TOOLS
def test_a_request_ends_with_its_stick(board: Board) -> None:
    """If it is pulled out, nothing is installed, and nothing is left for the page."""
    board.add("1.1", sign=False)
    board.each_second(f"rm -rf {board.stick} {board.stick}.update")
    assert ([], []) == board.put_in()


@HAS_TOOLS
@pytest.mark.parametrize(
    ("state", "configured", "restarts", "end"),
    [
        ("installed 2", "", 0, ("installed 2", False)),
        ("installed 2", "", 3, ("installed 1", BACK)),
        ("unpacked 2", "installed 2", 0, ("installed 2", False)),
        ("half-configured 2", "installed 2", 3, ("installed 1", BACK)),
        ("half-configured 2", "", 0, ("installed 1", BACK)),
        ("half-installed 2", "", 0, ("installed 1", BACK)),
        ("installed 1", "", 0, ("installed 1", False)),
        ("unpacked 1", "installed 1", 0, ("installed 1", False)),
    ],
)
def test_the_version_that_is_whole_and_runs_stays(
    tmp_path: Path, state: str, configured: str, restarts: int, end: tuple[str, object]
) -> None:
    """A power cut may come before the first file, during unpacking, or on the way back."""
    machine = Machine(tmp_path, state, configured=configured, restarts=restarts)
    assert end == machine.prove()


@ON_LINUX
@pytest.mark.parametrize("options", [[], ["--pwm"]])
def test_a_second_run_changes_nothing(pi: Path, options: list[str]) -> None:
    """Two runs leave exactly the files that one run leaves."""
    prepare_root(pi, *options)
    once = tree(pi)
    prepare_root(pi, *options)
    assert once == tree(pi)


@ON_LINUX
def test_settings_of_the_user_stay(pi: Path) -> None:
    """A settings file that exists is kept byte for byte."""
    settings = pi / SETTINGS
    settings.parent.mkdir(parents=True)
    settings.write_text('board = "classic"  # ours\n', encoding="utf-8")
    make_model(pi, "Raspberry Pi 4 Model B Rev 1.4")
    prepare_root(pi)
    assert settings.read_text(encoding="utf-8") == 'board = "classic"  # ours\n'


@ON_LINUX
@pytest.mark.parametrize(
    ("model", "driver"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", "spi:ws2812b"),
        ("Raspberry Pi 4 Model B Rev 1.4", "spi:ws2812b"),
        ("Raspberry Pi 5 Model B Rev 1.0", "spi:ws2812b"),
        ("Some other board", "virtual"),
        (None, "virtual"),
    ],
)
def test_first_settings(tmp_path: Path, model: str | None, driver: str) -> None:
    """The page is open to the house; the strip is on SPI on every Pi."""
    if model:
        make_model(tmp_path, model)
    prepare_root(tmp_path)
    settings = load_settings(tmp_path / SETTINGS, {})
    assert (driver, "0.0.0.0") == (  # noqa: S104  # a setting
        settings.strip.driver,
        settings.web.host,
    )


@ON_LINUX
def test_first_settings_of_a_board_with_spi(tmp_path: Path) -> None:
    """Where SPI is on already, any board drives the strip."""
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/spidev0.0").touch()
    prepare_root(tmp_path)
    assert "spi:ws2812b" == load_settings(tmp_path / SETTINGS, {}).strip.driver


@ON_LINUX
def test_suggested_settings_exist() -> None:
    """Every setting that the first file suggests is one of the program's, in the same table."""
    template = (DEPLOY / "cribwars.toml").read_text(encoding="utf-8")
    suggested = re.sub(r"(?m)^#(?! )", "", template)
    assert {"board", "strip", "web", "wiring"} == tomllib.loads(suggested).keys()
    load_settings(None, tomllib.loads(suggested))


@ON_LINUX
def test_boot_lines_are_added_below_what_was_there(pi: Path) -> None:
    """config.txt begins as before, then has our block, whose last filter is [all] again."""
    assert "restart the Pi once" in prepare_root(pi)
    config = boot_file(pi, "config.txt").read_text(encoding="utf-8")
    block = (DEPLOY / "boot/config.txt").read_text(encoding="utf-8")
    assert f"{STOCK_CONFIG}\n{block}" == config
    assert config.endswith("\n[all]\n")


@ON_LINUX
def test_boot_lines_of_the_user_stay(pi: Path) -> None:
    """A block edited by hand and a buffer size chosen by hand are left as they are."""
    prepare_root(pi)
    edited = boot_file(pi, "config.txt")
    edited.write_text(edited.read_text(encoding="utf-8").replace("=250", "=400"), encoding="utf-8")
    own = boot_file(pi, "cmdline.txt")
    own.write_text("root=PARTUUID=5a2b spidev.bufsiz=65536\n", encoding="utf-8")
    (pi / "run/reboot-required").unlink()
    before = tree(pi)
    assert "" == prepare_root(pi)
    assert before == tree(pi)


@ON_LINUX
def test_the_kernel_command_line_stays_one_line(pi: Path) -> None:
    """The buffer size joins the first and only line of cmdline.txt."""
    prepare_root(pi)
    cmdline = boot_file(pi, "cmdline.txt").read_text(encoding="utf-8")
    assert f"{STOCK_CMDLINE.rstrip()} spidev.bufsiz=32768\n" == cmdline


@ON_LINUX
def test_registers_and_silence_only_for_pwm(pi: Path) -> None:
    """Only --pwm turns analogue sound off and lets the service write registers; --spi ends that.

    An update replaces the drop-in of an earlier version.
    """
    prepare_root(pi)
    assert not (pi / DROP_IN).exists()
    assert "audio=off" not in boot_file(pi, "config.txt").read_text(encoding="utf-8")
    prepare_root(pi, "--pwm")
    assert (DEPLOY / "cribwars-pwm.conf").read_bytes() == (pi / DROP_IN).read_bytes()
    assert "audio=off" in boot_file(pi, "config.txt").read_text(encoding="utf-8")
    (pi / DROP_IN).write_text("[Service]\nUser=root\n", encoding="utf-8")
    prepare_root(pi)
    assert (DEPLOY / "cribwars-pwm.conf").read_bytes() == (pi / DROP_IN).read_bytes()
    prepare_root(pi, "--spi")
    assert not (pi / DROP_IN).exists()


@ON_LINUX
def test_wrong_use_is_one_line() -> None:
    """An unknown option or a missing directory is exit 2 and one line."""
    for arguments in (["--fast"], ["--root"], ["--root", "/nowhere/at/all"]):
        run = prepare(*arguments)
        assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (2, "", 1)
