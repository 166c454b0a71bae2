"""Reader of TOML that collects every fault, so that a user sees all of them at once.

For a wrong value the reader adds a fault, returns a default and goes on. It remembers each key that
its caller reads. `close` adds a fault for every other key, here for `clam`:

>>> from companion.toml.values import SWITCH
>>> faults: list[Fault] = []
>>> table = TableReader({"clam": True}, file="a.toml", where="lights", faults=faults)
>>> table.optional("calm", SWITCH, default=False), table.close()
(False, False)
>>> faults[0].key, str(faults[0].remedy)
('lights.clam', "did you mean 'calm'?")
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Final, TypeVar, cast

from companion.errors import Fault, Text, suggest
from companion.toml.values import Check, Value, is_one_line, toml_value

TOO_DEEP: Final = (Text("has lists or tables that are nested too deeply"), Text("take them out"))
"""Problem and remedy of a value with too many levels (see `is_too_deep`)."""

_MAX_DEPTH = 16
_MAX_TABLES = 300
_MAX_SHOWN_CHARACTERS = 60
_Value = TypeVar("_Value")


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
