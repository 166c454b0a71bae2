"""Every driver is a strip like the others; those of a Pi's pins show it on a fake Pi.

The tests run over the registry: a driver that nothing here knows how to run fails them.
"""

from pathlib import Path
from typing import Final

import pytest

from hardware.strips import make_strip
from hardware.strips.drivers import DRIVERS
from hardware.strips.protocol import CLOCKED
from tests.hardware.strips.conformance import CHECKS, spec_for
from tests.support.fakepi import PI_5, FakePi, missing

ON_A_PI: Final = {
    "rpi_ws281x:pwm": (("rpi_ws281x:pwm", FakePi()),),
    "rpi_ws281x:pcm": (("rpi_ws281x:pcm", FakePi()),),
    "rpi_ws281x:spi": (("rpi_ws281x:spi", FakePi()),),
    **{f"spi:{chip}": ((f"spi:{chip}", FakePi()),) for chip in CLOCKED},
    "neopixel": (("neopixel:18", FakePi()), ("neopixel:18", FakePi(board=PI_5))),
}
"""The drivers that need a Pi, each with how it is written and the machines it runs on."""

ANYWHERE: Final = {"virtual": "virtual", "null": "null", "pio": "pio:{directory}/leds0"}
"""Names of the other drivers; `directory` has a file called leds0."""


@pytest.mark.parametrize("name", [name for name in DRIVERS if name not in ON_A_PI])
def test_a_driver_without_hardware_conforms(name: str, tmp_path: Path) -> None:
    """A fake is as strict as the real driver, and a device may be a file."""
    (tmp_path / "leds0").touch()
    written = ANYWHERE[name].format(directory=tmp_path)
    for check in CHECKS:
        check(lambda: make_strip(written, spec_for(name)))


@pytest.mark.emulator(lacks=missing())
@pytest.mark.parametrize(
    ("name", "pi"),
    [
        pytest.param(written, pi, id=f"{written}-pi-{pi.board}")
        for name in DRIVERS
        for written, pi in ON_A_PI.get(name, ())
    ],
)
def test_a_driver_of_a_pi_conforms(name: str, pi: FakePi) -> None:
    """The real library's driver keeps the same rules, and its process ends well."""
    outcome = pi.run("tests.hardware.strips.conformance", name)
    assert (0, f"{len(CHECKS)} checks\n") == (outcome.code, outcome.out), outcome.err
