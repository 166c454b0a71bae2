"""Dither: the mean of a cycle, the total of each frame, and the limits of a cycle."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hardware.dither import MAX_BITS, dithered
from hardware.output import Output
from hardware.power import POWER
from hardware.strips import StripSpec

bits = st.integers(1, MAX_BITS)
colours = st.tuples(*[st.one_of(st.just(0.0), st.floats(1e-4, 0.05), st.floats(0.05, 1))] * 3)


def cycle(light: NDArray[np.float32], many: int, budget: float = 1e9) -> NDArray[np.float64]:
    """Return the codes of all frames of a cycle, shape (frames, LEDs, 3)."""
    frames = Output(StripSpec(leds=(len(light),)), budget).cycle(light, many)
    return np.stack([frames.frame(turn)[0] for turn in range(1 << many)]).astype(float)


@given(colour=colours, many=bits, leds=st.integers(1, 6))
def test_the_mean_over_an_even_field_is_within_a_sixteenth_of_a_code(
    colour: tuple[float, float, float], many: int, leds: int
) -> None:
    """This is over a cycle and any eight neighbours, with light for one step."""
    light = np.tile(np.array(colour, np.float32), (8 * leds, 1))
    shown = cycle(light, many).mean(axis=0).reshape(leds, 8, 3).mean(axis=1)
    if max(colour) * 255 * (1 << many) >= 1:
        assert float(np.abs(shown - light[0] * 255.0).max()) <= 1 / 16 + 1e-4


@given(rows=st.lists(colours, min_size=1, max_size=40), many=bits)
def test_the_mean_of_an_led_alone_is_the_nearest(
    rows: list[tuple[float, float, float]], many: int
) -> None:
    """An LED unlike its neighbours is within half of the finest step."""
    light = np.array(rows, np.float32)
    light[1::2] = 0  # so none has an equal neighbour, but for the dark ones
    shown = cycle(light, many).mean(axis=0)
    step = 1 / (1 << many)
    lit = light.max(axis=1) * 255 >= step
    assert float(np.abs(shown - light * 255.0)[lit].max(initial=0)) <= step / 2 + 1e-4


@given(rows=st.lists(colours, min_size=1, max_size=60), many=bits, repeated=st.integers(1, 9))
def test_the_total_is_constant(
    rows: list[tuple[float, float, float]], many: int, repeated: int
) -> None:
    """Any two frames of a cycle draw the same current, to one code."""
    totals = cycle(np.repeat(np.array(rows, np.float32), repeated, axis=0), many).sum(axis=(1, 2))
    assert totals.max() - totals.min() <= 1


@given(rows=st.lists(colours, min_size=1, max_size=12), many=bits, spare=st.floats(0.1, 300))
def test_the_limit_holds_in_each_frame(
    rows: list[tuple[float, float, float]], many: int, spare: float
) -> None:
    """No single frame of a cycle draws more than the budget."""
    light = np.array(rows, np.float32)
    frames = cycle(light, many, len(light) + spare)
    current = frames.sum(axis=(1, 2)) * POWER["ws2812b"].colour / 255
    assert current.max() <= spare


@given(steps=st.lists(st.integers(0, 2040), min_size=3, max_size=30), many=bits)
def test_a_byte_is_one_of_the_two_beside_the_light(steps: list[int], many: int) -> None:
    """No frame is further from the light than the next byte."""
    eighths = np.array(steps[: len(steps) // 3 * 3], np.uint16).reshape(-1, 3)
    wanted = (eighths >> (3 - many)).astype(np.uint16)
    for turn in range(1 << many):
        shown = dithered(wanted, many, turn).astype(int)
        assert ((shown - (wanted >> many) >= 0) & (shown - (wanted >> many) <= 1)).all()


def test_a_colour_between_two_bytes_does_not_stay_long_at_one() -> None:
    """Half-way between two bytes the frames alternate, as fast as possible."""
    for many in range(1, MAX_BITS + 1):
        half = np.full((1, 3), 1 << (many - 1), np.uint16)
        shown = [int(dithered(half, many, turn)[0, 0]) for turn in range(2 << many)]
        assert [0, 1] * (1 << many) in (shown, shown[1:] + shown[:1])


def test_a_light_of_whole_bytes_does_not_move() -> None:
    """Light that bytes can show is not dithered, and is sent once a second."""
    light = np.full((5, 3), 51 / 255, np.float32)
    frames = Output(StripSpec(leds=(5,)), 1e6).cycle(light, 2)
    assert not frames.moves
    assert [[51] * 3] * 5 == frames.still()[0].tolist()
