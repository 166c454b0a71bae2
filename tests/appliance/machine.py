"""A small Debian with systemd as process 1, in a container that shares this machine's kernel.

Its root is made once by mmdebstrap and kept in the cache folder. Each machine has its own overlay
over that root, which is deleted later. It needs root, and the packages mmdebstrap and
systemd-container.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zlib import crc32

from tests.appliance.page import Page, until

PACKAGES: Final = "systemd,systemd-sysv,dbus,udev,python3,libstdc++6,debconf,openssl,espeak-ng"
CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cribwars"
NEEDED: Final = {"mmdebstrap": "mmdebstrap", "systemd-nspawn": "systemd-container"}
RESTART_S: Final = 40.0
"""Seconds in which a frozen program is started again."""
_COMMAND_S: Final = 120.0
_DOWNLOAD_S: Final = 300.0


def missing_package() -> str:
    """Return why no machine can run here, "" if one can."""
    if os.geteuid():
        return "needs root"
    lacking = [package for tool, package in NEEDED.items() if shutil.which(tool) is None]
    return f"needs the package {lacking[0]}" if lacking else ""


def bootable_root(release: str) -> Path:
    """Return the folder of a fresh root that can be booted."""
    return _cached(release, "--variant=minbase", f"--include={PACKAGES}", release)


def extracted_root(release: str, arch: str) -> Path:
    """Return the folder of a root with only Python's files, for another processor."""
    include = "--include=python3,libstdc++6"
    merged = "--setup-hook=cd $1 && mkdir -p usr/bin usr/lib && ln -s usr/bin usr/lib ."
    arguments = ("--variant=extract", f"--architectures={arch}", include, merged, release)
    return _cached(f"{release}-{arch}", *arguments)


def _cached(name: str, *arguments: str) -> Path:
    """Return the cached root for these arguments; mmdebstrap makes it if there is none."""
    root = CACHE / f"{name}-{crc32(' '.join(arguments).encode()):08x}"
    if not root.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=CACHE, prefix=f"{name}-") as folder:
            new = Path(folder) / "root"
            _run("mmdebstrap", *arguments, str(new), seconds=_DOWNLOAD_S)
            with suppress(OSError):  # another run was faster
                new.rename(root)
    return root


def _run(*command: str, seconds: float = _COMMAND_S) -> str:
    """Return the output of a command, which may take some seconds."""
    run = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, timeout=seconds)
    return run.stdout


