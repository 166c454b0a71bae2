"""The decoder that judges the strip's line is right."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.firmware_bridge.firmware.ws281x import UnreadableError, decode
from tests.support.simavr_harness import HERTZ

ZERO, ONE = (5, 15), (12, 8)
PAUSE = HERTZ // 1000


def line(*bits: tuple[int, int]) -> NDArray[np.uint64]:
    """Return edges of a line that is high and low for these numbers of cycles."""
    times = np.cumsum([1000, *(cycles for bit in bits for cycles in bit)])[:-1]
    edges: NDArray[np.uint64] = (2 * times + (np.arange(len(times)) % 2 == 0)).astype(np.uint64)
    return edges


def test_highest_bit_comes_first() -> None:
    """A byte is read from its highest bit down."""
    assert b"\xa0" == decode(line(ONE, ZERO, ONE, *[ZERO] * 5))[0].data


def test_frames_are_apart_by_the_latch() -> None:
    """A long low level ends a frame."""
    long_zero = (5, PAUSE)
    frames = decode(line(*[ZERO] * 7, long_zero, *[ONE] * 8))
    assert [b"\0", b"\xff"] == [shown.data for shown in frames]


def test_what_is_cut_off_counts_as_far_as_it_is_whole() -> None:
    """Of a frame cut by a reset, the LEDs have the whole bytes."""
    edges = line(*[ONE] * 8, *[ZERO] * 5)
    assert b"\xff" == decode(edges[:-1], is_cut=True)[0].data


@pytest.mark.parametrize(
    "bits",
    [[(9, 11)], [(8, 12)], [ZERO, (5, 5 * HERTZ // 10**6)], [ZERO, (5, HERTZ // 10_000)]],
    ids=["between 0 and 1", "500 ns", "5 us low", "100 us low"],
)
def test_what_no_led_can_read_is_refused(bits: list[tuple[int, int]]) -> None:
    """Times between those of the data sheets have no meaning."""
    with pytest.raises(UnreadableError):
        decode(line(*bits, *[ZERO] * (8 - len(bits))))


def test_half_a_byte_is_refused() -> None:
    """A frame has whole bytes."""
    with pytest.raises(UnreadableError, match="12 bits"):
        decode(line(*[ONE] * 12))
