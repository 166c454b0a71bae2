"""Facts read from recorded machines."""

import tempfile
from pathlib import Path

import pytest

from hardware.pi import Family, PioOverlay, read_machine
from tests.support.machines import (
    ALARM,
    ANALOGUE_CARD,
    BUFSIZ,
    CARDS,
    CONFIG,
    HDMI_CARD,
    PIS,
    Files,
    overlay,
    record,
)
from tests.support.nobody import as_nobody

FAMILIES = {
    "zero-w": Family.ZERO,
    "zero-2-w": Family.ZERO_2,
    "3b+": Family.THREE,
    "4b": Family.FOUR,
    "400": Family.FOUR,
    "5": Family.FIVE,
}


@pytest.mark.parametrize("name", PIS)
def test_a_board_is_known_by_its_revision(name: str, tmp_path: Path) -> None:
    """The device tree has the model, the revision code the family."""
    machine = read_machine(record(tmp_path, name))
    assert (PIS[name].model, FAMILIES[name]) == (machine.model, machine.family)


def test_an_ordinary_machine_is_no_pi(tmp_path: Path) -> None:
    """Only the kernel of a PC is known."""
    machine = read_machine(record(tmp_path, "pc"))
    assert (None, None, (6, 12, 43)) == (machine.model, machine.family, machine.kernel)


def test_another_board_with_a_device_tree_is_no_pi(tmp_path: Path) -> None:
    """The revision of another maker's model is not read."""
    machine = read_machine(record(tmp_path, "4b", {"proc/device-tree/model": "Radxa ROCK 4C+\0"}))
    assert (None, None) == (machine.model, machine.family)


def test_without_a_device_tree_the_revision_is_that_of_cpuinfo(tmp_path: Path) -> None:
    """It is the second place with the revision."""
    changes: Files = {"proc/device-tree/system/linux,revision": None}
    assert Family.FOUR is read_machine(record(tmp_path, "400", changes)).family


def test_a_pi_to_come(tmp_path: Path) -> None:
    """An unknown board has a model and no family."""
    changes: Files = {
        "proc/device-tree/model": "Raspberry Pi 9\0",
        "proc/device-tree/system/linux,revision": bytes.fromhex("00d0fff0"),
    }
    machine = read_machine(record(tmp_path, "5", changes))
    assert ("Raspberry Pi 9", None) == (machine.model, machine.family)


@pytest.mark.parametrize(
    ("cards", "analogue"),
    [
        (HDMI_CARD, False),
        (HDMI_CARD + ANALOGUE_CARD, True),
        (" 0 [ALSA           ]: bcm2835_alsa - bcm2835 ALSA\n", True),
        (" 0 [b1             ]: bcm2835_hdmi - bcm2835 HDMI 1\n   bcm2835 HDMI 1\n", False),
        (" 0 [Device         ]: USB-Audio - USB Audio Device\n   at usb-bcm2835-1.4\n", False),
        ("--- no soundcards ---\n", False),
        (None, False),
    ],
)
def test_analogue_sound_is_distinguished_from_that_of_hdmi(
    cards: str | None, analogue: bool, tmp_path: Path
) -> None:
    """Only the headphone socket's card uses the PWM, not HDMI or USB."""
    machine = read_machine(record(tmp_path, "3b+", {CARDS: cards}))
    assert analogue is machine.analogue_audio


@pytest.mark.parametrize(
    ("name", "alarm", "undervolted"),
    [
        ("4b", "0\n", False),
        ("4b", "1\n", True),
        ("4b", None, None),
        ("4b", "?\n", None),
        ("5", "1\n", True),
        ("zero-w", "0\n", None),
        ("zero-2-w", "0\n", None),
        ("zero-w", "1\n", True),
        ("pc", None, None),
    ],
)
def test_the_voltage_alarm(
    name: str, alarm: str | None, undervolted: bool | None, tmp_path: Path
) -> None:
    """The kernel's alarm counts; silence counts only if something measures."""
    assert undervolted is read_machine(record(tmp_path, name, {ALARM: alarm})).undervolted


@pytest.mark.parametrize(("reported", "size"), [("65536\n", 65536), (None, None), ("x\n", None)])
def test_the_size_of_the_spi_buffer(reported: str | None, size: int | None, tmp_path: Path) -> None:
    """The kernel's module has it; without the module it is unknown."""
    assert size == read_machine(record(tmp_path, "3b+", {BUFSIZ: reported})).spi_bufsiz


def test_overlays_are_read_from_the_device_tree(tmp_path: Path) -> None:
    """They have LEDs, white, brightness (by default 255) and pin."""
    second = overlay(144, gpio=18, rgbw=True, brightness=None)
    machine = read_machine(record(tmp_path, "5", second))
    assert (
        PioOverlay(leds=1206, rgbw=False, brightness=0, gpio=10),
        PioOverlay(leds=144, rgbw=True, brightness=255, gpio=18),
    ) == machine.strips


def test_whether_this_user_may_open_a_device_is_a_fact() -> None:
    """A device that is closed to the user is known."""
    with tempfile.TemporaryDirectory() as folder:  # unlike tmp_path one that others may enter
        root = record(Path(folder), "5")
        for place in (root, root / "dev"):
            place.chmod(0o755)
        (root / "dev/leds0").chmod(0o000)
        for open_to_all in ("pio0", "gpiomem", "mem", "vcio"):
            (root / "dev" / open_to_all).chmod(0o666)
        with as_nobody():
            devices = read_machine(root).devices
    open_ones = {f"/dev/{name}": True for name in ("gpiomem", "mem", "pio0", "vcio")}
    assert {"/dev/leds0": False} | open_ones == devices


def test_where_config_txt_lies(tmp_path: Path) -> None:
    """The new place precedes the old one, which may have a note; else it is None."""
    root = record(tmp_path, "4b", {CONFIG: None, "boot/config.txt": "core_freq=500\n"})
    old = read_machine(root)
    assert (old.boot and old.boot.file) == old.config == "/boot/config.txt"
    record(tmp_path, "4b")
    assert "/boot/firmware/config.txt" == read_machine(root).config
    (root / CONFIG).unlink()
    (root / "boot/config.txt").unlink()
    none = read_machine(root)
    assert (None, "/boot/firmware/config.txt") == (none.boot, none.config)
