"""Repair of rows in which one bit has turned."""

import struct

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.journal.repair import repaired
from companion.journal.store import checksum_of
from tests.support.searches import share

ROW = [7, 6, 3, 1, 1_800_000_000.25, b'{"peg":{"team":1,"points":5}}', b"[]"]


def turned(place: int, bit: int) -> list[object]:
    """The row with one bit wrong, as SQLite would read it."""
    value = ROW[place]
    wrong: object
    if isinstance(value, int):
        wrong = value ^ 1 << bit % 48 if bit % 8 < 7 else value - (1 << bit % 48)
    elif isinstance(value, float):
        content = int.from_bytes(struct.pack(">d", value), "big") ^ 1 << bit % 64
        (wrong,) = struct.unpack(">d", content.to_bytes(8, "big"))
    else:
        assert isinstance(value, bytes)
        content = int.from_bytes(value, "big") ^ 1 << bit % (8 * len(value))
        wrong = content.to_bytes(len(value), "big")
    return [*ROW[:place], wrong, *ROW[place + 1 :]]


@settings(max_examples=share(0.2))
@given(place=st.integers(0, len(ROW) - 1), bit=st.integers(0, 999))
def test_one_wrong_bit_is_found(place: int, bit: int) -> None:
    """Whichever bit of whichever value it is."""
    assert ROW == repaired(turned(place, bit), checksum_of(*ROW), checksum_of)


@given(bit=st.integers(0, 63))
def test_a_wrong_bit_of_the_checksum_is_found(bit: int) -> None:
    """Then the values are right."""
    checksum = int.from_bytes(checksum_of(*ROW), "big") ^ 1 << bit
    assert ROW == repaired(ROW, checksum.to_bytes(8, "big"), checksum_of)


def test_two_wrong_bits_are_not_guessed() -> None:
    """Unknown values are lost, not made up."""
    wrong = [8, 7, *ROW[2:]]
    assert repaired(wrong, checksum_of(*ROW), checksum_of) is None
