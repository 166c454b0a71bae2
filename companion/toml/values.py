"""Values of TOML: their notation on one line, and checks by kind and range."""

import json
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, TypeGuard

from companion.errors import NO_TEXT, Text, joined

Value: TypeAlias = object  # a value of TOML: a text, a number, true or false, a list or a table
_NOT_IN_A_LINE = ("Cc", "Cs", "Zl", "Zp")


def is_one_line(text: str) -> bool:
    r"""Return True if no character of a text moves the cursor or begins another line.

    >>> is_one_line("Zoë & Ben"), is_one_line("a\nb"), is_one_line("\x1b[2J")
    (True, False, False)
    """
    return not any(unicodedata.category(character) in _NOT_IN_A_LINE for character in text)


def toml_key(name: str) -> str:
    """Return a key, in quotes if TOML requires them.

    >>> toml_key("budget_ma"), toml_key("1.undo")
    ('budget_ma', '"1.undo"')
    """
    plain = name.replace("_", "").replace("-", "")
    return name if plain.isalnum() and plain.isascii() else toml_text(name)


def toml_value(value: Value) -> str:
    """Return a value on one line.

    >>> toml_value({"a": [1, True, "x"]})
    '{ a = [1, true, "x"] }'
    """
    if isinstance(value, dict):
        inside = ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return toml_text(value) if isinstance(value, str) else str(value)


def toml_text(text: str) -> str:
    """Return a text in quotes. TOML shares JSON's escapes, except surrogate pairs."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(each if is_one_line(each) else f"\\u{ord(each):04x}" for each in quoted)


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
