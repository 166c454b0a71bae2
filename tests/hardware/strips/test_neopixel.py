"""The driver through Blinka; with the real libraries, on a fake Pi, down to the wire.

Nothing is left out or stood in for: platformdetect finds the board in the fake's files, gpiod takes
the pin from its GPIO chip, and rpi_ws281x or the Pi 5's module sends what Blinka hands it.
"""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from hardware.errors import StripError
from hardware.strips import StripSpec, make_strip
from tests.support.fakepi import (
    BOARDS,
    CHILD,
    FRAMES,
    PI_5,
    SEED,
    FakePi,
    Outcome,
    Transfer,
    case_of,
    decode,
    missing,
    random_frames,
    refusal,
    show,
)

on_a_fake_pi = pytest.mark.emulator(lacks=missing("neopixel", "gpiod"))
on_a_fake_pi_5 = pytest.mark.emulator(
    lacks=missing("neopixel", "gpiod", "adafruit_raspberry_pi5_neopixel_write")
)

KINDS = {"D18": "pwm", "12": "pwm", "GPIO21": "pcm", "10": "spi"}
"""Pins of a Pi before the fifth, and what drives a strip there."""

RGB = StripSpec(leds=(121,))
RGBW = StripSpec(leds=(121,), type="sk6812w", order="GRBW")
SIZES = [*(StripSpec(leds=(leds,)) for leds in (1, 2, 3, 4, 121, 339)), RGBW]
ORDERS = [
    *(StripSpec(leds=(4,), order="".join(order)) for order in permutations("RGB")),
    *(StripSpec(leds=(4,), type="sk6812w", order="".join(order)) for order in permutations("RGBW")),
]


def colours(transfer: Transfer, spec: StripSpec, *, first: int = 0) -> list[list[int]]:
    """Return what the LEDs show; bytes after the strip's own are dark."""
    spare = int(spec.colours == 4 and spec.leds[0] % 3 == 0)
    (pixels,) = decode(transfer, replace(spec, leds=(spec.leds[0] + spare,)), first=first)
    assert not pixels[spec.leds[0] :].any()
    lit: list[list[int]] = pixels[: spec.leds[0]].tolist()
    return lit


def assert_shown(outcome: Outcome, kind: str, specs: list[StripSpec], *, first: int = 0) -> None:
    """Assert that the LEDs of each strip showed its frames and went dark."""
    assert (0, "") == (outcome.code, outcome.out), outcome.err
    assert {kind} == {transfer.kind for transfer in outcome.transfers}
    transfers = iter(outcome.transfers)
    for spec in specs:
        for (pixels,) in random_frames(spec, FRAMES, seed=SEED):
            assert pixels.tolist() == colours(next(transfers), spec, first=first)
        assert not np.any(colours(next(transfers), spec, first=first))
    assert [] == list(transfers)


@on_a_fake_pi
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("pin", KINDS)
def test_the_leds_show_the_frames_and_go_dark(pin: str, board: str) -> None:
    """On every board and pin the wire has the colours, then black, strip after strip."""
    outcome = show(
        FakePi(board=board, named=True), *(case_of(f"neopixel:{pin}", spec) for spec in SIZES)
    )
    assert_shown(outcome, KINDS[pin], SIZES)


@on_a_fake_pi_5
@pytest.mark.parametrize("pin", ["D18", "4", "GPIO27", "MOSI"])
def test_the_leds_of_a_pi_5_do_as_well(pin: str) -> None:
    """On any pin of a Pi 5 the wire has the colours, then black, strip after strip."""
    outcome = show(
        FakePi(board=PI_5, named=True), *(case_of(f"neopixel:{pin}", spec) for spec in SIZES)
    )
    assert_shown(outcome, "pio", SIZES)


@on_a_fake_pi
def test_every_order_of_colours() -> None:
    """All orders of three colours and of four arrive."""
    assert_shown(show(FakePi(), *(case_of("neopixel:D18", spec) for spec in ORDERS)), "pwm", ORDERS)


@on_a_fake_pi_5
def test_every_order_of_colours_on_a_pi_5() -> None:
    """All orders of three colours and of four arrive."""
    pi = FakePi(board=PI_5)
    assert_shown(show(pi, *(case_of("neopixel:D18", spec) for spec in ORDERS)), "pio", ORDERS)


@on_a_fake_pi
@pytest.mark.parametrize("pin", KINDS)
def test_long_strips(pin: str) -> None:
    """There may be 1,000 LEDs, with white, too; SPI then needs a larger buffer."""
    specs = [StripSpec(leds=(leds,)) for leds in (363, 1000)]
    specs.append(StripSpec(leds=(363,), type="sk6812w", order="GRBW"))
    pi = FakePi(bufsiz=65536)
    assert_shown(show(pi, *(case_of(f"neopixel:{pin}", spec) for spec in specs)), KINDS[pin], specs)


