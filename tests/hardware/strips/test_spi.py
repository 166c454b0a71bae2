"""Strips on SPI: their bytes on a fake Pi, read by independent decoders."""

import json
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest

from hardware.errors import StripError
from hardware.output import Light, Output
from hardware.strips import StripSpec, make_strip
from hardware.strips.protocol import CLOCKED, CODED, usual_order
from hardware.strips.spi import TRANSFER_MAX
from tests.support.fakepi import (
    BOARDS,
    CHILD,
    FRAMES,
    PI_5,
    SEED,
    FakePi,
    Outcome,
    case_of,
    decode,
    missing,
    random_frames,
    refusal,
    show,
)
from tests.support.machines import BUFSIZ, SPI, Shown, record, shown

on_a_fake_pi = pytest.mark.emulator(lacks=missing())

SPEED_MHZ = {"apa102": 8, "sk9822": 8, "hd107s": 8, "hd108": 16}
FINEST = {"apa102": 7905, "sk9822": 255, "hd107s": 255, "hd108": 65535}
"""Steps of light of each chip with the default options."""


def spec_of(chip: str, leds: int, order: str = "") -> StripSpec:
    """Return a strip of that chip, by default in its usual order."""
    return StripSpec(leds=(leds,), type=chip, order=order or usual_order(chip))


def ramp(leds: int) -> Light:
    """Return light that differs in each LED and each colour."""
    rising = np.linspace(0, 1, leds, dtype=np.float32)
    return np.stack([rising, rising[::-1], rising**2], axis=1)


def sent(pi: FakePi, light: Light, *specs: StripSpec, **options: object) -> Outcome:
    """Return the transfers of each strip's light on a fake Pi."""
    cases = [
        {"chip": spec.type, "order": spec.order, "light": light.tolist(), "options": options}
        for spec in specs
    ]
    outcome = pi.run(CHILD, "clocked", json.dumps(cases))
    assert (0, "") == (outcome.code, outcome.err)
    return outcome


def frames(outcome: Outcome, size: int) -> list[bytes]:
    """Return the bytes of each frame of a process, all of one size."""
    wire = b"".join(transfer.data for transfer in outcome.transfers)
    assert 0 == len(wire) % size
    return [wire[start : start + size] for start in range(0, len(wire), size)]


def assert_near(light: Light, lights: Shown, steps: int) -> None:
    """Assert that each LED gives the light within half a step at its brightness."""
    for wanted, given in zip(light, lights, strict=True):
        # At the current of an LED a step is 1/255 of it, and its brightest colour has half or more.
        step = max(1 / steps, 2 * float(wanted.max()) / 255 if steps == 7905 else 0)
        assert [pytest.approx(float(each), abs=step / 2 + 1e-6) for each in wanted] == [
            float(each) for each in given
        ]


