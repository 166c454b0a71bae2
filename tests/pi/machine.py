"""A Pi that runs in QEMU: its console, its pins, its page, and its plug.

Two machines show what one cannot. *VIRT* has no chip of a Pi, but the kernel's gpio-sim as the
header of a Pi 3: real presses, and the faster one. *RASPI_3B* has the card reader and SPI of a
Pi 3 with the kernel's drivers for them, but its pins have no inputs, and no network reaches it.
"""

import json
import os
import secrets
import selectors
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zlib import crc32

from companion.buttons import DEFAULT_PINS
from tests.appliance.page import Page, until
from tests.pi.parts import System, blank_card, layer, made, run, system, tool, tools

BOOT_S: Final = 400.0
"""Seconds to a console: a machine that is busy may emulate slowly."""
PAGE_S: Final = 400.0
MONITOR: Final = "monitor"
"""Name of the socket of QEMU's monitor."""
LOG: Final = "console.log"
"""Name of what the console and QEMU said."""
COMMAND_S: Final = 120.0
CARD: Final = "card.qcow2"
"""Name of a card, in the folder of its Pi."""
MEMORY: Final = "memory"

_HEADER = """
/ {
    model = "Raspberry Pi 3 Model B Rev 1.2";
    system { linux,revision = <0xa02082>; };
    pl061@9030000 { status = "disabled"; };
    gpio-keys { status = "disabled"; };
    gpio-sim {
        compatible = "gpio-simulator";
        header: bank0 {
            gpio-controller;
            #gpio-cells = <2>;
            ngpios = <54>;
            gpio-sim,label = "pinctrl-bcm2835";
        };
    };
};
"""
SPI: Final = """
&{/soc/spi@7e204000} {
    status = "okay";
    /delete-property/ dmas;
    /delete-property/ dma-names;
    spidev@0 { compatible = "rohm,dh2228fv"; reg = <0>; spi-max-frequency = <125000000>; };
};
"""
"""What the firmware makes of dtparam=spi=on, without DMA, which the emulated controller lacks."""
_PI_3 = """
/ { system { linux,revision = <0xa02082>; }; };
&{/soc/serial@7e201000} { /delete-node/ bluetooth; };
"""
"""The revision that the firmware adds; and a serial port without Bluetooth, for the console."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine of QEMU: its options, the way of its card, its root, its consoles."""

    options: Sequence[str]
    card: str
    root: str
    line: str


# It has one processor, as several would wait for each other where two Pis share two real ones. A
# kernel at a random address has page tables of its own, and to change to them at each call takes a
# third of the emulator's time.
VIRT: Final = Machine(
    (
        *("-M", "virt,gic-version=2", "-cpu", "cortex-a53", "-m", "1024"),
        *("-device", "qemu-xhci"),
    ),
    "if=virtio",
    "vda2",
    "console=ttyAMA0 nokaslr",
)
# Its four processors take turns in one thread: four threads wait for each other at every change of
# the page tables.
RASPI_3B: Final = Machine(
    ("-M", "raspi3b", "-accel", "tcg,thread=single"),
    "if=sd",
    "mmcblk0p2",
    "console=ttyAMA0,115200 console=ttyAMA1,115200",
)


