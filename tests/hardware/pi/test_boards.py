"""Boards by their revision codes."""

import pytest

from hardware.pi import Family
from hardware.pi.boards import board_of


@pytest.mark.parametrize(
    ("revision", "family"),
    [
        (0x0010, Family.ONE),  # numbered one by one before 2015
        (0x1000010, Family.ONE),  # the same with a warranty bit
        (0x900093, Family.ZERO),
        (0xA01041, Family.TWO),
        (0xA22042, Family.TWO),  # a 2 with the processor of a 3
        (0xA020A0, Family.THREE),  # CM3
        (0xA03140, Family.FOUR),  # CM4
        (0xB04180, Family.FIVE),  # CM5
        (0xD04190, Family.FIVE),  # 500
        (0xD04FF0, Family.FIVE),  # a board to come, with the processor of a 5
        (0xD0FFF0, None),  # one with a processor to come
    ],
)
def test_families_by_revision_code(revision: int, family: Family | None) -> None:
    """Modules and keyboards count as their namesakes; new boards by their processor."""
    board = board_of(revision)
    assert family is (board.family if board else None)
