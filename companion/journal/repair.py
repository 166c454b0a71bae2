"""Repair of a row in which one bit has turned: found by its checksum, among all that it may be."""

import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Final

_INTEGER_BITS: Final = 48
_DOUBLE: Final = struct.Struct(">d")


def repaired(
    values: Sequence[object], checksum: bytes, checksum_of: Callable[..., bytes]
) -> list[object] | None:
    """Return the values that agree with a checksum but for one bit of either, None without any."""
    if _differ_in_one_bit(checksum, checksum_of(*values)):
        return list(values)
    for index, value in enumerate(values):
        for candidate in _neighbours(value):
            found = [*values[:index], candidate, *values[index + 1 :]]
            if checksum_of(*found) == checksum:
                return found
    return None


def _differ_in_one_bit(one: bytes, other: bytes) -> bool:
    different = int.from_bytes(one, "big") ^ int.from_bytes(other, "big")
    return len(one) == len(other) and different.bit_count() == 1


def _neighbours(value: object) -> Iterator[object]:
    """Yield the values that one turned bit makes of one."""
    match value:
        case int():
            for bit in range(_INTEGER_BITS):
                yield value + (1 << bit)
                yield value - (1 << bit)
        case float():
            yield from (_DOUBLE.unpack(each)[0] for each in _turned(_DOUBLE.pack(value)))
        case bytes():
            yield from _turned(value)
        case _:
            pass


def _turned(content: bytes) -> Iterator[bytes]:
    whole = int.from_bytes(content, "big")
    for bit in range(8 * len(content)):
        yield (whole ^ 1 << bit).to_bytes(len(content), "big")