@on_a_fake_pi
@pytest.mark.parametrize("chip", CLOCKED)
@pytest.mark.parametrize("board", ["zero-w", "4", PI_5])
def test_the_leds_show_the_light_and_go_dark(chip: str, board: str) -> None:
    """On old models and the Pi 5, chips get the light by real ioctls, then black."""
    light, spec = ramp(121), spec_of(chip, 121)
    outcome = sent(FakePi(board=board), light, spec)
    first, last = frames(outcome, sum(len(t.data) for t in outcome.transfers) // 2)
    assert_near(light, shown(chip, first, 121, spec.order), FINEST[chip])
    assert not any(map(any, shown(chip, last, 121, spec.order)))
    assert {SPEED_MHZ[chip] * 1_000_000} == {transfer.hertz for transfer in outcome.transfers}
    assert [3 if chip == "hd108" else 0] == json.loads(outcome.out)


@on_a_fake_pi
@pytest.mark.parametrize("chip", CLOCKED)
def test_long_strips_go_out_in_transfers_that_every_kernel_takes(chip: str) -> None:
    """With the usual buffer 1,206 LEDs are shown in transfers of 4,096 bytes or less."""
    light, spec = ramp(1206), spec_of(chip, 1206)
    outcome = sent(FakePi(bufsiz=4096), light, spec)
    sizes = [len(transfer.data) for transfer in outcome.transfers]
    assert TRANSFER_MAX >= max(sizes)
    first, _ = frames(outcome, sum(sizes) // 2)
    assert_near(light, shown(chip, first, 1206, spec.order), FINEST[chip])


@on_a_fake_pi
def test_every_order_of_colours() -> None:
    """All orders of three colours arrive, with codes and with words."""
    light = ramp(3)
    specs = [
        spec_of(chip, 3, "".join(order))
        for chip in ("apa102", "hd108")
        for order in permutations("RGB")
    ]
    outcome = sent(FakePi(), light, *specs)
    lit = outcome.transfers[::2]
    for spec, transfer in zip(specs, lit, strict=True):
        assert_near(light, shown(spec.type, transfer.data, 3, spec.order), FINEST[spec.type])


@on_a_fake_pi
def test_a_current_that_may_fall_is_used_where_it_is_known() -> None:
    """An SK9822 whose colour holds shows a 7,905th of full light, else a 255th."""
    light, spec = np.full((4, 3), 3 / 7905, np.float32), spec_of("sk9822", 4)
    for options, wanted in (({"lowest_current": 1}, 3 / 7905), ({}, 1 / 255)):
        outcome = sent(FakePi(), light, spec, **options)
        lights = shown("sk9822", outcome.transfers[0].data, 4, spec.order)
        assert {wanted} == {float(colour) for led in lights for colour in led}


@on_a_fake_pi
@pytest.mark.parametrize("chip", ["apa102", *CODED])
def test_other_threads_run_while_a_frame_is_on_its_way(chip: str) -> None:
    """Each transfer waits for another thread of the program, which runs."""
    outcome = FakePi(gate=True).run(CHILD, "gate", f"spi:{chip}", seconds=20)
    assert (0, 3) == (outcome.code, len(outcome.transfers)), outcome.err


@on_a_fake_pi
def test_an_spi_that_may_not_be_opened() -> None:
    """The refusal has device and remedy, and the process ends well."""
    outcome = FakePi(refuse="/dev/spidev0.0").run(
        CHILD,
        "clocked",
        json.dumps([{"chip": "apa102", "order": "BGR", "light": [[0, 0, 0]], "options": {}}]),
    )
    assert (0, "") == (outcome.code, outcome.err)
    assert "/dev/spidev0.0 cannot be opened (Permission denied)" in outcome.out


def test_a_pi_without_spi_is_refused_at_the_start(tmp_path: Path) -> None:
    """On every model the text names the line of config.txt."""
    for machine in ("3b+", "5"):
        root = record(tmp_path / machine, machine, {SPI: None})
        for chip in ("apa102", *CODED):
            strip = make_strip(f"spi:{chip}", spec_of(chip, 3), root=root)
            with pytest.raises(StripError, match=r"SPI is off.*/config.txt .*restart the Pi"):
                strip.open()
            strip.close()


def test_one_channel_only() -> None:
    """As there is one SPI, two channels are refused with a remedy."""
    for chip in ("apa102", *CODED):
        spec = StripSpec(leds=(3, 3), type=chip, order=usual_order(chip))
        with pytest.raises(
            StripError, match=r"the driver has one channel, but the wiring has 2; put the strips"
        ):
            make_strip(f"spi:{chip}", spec)


def test_a_type_that_a_driver_does_not_drive_is_refused() -> None:
    """The types have one or two data wires; the error names a fitting driver."""
    for driver, kind, text in (
        ("spi:apa102", "ws2812b", 'set type = "apa102", or leave it out'),
        ("spi:apa102", "sk9822", 'cannot drive type = "sk9822"'),
        ("spi:ws2812b", "apa102", 'set type = "ws2812b", or leave it out'),
        ("spi:ws2812b", "sk6812w", 'cannot drive type = "sk6812w"; set type = "ws2812b"'),
        ("spi:sk6812w", "ws2812b", 'set type = "sk6812w", or leave it out'),
        ("rpi_ws281x:spi", "apa102", 'set driver = "spi:apa102"'),
        ("pio:/dev/leds0", "hd108", 'set driver = "spi:hd108"'),
    ):
        with pytest.raises(StripError) as refused:
            make_strip(driver, StripSpec(leds=(3,), type=kind, order=usual_order(kind)))
        assert text in str(refused.value)


def test_a_frame_takes_the_time_of_its_bits() -> None:
    """1,206 LEDs take 5 ms at 8 MHz, as do HD108 at 16 MHz: 200 frames a second."""
    for chip in CLOCKED:
        strip = make_strip(f"spi:{chip}", spec_of(chip, 1206))
        assert strip.wire_seconds == pytest.approx(4.9e-3, rel=0.05)
        Output(strip.spec, 5000, strip.scale)


# Strips without a clock line, by codes


SYMBOLS_HZ = 2_400_000
"""Bits of SPI a second, of which three make one of 800,000 bits."""


def coded(*specs: StripSpec, pi: FakePi | None = None, driver: str = "") -> Outcome:
    """Return the transfers of random frames on each strip, by the driver of its type."""
    cases = (case_of(driver or f"spi:{spec.type}", spec) for spec in specs)
    outcome = show(pi or FakePi(), *cases)
    assert (0, "", "") == (outcome.code, outcome.out, outcome.err)
    return outcome


def assert_coded(outcome: Outcome, *specs: StripSpec) -> None:
    """Assert that each frame was one transfer, that the LEDs showed it, and that they went dark."""
    transfers = iter(outcome.transfers)
    for spec in specs:
        dark = [np.zeros((leds, spec.colours), np.uint8) for leds in spec.leds]
        for frame in (*random_frames(spec, FRAMES, seed=SEED), dark):
            (wanted,), (given,) = frame, decode(next(transfers), spec)
            assert wanted.tolist() == given.tolist()
    assert [] == list(transfers)


@on_a_fake_pi
@pytest.mark.parametrize("board", [*BOARDS, PI_5])
def test_codes_show_the_frames_and_go_dark(board: str) -> None:
    """On every model the decoder reads the frames, up to the LEDs that the usual buffer holds."""
    specs = [spec_of("ws2812b", leds) for leds in (1, 2, 121, 443)]
    specs += [spec_of("sk6812w", leds) for leds in (1, 121, 332)]
    outcome = coded(*specs, pi=FakePi(board=board))
    assert_coded(outcome, *specs)
    assert {("spi", SYMBOLS_HZ)} == {(each.kind, each.hertz) for each in outcome.transfers}


@on_a_fake_pi
def test_codes_of_every_order_of_colours() -> None:
    """All orders of three colours and of four arrive."""
    orders = [("ws2812b", "RGB"), ("sk6812w", "RGBW")]
    specs = [
        spec_of(kind, 4, "".join(order))
        for kind, colours in orders
        for order in permutations(colours)
    ]
    assert_coded(coded(*specs), *specs)


@on_a_fake_pi
def test_codes_are_those_of_the_library() -> None:
    """The wire has byte for byte what rpi_ws281x:spi puts on it, also for long strips."""
    specs = [spec_of("ws2812b", leds) for leds in (7, 444, 1206, 5000)]
    specs.append(spec_of("sk6812w", 1206))
    pi = FakePi(bufsiz=65536)
    ours, library = (coded(*specs, pi=pi, driver=name) for name in ("", "rpi_ws281x:spi"))
    assert [each.data for each in library.transfers] == [each.data for each in ours.transfers]


@on_a_fake_pi
@pytest.mark.parametrize("board", ["zero-w", PI_5])
def test_between_two_coded_frames_the_wire_is_low_long_enough(board: str) -> None:
    """From the last bit to the next first one it is 280 us, on a wire that takes its true time."""
    for spec in (spec_of("ws2812b", 1), spec_of("sk6812w", 121)):
        outcome = coded(spec, pi=FakePi(board=board, wire=True))
        bits_us = spec.leds[0] * spec.colours * 8 * 3 * 1e6 / SYMBOLS_HZ
        for one, other in pairwise(outcome.transfers):
            assert other.began - one.began - bits_us >= 280


def test_a_buffer_too_small_for_codes_is_refused_at_the_start(tmp_path: Path) -> None:
    """On every model the text tells the number to set."""
    for machine in ("3b+", "5"):
        root = record(tmp_path / machine, machine, {SPI: "", BUFSIZ: "4096\n"})
        for chip, leds, needed in (("ws2812b", 444, 4104), ("sk6812w", 333, 4104)):
            strip = make_strip(f"spi:{chip}", spec_of(chip, leds), root=root)
            with pytest.raises(StripError, match=f"add spidev.bufsiz={needed} to the end of"):
                strip.open()
            strip.close()


@on_a_fake_pi
def test_a_buffer_smaller_than_it_said_fails_the_frame() -> None:
    """With an unknown buffer size the failed frame names the setting and its least value."""
    case = case_of("spi:ws2812b", spec_of("ws2812b", 121), root="/dev/null/absent")
    line = refusal(show(FakePi(bufsiz=1000), case))
    assert "/dev/spidev0.0 failed (Message too long); " in line
    assert "see that spidev.bufsiz is at least 1184, and restart the Pi" in line


def test_a_coded_frame_takes_the_time_of_its_colours() -> None:
    """A frame takes 30 us an LED, 40 us with white, and the reset, at the pace of the wire."""
    for chip, led_seconds in (("ws2812b", 30e-6), ("sk6812w", 40e-6)):
        strip = make_strip(f"spi:{chip}", spec_of(chip, 121))
        assert strip.wire_seconds == pytest.approx(121 * led_seconds + 300e-6)
        assert strip.is_quick
