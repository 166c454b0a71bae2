"""Evenings on the parts of a Pi 3 with the kernel's drivers for them. `make test-pi` runs them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pi.machine import RASPI_3B, SPI, Pi, powered
from tests.pi.parts import boot_file, layer, missing_package

pytestmark = [pytest.mark.timeout(1200), pytest.mark.tool(lacks=missing_package())]
NO_WATCHDOG = "module_blacklist=bcm2835_wdt"
"""The emulated watchdog resets the machine as soon as it is started."""
TRACE = "trace_event=spi:spi_message_submit"
TRACING = "/sys/kernel/tracing"
LEDS = 1206
ONE, ZERO = "110", "100"


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
def pi(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pi]:
    """Return a Pi 3 that has started with the boot lines of the package."""
    folder = tmp_path_factory.mktemp("pi")
    card = layer(installed, folder / "card.qcow2")
    line, tree = firmware(card, folder)
    with powered(RASPI_3B, card, folder, line=f"{line} {TRACE}", tree=tree) as pi:
        pi.page()
        yield pi


def colours(sent: str) -> list[list[int]]:
    """Return the colours that WS2812 LEDs read in the bits of a transfer, in red, green and blue.

    A bit lasts three bits of SPI: high, its value, low. Low for long is the end.
    """
    bits = "".join(f"{byte:08b}" for byte in bytes.fromhex(sent)).rstrip("0") + "00"
    codes = [bits[at : at + 3] for at in range(0, len(bits) - len(bits) % 3, 3)]
    assert set(codes) <= {ONE, ZERO}
    values = [
        "".join(str(int(code == ONE)) for code in codes[at : at + 8])
        for at in range(0, len(codes), 8)
    ]
    green, red, blue = ([int(text, 2) for text in values[n::3]] for n in range(3))
    return [list(colour) for colour in zip(red, green, blue, strict=True)]


def test_the_strip_gets_the_frames_that_were_shown(pi: Pi) -> None:
    """The kernel's driver was given just the codes of each frame, and black at the end."""
    pi.run("systemctl stop cribwars")
    pi.run(f"echo 64 >{TRACING}/buffer_subbuf_size_kb")
    pi.run(f"echo 1 >{TRACING}/events/spi/spi_transfer_start/enable")
    strip = f"--strip spi:ws2812b --leds {LEDS} --budget-ma 60000"
    patterns = "--pattern index --pattern zones --pattern white"
    pi.run(f"cribwars lights test {strip} {patterns} --frames 2 --dump /run/frames", seconds=300)
    pi.run(f"echo 0 >{TRACING}/events/spi/spi_transfer_start/enable")
    frames = [json.loads(line)["channels"][0] for line in pi.run("cat /run/frames").splitlines()]
    sent = [colours(line) for line in pi.run("spi").splitlines()]
    assert len(frames) >= 6
    assert any(max(map(max, frame)) for frame in frames)
    assert frames == sent[: len(frames)]
    assert [[0, 0, 0]] * LEDS == sent[-1]
    pi.run("systemctl start cribwars")
    pi.page()
