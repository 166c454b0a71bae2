"""The facts of a machine, read from recorded ones, and conclusions from them."""

import tempfile
from dataclasses import replace
from pathlib import Path

from hardware.pi import Family, PiBoard, PioOverlay, read_machine
from hardware.pi.boot import board_of, parse_boot
from hardware.strips import StripSpec
from tests.support.machines import (
    ALARM,
    ANALOGUE_CARD,
    BUFSIZ,
    CARDS,
    CONFIG,
    HDMI_CARD,
    KERNEL,
    PIS,
    SPI,
    STOCK_CONFIG,
    Files,
    overlay,
    record,
)
from tests.support.program import as_nobody

ZERO_2_W, THREE_PLUS, FOUR = (board_of(PIS[name].revision) for name in ("zero-2-w", "3b+", "4b"))
NO_OVERLAY: Files = {"dev/leds0": None, CONFIG: STOCK_CONFIG}


# Revision codes, and config.txt as the firmware of one board reads it


def test_families_by_revision_code() -> None:
    """Modules and keyboards count as their namesakes; new boards by their processor."""
    families = {
        0x0010: Family.ONE,  # numbered one by one before 2015
        0x1000010: Family.ONE,  # the same with a warranty bit
        0x900093: Family.ZERO,
        0xA01041: Family.TWO,
        0xA22042: Family.TWO,  # a 2 with the processor of a 3
        0xA020A0: Family.THREE,  # CM3
        0xA03140: Family.FOUR,  # CM4
        0xB04180: Family.FIVE,  # CM5
        0xD04190: Family.FIVE,  # 500
        0xD04FF0: Family.FIVE,  # a board to come, with the processor of a 5
        0xD0FFF0: None,  # one with a processor to come
    }
    assert families == {code: getattr(board_of(code), "family", None) for code in families}


def test_sections_of_config_txt() -> None:
    """Models replace each other, other conditions are not met, [all] ends them."""
    rows: list[tuple[str, PiBoard | None, int]] = [
        ("core_freq=250", FOUR, 250),
        ("#core_freq=250", FOUR, 0),
        (" core_freq = 250 \r\n", FOUR, 250),
        ("core_freq=250\ncore_freq=300", FOUR, 300),
        ("[pi4]\ncore_freq=500", FOUR, 500),
        ("[pi3]\ncore_freq=250\n[all]\n", FOUR, 0),
        ("[pi3]\ncore_freq=250\n[pi4]\ncore_freq=500", FOUR, 500),
        ("[pi4]\ncore_freq=500\n[pi3]\ncore_freq=250", FOUR, 500),
        ("[none]\ncore_freq=1\n[all]\ncore_freq=2", FOUR, 2),
        ("[pi3+]\ncore_freq=250", THREE_PLUS, 250),
        ("[pi3]\ncore_freq=250", THREE_PLUS, 250),
        ("[pi02]\ncore_freq=250", ZERO_2_W, 250),
        ("[pi0w]\ncore_freq=250", ZERO_2_W, 250),
        ("[pi0]\ncore_freq=250", ZERO_2_W, 250),
        ("[pi4]\ncore_freq=250", None, 0),
        ("[board-type=0x11]\ncore_freq=500", FOUR, 500),
        ("[board-type=0x14]\ncore_freq=500", FOUR, 0),
        ("[board-type=x]\ncore_freq=500", FOUR, 0),
        ("[EDID=VSC-TD2220]\ncore_freq=500", FOUR, 0),
        ("[0x12345678]\n[pi4]\ncore_freq=500", FOUR, 0),
        ("[gpio4=1]\n[all]\n[pi4]\ncore_freq=500", FOUR, 500),
        ("core_freq=much", FOUR, 0),
        ("core_freq=0xfa", FOUR, 250),
        ("core_freq=250mhz", FOUR, 0),
        ("core_freq=", FOUR, 0),
    ]
    assert rows == [
        (text, board, parse_boot(text, file=CONFIG, board=board).number("core_freq", 0))
        for text, board, _ in rows
    ]


