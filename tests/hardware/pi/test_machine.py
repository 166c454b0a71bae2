"""Conclusions from the facts: the clock of SPI, and the possible drivers."""

from dataclasses import replace
from pathlib import Path

from hardware.pi import read_machine
from hardware.strips import StripSpec
from tests.support.machines import CONFIG, KERNEL, SPI, STOCK_CONFIG, Files, record

DRIVERS = (
    "rpi_ws281x:spi",
    "rpi_ws281x:pwm",
    "rpi_ws281x:pcm",
    "neopixel:D18",
    "neopixel:D10",
    "pio:/dev/leds0",
    "virtual",
)

BOARD = StripSpec(leds=(363,))
NO_OVERLAY: Files = {"dev/leds0": None, CONFIG: STOCK_CONFIG}
OLD_KERNEL: Files = {**NO_OVERLAY, KERNEL: "6.12.47+rpt"}
NOT_RESTARTED: Files = {"dev/leds0": None, CONFIG: "dtoverlay=ws2812-pio,gpio=10\n"}
NO_SPI: Files = {SPI: None, CONFIG: STOCK_CONFIG}
SILENT_SOON: Files = {CONFIG: "dtparam=audio=off\n"}
NEW: Files = {"proc/device-tree/system/linux,revision": bytes.fromhex("00d0fff0")}


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
