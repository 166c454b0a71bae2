"""Evenings on the parts of a Pi 3 with the kernel's drivers for them. `make test-pi` runs them."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.appliance.page import until
from tests.firmware_bridge.board_on_pty import UnoOnPty, uno_on_pty
from tests.pi.machine import CARD, PAGE_S, RASPI_3B, SPI, Pi, powered
from tests.pi.parts import boot_file, layer, missing_package, stick
from tests.support import simavr_harness

pytestmark = [
    pytest.mark.timeout(1200),
    pytest.mark.tool(lacks=missing_package() or simavr_harness.missing()),
]
NO_WATCHDOG = "module_blacklist=bcm2835_wdt"
"""The emulated watchdog resets the machine as soon as it is started."""
TRACE = "trace_event=spi:spi_message_submit"
TRACING = "/sys/kernel/tracing"
SEEN, LED_BYTES = 7, 9
"""LEDs whose codes are among the bytes that the kernel traces, and bytes of each."""
RESET_BYTES = 84
"""Bytes of low level after a frame: 280 microseconds at 2.4 MHz."""
ONE, ZERO = "110", "100"
SETTINGS = "/etc/cribwars/cribwars.toml"
ON_USB = """
[wiring]
per = "hole"
[strip]
driver = "serial"
[panel]
buttons = "serial"
"""
PLUS_FIVE, ENTER = 1, 2
"""Inputs of the first side's buttons on the board on USB."""


def firmware(card: Path, folder: Path) -> tuple[str, str]:
    """Return what the boot files of a card add to the kernel's line and to the device tree."""
    config, filters = boot_file(card, "config.txt", folder), {"all", "pi3"}
    section, has_spi = "all", False
    for line in config.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        has_spi |= line == "dtparam=spi=on" and section in filters
    words = boot_file(card, "cmdline.txt", folder).split()
    line = " ".join(word for word in words if not word.startswith(("console=", "root=")))
    return f"{line} {NO_WATCHDOG}", SPI if has_spi else ""


@pytest.fixture(scope="module")
def uno() -> Iterator[UnoOnPty]:
    """Return an Uno that is unplugged only when the Pi is gone, which QEMU would not survive."""
    with uno_on_pty() as uno:
        yield uno


@pytest.fixture(scope="module")
def pi(
    installed: Path,
    uno: UnoOnPty,  # noqa: ARG001  # it ends after the Pi
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Pi]:
    """Return a Pi 3 that has started with the boot lines of the package."""
    folder = tmp_path_factory.mktemp("pi")
    card = layer(installed, folder / CARD)
    line, tree = firmware(card, folder)
    with powered(RASPI_3B, card, folder, line=f"{line} {TRACE}", tree=tree) as pi:
        wait_for_page(pi)
        yield pi


def wait_for_page(pi: Pi) -> None:
    """Wait until the page answers on the Pi itself."""
    until(lambda: "seq" in pi.run("ask /api/table", check=False), PAGE_S, "the page")


def traced(pi: Pi) -> list[tuple[int, bytes]]:
    """Return each traced transfer: its length, and its first 64 bytes, which the kernel keeps."""
    said = pi.run(f"cat {TRACING}/trace")
    found = re.findall(r"spi_transfer_start: .* len=(\d+) tx=\[([^\]]*)\]", said)
    return [(int(length), bytes.fromhex(sent.replace("-", ""))) for length, sent in found]


def colours(sent: bytes) -> list[list[int]]:
    """Return the colours that the first WS2812 LEDs read in these bytes, in red, green and blue.

    Each bit of a colour lasts three bits of SPI: high, its value, low.
    """
    bits = "".join(f"{byte:08b}" for byte in sent[: SEEN * LED_BYTES])
    codes = [bits[at : at + 3] for at in range(0, len(bits), 3)]
    assert set(codes) <= {ONE, ZERO}
    ones = "".join(str(int(code == ONE)) for code in codes)
    values = [int(ones[at : at + 8], 2) for at in range(0, len(ones), 8)]
    green, red, blue = (values[n::3] for n in range(3))
    return [list(colour) for colour in zip(red, green, blue, strict=True)]


