"""Faults of the driver through Blinka: each is one line, and is survived."""

import pytest

from hardware.errors import StripError
from hardware.strips import StripSpec, make_strip
from tests.support.fakepi import CHILD, PI_5, FakePi, case_of, missing, refusal, show

on_a_fake_pi = pytest.mark.emulator(lacks=missing("neopixel", "gpiod"))
on_a_fake_pi_5 = pytest.mark.emulator(
    lacks=missing("neopixel", "gpiod", "adafruit_raspberry_pi5_neopixel_write")
)

RGB = StripSpec(leds=(121,))


@on_a_fake_pi
@pytest.mark.parametrize(
    ("pin", "device", "remedy"),
    [
        ("18", "/dev/mem", 'run the program as root), or set [strip] driver = "neopixel:10"'),
        ("18", "/dev/vcio", "program as root"),
        ("21", "/dev/mem", "program as root"),
        ("10", "/dev/spidev0.0", "put dtparam=spi=on into"),
        ("10", "/dev/gpiomem", "the user into the groups spi and gpio"),
        ("10", "/dev/gpiochip0", "put the user into the group gpio"),
    ],
)
def test_a_start_that_fails_is_reported_and_survived(pin: str, device: str, remedy: str) -> None:
    """A device that cannot be opened is refused with the remedy; later frames show."""
    outcome = FakePi(refuse=device).run(CHILD, "again", f"neopixel:{pin}", "FAKEPI_REFUSE")
    reported = [line for line in outcome.err.splitlines() if line.startswith("Blinka")]
    assert (0, 2) == (outcome.code, len(reported)), outcome.err
    assert remedy in reported[0]
    assert reported[0] == reported[1]
    assert 2 == len(outcome.transfers)


@on_a_fake_pi
@pytest.mark.parametrize("pin", ["18", "21"])
def test_a_dma_channel_in_other_hands(pin: str) -> None:
    """A failed frame is an error with a remedy, and closing works."""
    line = refusal(show(FakePi(dma_fault=True), case_of(f"neopixel:{pin}", RGB)))
    assert (
        "(ws2811_render failed with code -10 (DMA error)); another program uses the strip's DMA"
        in line
    )


@on_a_fake_pi
@pytest.mark.parametrize("pin", ["17", "D4", "x9", "NEOPIXEL", "SCLK"])
def test_a_pin_that_can_drive_no_strip_is_refused_at_the_start(pin: str) -> None:
    """A Pi before the fifth refuses it without asking Blinka."""
    line = refusal(show(FakePi(named=True), case_of(f"neopixel:{pin}", RGB)))
    assert f'"{pin}" cannot drive a strip here; only the pins 10, 12, 13, 18, 19 and 21 can' in line


@on_a_fake_pi
def test_a_pin_that_rpi_ws281x_cannot_drive() -> None:
    """Before the Pi 5 few pins drive strips; the error lists them, the process ends well."""
    line = refusal(show(FakePi(), case_of("neopixel:17", RGB)))
    assert "code -11 (Selected GPIO not possible)" in line
    assert "only the pins 10, 12, 13, 18, 19 and 21" in line


@on_a_fake_pi
@pytest.mark.parametrize(
    "spec", [StripSpec(leds=(340,)), StripSpec(leds=(339,), type="sk6812w", order="GRBW")]
)
def test_an_spi_buffer_too_small_is_refused_at_the_start(spec: StripSpec) -> None:
    """It must hold all LEDs and a spare one; the error has the number."""
    line = refusal(show(FakePi(), case_of("neopixel:10", spec)))
    assert "add spidev.bufsiz=4104 to" in line


@on_a_fake_pi_5
def test_a_pio_out_of_reach() -> None:
    """If the PIO cannot be opened, the remedy says how; the process ends well."""
    line = refusal(show(FakePi(board=PI_5, refuse="/dev/pio0"), case_of("neopixel:18", RGB)))
    assert "(Failed to open PIO device (error -13)); a Raspberry Pi 5 needs /dev/pio0" in line


@on_a_fake_pi
def test_a_machine_that_is_known_not_to_do() -> None:
    """Facts of `hardware.pi` are used before Blinka."""
    line = refusal(show(FakePi(named=True, refuse="/dev/mem"), case_of("neopixel:18", RGB)))
    assert "/dev/mem may not be opened by this user" in line


@on_a_fake_pi
@pytest.mark.parametrize(
    ("pin", "text"),
    [
        ("81", '"neopixel:81": RASPBERRY_PI_3B has no such pin; did you mean "D8"?'),
        ("MOSSI", 'did you mean "MOSI"?'),
        ("board_id", "there are CE0, CE1, D0"),
    ],
)
def test_a_pin_that_the_board_lacks(pin: str, text: str) -> None:
    """A missing pin is refused with the nearest ones, or all."""
    assert text in refusal(show(FakePi(), case_of(f"neopixel:{pin}", RGB)))


@on_a_fake_pi
def test_a_board_that_blinka_does_not_know() -> None:
    """The refusal names the driver to set."""
    line = refusal(show(FakePi(board=None), case_of("neopixel:18", RGB)))
    assert "Blinka does not know this machine" in line
    assert '"virtual" to play without lights' in line


@on_a_fake_pi
@pytest.mark.parametrize(
    "module", ["neopixel", "board", "adafruit_platformdetect", "gpiod", "_rpi_ws281x"]
)
def test_a_package_that_is_absent(module: str) -> None:
    """The refusal names the extra to install."""
    outcome = FakePi().run(CHILD, "without", "neopixel:18", module)
    assert 0 == outcome.code, outcome.err
    assert module in outcome.err
    assert ".venv/bin/pip install -e '.[pi]' in a copy" in outcome.err


@on_a_fake_pi_5
def test_the_package_of_a_pi_5_is_absent() -> None:
    """The refusal names the extra to install."""
    module = "adafruit_raspberry_pi5_neopixel_write"
    outcome = FakePi(board=PI_5, named=True).run(CHILD, "without", "neopixel:18", module)
    assert 0 == outcome.code, outcome.err
    assert module in outcome.err
    assert ".venv/bin/pip install -e '.[pi5]' in a copy" in outcome.err


def test_one_channel_only() -> None:
    """Two channels are refused with the driver that has them."""
    with pytest.raises(
        StripError, match=r'the driver has one channel, but the wiring has 2; .*"rpi_ws281x:pwm"'
    ):
        make_strip("neopixel:18", StripSpec(leds=(3, 3)))
