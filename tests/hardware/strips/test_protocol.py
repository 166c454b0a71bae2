"""Specifications of strips, and those that are refused."""

import pytest

from hardware.errors import StripError
from hardware.strips import StripSpec
from hardware.strips.protocol import LINEAR


def test_the_longest_channel_decides_on_the_wire_time() -> None:
    """363 RGB LEDs take 30 us each and the reset; a shorter channel runs beside them."""
    assert StripSpec(leds=(363,)).wire_seconds == pytest.approx(363 * 30e-6 + 300e-6)
    assert StripSpec(leds=(100, 363)).wire_seconds == StripSpec(leds=(363,)).wire_seconds
    white = StripSpec(leds=(363,), type="sk6812w", order="GRBW")
    assert white.wire_seconds == pytest.approx(363 * 40e-6 + 300e-6)


@pytest.mark.parametrize(
    ("leds", "kind", "order", "text"),
    [
        ((1,), "ws2812x", "GRB", r'type = "ws2812x" is not known; set one of sk6812,'),
        ((1,), "ws2812b", "GRBW", r'order = "GRBW" does not fit type = "ws2812b"'),
        ((1,), "sk6812w", "GRB", r'set an order such as "GRBW"'),
        ((1,), "ws2812b", "GGB", r'set an order such as "GRB"'),
        ((1,), "ws2812b", "grb", r'order = "grb" does not fit'),
        ((), "ws2812b", "GRB", "at least one LED a channel"),
        ((5, 0), "ws2812b", "GRB", "at least one LED a channel"),
    ],
)
def test_a_strip_that_cannot_be_is_refused(
    leds: tuple[int, ...], kind: str, order: str, text: str
) -> None:
    """A type nobody knows, an order that does not fit it, a channel without LEDs."""
    with pytest.raises(StripError, match=text):
        StripSpec(leds=leds, type=kind, order=order)


def test_the_linear_response_is_everybodys() -> None:
    """A byte gives its part of 255, and no driver can change what others share."""
    assert [byte / 255 for byte in range(256)] == LINEAR.tolist()
    with pytest.raises(ValueError, match="read-only"):
        LINEAR[1] = 0
