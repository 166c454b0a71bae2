"""A TOML table read key by key: what was asked for is what may stand there, and no fault stops it.

A reader that meets a wrong value notes the fault and goes on with a stand-in, so that one look at
a file tells all that is wrong with it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from typing import TypeGuard

from companion.errors import Fault, suggest

_MOST_TABLES = 300
_LONGEST_SHOWN = 40
_WORD = re.compile(r"[a-z][a-z0-9-]{0,39}")


class Table:
    """Reader of one table of a file.

    Args:
        values: what the table holds, by key.
        file: the name of the file, for the faults.
        where: the key of the table in it, "" for the file itself.
        faults: the list that faults are added to.
    """

    def __init__(
        self, values: dict[str, object], *, file: str, where: str, faults: list[Fault]
    ) -> None:
        self.file, self.where = file, where
        self.faults = faults
        self._values = values
        self._asked: list[str] = []
        self._faulty: set[str] = set()

    @property
    def clean(self) -> bool:
        """Whether no key of this table itself has a fault so far."""
        return not self._faulty

    def good(self, *keys: str) -> bool:
        """Whether none of these keys has a fault so far."""
        return self._faulty.isdisjoint(keys)

    def fault(self, key: str, problem: str, remedy: str) -> None:
        """Note a fault of one key."""
        self._faulty.add(key)
        where = self.key(key)
        self.faults.append(Fault(file=self.file, key=where, problem=problem, remedy=remedy))

    def key(self, key: str) -> str:
        """The whole name of a key of this table, as faults tell it."""
        return f"{self.where}.{key}" if self.where else key

    def refuse(self, key: str, problem: str, remedy: str) -> None:
        """Note a fault if the key, otherwise a known one, is given here."""
        self._asked.append(key)
        if key in self._values:
            self.fault(key, problem, remedy)

    def pass_over(self, *keys: str) -> None:
        """Take these keys for known ones and judge nothing about them."""
        self._asked.extend(keys)

    def whole(self, key: str, low: int, high: int, *, default: int | None = None) -> int:
        """A whole number from low to high; the default, or else `low`, stands in for a fault."""
        value = self._given(
            key, f"a whole number from {low} to {high}", has_default=default is not None
        )
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        if value is not None:
            self.fault(key, f"{_shown(value)} is no whole number from {low} to {high}", "give one")
        return low if default is None else default

    def number(self, key: str, low: float, high: float, *, default: float | None = None) -> float:
        """A number from low to high; the default, or else `low`, stands in for a fault."""
        value = self._given(
            key, f"a number from {low:g} to {high:g}", has_default=default is not None
        )
        if _is_number(value) and low <= value <= high:
            return float(value)
        if value is not None:
            self.fault(key, f"{_shown(value)} is no number from {low:g} to {high:g}", "give one")
        return low if default is None else default

    def point(self, key: str, most: float) -> tuple[float, float]:
        """A place `[x, y]` in millimetres, both from 0 to `most`."""
        value = self._given(key, "a place in millimetres: [x, y]")
        match value:
            case [x, y] if _is_number(x) and _is_number(y):
                if 0 <= x <= most and 0 <= y <= most:
                    return float(x), float(y)
        if value is not None:
            remedy = f"give [x, y] in millimetres, 0 to {most:g}"
            self.fault(key, f"{_shown(value)} is no place", remedy)
        return 0.0, 0.0

    def text(self, key: str, longest: int) -> str:
        """A line of print, neither empty nor longer than `longest` characters."""
        value = self._given(key, "a text in quotes")
        if isinstance(value, str) and 0 < len(value) <= longest and _printable(value):
            return value
        if value is not None:
            remedy = f"give 1 to {longest} printable characters in quotes"
            self.fault(key, f"{_shown(value)} is no text", remedy)
        return ""

    def word(self, key: str, *, default: str | None = None) -> str:
        """An id: small letters, digits and hyphens, beginning with a letter."""
        value = self._given(key, "an id in quotes", has_default=default is not None)
        if isinstance(value, str) and _WORD.fullmatch(value):
            return value
        if value is not None:
            remedy = "use small letters, digits and hyphens"
            self.fault(key, f"{_shown(value)} is no id", remedy)
        return default or ""

    def choice(self, key: str, choices: Sequence[str], *, default: str | None = None) -> str:
        """One of a few words; the default, or else the first, stands in for a fault."""
        among = " or ".join(f'"{choice}"' for choice in choices)
        value = self._given(key, among, has_default=default is not None)
        if isinstance(value, str) and value in choices:
            return value
        if value is not None:
            self.fault(key, f"{_shown(value)} is none of the words for it", f"write {among}")
        return choices[0] if default is None else default

    def table(self, key: str) -> Table:
        """The table of that name, an empty one standing in."""
        self._asked.append(key)
        value = self._values.get(key, {})
        if isinstance(value, dict):
            return self._below(value, self.key(key))
        self.fault(key, f"{_shown(value)} is no table", f"write [{key}] and its keys below")
        return self._below({}, self.key(key))

    def tables(self, key: str) -> list[Table]:
        """The tables `[[key]]` in the order of the file, none if there are none."""
        self._asked.append(key)
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.fault(key, f"{_shown(value)} is no list of tables", f"write [[{key}]] above each")
            return []
        if len(value) > _MOST_TABLES:
            problem = f"{len(value)} tables are more than a board needs"
            self.fault(key, problem, f"keep {_MOST_TABLES}")
            return []
        return [self._below(item, f"{self.key(key)}[{n}]") for n, item in enumerate(value, start=1)]

    def close(self) -> bool:
        """Note every key that nobody asked for; says whether this table is without a fault."""
        for key in self._values:
            if key not in self._asked:
                remedy = suggest(key, self._asked)
                self.fault(_plain(key), "is no key of a board file", remedy)
        return self.clean

    def _below(self, values: dict[str, object], where: str) -> Table:
        return Table(values, file=self.file, where=where, faults=self.faults)

    def _given(self, key: str, what: str, *, has_default: bool = False) -> object:
        self._asked.append(key)
        if key not in self._values and not has_default:
            self.fault(key, "is missing", f"give {what}")
        return self._values.get(key)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _printable(text: str) -> bool:
    """Without control characters and what else no printer and no XML can show."""
    return not any(unicodedata.category(character).startswith("C") for character in text)


def _plain(text: str) -> str:
    """A key on one line, whatever it is made of."""
    return text if text and _printable(text) and len(text) <= _LONGEST_SHOWN else _shown(text)


def _shown(value: object) -> str:
    """A value as it may stand in the file, cut to a length that fits a line."""
    if isinstance(value, dict):
        return "a table"
    try:
        text = json.dumps(value, default=str)
    except ValueError:  # Python refuses to print a number of more than 4,300 digits
        return "a huge number"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
