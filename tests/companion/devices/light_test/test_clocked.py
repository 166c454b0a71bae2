"""`cribwars lights test` on strips with a clock line, on a fake Pi: dump and wire agree."""

import json

import pytest

from tests.support.clocked_wire import shown
from tests.support.fakepi import FakePi, missing

pytestmark = pytest.mark.emulator(lacks=missing())


@pytest.mark.parametrize(
    ("name", "chip", "order"),
    [
        ("spi:apa102", "apa102", "BGR"),
        ("spi:sk9822,lowest_current=1,order=RGB", "sk9822", "RGB"),
        ("spi:hd107s", "hd107s", "BGR"),
        ("spi:hd108,mhz=20", "hd108", "RGB"),
    ],
)
def test_the_dump_is_what_the_leds_show(name: str, chip: str, order: str) -> None:
    """The driver's name gives the type. Light is in 255ths, with fractions."""
    options = ("--pattern", "white", "--frames", "1", "--leds", "6", "--budget-ma", "9.5")
    outcome = FakePi().run("companion", "lights", "test", "--strip", name, *options, "--dump", "-")
    assert 0 == outcome.code, outcome.err
    (frame,) = map(json.loads, outcome.out.splitlines())
    (reported,) = frame["channels"]
    wire = [
        [float(part) * 255 for part in led]
        for led in shown(chip, outcome.transfers[0].data, 6, order)
    ]
    assert [pytest.approx(led, abs=1e-4) for led in reported] == wire
    assert 0 < sum(map(sum, reported))
    assert frame["milliamps"] <= 9.5
