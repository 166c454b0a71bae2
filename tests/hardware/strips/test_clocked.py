"""Strips with a clock line: their bytes on a fake Pi's SPI, read by an independent decoder."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from hardware.errors import StripError
from hardware.output import Light, Output
from hardware.strips import StripSpec, make_strip
from hardware.strips.clocked import TRANSFER_MAX, ClockedStrip
from hardware.strips.protocol import CLOCKED, usual_order
from tests.support.fakepi import CHILD, PI_5, FakePi, Outcome, missing
from tests.support.machines import Shown, record, shown

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
def test_other_threads_run_while_a_frame_is_on_its_way() -> None:
    """Each transfer waits for another thread of the program, which runs."""
    outcome = FakePi(gate=True).run(CHILD, "gate", "spi:apa102", seconds=20)
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
        root = record(tmp_path / machine, machine)
        (root / "dev/spidev0.0").unlink(missing_ok=True)
        strip = make_strip("spi:apa102", spec_of("apa102", 3), root=root)
        with pytest.raises(StripError, match=r"SPI is off.*/config.txt .*restart the Pi"):
            strip.open()
        strip.close()


def test_one_channel_only() -> None:
    """As there is one SPI, two channels are refused with a remedy."""
    with pytest.raises(
        StripError, match=r"the driver has one channel, but the wiring has 2; put the strips"
    ):
        ClockedStrip(StripSpec(leds=(3, 3), type="apa102", order="BGR"), chip="apa102")


def test_a_type_that_a_driver_does_not_drive_is_refused() -> None:
    """The types have one or two data wires; the error names a fitting driver."""
    for driver, kind, text in (
        ("spi:apa102", "ws2812b", 'set type = "apa102", or leave it out'),
        ("spi:apa102", "sk9822", 'cannot drive type = "sk9822"'),
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