def test_parameters_of_the_board() -> None:
    """Graphics overlays take `audio` until a line dtoverlay= ends that."""
    switched = {
        "": (None, None),
        "dtparam=audio=on": (True, None),
        "dtparam=spi,audio=off": (False, True),
        "dtparam=audio=on\ndtparam=audio=off": (False, None),
        "dtparam=audio=on\ndtoverlay=vc4-kms-v3d\ndtparam=audio=off,spi=on": (True, True),
        "dtparam=audio=on\ndtoverlay=vc4-kms-v3d\ndtoverlay=\ndtparam=audio=off": (False, None),
        "dtparam=audio=on\ndtoverlay=w1-gpio\ndtparam=audio=off": (False, None),
    }
    boots = {text: parse_boot(text, file=CONFIG, board=FOUR) for text in switched}
    assert switched == {
        t: (boot.switched("audio"), boot.switched("spi")) for t, boot in boots.items()
    }


def test_overlays_of_config_txt() -> None:
    """Each loaded one has its parameters; a line that only ends a scope is none."""
    text = "dtoverlay=vc4-kms-v3d,noaudio\ndtoverlay=w1-gpio:gpiopin=5\ndtoverlay=\n"
    boot = parse_boot(f"{text}[pi5]\ndtoverlay=ws2812-pio,gpio=10\n", file=CONFIG, board=FOUR)
    assert ("vc4-kms-v3d,noaudio", "w1-gpio:gpiopin=5") == boot.overlays
    assert (True, True) == (boot.loads("vc4-kms-v3d"), boot.loads("w1-gpio"))
    assert not boot.loads("ws2812-pio")


# Facts read from recorded machines


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


# The clock of SPI, and the possible drivers


def test_whether_the_core_clock_is_steady(tmp_path: Path) -> None:
    """It is if its highest value is its lowest; boards have different defaults."""
    rows: list[tuple[str, str | None, bool | None]] = [
        ("zero-w", "", False),
        ("zero-w", "core_freq=250", True),
        ("zero-2-w", "enable_uart=1", True),
        ("3b+", "", False),
        ("3b+", "enable_uart=1", True),
        ("3b+", "core_freq=400\ncore_freq_min=400", True),
        ("3b+", "[pi4]\ncore_freq=250", False),
        ("4b", "", False),
        ("4b", "core_freq=500", False),
        ("4b", "core_freq=500\ncore_freq_min=500", True),
        ("400", "force_turbo=1", True),
        ("4b", "enable_uart=1", False),
        ("5", "", True),
        ("4b", None, None),
    ]
    for number, (name, lines, steady) in enumerate(rows):
        text = None if lines is None else STOCK_CONFIG + lines
        machine = read_machine(record(tmp_path / str(number), name, {CONFIG: text}))
        assert steady is machine.core_clock_steady, rows[number]


BOARD = StripSpec(leds=(363,))
OLD_KERNEL: Files = {**NO_OVERLAY, KERNEL: "6.12.47+rpt"}
NOT_RESTARTED: Files = {"dev/leds0": None, CONFIG: "dtoverlay=ws2812-pio,gpio=10\n"}
NO_GPIOMEM: Files = {"dev/gpiomem": None}
NO_SPI: Files = {SPI: None, CONFIG: STOCK_CONFIG}
SILENT_SOON: Files = {CONFIG: "dtparam=audio=off\n"}
LEDS = "num_leds=363,brightness=0 to /boot/firmware/config.txt, restart the Pi and set"
NO_SOUND = "under [all], and restart the Pi (sudo /usr/lib/cribwars/prepare-machine --pwm adds"


