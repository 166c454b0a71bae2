"""What an emulated Pi is made of, each made once and kept in the cache folder.

* The *tools* are a small Debian trixie for this machine: QEMU 10, which has the SPI controller of a
  Pi, the C compiler for arm64, and gpio-sim, compiled for the Pi's kernel, which lacks it.
* The *system* is Debian trixie for arm64 with its kernel, as the tar that mmdebstrap made.
* The *card* is an image of that system: a FAT part for the boot files and an ext4 part. The
  machine with which it starts installs our package with dpkg. Cards that are written to are layers
  over it.

The tools run through their own dynamic linker, so nothing but mmdebstrap needs a root of its own,
and that needs no rights of root. The programs of arm64 that it starts while it makes the system
are run by qemu-user.
"""

import fcntl
import io
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final
from zlib import crc32

RELEASE: Final = "trixie"
CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cribwars"
HERE: Final = Path(__file__).parent
BOOT: Final = HERE / "boot"
"""Boot files of a freshly written card."""
GUEST: Final = HERE / "guest"
"""Programs for the emulated Pi."""
NEEDED: Final = {
    "mmdebstrap": "mmdebstrap",
    "arch-test": "arch-test",
    "qemu-aarch64-static": "qemu-user-static",
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu",
    "dpkg-deb": "dpkg",
}
HELD: Final = "held_pin"
"""Word of the kernel's command line; `held_pin=27` is a button that is down from power-on."""
CARD_BYTES: Final = 2 << 30
"""A power of two, as the card reader of the emulated Pi asks."""
FAT_KIB: Final = 256 << 10
FAT_AT: Final = 1 << 20
EXT4_AT: Final = FAT_AT + FAT_KIB * 1024
_TOOLS: Final = (
    *("qemu-system-arm", "qemu-utils", "gcc-aarch64-linux-gnu", "make", "linux-source", "xz-utils"),
    *("device-tree-compiler", "mtools", "dosfstools", "exfatprogs", "e2fsprogs", "libarchive13t64"),
    *("fdisk", "kmod", "python3-minimal"),
)
_SYSTEM: Final = (
    *("systemd-sysv", "dbus", "udev", "polkitd", "systemd-timesyncd", "procps", "iproute2", "kmod"),
    *("linux-image-arm64", "initramfs-tools", "python3", "libstdc++6", "debconf", "openssl"),
    *("network-manager", "dnsmasq-base", "wpasupplicant", "iw", "avahi-daemon"),
    *("cloud-init", "netplan.io", "dosfstools", "exfatprogs"),
)
_SECONDS: Final = 3600.0
"""Limit for the making of a part, which downloads hundreds of megabytes and emulates arm64."""


def missing_package() -> str:
    """Return why no Pi can be made here, "" if one can."""
    lacking = [package for tool, package in NEEDED.items() if shutil.which(tool) is None]
    return f"needs {', '.join(lacking)}" if lacking else ""


def tool(name: str) -> list[str]:
    """Return the command that starts one of the tools."""
    root = tools()
    libraries = root / "usr/lib/x86_64-linux-gnu"
    (program,) = (
        file for place in ("bin", "sbin") if (file := root / "usr" / place / name).exists()
    )
    linker = root / "usr/lib64/ld-linux-x86-64.so.2"
    return [str(linker), "--library-path", str(libraries), str(program)]


def run(*command: str | Path, typed: str | None = None) -> str:
    """Return the output of a command that gets some text."""
    done = subprocess.run(
        list(map(str, command)),
        input=typed,
        capture_output=True,
        check=False,
        text=True,
        timeout=_SECONDS,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr[-2000:]}")
    return done.stdout


def made(name: str, recipe: str, make: Callable[[Path], None], suffix: str = "") -> Path:
    """Return a part of the cache, made now if no part of this recipe is there.

    A second run that needs the same part waits for the first. Parts of earlier recipes go.
    """
    part = CACHE / f"{name}-{crc32(recipe.encode()):08x}{suffix}"
    if part.exists():
        return part
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not part.exists():
            with TemporaryDirectory(dir=CACHE, prefix=f"{name}-") as folder:
                new = Path(folder) / f"new{suffix}"
                make(new)
                for old in set(CACHE.glob(f"{name}-*")) - {new.parent}:
                    shutil.rmtree(old) if old.is_dir() else old.unlink()
                new.rename(part)
    return part


