"""Functions that read one required key of a table in a board file.

If the value is wrong or missing, they add a fault to the faults of the table, and return a default.
"""

import re
import unicodedata
from typing import Final

from companion import toml
from companion.errors import Text
from companion.toml import Check, TableReader, Value, ValueKind

MOST_MM: Final = 2000.0  # largest size of a sheet
_LEAST_CORNERS = 3
_WORD = re.compile(r"[a-z][a-z0-9-]{0,39}")


def _is_point(value: Value) -> bool:
    return isinstance(value, list) and len(value) == len("xy") and all(map(_is_on_sheet, value))


def _is_on_sheet(value: Value) -> bool:
    return toml.is_number(value) and 0 <= value <= MOST_MM


def _is_outline(value: Value) -> bool:
    if not isinstance(value, list) or len(value) < _LEAST_CORNERS:
        return False
    for point in value:
        _POINT.validate(point)
    return True


ID = Check(
    kind=ValueKind.TEXT,
    takes=Text("an id in quotes, of small letters, digits and hyphens"),
    accepts=lambda value: isinstance(value, str) and bool(_WORD.fullmatch(value)),
)
_POINT = Check(
    kind=ValueKind.NUMBERS,
    takes=Text("a place [x, y] in millimetres, 0 to {most_mm}", most_mm=f"{MOST_MM:g}"),
    accepts=_is_point,
)
OUTLINE = Check(
    kind=ValueKind.ANY,
    takes=Text("the corners of an outline, [x, y] each, clockwise"),
    accepts=_is_outline,
)


def whole(table: TableReader, key: str, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`."""
    return table.required(key, toml.number(low, high, whole=True), low)


def number(table: TableReader, key: str, low: float, high: float) -> float:
    """Return a number from `low` to `high`."""
    return float(table.required(key, toml.number(low, high), low))


def choice(table: TableReader, key: str, *choices: str) -> str:
    """Return a text that is one of `choices`."""
    return table.required(key, toml.choice(*choices), choices[0])


def point(table: TableReader, key: str) -> tuple[float, float]:
    """Return a place on the sheet in millimetres."""
    x, y = table.required(key, _POINT, (0.0, 0.0))
    return float(x), float(y)


def text(table: TableReader, key: str, longest: int) -> str:
    """Return a text of at most `longest` printable characters."""

    def accepts(value: Value) -> bool:
        return isinstance(value, str) and 0 < len(value) <= longest and _printable(value)

    takes = Text("1 to {longest} printable characters in quotes", longest=longest)
    return table.required(key, Check(kind=ValueKind.TEXT, takes=takes, accepts=accepts), "")


def _printable(text: str) -> bool:
    """Return False if a character is in Unicode's class C, such as a control character."""
    return not any(unicodedata.category(character).startswith("C") for character in text)