def test_a_driver_that_cannot_run_is_reported_with_the_line_to_change(tmp_path: Path) -> None:
    """Problem and remedy are in one line."""
    rows: list[tuple[str, Files, str, tuple[str, str]]] = [
        ("5", NO_OVERLAY, "rpi_ws281x:spi", ("does not know the Raspberry Pi 5", LEDS)),
        ("5", NO_OVERLAY, "rpi_ws281x:pwm", ("does not know the Raspberry Pi 5", LEDS)),
        ("5", {}, "rpi_ws281x:pcm", ("does not know", 'set [strip] driver = "pio:/dev/leds0"')),
        ("5", OLD_KERNEL, "rpi_ws281x:spi", ("does not know", "=363 to /boot")),
        ("5", {**NO_OVERLAY, KERNEL: "6.12.56"}, "rpi_ws281x:spi", ("does not know", LEDS)),
        ("5", {"dev/pio0": None}, "neopixel:D18", ("no /dev/pio0", "rpi-eeprom-update -a")),
        ("5", NO_OVERLAY, "pio:/dev/leds0", ("there is no /dev/leds0", "add dtoverlay=")),
        ("5", NO_OVERLAY, "pio:leds0", ("there is no /dev/leds0", "add dtoverlay=")),
        ("5", NOT_RESTARTED, "pio:/dev/leds0", ("loads ws2812-pio", "restart the Pi")),
        ("5", {}, "pio:/dev/leds1", ("no /dev/leds1", 'driver = "pio:/dev/leds0"')),
        ("4b", {}, "pio:/dev/leds0", ("Pi 4 Model B Rev 1.1 has no PIO", "rpi_ws281x:spi")),
        ("zero-w", {}, "pio:/dev/leds0", ("Zero W Rev 1.1 has no PIO", "rpi_ws281x:spi")),
        ("3b+", {}, "rpi_ws281x:pwm", ("analogue sound uses the PWM", NO_SOUND)),
        ("3b+", {}, "neopixel:D12", ("analogue sound uses the PWM", NO_SOUND)),
        ("3b+", SILENT_SOON, "rpi_ws281x:pwm", ("analogue sound", "off, so restart the Pi")),
        ("4b", NO_SPI, "rpi_ws281x:spi", ("SPI is off", "add dtparam=spi=on to")),
        ("4b", NO_SPI, "neopixel:D10", ("SPI is off", "add dtparam=spi=on to")),
        ("4b", {SPI: None}, "rpi_ws281x:spi", ("SPI is off", "on, so restart the Pi")),
        ("5", NO_SPI, "spi:ws2812b", ("SPI is off", "add dtparam=spi=on to")),
        ("3b+", NO_GPIOMEM, "rpi_ws281x:spi", ("no /dev/gpiomem", 'driver = "spi:ws2812b"')),
        ("4b", {}, "neopixel:D4", ('"D4" cannot drive a strip', 'driver = "neopixel:18"')),
        (
            "zero-w",
            {},
            "neopixel:x9",
            ("only the pins 10, 12, 13, 18, 19 and 21 can", "wire the strip"),
        ),
        ("3b+", {}, "neopixel:NEOPIXEL", ('"NEOPIXEL" cannot drive a strip', "wire the strip")),
        ("5", {}, "neopixel:28", ('"28" is not one of the pins 0 to 27', '"pio:/dev/leds0"')),
        ("5", NO_OVERLAY, "neopixel:x9", ('"x9" is not one of the pins 0 to 27', "add dtoverlay=")),
    ]
    for number, (name, changes, driver, (problem, remedy)) in enumerate(rows):
        machine = read_machine(record(tmp_path / str(number), name, changes))
        why_not = machine.why_not(driver, BOARD)
        assert why_not is not None, rows[number]
        assert problem in str(why_not.problem)
        assert remedy in str(why_not.remedy)
        assert 1 == len(str(why_not).splitlines())


