"""A disk that logs every write and every flush under a real ext4, to find what a power cut leaves.

FUSE serves one file, a loop device makes a disk of it, and the kernel's flushes of that disk arrive
as `fsync`. After a cut a disk has everything that was written before the last flush. Each later
write is there whole, not at all, or torn at a sector.

It runs as a process of its own: `python -m tests.campaign.logged_disk MOUNTPOINT IMAGE LOG`.
"""

# ruff: noqa: ARG002  # the arguments of a file system's operations are given by FUSE
import os
import random
import shutil
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

SECTOR: Final = 512
SUPERBLOCK: Final = range(1024, 2048)
"""Number of bytes that ext4 assumes to be written whole."""
FLUSH: Final = (1 << 64) - 1
NAME: Final = "disk"
IMAGE_BYTES: Final = 24 << 20
_HEAD: Final = struct.Struct("<QI")


def missing() -> str:
    """Return why this machine cannot run the campaign, "" if it can."""
    if os.geteuid() != 0:
        return "needs root, for mounts"
    for program, package in (("fusermount3", "fuse3"), ("mkfs.ext4", "e2fsprogs")):
        if not shutil.which(program):
            return f"needs the package {package}"
    return "" if Path("/dev/fuse").exists() else "needs /dev/fuse"


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes written to a disk; a value without bytes is a flush."""

    offset: int
    content: bytes


def read_log(log: Path, upto: int) -> tuple[list[Write], list[int]]:
    """Return the writes and flushes in the first `upto` bytes of a log, and where each ends."""
    content, found, ends, at = log.read_bytes()[:upto], list[Write](), list[int](), 0
    while at < len(content):
        offset, size = _HEAD.unpack_from(content, at)
        at += _HEAD.size
        found.append(Write(offset, content[at : at + size]))
        at += size
        ends.append(at)
    return found, ends


def after_cut(image: bytes, writes: list[Write], chance: random.Random) -> bytearray:
    """Return a disk as a cut after these writes may leave it."""
    flushed = max((n for n, write in enumerate(writes, 1) if write.offset == FLUSH), default=0)
    disk = bytearray(image)
    for number, write in enumerate(writes):
        if write.offset == FLUSH:
            continue
        size = len(write.content)
        if number >= flushed:
            fate = chance.choice(("kept", "lost", "torn"))
            if fate == "lost":
                continue
            if fate == "torn" and write.offset not in SUPERBLOCK:
                size = chance.randrange(0, size + 1, SECTOR)
        disk[write.offset : write.offset + size] = write.content[:size]
    return disk


@contextmanager
def mounted(image: Path, mountpoint: Path) -> Iterator[Path]:
    """Mount the ext4 of an image, which is written to as by any machine.

    Raises:
        CalledProcessError: it cannot be mounted.
    """
    mountpoint.mkdir(exist_ok=True)
    _run("mount", "-o", "loop,noatime", str(image), str(mountpoint))
    try:
        yield mountpoint
    finally:
        _run("umount", str(mountpoint))


class LoggedDisk:
    """An ext4 on a logged disk, mounted at `files` while the block runs.

    Args:
        folder: the folder for mounts and log; a file system in memory is best.
        image: the first content of the disk; the file is not changed.
    """

    def __init__(self, folder: Path, image: Path) -> None:
        self._raw, self.files, self._log = folder / "raw", folder / "files", folder / "log"
        self._image = image
        self._device = ""

    @property
    def position(self) -> int:
        """The end of the log just now."""
        return self._log.stat().st_size

    def __enter__(self) -> Self:
        """Begin the log, and mount."""
        for folder in (self._raw, self.files):
            folder.mkdir(exist_ok=True)
        self._log.write_bytes(b"")
        entry = (sys.executable, "-m", __name__, self._raw, self._image, self._log)
        self._server = subprocess.Popen(list(map(str, entry)), stdout=subprocess.PIPE)
        assert self._server.stdout
        self._server.stdout.readline()
        device = _run("losetup", "--direct-io=on", "--show", "-f", str(self._raw / NAME))
        self._device = device.strip()
        _run("mount", "-o", "noatime", self._device, str(self.files))
        return self

    def __exit__(self, *_: object) -> None:
        """Unmount, whatever is still written then."""
        _run("umount", str(self.files))
        _run("losetup", "-d", self._device)
        _run("fusermount3", "-u", str(self._raw))
        self._server.communicate(timeout=20)


def make_image(file: Path) -> Path:
    """Make an image with an empty ext4."""
    with file.open("wb") as image:
        image.truncate(IMAGE_BYTES)
    _run("mkfs.ext4", "-q", "-F", "-b", "1024", str(file))
    return file


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def serve(mountpoint: str, image: str, log: str) -> None:
    """Serve the disk until it is unmounted; a line on stdout once it is there."""
    import mfusepy  # noqa: PLC0415  # where a machine lacks it, only this process needs it

    disk = bytearray(Path(image).read_bytes())
    record = os.open(log, os.O_WRONLY | os.O_APPEND)

    class Operations(mfusepy.Operations):  # type: ignore[misc]
        use_ns = True

        def init_with_config(self, *_: Any) -> None:  # noqa: ANN401
            print("ready", flush=True)  # noqa: T201

        def getattr(self, path: str, fh: int | None = None) -> dict[str, int]:
            if path == "/":
                return {"st_mode": stat.S_IFDIR | 0o755, "st_nlink": 2}
            if path == f"/{NAME}":
                return {"st_mode": stat.S_IFREG | 0o600, "st_nlink": 1, "st_size": len(disk)}
            raise FileNotFoundError

        def readdir(self, path: str, fh: int) -> list[str]:
            return [".", "..", NAME]

        def read(self, path: str, size: int, offset: int, fh: int) -> bytes:
            return bytes(disk[offset : offset + size])

        def write(self, path: str, data: bytes, offset: int, fh: int) -> int:
            disk[offset : offset + len(data)] = data
            os.write(record, _HEAD.pack(offset, len(data)) + data)
            return len(data)

        def fsync(self, path: str, datasync: int, fh: int) -> int:
            os.write(record, _HEAD.pack(FLUSH, 0))
            return 0

    mfusepy.FUSE(Operations(), mountpoint, foreground=True, nothreads=True)


if __name__ == "__main__":
    serve(*sys.argv[1:])
