"""A small Debian with systemd as process 1, in a container that shares this machine's kernel.

Its root is made once by mmdebstrap and kept in the cache folder; each machine has an overlay of its
own over it, which is thrown away. It needs root, and the packages mmdebstrap and systemd-container.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx

PACKAGES: Final = "systemd,systemd-sysv,dbus,udev,python3,libstdc++6,debconf,dosfstools"
CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cribwars"
NEEDED: Final = {"mmdebstrap": "mmdebstrap", "systemd-nspawn": "systemd-container"}
PAGE_S: Final = 20.0
_Found = TypeVar("_Found")


def missing_package() -> str:
    """Return why no machine can be had here, "" if one can."""
    if os.geteuid():
        return "needs root"
    lacking = [package for tool, package in NEEDED.items() if shutil.which(tool) is None]
    return f"needs the package {lacking[0]}" if lacking else ""


def cached_root(release: str) -> Path:
    """Return the folder of a fresh root, made if it is not in the cache."""
    root = CACHE / release
    if not root.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        new = CACHE / f"{release}.new"
        shutil.rmtree(new, ignore_errors=True)
        _run("mmdebstrap", "--variant=minbase", f"--include={PACKAGES}", release, str(new))
        new.rename(root)
    return root


def _run(*command: str) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def until(find: Callable[[], _Found | None], seconds: float, what: str) -> _Found:
    """Return what is found within some seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(httpx.HTTPError, subprocess.CalledProcessError):
            found = find()
            if found:
                return found
        time.sleep(0.2)
    raise AssertionError(f"not within {seconds:.0f} s: {what}")


class Appliance:
    """A machine that has booted; `root` is its root folder, `port` that of its page here."""

    def __init__(self, root: Path, leader: int, port: int) -> None:
        self.root, self._leader, self.port = root, leader, port
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=10.0)

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
        )
        assert not check or 0 == run.returncode, run.stdout
        return run.stdout

    def install(self, package: Path, *, check: bool = True) -> str:
        """Install a package, as apt does."""
        shutil.copy(package, self.root / "package.deb")
        return self.run("dpkg", "-i", "/package.deb", check=check)

    def show(self, name: str, unit: str = "cribwars.service") -> str:
        """Return a property of a unit."""
        return self.run("systemctl", "show", "--value", f"--property={name}", unit).strip()

    def get(self, path: str) -> dict[str, Any]:
        """Return what the page answers."""
        return dict(self._client.get(path).raise_for_status().json())

    def news(self) -> dict[str, Any]:
        """Return the first news of the page's stream."""
        with self._client.stream("GET", "/api/stream") as stream:
            kind = ""
            for line in stream.iter_lines():
                key, _, value = line.partition(": ")
                kind = value if key == "event" else kind
                if key == "data" and kind == "news":
                    return dict(json.loads(value))
        raise AssertionError("the stream has ended")

    def post(self, path: str, **body: object) -> None:
        """Send something to the page."""
        self._client.post(path, json=body).raise_for_status()

    def page(self, seconds: float = PAGE_S) -> dict[str, Any]:
        """Return the table as soon as the page answers."""
        return until(lambda: self.get("/api/table"), seconds, f"the page; {self.log()[-2000:]}")

    def log(self) -> str:
        """Return what the service has written."""
        return self.run("journalctl", "--unit=cribwars*", "--output=cat", "--no-pager", check=False)

    def press(self, *buttons: str) -> None:
        """Press mock buttons one after the other."""
        for button in buttons:
            self.post("/api/press", button=button, seconds=0.02)

    def stop(self) -> None:
        """Power off, as a pulled plug does."""
        self._client.close()


@contextmanager
def booted(
    release: str,
    folder: Path,
    port: int,
    *,
    options: Sequence[str] = (),
    prepare: Callable[[Path], None] = lambda _: None,
) -> Iterator[Appliance]:
    """Boot a machine in a folder, until the block ends.

    Args:
        release: of Debian.
        folder: keeps what it writes: a second boot in it is the same machine.
        port: of its page.
        options: for systemd-nspawn.
        prepare: changes its files before it boots.
    """
    with ExitStack() as opened:
        root = _overlay(cached_root(release), folder, opened)
        settings = root / "etc/cribwars/cribwars.toml"
        if not settings.exists():
            settings.parent.mkdir(parents=True)
            settings.write_text(f'[web]\nhost = "127.0.0.1"\nport = {port}\n')
        prepare(root)
        container = subprocess.Popen(
            [
                *("systemd-nspawn", "--quiet", "--boot", f"--directory={root}", "--register=no"),
                *("--keep-unit", "--link-journal=no", "--resolv-conf=off", "--timezone=off"),
                *("--console=pipe", "--kill-signal=SIGKILL", *options),
            ],
            stdin=subprocess.DEVNULL,
            stdout=opened.enter_context((folder / "console").open("w")),
            stderr=subprocess.STDOUT,
            env=os.environ | {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
        )
        opened.callback(_end, container)
        leader = until(lambda: _leader(container.pid), 30, "a first process")
        appliance = Appliance(root, leader, port)
        opened.callback(appliance.stop)
        states = {"running", "degraded"}
        is_up = ("systemctl", "is-system-running")
        until(lambda: appliance.run(*is_up, check=False).strip() in states, 60, "booted")
        yield appliance


def _overlay(lower: Path, folder: Path, opened: ExitStack) -> Path:
    upper, work, root = (folder / name for name in ("upper", "work", "root"))
    for each in (upper, work, root):
        each.mkdir(parents=True, exist_ok=True)
    layers = f"lowerdir={lower},upperdir={upper},workdir={work}"
    _run("mount", "-t", "overlay", "-o", layers, "overlay", str(root))
    opened.callback(_run, "umount", "--recursive", "--lazy", str(root))
    return root


def _leader(nspawn: int) -> int | None:
    """Return the number of the container's process 1 outside of it."""
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
