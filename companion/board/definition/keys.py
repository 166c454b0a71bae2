"""Keys that must be in a table of a board file, each with its check; a fault gives a stand-in."""

import re
import unicodedata
from typing import Final, cast

from companion.errors import Message
from companion.toml import checks
from companion.toml.checks import Check, ValueKind
from companion.toml.table import TableReader
from companion.toml.text import Value

MOST_MM: Final = 2000.0
"""Largest size of a sheet."""

_LEAST_CORNERS = 3
_WORD = re.compile(r"[a-z][a-z0-9-]{0,39}")


def _check_id(value: Value) -> None:
    if not isinstance(value, str) or not _WORD.fullmatch(value):
        raise ValueError("an id in quotes, of small letters, digits and hyphens")


def _check_point(value: Value) -> None:
    match value:
        case [x, y] if _is_on_sheet(x) and _is_on_sheet(y):
            return
    raise ValueError(Message("a place [x, y] in millimetres, 0 to {most_mm}", f"{MOST_MM:g}"))


def _is_on_sheet(value: Value) -> bool:
    return checks.is_number(value) and 0 <= cast("float", value) <= MOST_MM


def _check_outline(value: Value) -> None:
    if not isinstance(value, list) or len(value) < _LEAST_CORNERS:
        raise ValueError("the corners of an outline, [x, y] each, clockwise")
    for point in value:
        _check_point(point)


ID = Check(kind=ValueKind.TEXT, validate=_check_id)
_POINT = Check(kind=ValueKind.NUMBERS, validate=_check_point)
OUTLINE = Check(kind=ValueKind.ANY, validate=_check_outline)


def whole(table: TableReader, key: str, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`."""
    return table.required(key, checks.number(low, high, whole=True), low)


def number(table: TableReader, key: str, low: float, high: float) -> float:
    """Return a number from `low` to `high`."""
    return float(table.required(key, checks.number(low, high), low))


def choice(table: TableReader, key: str, *choices: str) -> str:
    """Return one of a few texts."""
    return table.required(key, checks.choice(*choices), choices[0])


def point(table: TableReader, key: str) -> tuple[float, float]:
    """Return a place on the sheet in millimetres."""
    x, y = table.required(key, _POINT, (0.0, 0.0))
    return float(x), float(y)


def text(table: TableReader, key: str, longest: int) -> str:
    """Return a text of at most `longest` printable characters."""

    def validate(value: Value) -> None:
        if not isinstance(value, str) or not 0 < len(value) <= longest or not _printable(value):
            raise ValueError(Message("1 to {longest} printable characters in quotes", longest))

    return table.required(key, Check(kind=ValueKind.TEXT, validate=validate), "")


def _printable(text: str) -> bool:
    """Return False for text with control characters or others no printer and no XML can show."""
    return not any(unicodedata.category(character).startswith("C") for character in text)