class Appliance(Page):
    """A machine that has booted; `root` is its root folder."""

    def __init__(self, root: Path, leader: int, port: int) -> None:
        super().__init__(port)
        self.root, self._leader = root, leader

    def run(self, *command: str, check: bool = True) -> str:
        """Return the output of a command in the machine."""
        enter = ("nsenter", "--target", str(self._leader), "--all", "--wd=/", "--")
        environment = {"PATH": os.environ["PATH"], "DEBIAN_FRONTEND": "noninteractive"}
        run = subprocess.run(
            [*enter, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            check=False,
            text=True,
            timeout=_COMMAND_S,
        )
        assert not check or 0 == run.returncode, run.stdout
        return run.stdout

    def install(self, package: Path, *, check: bool = True) -> str:
        """Install a package, as apt does."""
        shutil.copy(package, self.root / "package.deb")
        return self.run("dpkg", "-i", "/package.deb", check=check)

    @property
    def version(self) -> str:
        """The version of the package that dpkg has installed."""
        return self.run("dpkg-query", "-W", "-f", "${Version}", "cribwars")

    @property
    def restarts(self) -> int:
        """The number of times that systemd has restarted the service by itself."""
        return int(self.show("NRestarts"))

    def show(self, name: str, unit: str = "cribwars.service") -> str:
        """Return a property of a unit."""
        return self.run("systemctl", "show", "--value", f"--property={name}", unit).strip()

    def log(self) -> str:
        """Return the log of the service."""
        return self.run("journalctl", "--unit=cribwars*", "--output=cat", "--no-pager", check=False)


@contextmanager
def booted(
    release: str,
    folder: Path,
    port: int,
    *,
    options: Sequence[str] = (),
    has_udev: bool = False,
    prepare: Callable[[Path], None] = lambda _: None,
) -> Iterator[Appliance]:
    """Boot a machine in a folder, until the block ends.

    Args:
        release: the release of Debian.
        folder: keeps the machine's files; a second boot in it is the same machine.
        port: the port of its page.
        options: options of systemd-nspawn.
        has_udev: True to run udev, which containers usually lack; it sees this machine's devices.
        prepare: changes its files before it boots.
    """
    with ExitStack() as opened:
        root = overlay(bootable_root(release), folder, opened)
        settings = root / "etc/cribwars/cribwars.toml"
        if not settings.exists():
            settings.parent.mkdir(parents=True)
            settings.write_text(f'[web]\nhost = "127.0.0.1"\nport = {port}\n')
        prepare(root)
        if has_udev:
            for unit in ("systemd-sysctl", "systemd-udev-trigger"):  # they would reach this machine
                (root / f"etc/systemd/system/{unit}.service").symlink_to("/dev/null")
            options = ("--capability=CAP_NET_ADMIN", *options)
        container = subprocess.Popen(
            [
                *("systemd-nspawn", "--quiet", "--boot", f"--directory={root}", "--register=no"),
                *("--keep-unit", "--link-journal=no", "--resolv-conf=off", "--timezone=off"),
                *("--console=pipe", "--kill-signal=SIGKILL", *options),
            ],
            stdin=subprocess.DEVNULL,
            stdout=opened.enter_context((folder / "console").open("w")),
            stderr=subprocess.STDOUT,
            env=os.environ
            | {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
            | ({"SYSTEMD_NSPAWN_API_VFS_WRITABLE": "1"} if has_udev else {}),
        )
        opened.callback(_end, container)
        leader = until(lambda: _leader(container.pid), 30, "a first process")
        appliance = Appliance(root, leader, port)
        opened.callback(appliance.close)
        states = {"running", "degraded"}
        is_up = ("systemctl", "is-system-running")
        until(lambda: appliance.run(*is_up, check=False).strip() in states, 180, "booted")
        if has_udev:
            appliance.run("systemctl", "daemon-reexec")  # it listens to a udev that it finds
        yield appliance


def overlay(lower: Path, folder: Path, opened: ExitStack) -> Path:
    """Return a root over another one, which is not changed, until `opened` ends."""
    upper, work, root = (folder / name for name in ("upper", "work", "root"))
    for each in (upper, work, root):
        each.mkdir(parents=True, exist_ok=True)
    layers = f"lowerdir={lower},upperdir={upper},workdir={work}"
    _run("mount", "-t", "overlay", "-o", layers, "overlay", str(root))
    opened.callback(_run, "umount", "--recursive", "--lazy", str(root))
    return root


def _leader(nspawn: int) -> int | None:
    """Return the number of the container's process 1 on the outside."""
    children = Path(f"/proc/{nspawn}/task/{nspawn}/children").read_text().split()
    for child in map(int, children):
        if Path(f"/proc/{child}/comm").read_text().strip() == "systemd":
            return child
        grandchild = _leader(child)
        if grandchild:
            return grandchild
    return None


def _end(container: subprocess.Popen[bytes]) -> None:
    leader = _leader(container.pid)
    if leader:
        with suppress(ProcessLookupError):
            os.kill(leader, 9)
    try:
        container.wait(timeout=30)
    except subprocess.TimeoutExpired:
        container.kill()
        container.wait()


# Packages for the machines: built by `make deb`, and repacked as other versions


ROOT: Final = Path(__file__).parents[2]

DPKG_DEB: Final = "/usr/bin/dpkg-deb"
_BUILD_S: Final = 300


def built(release: str, arch: str = "amd64") -> Path:
    """Return the package for a release and a processor, rebuilt if sources have changed.

    A second process that needs a package meanwhile waits.
    """
    with (ROOT / "deploy/deb/build.py").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        return _built(release, arch)


def _built(release: str, arch: str) -> Path:
    found = list((ROOT / "dist").glob(f"cribwars_*~{release}_{arch}.deb"))
    folders = [ROOT / name for name in ("companion", "deploy", "firmware_bridge", "hardware")]
    files = (file for folder in folders for file in folder.rglob("*") if file.is_file())
    changed = max(file.stat().st_mtime for file in files if "__pycache__" not in file.parts)
    if len(found) == 1 and found[0].stat().st_mtime > changed:
        return found[0]
    build = [sys.executable, str(ROOT / "deploy/deb/build.py"), "--release", release]
    options = ["--arch", arch]
    made = subprocess.run(
        [*build, *options], stdout=subprocess.PIPE, check=True, text=True, timeout=_BUILD_S
    )
    return Path(made.stdout.strip())


def repacked(package: Path, folder: Path, version: str, *changes: tuple[str, str]) -> Path:
    """Return the package as another version, with text appended to some files."""
    arch = package.stem.rpartition("_")[2]
    tree, file = folder / version, folder / f"cribwars_{version}_{arch}.deb"
    subprocess.run([DPKG_DEB, "-R", str(package), str(tree)], check=True)
    control = tree / "DEBIAN/control"
    text = control.read_text()
    control.write_text(re.sub(r"(?m)^Version: .*$", f"Version: {version}", text))
    for name, content in changes:
        (tree / name).write_text(content)
    build = [DPKG_DEB, "-Znone", "--root-owner-group", "-b", str(tree), str(file)]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    return file


class ReleaseKey:
    """A key that signs versions, made in a folder."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "key.pem"
        _run("openssl", "genpkey", "-algorithm", "ed25519", "-out", str(self._file))

    @property
    def public(self) -> str:
        """What a machine that trusts it has as its release key."""
        return _run("openssl", "pkey", "-in", str(self._file), "-pubout")

    def sign(self, package: Path) -> Path:
        """Write the signature of a package beside it."""
        signature = package.with_name(f"{package.name}.sig")
        words = ("pkeyutl", "-sign", "-rawin", "-inkey", str(self._file), "-in", str(package))
        _run("openssl", *words, "-out", str(signature))
        return signature