def free_port() -> int:
    """Return a free port of this machine."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Pi(Page):
    """A Pi that has power."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, folder: Path) -> None:
        super().__init__(port)
        self.process = process
        self._log, self._monitor, self._said = folder / LOG, folder / MONITOR, b""
        assert process.stdout
        os.set_blocking(process.stdout.fileno(), False)

    def read_until(self, mark: str, seconds: float) -> str:
        """Return what the console says before a mark."""
        output = self.process.stdout
        assert output
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector, self._log.open("ab", buffering=0) as log:
            selector.register(output, selectors.EVENT_READ)
            while (found := self._said.find(mark.encode())) < 0:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise AssertionError(f"no '{mark}' within {seconds:.0f} s: {self.last_words()}")
                if selector.select(left):
                    data = output.read()
                    if data == b"":
                        raise AssertionError(f"no '{mark}', but the end: {self.last_words()}")
                    log.write(data or b"")
                    self._said += data or b""
        said, self._said = self._said[:found], self._said[found + len(mark) :]
        return said.decode(errors="replace")

    def listen(self, seconds: float) -> str:
        """Return what the console says in some seconds."""
        with suppress(AssertionError):
            self.read_until("\0", seconds)
        said, self._said = self._said, b""
        return said.decode(errors="replace")

    def last_words(self) -> str:
        """Return the end of what the console said."""
        return self._log.read_bytes()[-3000:].decode(errors="replace")

    def type(self, text: str) -> None:
        """Type on the console."""
        assert self.process.stdin
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def log_in(self) -> None:
        """Wait for the console's shell, and make it quiet."""
        self.read_until(":~# ", BOOT_S)
        self.type("export TERM=dumb; stty -echo; PS1=; PS2=; dmesg --console-off; echo rea'dy'\n")
        self.read_until("ready\r\n", COMMAND_S)

    def ask(self, path: str, **body: object) -> Any:  # noqa: ANN401  # JSON
        """Return the page's response to a request of the Pi itself; with a body it is a POST."""
        words = f"ask '{path}'" + (f" '{json.dumps(body)}'" if body else "")
        return json.loads(self.run(words).strip() or "null")

    def run(self, command: str, *, seconds: float = COMMAND_S, check: bool = True) -> str:
        """Return the output of a command on the console."""
        mark = secrets.token_hex(4)
        self.type(f"{{\n{command}\n}} </dev/null 2>&1; echo {mark}=$?.\n")
        said = self.read_until(f"{mark}=", seconds).replace("\r\n", "\n")
        status = int(self.read_until(".\r\n", seconds))
        assert not check or 0 == status, said
        return said

    def page(self, seconds: float = PAGE_S) -> dict[str, Any]:
        """Return the table as soon as the page answers."""
        return super().page(seconds)

    def log(self) -> str:
        """Return the log of the service."""
        return self.run(
            "journalctl --unit='cribwars*' --output=cat --no-pager --lines=40", check=False
        )

    def press(self, *buttons: str, seconds: float = 0.06) -> None:
        """Press buttons at the pins one after the other, each for some seconds."""
        length = seconds * 1000
        step = length + 100
        moves = [
            f"{n * step + wait:.0f}:{DEFAULT_PINS[button]}:{level}"
            for n, button in enumerate(buttons)
            for wait, level in ((0.0, "down"), (length, "up"))
        ]
        self.move_pins(*moves)

    def move_pins(self, *moves: str) -> list[tuple[float, float]]:
        """Move pins; each move is its milliseconds from now, its pin, and down or up.

        Return the milliseconds between which each was moved: an emulator may keep it waiting.
        """
        said = self.run(f"pins {' '.join(moves)}")
        return [(float(begin), float(end)) for begin, end in map(str.split, said.splitlines())]

    def plug_in(self, image: Path, *, protected: bool = False) -> None:
        """Plug in a USB stick with the content of an image."""
        file = {"driver": "file", "filename": str(image), "read-only": protected}
        node = {"driver": "raw", "node-name": image.stem, "file": file, "read-only": protected}
        self.execute("blockdev-add", **node)
        self.execute("device_add", driver="usb-storage", id=image.stem, drive=image.stem)

    def pull_out(self, image: Path) -> None:
        """Pull the USB stick out."""
        self.execute("device_del", id=image.stem)

    def execute(self, command: str, **arguments: object) -> Any:  # noqa: ANN401  # JSON
        """Return what QEMU's monitor returns for a command, by its protocol QMP."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(COMMAND_S)
            line.connect(str(self._monitor))
            with line.makefile("rw") as monitor:
                for words in (
                    {"execute": "qmp_capabilities"},
                    {"execute": command, "arguments": arguments},
                ):
                    monitor.write(json.dumps(words))
                    monitor.flush()
                    said: dict[str, object] = {}
                    while not said.keys() & {"return", "error"}:  # news come between
                        said = json.loads(monitor.readline())
                    assert "error" not in said, said
        return said["return"]

    def power_off(self) -> None:
        """Shut down properly, and wait for the end."""
        self.type("systemctl poweroff\n")
        with suppress(AssertionError):
            self.read_until("reboot: Power down", COMMAND_S)
        self.pull_the_plug()

    def pull_the_plug(self) -> None:
        """End the machine at once. What its card has not been told to keep is lost."""
        self.close()
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextmanager
def powered(
    machine: Machine,
    card: Path,
    folder: Path,
    *,
    line: str = "",
    options: Sequence[str] = (),
    tree: str = "",
    log_in: bool = True,
    is_set_up: bool = True,
) -> Iterator[Pi]:
    """Give power to a Pi until the block ends.

    Args:
        machine: the machine of QEMU.
        card: the image of its card, which is written to.
        folder: keeps the console's log and the device tree.
        line: what the boot files add to the kernel's command line.
        options: options of QEMU for what is plugged in.
        tree: what is added to the device tree, as its source.
        log_in: False to return before it has booted.
        is_set_up: False for a card as it was written: cloud-init runs, and the first dialog waits.
    """
    parts = system()
    port = free_port()
    line += " cloud-init=disabled systemd.mask=userconfig.service" if is_set_up else ""
    net = (
        *("-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{port}-:8000"),
        *("-device", "virtio-net-device,netdev=net"),
    )
    words = (
        *tool("qemu-system-aarch64"),
        *("-L", str(tools() / "usr/share/qemu"), *machine.options),
        *("-kernel", str(parts.file("vmlinuz-*")), "-initrd", str(parts.file("initrd.img-*"))),
        *("-dtb", str(_device_tree(machine, parts, folder, tree))),
        *("-append", f"root=/dev/{machine.root} rootwait rw quiet {machine.line} {line}"),
        *("-drive", f"{machine.card},format=qcow2,file={card},cache=writethrough"),
        *(net if machine is VIRT else ()),
        *("-qmp", f"unix:{folder / MONITOR},server=on,wait=off"),
        *("-nographic", "-no-reboot", *options),
    )
    modules = str(tools() / "usr/lib/x86_64-linux-gnu/qemu")
    with (
        (folder / LOG).open("ab") as log,
        subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env=os.environ | {"QEMU_MODULE_DIR": modules},
        ) as process,
    ):
        pi = Pi(process, port, folder)
        try:
            if log_in:
                pi.log_in()
            yield pi
        finally:
            pi.pull_the_plug()


def installed_card(package: Path) -> Path:
    """Return the card on which our package was installed with dpkg; the machine of pins does it."""

    def make(new: Path) -> None:
        with TemporaryDirectory(prefix="cribwars-pi-") as name:
            folder = Path(name)
            (folder / "stick").mkdir()
            shutil.copy(package, folder / "stick")
            stick = ("-drive", f"file=fat:ro:{folder}/stick,format=raw,if=virtio,readonly=on")
            card = layer(blank_card(), new)
            with powered(VIRT, card, folder, options=stick) as pi:
                pi.run(f"mount -o ro /dev/vdb1 /mnt && dpkg -i /mnt/{package.name}", seconds=600)
                pi.power_off()

    return made("pi-installed", f"{blank_card()}{crc32(package.read_bytes())}", make, ".qcow2")


def started_pi(package: Path) -> Path:
    """Return the folder of a Pi that has started with our package: its card and its memory."""
    installed = installed_card(package)

    def make(new: Path) -> None:
        new.mkdir()
        card = layer(installed, new / CARD)
        with (
            TemporaryDirectory(prefix="cribwars-pi-") as name,
            powered(VIRT, card, Path(name)) as pi,
        ):
            pi.page()
            pi.execute("migrate", uri=f"file:{new / MEMORY}")
            done = "completed"
            until(lambda: pi.execute("query-migrate")["status"] == done, COMMAND_S, "the memory")

    return made("pi-started", f"{tools()}{installed}{VIRT}", make)


@contextmanager
def resumed(started: Path, folder: Path) -> Iterator[Pi]:
    """Give power to a Pi that goes on where it was after its start, which takes no time again.

    Its card, in the folder, is as any other.
    """
    card = layer(started / CARD, folder / CARD)
    incoming = ("-incoming", f"file:{started / MEMORY}")

    def runs() -> bool:
        with suppress(FileNotFoundError, ConnectionRefusedError):
            return bool(pi.execute("query-status")["running"])
        return False

    with powered(VIRT, card, folder, log_in=False, options=incoming) as pi:
        until(runs, COMMAND_S, "the memory")
        yield pi


def _device_tree(machine: Machine, parts: System, folder: Path, added: str) -> Path:
    """Return the machine's device tree with what is added to it."""
    tree = folder / "machine.dtb"
    if machine is VIRT:
        dump = (f"{machine.options[1]},dumpdtb={tree}", *machine.options[2:])
        share = str(tools() / "usr/share/qemu")
        run(*tool("qemu-system-aarch64"), "-L", share, "-M", *dump, "-display", "none")
    else:
        tree.write_bytes(parts.file("*.dtb").read_bytes())
    source = run(*tool("dtc"), "-q", "-I", "dtb", "-O", "dts", tree)
    source += (_HEADER if machine is VIRT else _PI_3) + added
    text = folder / "machine.dts"
    text.write_text(source)
    run(*tool("dtc"), "-q", "-I", "dts", "-O", "dtb", "-o", tree, text)
    return tree