def tools() -> Path:
    """Return the root of the tools."""
    hook = HERE / "gpio-sim.sh"
    options = ("--variant=minbase", "--architectures=amd64,arm64", f"--include={','.join(_TOOLS)}")

    def make(new: Path) -> None:
        command = ("mmdebstrap", "--quiet", *options, f"--customize-hook={hook}", RELEASE, new)
        run(*command)

    return made("pi-tools", f"{options}{hook.read_text()}", make)


def _packages() -> Path:
    """Return the tar of Debian's root for arm64, as mmdebstrap makes it."""
    options = ("--variant=minbase", "--architectures=arm64", f"--include={','.join(_SYSTEM)}")

    def make(new: Path) -> None:
        run("mmdebstrap", "--quiet", "--format=tar", *options, RELEASE, new)

    return made("pi-packages", str(options), make)


@dataclass(frozen=True, slots=True)
class System:
    """Files of a Debian for arm64: the tar of its root, its kernel, initrd and device tree."""

    folder: Path

    @property
    def root(self) -> Path:
        """Tar of the root."""
        return self.folder / "root.tar"

    def file(self, pattern: str) -> Path:
        """Return the one file with such a name that was taken out of the root."""
        (found,) = self.folder.glob(pattern)
        return found


def system() -> System:
    """Return the system without our package: Debian's root, with what makes it an emulated Pi."""
    packages, added = _packages(), _added()

    def make(new: Path) -> None:
        new.mkdir()
        with tarfile.open(packages) as old, tarfile.open(new / "root.tar", "w") as tar:
            for entry in old:
                name = entry.name.removeprefix("./")
                content = old.extractfile(entry) if entry.isreg() else None
                if content and _TAKEN.search(name):
                    (new / Path(name).name).write_bytes(content.read())
                    content.seek(0)
                if name not in added:
                    tar.addfile(entry, content)
            for unit, target in ((_PINS, "sysinit"), (_USERCONFIG, "multi-user")):
                link = f"./etc/systemd/system/{target}.target.wants/{Path(unit).name}"
                entry = _entry(link, 0o777, tarfile.SYMTYPE)
                entry.linkname = f"/{unit}"
                tar.addfile(entry)
            known = set(old.getnames())
            for name, data in added.items():
                for parent in reversed(PurePosixPath(name).parents[:-1]):
                    if f"./{parent}" not in known:
                        known.add(f"./{parent}")
                        tar.addfile(_entry(f"./{parent}", 0o755, tarfile.DIRTYPE))
                mode = 0o755 if data.startswith(b"#!") else 0o644
                tar.addfile(_entry(f"./{name}", mode, size=len(data)), io.BytesIO(data))

    return System(made("pi-system", f"{packages}{added}", make))


def _entry(name: str, mode: int, kind: bytes = tarfile.REGTYPE, size: int = 0) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.mode, entry.type, entry.size = mode, kind, size
    return entry


_TAKEN: Final = re.compile("boot/(vmlinuz|initrd)|/broadcom/bcm2837-rpi-3-b.dtb$")
"""Files that QEMU loads in the place of a Pi's firmware."""


_PINS: Final = "etc/systemd/system/pins.service"
_USERCONFIG: Final = "usr/lib/systemd/system/userconfig.service"
_CLOUD: Final = """
datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
ssh_deletekeys: false
ssh_genkeytypes: []
disable_fallback_netcfg: true
"""
_PATIENCE: Final = "[Service]\nTimeoutStartSec=600\nWatchdogSec=120\n"
"""An emulated processor is some twenty times slower than that of a Pi."""
_PATIENT_MOUNT: Final = "defaults,x-systemd.device-timeout=10min"
_DIALOG: Final = """
[Unit]
After=cloud-config.service
[Service]
Type=oneshot
ExecStart=/bin/sleep infinity
TimeoutStartSec=infinity
[Install]
WantedBy=multi-user.target
"""
"""The dialog of Raspberry Pi OS that waits for a first user, for ever without a keyboard."""


