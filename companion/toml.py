"""TOML: a reader that collects every fault, checks of values, and values as text on one line.

For a wrong value the reader adds a fault, returns a default and goes on, so that a user sees all
faults at once. It remembers each key that its caller reads. `close` adds a fault for every other
key, here for `clam`:

>>> faults: list[Fault] = []
>>> table = TableReader({"clam": True}, file="a.toml", where="lights", faults=faults)
>>> table.optional("calm", SWITCH, default=False), table.close()
(False, False)
>>> faults[0].key, str(faults[0].remedy)
('lights.clam', "did you mean 'calm'?")
"""

from __future__ import annotations

import json
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias, TypeGuard, TypeVar, cast

from companion.errors import NO_TEXT, Fault, Text, joined, suggest

Value: TypeAlias = object  # a value of TOML: a text, a number, true or false, a list or a table
_NOT_IN_A_LINE = ("Cc", "Cs", "Zl", "Zp")

TOO_DEEP: Final = (Text("has lists or tables that are nested too deeply"), Text("take them out"))
"""Problem and remedy of a value with too many levels (see `is_too_deep`)."""

_MAX_DEPTH = 16
_MAX_TABLES = 300
_MAX_SHOWN_CHARACTERS = 60
_Value = TypeVar("_Value")


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


def decode(content: bytes, file: str, faults: list[Fault]) -> str:
    """Return the text of a file. If the file is not UTF-8, add a fault and return "".

    A byte order mark, which some editors on Windows write, is skipped.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = Text("line {line} is not UTF-8", line=line)
        faults.append(
            Fault(file=file, problem=problem, remedy=Text("save the file in that encoding"))
        )
    return ""


def is_too_deep(value: Value) -> bool:
    """Return True if lists and tables are nested more than 16 levels deep."""
    level = [value]
    for _ in range(_MAX_DEPTH):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return bool(level)


def parse(text: str, file: str, faults: list[Fault]) -> dict[str, Value]:
    """Parse a TOML text. If it is not valid TOML, add a fault and return {}."""
    try:
        tables = tomllib.loads(text)
        if not is_too_deep(tables):
            return tables
        problem, remedy = TOO_DEEP
    except RecursionError:
        problem, remedy = TOO_DEEP
    except ValueError as error:
        problem, remedy = Text("is not TOML ({error})", error=error), Text("mend that line")
    faults.append(Fault(file=file, problem=problem, remedy=remedy))
    return {}


class TableReader:
    """Reader of one table of a file.

    Args:
        values: the values of the table, by key.
        file: the name of the file, for the faults.
        where: the key of the table in the file; "" for the whole file.
        faults: the list to which the reader adds faults.
    """

    def __init__(
        self, values: Mapping[str, Value], *, file: str, where: str, faults: list[Fault]
    ) -> None:
        self.file, self.where = file, where
        self.faults = faults
        self._values = values
        self._known: dict[str, None] = {}
        self._faulty: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._values

    @property
    def clean(self) -> bool:
        """True if the table's own keys have no fault so far; nested tables do not matter."""
        return not self._faulty

    def good(self, *keys: str) -> bool:
        """Return True if none of these keys has a fault so far."""
        return self._faulty.isdisjoint(keys)

    def fault(self, key: str, problem: Text, remedy: Text) -> None:
        self._faulty.add(key)
        where = self.key(_plain(key))
        self.faults.append(Fault(file=self.file, key=where, problem=problem, remedy=remedy))

    def key(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def allow(self, *keys: str) -> None:
        self._known.update(dict.fromkeys(keys))

    def refuse(self, key: str, problem: Text, remedy: Text) -> None:
        """Add a fault if the table has this key, which is known but does not fit here."""
        self.allow(key)
        if key in self._values:
            self.fault(key, problem, remedy)

    def required(self, key: str, check: Check, stand_in: _Value) -> _Value:
        """Return a value. If it is wrong or missing, add a fault and return `stand_in`."""
        if key not in self._values:
            self.allow(key)
            self.fault(key, Text("is missing"), Text("give {takes}", takes=check.takes))
        return self.optional(key, check, stand_in)

    def optional(self, key: str, check: Check, default: _Value) -> _Value:
        """Return a value, or `default` if it is missing or wrong. A wrong value is also a fault."""
        self.allow(key)
        if key not in self._values:
            return default
        value = self._values[key]
        try:
            check.validate(value)
        except ValueError as error:
            self._refuse_value(key, value, Text("it takes {error}", error=error))
            return default
        return cast("_Value", value)

    def table(self, key: str) -> TableReader:
        self.allow(key)
        value = self._values.get(key, {})
        if isinstance(value, dict):
            return self._below(value, self.key(key))
        self._refuse_value(key, value, Text("write [{key}] and its keys below", key=key))
        return self._below({}, self.key(key))

    def tables(self, key: str) -> list[TableReader]:
        self.allow(key)
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            remedy = Text("write [[{key}]] above each table", key=self.key(key))
            self._refuse_value(key, value, remedy)
            return []
        if len(value) > _MAX_TABLES:
            problem = Text("{n} tables are too many", n=len(value))
            self.fault(key, problem, Text("keep {max_tables}", max_tables=_MAX_TABLES))
            return []
        return [self._below(item, f"{self.key(key)}[{n}]") for n, item in enumerate(value, start=1)]

    def close(self) -> bool:
        """Add a fault for every unknown key; return `clean`."""
        for key in self._values:
            if key not in self._known:
                self.fault(key, Text("there is no such key"), suggest(key, self._known))
        return self.clean

    def _refuse_value(self, key: str, value: Value, remedy: Text) -> None:
        self.fault(key, Text("cannot be {shown}", shown=shown(value)), remedy)

    def _below(self, values: Mapping[str, Value], where: str) -> TableReader:
        return TableReader(values, file=self.file, where=where, faults=self.faults)


def shown(value: Value) -> str:
    """Return a value as TOML, cut to 60 characters."""
    try:
        text = toml_value(value)
    except ValueError:  # Python refuses to print a number of more than 4,300 digits
        return "a huge number"
    cut = len(text) > _MAX_SHOWN_CHARACTERS
    return f"{text[:_MAX_SHOWN_CHARACTERS]}..." if cut else text


def _plain(key: str) -> str:
    return key if key and is_one_line(key) and len(key) <= _MAX_SHOWN_CHARACTERS else shown(key)
