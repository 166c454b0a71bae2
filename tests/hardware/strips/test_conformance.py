"""Every driver is a strip like the others; those of a Pi's pins show it on a fake Pi."""

import pytest

from hardware.strips import make_strip
from hardware.strips.drivers import DRIVERS
from tests.hardware.strips.conformance import CHECKS, Make
from tests.support.fakepi import FakePi, missing

ON_A_PI = [name for name in DRIVERS if name.startswith("rpi_ws281x:")]
ANYWHERE = [name for name in DRIVERS if name not in ON_A_PI]


@pytest.mark.parametrize("name", ANYWHERE)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_driver_without_hardware_conforms(name: str, check: object) -> None:
    """A fake is as strict as the real thing."""
    make: Make = lambda spec: make_strip(name, spec)  # noqa: E731 - a check takes a function
    assert callable(check)
    check(make)


@pytest.mark.skipif(bool(missing()), reason=missing() or "runs")
@pytest.mark.parametrize("name", ON_A_PI)
def test_a_driver_of_a_pi_conforms(name: str) -> None:
    """The real library's driver keeps the same rules, and its process ends well."""
    outcome = FakePi().run("tests.hardware.strips.conformance", name)
    assert (0, f"{len(CHECKS)} checks\n") == (outcome.code, outcome.out), outcome.err