def _added() -> dict[str, bytes]:
    """Return the files that make Debian's root an emulated Pi: a console of root, pins, a card."""
    shell = "agetty --noissue --skip-login --login-program /bin/bash --login-options -l %I linux"
    getty = "[Service]\nEnvironment=HOME=/root\nWorkingDirectory=/root\n"
    getty += f"ExecStart=\nExecStart=-/sbin/{shell}\n"
    pins = "[Unit]\nDefaultDependencies=no\nBefore=sysinit.target\n[Service]\nType=oneshot\n"
    pins += "ExecStart=/usr/sbin/insmod /usr/local/lib/gpiosim.ko\n"
    pin = "/sys/devices/platform/gpio-sim*/gpiochip*/sim_gpio"
    hold = f"for word in $$(cat /proc/cmdline); do case $$word in {HELD}=*)"
    hold += f" echo pull-down | tee {pin}$${{word#*=}}/pull; esac; done"
    pins += f"ExecStart=-/bin/sh -c 'echo pull-up | tee {pin}*/pull'\n"
    pins += f"ExecStart=-/bin/sh -c '{hold}'\n"
    texts = {
        **{f"etc/systemd/system/serial-getty@ttyAMA{n}.service.d/root.conf": getty for n in (0, 1)},
        _PINS: pins,
        "etc/hostname": "cribwars\n",
        "etc/fstab": f"LABEL=bootfs /boot/firmware vfat {_PATIENT_MOUNT} 0 2\n",
        "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg": _CLOUD,
        _USERCONFIG: _DIALOG,
        "etc/systemd/system/cribwars.service.d/emulated.conf": _PATIENCE,
        "boot/firmware/unmounted": "",
    }
    module = (tools() / "usr/src/gpiosim.ko").read_bytes()
    programs = {
        f"usr/local/bin/{file.stem}": file.read_bytes() for file in sorted(GUEST.glob("*.*"))
    }
    return {name: text.encode() for name, text in texts.items()} | {
        "usr/local/lib/gpiosim.ko": module,
        **programs,
    }


def blank_card() -> Path:
    """Return the image of a card with the system and an empty FAT part."""
    source = system()

    def make(new: Path) -> None:
        with new.open("wb") as file:
            file.truncate(CARD_BYTES)
        table = f"{FAT_AT // 512},{FAT_KIB * 2},c\n{EXT4_AT // 512},,L\n"
        run(*tool("sfdisk"), "--quiet", "--label=dos", new, typed=table)
        fat = ("-F", "32", "-n", "bootfs", f"--offset={FAT_AT // 512}")
        run(*tool("mkfs.fat"), *fat, new, str(FAT_KIB))
        run(*tool("mcopy"), "-i", fat_part(new), *sorted(BOOT.iterdir()), "::")
        size = f"{(CARD_BYTES - EXT4_AT) // 1024}k"
        ext4 = ("-q", "-t", "ext4", "-L", "rootfs", "-E", f"offset={EXT4_AT}", "-d", source.root)
        run(*tool("mke2fs"), *ext4, new, size)

    boot = [file.read_text() for file in sorted(BOOT.iterdir())]
    return made("pi-card", f"{source.folder}{CARD_BYTES}{FAT_KIB}{boot}", make, ".img")


def fat_part(card: Path) -> str:
    """Return the name by which mtools finds the FAT part of a card's raw image."""
    return f"{card}@@{FAT_AT}"


def boot_file(card: Path, name: str, folder: Path) -> str:
    """Return the text of a file on the FAT part of a card, as the firmware of a Pi reads it."""
    raw = folder / "raw.img"
    run(*tool("qemu-img"), "convert", "-O", "raw", card, raw)
    text = run(*tool("mtype"), "-i", fat_part(raw), f"::{name}")
    raw.unlink()
    return text


def stick(image: Path, *files: Path, kind: str = "fat", megabytes: int = 64) -> Path:
    """Make a USB stick with files, without a table of partitions."""
    with image.open("wb") as file:
        file.truncate(megabytes << 20)
    run(*tool(f"mkfs.{kind}"), image)
    if files:
        run(*tool("mcopy"), "-i", image, *files, "::")
    return image


def layer(card: Path, new: Path) -> Path:
    """Make a card that is read from another one and written apart from it."""
    kind = "raw" if card.suffix == ".img" else "qcow2"
    with suppress(FileNotFoundError):
        new.unlink()
    run(*tool("qemu-img"), "create", "-q", "-f", "qcow2", "-F", kind, "-b", card, new)
    return new
