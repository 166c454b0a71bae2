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
from hardware.strips import Frame, Strip, StripSpec, make_strip
from hardware.strips.protocol import black

Make = Callable[[StripSpec], Strip]

SPEC: Final = StripSpec(leds=(5,))


def tells_what_it_drives(make: Make) -> None:
    """Check that a strip has its specification, open or not."""
    strip = make(SPEC)
    assert strip.spec == SPEC
    strip.open()
    assert strip.spec == SPEC
    strip.close()


def is_no_faster_than_the_wire(make: Make) -> None:
    """Check that a frame takes at least 1.25 us a bit and the reset."""
    assert SPEC.wire_seconds <= make(SPEC).wire_seconds


def tells_what_light_each_byte_gives(make: Make) -> None:
    """Check the response: 256 values from 0 to 1, never falling."""
    response = make(SPEC).response
    assert (256,) == response.shape
    assert (0, 1) == (response[0], response[-1])
    assert 0 <= np.diff(response).min()


def shows_only_while_open(make: Make) -> None:
    """Check that a frame is refused before opening and after closing."""
    strip = make(SPEC)
    with pytest.raises(StripError, match="not open"):
        strip.show(black(SPEC))
    strip.open()
    strip.show(black(SPEC))
    strip.close()
    with pytest.raises(StripError, match="not open"):
        strip.show(black(SPEC))


def opens_once(make: Make) -> None:
    """Check that an open strip cannot be opened again."""
    strip = make(SPEC)
    strip.open()
    with pytest.raises(StripError, match="open already"):
        strip.open()
    strip.show(black(SPEC))
    strip.close()


def closes_at_any_time(make: Make) -> None:
    """Check that closing before opening, or twice, does nothing."""
    strip = make(SPEC)
    strip.close()
    strip.open()
    strip.close()
    strip.close()


def opens_again_after_closing(make: Make) -> None:
    """Check that a closed strip can be opened again and shows frames."""
    strip = make(SPEC)
    for _ in range(2):
        strip.open()
        strip.show(black(SPEC))
        strip.close()


def refuses_frames_that_do_not_fit(make: Make) -> None:
    """Check that a frame of other channels, shape or type is refused, and a good one shown."""
    (pixels,) = black(SPEC)
    misfits: tuple[Frame, ...] = (
        (),
        (pixels, pixels),
        (pixels[:-1],),
        (np.zeros((5, 4), np.uint8),),
        (np.zeros(15, np.uint8),),
        (pixels.astype(np.float32).view(np.uint8),),
        (pixels.astype(np.int8),),
    )
    strip = make(SPEC)
    strip.open()
    for misfit in misfits:
        with pytest.raises(StripError, match="channel"):
            strip.show(misfit)
    strip.show([pixels])
    strip.close()


def takes_any_memory_layout(make: Make) -> None:
    """Check that views of arrays, in any layout, are frames too."""
    strip = make(SPEC)
    strip.open()
    strip.show([np.zeros((10, 3), np.uint8)[::2]])
    strip.show([np.zeros((3, 5), np.uint8).T])
    strip.close()


CHECKS: Final = (
    tells_what_it_drives,
    is_no_faster_than_the_wire,
    tells_what_light_each_byte_gives,
    shows_only_while_open,
    opens_once,
    closes_at_any_time,
    opens_again_after_closing,
    refuses_frames_that_do_not_fit,
    takes_any_memory_layout,
)

if __name__ == "__main__":
    for check in CHECKS:
        check(lambda spec: make_strip(sys.argv[1], spec))
    print(len(CHECKS), "checks")  # noqa: T201 - stdout is how a child process speaks