def test_the_boot_lines_give_the_strip_its_buffer(pi: Pi) -> None:
    """With what the package wrote into the boot files, the doctor finds the strip in order."""
    assert "32768" == pi.run("cat /sys/module/spidev/parameters/bufsiz").strip()
    levels = {each["what"]: each["level"] for each in pi.ask("/api/doctor")}
    assert ("ok", "ok") == (levels["SPI buffer"], levels['[strip] driver = "spi:ws2812b"'])


@pytest.mark.parametrize(
    ("leds", "patterns"), [(SEEN, ("index", "order")), (1206, ("white",))], ids=["few", "all"]
)
def test_the_strip_gets_the_frames_that_were_shown(
    pi: Pi, leds: int, patterns: Sequence[str]
) -> None:
    """The kernel's driver was given just the codes of each frame, and black at the end."""
    pi.run("systemctl stop cribwars")
    enable = f"{TRACING}/events/spi/spi_transfer_start/enable"
    frames, sent = [], []
    for pattern in patterns:
        pi.run(f"echo >{TRACING}/trace; echo 1 >{enable}")
        options = (
            f"--leds {leds} --budget-ma 80000 --pattern {pattern} --frames 3 --dump /run/frames"
        )
        pi.run(f"cribwars lights test --strip spi:ws2812b {options}", seconds=300)
        pi.run(f"echo 0 >{enable}")
        shown = [json.loads(line)["channels"][0] for line in pi.run("cat /run/frames").splitlines()]
        assert 3 == len(shown)
        frames += [*shown, [[0, 0, 0]] * leds]
        sent += traced(pi)
    assert [frame[:SEEN] for frame in frames] == [colours(data) for _, data in sent]
    assert all(length >= LED_BYTES * leds + RESET_BYTES for length, _ in sent)
    assert any(max(map(max, frame)) for frame in frames)


def sequence(pi: Pi) -> int:
    """Return the number of accepted commands."""
    return int(pi.ask("/api/table")["seq"])


def test_a_board_on_usb(pi: Pi, uno: UnoOnPty) -> None:
    """An Uno behind the kernel's driver of its serial port lights the lamps and enters a count."""
    pi.run(f"cat >{SETTINGS} <<'end'\n{ON_USB}end")
    pi.run("systemctl restart cribwars", seconds=PAGE_S)
    wait_for_page(pi)
    seq = sequence(pi)
    uno.plug_in()
    line = {"type": "serial", "data": {"device": uno.device}}
    pi.execute("chardev-add", id="uno", backend=line)
    pi.execute("device_add", driver="usb-serial", id="uno", chardev="uno")
    uno.until(lambda: any(map(any, uno.shown())))
    uno.press(PLUS_FIVE)
    until(lambda: pi.ask("/api/table")["teams"]["1"]["pending"] == 5, PAGE_S, "five points")
    uno.press(PLUS_FIVE, down=False)
    uno.press(ENTER)
    until(lambda: sequence(pi) == seq + 1, PAGE_S, "the count")


def test_sticks(pi: Pi, tmp_path: Path) -> None:
    """A FAT and an exFAT stick get a backup each, through the driver of the Pi's USB."""
    pi.ask("/api/new-game", teams=[1, 2])
    images = [stick(tmp_path / kind, kind=kind) for kind in ("fat", "exfat")]
    for image in images:
        pi.plug_in(image)
    until(lambda: 2 == backups_on_sticks(pi), PAGE_S, "two backups")
    for image in images:
        pi.pull_out(image)
    until(lambda: 0 == backups_on_sticks(pi), PAGE_S, "no stick")


def backups_on_sticks(pi: Pi) -> int:
    """Return how many backups on sticks the page lists."""
    return sum(each["on_stick"] for each in pi.ask("/api/backups"))
