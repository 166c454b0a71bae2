"""Checks of single values by kind and range, each with a description of the accepted values."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeGuard

from companion.errors import NO_TEXT, Text, joined
from companion.toml.text import Value, is_one_line


class ValueKind(StrEnum):
    """Type of a value. A form chooses its input field by this type."""

    SWITCH = "switch"
    NUMBER = "number"
    TEXT = "text"
    CHOICE = "choice"
    NUMBERS = "numbers"
    TEXTS = "texts"
    NUMBER_OR_NUMBERS = "number-or-numbers"
    MAPPING = "mapping"
    ANY = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Check of one value.

    Args:
        takes: description of the accepted values; `NO_TEXT` if every value is accepted.
        accepts: returns True for an accepted value; it can raise a `ValueError` with a more
            precise text than `takes`.
        low: the least accepted number; None if the value is not a number.
        high: the greatest accepted number; None if the value is not a number.
        whole: True for whole numbers only.
        choices: all accepted texts; empty if the texts cannot be listed.
    """

    kind: ValueKind
    takes: Text
    accepts: Callable[[Value], bool]
    low: float | None = None
    high: float | None = None
    whole: bool = False
    choices: tuple[str, ...] = ()

    def validate(self, value: Value) -> None:
        """Raise a `ValueError` with `takes` if the value is not accepted."""
        if not self.accepts(value):
            raise ValueError(self.takes)


def is_number(value: Value) -> TypeGuard[float]:
    """Return True for a number. True and False are numbers in Python, but not in TOML."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def number(low: float, high: float, *, whole: bool = False) -> Check:
    """Return the check of a number from `low` to `high`, both included."""
    kinds = (int,) if whole else (int, float)
    number_of = Text("a whole number" if whole else "a number")
    takes = Text(
        "{number} from {low} to {high}", number=number_of, low=f"{low:g}", high=f"{high:g}"
    )

    def accepts(value: Value) -> bool:
        return isinstance(value, kinds) and not isinstance(value, bool) and low <= value <= high

    return Check(
        kind=ValueKind.NUMBER, takes=takes, accepts=accepts, low=low, high=high, whole=whole
    )


def choice(*choices: str) -> Check:
    """Return the check of a text that must be one of these choices."""
    return Check(
        kind=ValueKind.CHOICE,
        takes=joined(" or ", (f'"{choice}"' for choice in choices)),
        accepts=lambda value: isinstance(value, str) and value in choices,
        choices=choices,
    )


def _is_text(value: Value) -> bool:
    if isinstance(value, str):
        LINE.validate(value)
    return isinstance(value, str) and bool(value)


def _are_texts(value: Value) -> bool:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return False
    for item in value:
        LINE.validate(item)
    return True


LINE = Check(
    kind=ValueKind.TEXT,
    takes=Text("a text without control characters"),
    accepts=lambda value: isinstance(value, str) and is_one_line(value),
)
TEXT = Check(kind=ValueKind.TEXT, takes=Text("a text"), accepts=_is_text)
TEXTS = Check(
    kind=ValueKind.TEXTS,
    takes=Text('a list of texts, such as ["board.example"]'),
    accepts=_are_texts,
)
SWITCH = Check(
    kind=ValueKind.SWITCH,
    takes=Text("true or false"),
    accepts=lambda value: isinstance(value, bool),
)
ANYTHING = Check(kind=ValueKind.ANY, takes=NO_TEXT, accepts=lambda _value: True)
