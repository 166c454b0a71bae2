"""Finishes: lanes differ clearly from the sheet and from each other."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board import ZoneKind
from companion.board.drawing.finish import CONTRAST, DAY, LANE_COLOURS, NIGHT, SCREEN, Finish

COLOUR = st.from_regex(r"\A#[0-9a-f]{6}\Z")
LEGIBLE = 4.5


def contrast(one: str, other: str) -> float:
    """Return the contrast of two sRGB colours, as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        light = []
        for at in (1, 3, 5):
            part = int(colour[at : at + 2], 16) / 255
            light.append(part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4)
        return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("finish", [NIGHT, DAY, SCREEN], ids=["night", "day", "screen"])
@given(colours=st.tuples(COLOUR, COLOUR, COLOUR))
def test_lanes_of_any_colours(finish: Finish, colours: tuple[str, str, str]) -> None:
    """With any colours of the sides, even equal ones, lanes and sheet all differ."""
    lanes = finish.lanes(colours)
    for one, other in combinations((*lanes, finish.ground), 2):
        assert contrast(one, other) >= CONTRAST
    assert all(contrast(lane, finish.district) >= CONTRAST for lane in lanes)


@pytest.mark.parametrize("finish", [NIGHT, DAY], ids=["night", "day"])
def test_print_is_legible(finish: Finish) -> None:
    """Every ink of lettering has WCAG's contrast for text on both grounds."""
    inks = (finish.ink, finish.muted, finish.gold, *map(finish.zone, ZoneKind))
    for ground in (finish.ground, finish.district):
        assert all(contrast(ink, ground) >= LEGIBLE for ink in inks)
    assert 3 == len(set(finish.lanes(LANE_COLOURS)))
