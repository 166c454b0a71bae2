"""Facts read from recorded machines."""

import tempfile
from pathlib import Path

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
from tests.support.program import as_nobody

REVISION = "proc/device-tree/system/linux,revision"
FAMILIES = {
    "zero-w": Family.ZERO,
    "zero-2-w": Family.ZERO_2,
    "3b+": Family.THREE,
    "4b": Family.FOUR,
    "400": Family.FOUR,
    "5": Family.FIVE,
}


def test_a_board_is_known_by_its_revision(tmp_path: Path) -> None:
    """The device tree has the model; the revision, there or in cpuinfo, has the family."""
    nine: Files = {
        "proc/device-tree/model": "Raspberry Pi 9\0",
        REVISION: bytes.fromhex("00d0fff0"),
    }
    rows: list[tuple[str, Files, str | None, Family | None]] = [
        *((name, {}, PIS[name].model, family) for name, family in FAMILIES.items()),
        ("400", {REVISION: None}, PIS["400"].model, Family.FOUR),
        ("5", nine, "Raspberry Pi 9", None),
        ("4b", {"proc/device-tree/model": "Radxa ROCK 4C+\0"}, None, None),
        ("pc", {}, None, None),
    ]
    for number, (name, changes, model, family) in enumerate(rows):
        machine = read_machine(record(tmp_path / str(number), name, changes))
        assert (model, family) == (machine.model, machine.family), rows[number]
    assert PIS.keys() == FAMILIES.keys()
    assert (6, 12, 43) == machine.kernel


def test_analogue_sound_is_distinguished_from_that_of_hdmi(tmp_path: Path) -> None:
    """Only the headphone socket's card uses the PWM, not HDMI or USB."""
    rows: list[tuple[str | None, bool]] = [
        (HDMI_CARD, False),
        (HDMI_CARD + ANALOGUE_CARD, True),
        (" 0 [ALSA           ]: bcm2835_alsa - bcm2835 ALSA\n", True),
        (" 0 [b1             ]: bcm2835_hdmi - bcm2835 HDMI 1\n   bcm2835 HDMI 1\n", False),
        (" 0 [Device         ]: USB-Audio - USB Audio Device\n   at usb-bcm2835-1.4\n", False),
        ("--- no soundcards ---\n", False),
        (None, False),
    ]
    for number, (cards, analogue) in enumerate(rows):
        machine = read_machine(record(tmp_path / str(number), "3b+", {CARDS: cards}))
        assert analogue is machine.analogue_audio, cards


def test_the_voltage_alarm(tmp_path: Path) -> None:
    """The kernel's alarm counts; silence counts only if something measures."""
    rows: list[tuple[str, str | None, bool | None]] = [
        ("4b", "0\n", False),
        ("4b", "1\n", True),
        ("4b", None, None),
        ("4b", "?\n", None),
        ("5", "1\n", True),
        ("zero-w", "0\n", None),
        ("zero-2-w", "0\n", None),
        ("zero-w", "1\n", True),
        ("pc", None, None),
    ]
    for number, (name, alarm, undervolted) in enumerate(rows):
        machine = read_machine(record(tmp_path / str(number), name, {ALARM: alarm}))
        assert undervolted is machine.undervolted, rows[number]


def test_the_size_of_the_spi_buffer(tmp_path: Path) -> None:
    """The kernel's module has it; without the module it is unknown."""
    sizes = {"65536\n": 65536, None: None, "x\n": None}
    for number, (reported, size) in enumerate(sizes.items()):
        root = record(tmp_path / str(number), "3b+", {BUFSIZ: reported})
        assert size == read_machine(root).spi_bufsiz


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
