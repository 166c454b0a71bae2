"""Drivers by name."""

import pytest

from hardware.errors import StripError
from hardware.strips import StripSpec, VirtualStrip, make_strip
from hardware.strips.rpi_ws281x import RpiStrip

SPEC = StripSpec(leds=(3,))


def test_a_name_makes_its_driver() -> None:
    """The name chooses the driver, the options go to it."""
    assert isinstance(make_strip("virtual", SPEC, keep=5), VirtualStrip)
    assert isinstance(make_strip("rpi_ws281x:pwm", SPEC, pins=(12,)), RpiStrip)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("vitrual", 'driver = "vitrual" is not known; did you mean "virtual"?'),
        ("rpi_ws281x:pmw", 'did you mean "rpi_ws281x:pwm"?'),
        ("", "set one of virtual, null,"),
    ],
)
def test_an_unknown_name_is_refused_with_a_suggestion(name: str, text: str) -> None:
    """A slip of the pen gets the nearest name, anything else all of them."""
    with pytest.raises(StripError) as refused:
        make_strip(name, SPEC)
    assert text in str(refused.value)


def test_an_unknown_option_is_refused() -> None:
    """An option that the driver does not take is named, and those that it takes."""
    with pytest.raises(StripError, match=r'"null" has no option pins; it takes: none'):
        make_strip("null", SPEC, pins=(18,))
    with pytest.raises(StripError, match=r"has no option pin; it takes: bufsiz_path, pins"):
        make_strip("rpi_ws281x:pwm", SPEC, pin=18)
