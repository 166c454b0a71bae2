"""Checks of single values: the kind and range of what a key takes, with the reason if refused."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from companion.errors import EITHER, Message, listed
from companion.toml.text import Value, is_one_line


class ValueKind(StrEnum):
    """Type of a value, for a form."""

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
        kind: its type.
        validate: raises a `ValueError` that names what is taken, if given anything else.
        low: the least number, included; None if it is no number.
        high: the greatest number, included.
        whole: True for whole numbers only.
        choices: all texts that there are; empty if there are others.
    """

    kind: ValueKind
    validate: Callable[[Value], object]
    low: float | None = None
    high: float | None = None
    whole: bool = False
    choices: tuple[str, ...] = ()

    @property
    def takes(self) -> str:
        """Description of the values taken; "" where any is."""
        try:
            self.validate(_NOTHING)
        except ValueError as error:
            return str(error)
        return ""


_NOTHING = object()
"""A value that no check takes."""


def is_number(value: Value) -> bool:
    """Return True for a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def number(low: float, high: float, *, whole: bool = False) -> Check:
    """Return the check of a number from `low` to `high`, both included."""
    kinds = (int,) if whole else (int, float)
    number_of = "a whole number" if whole else "a number"
    what = Message("{number} from {low} to {high}", number_of, f"{low:g}", f"{high:g}")

    def validate(value: Value) -> None:
        if isinstance(value, bool) or not isinstance(value, kinds) or not low <= value <= high:
            raise ValueError(what)

    return Check(kind=ValueKind.NUMBER, validate=validate, low=low, high=high, whole=whole)


def choice(*choices: str) -> Check:
    """Return the check of a text that is one of a few."""

    def validate(value: Value) -> None:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(listed((f'"{choice}"' for choice in choices), EITHER))

    return Check(kind=ValueKind.CHOICE, validate=validate, choices=choices)


def check_line(value: Value) -> None:
    """Refuse what is no text of one line."""
    if not isinstance(value, str) or not is_one_line(value):
        raise ValueError("a text without control characters")


def check_text(value: Value) -> None:
    """Refuse what is no text of one line, or an empty one."""
    if not isinstance(value, str) or not value:
        raise ValueError("a text")
    check_line(value)


def check_texts(value: Value) -> None:
    """Refuse what is no list of texts of one line each."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError('a list of texts, such as ["board.example"]')
    for item in value:
        check_line(item)


def _check_switch(value: Value) -> None:
    if not isinstance(value, bool):
        raise ValueError("true or false")  # noqa: TRY004  # one kind of error for all checks


TEXT = Check(kind=ValueKind.TEXT, validate=check_text)
LINE = Check(kind=ValueKind.TEXT, validate=check_line)
TEXTS = Check(kind=ValueKind.TEXTS, validate=check_texts)
SWITCH = Check(kind=ValueKind.SWITCH, validate=_check_switch)
ANYTHING = Check(kind=ValueKind.ANY, validate=lambda _value: None)
