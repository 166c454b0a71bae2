"""Boot settings of one Raspberry Pi, from config.txt.

A filter such as [pi4] limits the lines below it to some kinds of boards. The kinds and their
revision codes are from Raspberry Pi's documentation. Sections with a condition that only the
firmware knows (a display, a pin, a serial number) are ignored; included files are not read.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final


class Family(Enum):
    """Family of Pis that drive strips alike: Pi 400 and Compute Module 4 belong to FOUR."""

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

    If `mini_uart` is True, the header has the serial port that depends on the core clock, because
    Bluetooth uses the other one.
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


_ON: Final = frozenset({"on", "yes", "true", "1", ""})
_MODEL: Final = re.compile(r"(pi|cm)\d|none$|board-type=")


@dataclass(frozen=True, slots=True, kw_only=True)
class Boot:
    """Settings of config.txt for one model; if a name has several lines, the last one counts.

    `file` is the path of config.txt. `settings` has values by name. `parameters` has the
    values in `dtparam=` by name, and `overlays` has the value of each `dtoverlay=`.
    """

    file: str
    settings: Mapping[str, str]
    parameters: Mapping[str, str]
    overlays: tuple[str, ...]

    def number(self, name: str, default: int) -> int:
        try:
            return int(self.settings.get(name, ""), 0)
        except ValueError:
            return default

    def switched(self, parameter: str) -> bool | None:
        value = self.parameters.get(parameter)
        return None if value is None else value in _ON

    def loads(self, overlay: str) -> bool:
        return overlay in map(_overlay_name, self.overlays)


def parse_boot(text: str, *, file: str, board: PiBoard | None) -> Boot:
    """Parse the text of config.txt as `board` reads it; None is a board of unknown kind."""
    settings: dict[str, str] = {}
    parameters: dict[str, str] = {}
    overlays: list[str] = []
    scope = ""
    for name, value in _lines_for(board, text):
        if name == "dtoverlay":
            scope = _overlay_name(value)
            overlays += [value] if value else []
        elif name == "dtparam":
            parameters |= dict(_base_parameters(value, scope))
        else:
            settings[name] = value
    return Boot(
        file=file,
        settings=MappingProxyType(settings),
        parameters=MappingProxyType(parameters),
        overlays=tuple(overlays),
    )


def _overlay_name(line: str) -> str:
    return re.split("[,:]", line)[0]


def _lines_for(board: PiBoard | None, text: str) -> Iterator[tuple[str, str]]:
    this_model = others = True
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            condition = line[1:-1].strip().lower()
            if condition == "all":
                this_model = others = True
            elif _MODEL.match(condition):
                this_model = board is not None and _passes(board, condition)
            else:
                others = False
        elif this_model and others and not line.startswith("#"):
            name, equals, value = line.partition("=")
            if equals:
                yield name.strip(), value.strip()


def _passes(board: PiBoard, condition: str) -> bool:
    kind, _, number = condition.partition("board-type=")
    if kind or not number:
        return condition in board.filters
    try:
        return int(number, 0) == board.type
    except ValueError:
        return False


def _base_parameters(value: str, scope: str) -> Iterator[tuple[str, str]]:
    """Yield the board's parameters of a dtparam line; `scope` is the overlay above the line."""
    for parameter in value.split(","):
        name, _, setting = parameter.partition("=")
        # Below a graphics overlay, "audio" is a parameter of this overlay: the sound of HDMI.
        if not (name == "audio" and scope.startswith("vc4-")):
            yield name.strip(), setting.strip()
