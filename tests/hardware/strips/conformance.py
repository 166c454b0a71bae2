"""Conformance checks for every driver of a strip.

A check takes a function that makes the driver for a strip, and raises AssertionError. As a module
(`python -m tests.hardware.strips.conformance NAME`) it runs all checks on the driver of that name.
"""

import sys
from collections.abc import Callable
from typing import Final

import numpy as np
import pytest

from hardware.errors import StripError
from hardware.output import Output
from hardware.strips import Frame, Strip, StripSpec, make_strip
from hardware.strips.drivers import only_type
from hardware.strips.protocol import CLOCKED, black, usual_order

Make = Callable[[], Strip]


def spec_for(name: str) -> StripSpec:
    """Return the specification of five LEDs of a type that a driver drives."""
    kind = only_type(name) or "ws2812b"
    return StripSpec(leds=(5,), type=kind, order=usual_order(kind))


def tells_what_it_drives(make: Make) -> None:
    """Check that a strip has its specification, open or not."""
    strip = make()
    spec = strip.spec
    assert (5,) == spec.leds
    strip.open()
    assert spec == strip.spec
    strip.close()


def is_no_faster_than_the_wire(make: Make) -> None:
    """Check that a frame takes at least its bits' time, and without a clock line the reset."""
    strip = make()
    if strip.spec.type not in CLOCKED:
        assert strip.spec.wire_seconds <= strip.wire_seconds
    assert 5 * 24 / 40e6 <= strip.wire_seconds


def tells_what_it_can_show(make: Make) -> None:
    """Check the scale: frames for no and for full light have the light 0 and 1."""
    strip = make()
    scale, dark = strip.scale, black(strip.spec, strip.scale)[0]
    assert (5, strip.spec.colours) == scale.light(dark).shape
    assert 0 == scale.light(dark).max()
    lit = Output(strip.spec, 1e6, scale).render(np.ones((5, 3), np.float32))[0]
    assert (lit.shape, lit.dtype) == (dark.shape, dark.dtype)
    assert 1 == scale.light(lit).max(axis=1).min()


def shows_only_while_open(make: Make) -> None:
    """Check that a frame is refused before opening and after closing."""
    strip = make()
    with pytest.raises(StripError, match="not open"):
        strip.show(black(strip.spec, strip.scale))
    strip.open()
    strip.show(black(strip.spec, strip.scale))
    strip.close()
    with pytest.raises(StripError, match="not open"):
        strip.show(black(strip.spec, strip.scale))


def opens_once(make: Make) -> None:
    """Check that an open strip cannot be opened again."""
    strip = make()
    strip.open()
    with pytest.raises(StripError, match="open already"):
        strip.open()
    strip.show(black(strip.spec, strip.scale))
    strip.close()


def closes_at_any_time(make: Make) -> None:
    """Check that closing before opening, or twice, does nothing."""
    strip = make()
    strip.close()
    strip.open()
    strip.close()
    strip.close()


def opens_again_after_closing(make: Make) -> None:
    """Check that a closed strip can be opened again and shows frames."""
    strip = make()
    for _ in range(2):
        strip.open()
        strip.show(black(strip.spec, strip.scale))
        strip.close()


def refuses_frames_that_do_not_fit(make: Make) -> None:
    """Check that a frame of other channels, shape or type is refused, and a good one shown."""
    strip = make()
    (pixels,) = black(strip.spec, strip.scale)
    misfits: tuple[Frame, ...] = (
        (),
        (pixels, pixels),
        (pixels[:-1],),
        (np.zeros((5, 5), pixels.dtype),),
        (np.zeros(15, pixels.dtype),),
        (pixels.astype(np.float64).view(pixels.dtype),),
        (pixels.astype(np.int8),),
    )
    strip.open()
    for misfit in misfits:
        with pytest.raises(StripError, match="channel"):
            strip.show(misfit)
    strip.show([pixels])
    strip.close()


def takes_any_memory_layout(make: Make) -> None:
    """Check that views of arrays, in any layout, are frames too."""
    strip = make()
    strip.open()
    (pixels,) = black(strip.spec, strip.scale)
    strip.show([np.vstack([pixels, pixels])[::2]])
    strip.show([np.zeros(pixels.shape[::-1], pixels.dtype).T])
    strip.close()


CHECKS: Final = (
    tells_what_it_drives,
    is_no_faster_than_the_wire,
    tells_what_it_can_show,
    shows_only_while_open,
    opens_once,
    closes_at_any_time,
    opens_again_after_closing,
    refuses_frames_that_do_not_fit,
    takes_any_memory_layout,
)

if __name__ == "__main__":
    for check in CHECKS:
        check(lambda: make_strip(sys.argv[1], spec_for(sys.argv[1])))
    print(len(CHECKS), "checks")  # noqa: T201 - stdout is how a child process speaks