def test_a_device_that_is_closed_to_the_user(tmp_path: Path) -> None:
    """Its driver is refused with the groups or the user that may open it."""
    rows = [
        ("4b", "/dev/spidev0.0", "rpi_ws281x:spi", "usermod -aG spi,gpio"),
        ("4b", "/dev/gpiomem", "rpi_ws281x:spi", "usermod -aG spi,gpio"),
        ("4b", "/dev/spidev0.0", "spi:sk6812w", "usermod -aG spi,gpio"),
        ("400", "/dev/mem", "rpi_ws281x:pwm", "as root"),
        ("400", "/dev/vcio", "rpi_ws281x:pcm", 'driver = "rpi_ws281x:spi"'),
        ("400", "/dev/mem", "neopixel:D18", "as root"),
        ("5", "/dev/leds0", "pio:/dev/leds0", "90-cribwars.rules"),
        ("5", "/dev/pio0", "neopixel:D18", "90-cribwars.rules"),
    ]
    for name, device, driver, remedy in rows:
        machine = read_machine(record(tmp_path / name, name))
        closed = replace(machine, devices={**machine.devices, device: False})
        why_not = closed.why_not(driver)
        assert why_not is not None
        assert f"{device} may not be opened by this user" == str(why_not.problem)
        assert remedy in str(why_not.remedy)


DRIVERS = (
    "rpi_ws281x:spi",
    "rpi_ws281x:pwm",
    "rpi_ws281x:pcm",
    "neopixel:D18",
    "neopixel:D10",
    "pio:/dev/leds0",
    "virtual",
)

NEW: Files = {"proc/device-tree/system/linux,revision": bytes.fromhex("00d0fff0")}


def test_what_is_no_known_pi_is_let_through(tmp_path: Path) -> None:
    """On a PC or an unknown Pi every driver may try."""
    for root in (record(tmp_path / "pc", "pc"), record(tmp_path / "new", "5", NEW)):
        machine = read_machine(root)
        assert {None} == {machine.why_not(driver) for driver in DRIVERS}
        assert machine.core_clock_steady is None


def test_drivers_that_run(tmp_path: Path) -> None:
    """They have no faults, nor have drivers that need no Raspberry Pi."""
    rows: list[tuple[str, tuple[str, ...]]] = [
        ("zero-w", ("rpi_ws281x:spi", "rpi_ws281x:pwm", "rpi_ws281x:pcm", "neopixel:D18")),
        ("zero-2-w", ("rpi_ws281x:spi", "rpi_ws281x:pwm", "rpi_ws281x:pcm", "neopixel:D10")),
        ("3b+", ("rpi_ws281x:spi", "rpi_ws281x:pcm", "neopixel:D10", "neopixel:D21")),
        ("400", ("rpi_ws281x:spi", "rpi_ws281x:pwm", "neopixel:MOSI")),
        ("5", ("pio:/dev/leds0", "pio:leds0", "pio:/tmp/strip", "neopixel:D18")),
        ("5", ("neopixel:0", "neopixel:GPIO27", "neopixel:SCLK")),
        ("400", ("pio:/tmp/strip", "neopixel:19", "neopixel:gpio13")),
        ("400", ("spi:ws2812b", "spi:sk6812w", "spi:apa102")),
    ]
    for name, drivers in rows:
        machine = read_machine(record(tmp_path / name, name))
        others = ("virtual", "null", "serial:auto")
        assert {None} == {machine.why_not(driver) for driver in (*drivers, *others)}, name


def test_a_strip_with_white_has_a_line_of_its_own(tmp_path: Path) -> None:
    """The line to add has rgbw for LEDs with white."""
    machine = read_machine(record(tmp_path, "5", NO_OVERLAY))
    spec = StripSpec(leds=(9,), type="sk6812w", order="GRBW")
    why_not = machine.why_not("rpi_ws281x:spi", spec)
    assert "dtoverlay=ws2812-pio,gpio=10,num_leds=9,rgbw,brightness=0" in str(why_not)