@on_a_fake_pi
@pytest.mark.parametrize("pin", ["13", "D19"])
def test_the_second_line_of_pwm(pin: str) -> None:
    """The pins of the second PWM line work, too."""
    assert_shown(show(FakePi(), case_of(f"neopixel:{pin}", RGB)), "pwm", [RGB], first=1)


@on_a_fake_pi
@pytest.mark.parametrize("pin", ["D18", "GPIO21"])
def test_no_frame_spoils_the_one_before_it(pin: str) -> None:
    """A frame is written after the DMA has read the last one, at the wire's pace."""
    assert_shown(show(FakePi(wire=True), case_of(f"neopixel:{pin}", RGB)), KINDS[pin], [RGB])


@on_a_fake_pi
def test_greys_stay_greys() -> None:
    """Equal red, green and blue are not turned into white."""
    outcome = FakePi().run(CHILD, "greys", "neopixel:18")
    (pixels,) = decode(outcome.transfers[0], StripSpec(leds=(4,), type="sk6812w", order="GRBW"))
    assert [[v, v, v, 0] for v in (1, 2, 128, 255)] == pixels.tolist()


@on_a_fake_pi
def test_nobody_is_asked_whether_to_install_packages() -> None:
    """Even on a terminal Blinka prints nothing and waits for no reply."""
    outcome = FakePi().run(CHILD, "terminal", "neopixel:18", seconds=20)
    assert (0, "silent\n") == (outcome.code, outcome.err)


@on_a_fake_pi
@pytest.mark.parametrize(
    ("pin", "spec", "microseconds"),
    [
        ("18", RGB, 121 * 40 + 300),
        ("21", RGB, 121 * 40 + 300),
        ("18", StripSpec(leds=(4,)), 1000),
        ("18", StripSpec(leds=(363,), type="sk6812w", order="RGBW"), 15_000),
        ("10", RGB, 121 * 40 + 4000),
        ("10", RGBW, 121 * 40 + 121 * 40 + 300),
    ],
)
def test_the_seconds_of_a_frame(pin: str, spec: StripSpec, microseconds: int) -> None:
    """A frame takes Blinka's time: 40 us an LED and the reset, its own sleep, or both."""
    arguments = (f"neopixel:{pin}", str(spec.leds[0]), spec.type, spec.order)
    outcome = FakePi().run(CHILD, "pace", *arguments)
    assert [microseconds] * 2 == [int(word) for word in outcome.err.split()]


@on_a_fake_pi_5
def test_the_seconds_of_a_frame_on_a_pi_5() -> None:
    """Once the board is known, a frame takes the time of an ideal wire and 1 ms."""
    outcome = FakePi(board=PI_5).run(CHILD, "pace", "neopixel:18", "121", "ws2812b", "GRB")
    assert [121 * 40 + 300, 121 * 30 + 1000] == [int(word) for word in outcome.err.split()]


@on_a_fake_pi
@pytest.mark.parametrize(
    ("pin", "microseconds"), [("MOSI", 121 * 40 + 4000), ("SCLK_1", 121 * 40 + 300)]
)
def test_the_seconds_of_a_frame_on_a_pin_by_another_name(pin: str, microseconds: int) -> None:
    """A name of a Pi's pin stands for its number, before and after Blinka is asked."""
    outcome = FakePi().run(CHILD, "pace", f"neopixel:{pin}", "121", "ws2812b", "GRB")
    assert [microseconds] * 2 == [int(word) for word in outcome.err.split()]


@on_a_fake_pi
@pytest.mark.parametrize("pin", KINDS)
def test_a_closed_strip_holds_no_device(pin: str) -> None:
    """Pin, chip and devices are released for another driver in the process."""
    outcome = FakePi().run(CHILD, "held", f"neopixel:{pin}")
    assert [3, 0] == [int(word) for word in outcome.err.split()]


def test_the_pins_that_it_takes() -> None:
    """The BCM number is known if the name has it."""
    pins = {"18": (18,), "D18": (18,), "gpio18": (18,), "NEOPIXEL": (), "MOSI": ()}
    assert pins == {pin: make_strip(f"neopixel:{pin}", RGB).pins for pin in pins}


# Faults: each is one line, and is survived


@on_a_fake_pi
@pytest.mark.parametrize(
    ("pin", "device", "remedy"),
    [
        ("18", "/dev/mem", 'run the program as root), or set [strip] driver = "neopixel:10"'),
        ("18", "/dev/vcio", "program as root"),
        ("21", "/dev/mem", "program as root"),
        ("10", "/dev/spidev0.0", "spidev0.0 may not be opened by this user: add the user to"),
        (
            "10",
            "/dev/gpiomem",
            "gpiomem may not be opened by this user: add the user to the groups",
        ),
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
