"""Kinds of Raspberry Pi by revision code, with their family and filters of config.txt.

A filter such as [pi4] limits lines to some boards. The data are from Raspberry Pi's documentation.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Family(Enum):
    """Family of boards that drive strips in the same way: a 400 and a CM4 belong to FOUR."""

    ZERO = "Raspberry Pi Zero"
    ZERO_2 = "Raspberry Pi Zero 2"
    ONE = "Raspberry Pi 1"
    TWO = "Raspberry Pi 2"
    THREE = "Raspberry Pi 3"
    FOUR = "Raspberry Pi 4"
    FIVE = "Raspberry Pi 5"


@dataclass(frozen=True, slots=True, kw_only=True)
class PiBoard:
    """Kind of board: its number in revision codes, and the filters whose lines apply to it.

    If `mini_uart` is True, the header's serial port depends on the core clock, because Bluetooth
    uses the other port.
    """

    type: int
    family: Family
    filters: frozenset[str]
    mini_uart: bool = False


def _board(number: int, family: Family, *filters: str, mini_uart: bool = False) -> PiBoard:
    return PiBoard(type=number, family=family, filters=frozenset(filters), mini_uart=mini_uart)


_BOARDS: Final[Mapping[int, PiBoard]] = {
    board.type: board
    for board in (
        *(_board(number, Family.ONE, "pi1") for number in (0x00, 0x01, 0x02, 0x03, 0x06)),
        _board(0x04, Family.TWO, "pi2"),
        _board(0x08, Family.THREE, "pi3", mini_uart=True),
        _board(0x09, Family.ZERO, "pi0"),
        _board(0x0A, Family.THREE, "pi3", "cm3"),
        _board(0x0C, Family.ZERO, "pi0", "pi0w", mini_uart=True),
        _board(0x0D, Family.THREE, "pi3", "pi3+", mini_uart=True),
        _board(0x0E, Family.THREE, "pi3", "pi3+", mini_uart=True),
        _board(0x10, Family.THREE, "pi3", "cm3", "cm3+"),
        _board(0x11, Family.FOUR, "pi4", mini_uart=True),
        _board(0x12, Family.ZERO_2, "pi0", "pi0w", "pi02", mini_uart=True),
        _board(0x13, Family.FOUR, "pi4", "pi400", mini_uart=True),
        _board(0x14, Family.FOUR, "pi4", "cm4"),
        _board(0x15, Family.FOUR, "pi4", "cm4s"),
        _board(0x17, Family.FIVE, "pi5"),
        _board(0x18, Family.FIVE, "pi5", "cm5"),
        _board(0x19, Family.FIVE, "pi5", "pi500"),
        _board(0x1A, Family.FIVE, "pi5", "cm5"),
    )
}

_NEW_STYLE: Final = 1 << 23
_BY_PROCESSOR: Final = {3: (Family.FOUR, "pi4"), 4: (Family.FIVE, "pi5")}


def board_of(revision: int) -> PiBoard | None:
    """Return the board with a revision code, or None if it is unknown.

    >>> board_of(0xC04170).family
    <Family.FIVE: 'Raspberry Pi 5'>
    >>> board_of(0x000E).family  # a code of the old style, for a Pi 1
    <Family.ONE: 'Raspberry Pi 1'>
    """
    if not revision & _NEW_STYLE:
        return _BOARDS[0x01]
    number, processor = revision >> 4 & 0xFF, revision >> 12 & 0xF
    if number in _BOARDS:
        return _BOARDS[number]
    if processor in _BY_PROCESSOR:
        family, name = _BY_PROCESSOR[processor]
        return _board(number, family, name)
    return None
