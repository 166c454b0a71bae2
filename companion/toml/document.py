"""Statements of a TOML text, so that one can be changed without touching the others.

A statement is the smallest number of whole lines that is valid TOML: a remark (a comment or an
empty line), the header of a table, or a key with its value. Python's own parser decides where a
statement ends, what it sets, and where its comments begin.
"""

import re
import tomllib
from dataclasses import dataclass
from typing import TypeAlias

from companion.toml.text import Value

KeyPath: TypeAlias = tuple[str, ...]
"""A key with the names of the tables around it, from the outermost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Whole lines of a TOML text; the texts of all statements together are the whole text.

    `table` is the path of the table around it, or of the table that it begins. `keys` is the key
    before the equals sign, empty for headers and remarks. `is_header` is True for `[table]` and
    `[[table]]`, `is_item` for `[[table]]` only.
    """

    text: str
    table: KeyPath
    keys: KeyPath = ()
    is_header: bool = False
    is_item: bool = False

    @property
    def is_remark(self) -> bool:
        """True if it sets nothing: a comment, or an empty line."""
        return not self.keys and not self.is_header

    @property
    def path(self) -> KeyPath:
        """Path of the key that it sets, or of the table that it begins."""
        return self.table + self.keys


def statements(text: str) -> list[Statement]:
    """Return the statements of a valid TOML text, in their order.

    Raises:
        tomllib.TOMLDecodeError: the text is not valid TOML.
    """
    found: list[Statement] = []
    table: KeyPath = ()
    chunk = ""
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        chunk += line
        if parsed(chunk) is not None:
            found.append(_statement(chunk, table))
            table, chunk = found[-1].table, ""
    if chunk:
        tomllib.loads(chunk)  # tells what is wrong with it
    return found


def comments(statement: Statement) -> list[str]:
    """Return the comments in a statement, in the order of its lines.

    >>> (hold,) = statements("hold_ms = 3  # steady")
    >>> comments(hold)
    ['# steady']
    """
    return [comment for _, comment in _split(statement.text) if comment]


def end_comment(statement: Statement) -> str:
    """Return the comment after the value in the last line, with the blanks before it, or ""."""
    bare, comment = _split(statement.text)[-1]
    return bare[len(bare.rstrip()) :] + comment if comment else ""


def key_text(statement: Statement) -> str:
    """Return the text of the key, the equals sign and the blanks after it."""
    text = statement.text
    equals = next(n for n, each in enumerate(text) if each == "=" and parsed(f"{text[:n]}=0"))
    value = text[equals + 1 :]
    return text[: equals + 1] + value[: len(value) - len(value.lstrip(" \t"))]


def parsed(text: str) -> dict[str, Value] | None:
    """Return the tables of a text, None if it is not valid TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _statement(text: str, table: KeyPath) -> Statement:
    start = text.lstrip()
    if not start or start.startswith("#"):
        return Statement(text=text, table=table)
    if start.startswith("["):
        path, innermost = _descended(tomllib.loads(text))
        is_item = isinstance(innermost, list)
        return Statement(text=text, table=path, is_header=True, is_item=is_item)
    bare = Statement(text=text, table=table)
    keys, _ = _descended(tomllib.loads(f"{key_text(bare)}0"))
    return Statement(text=text, table=table, keys=keys)


def _descended(value: object) -> tuple[KeyPath, object]:
    """Return the keys of nested tables with a single key each, and the innermost value."""
    path: list[str] = []
    while isinstance(value, dict) and value:
        ((key, value),) = value.items()
        path.append(key)
    return tuple(path), value


def _split(text: str) -> list[tuple[str, str]]:
    """Return each line of a statement as two texts: the TOML before its comment, the comment."""
    meant = tomllib.loads(text)
    lines = text.rstrip("\r\n").split("\n")
    found: list[tuple[str, str]] = []
    for n, line in enumerate(lines):
        before, after = lines[:n], lines[n + 1 :]
        places = (at for at, each in enumerate(line) if each == "#")
        shorter = ((at, "\n".join([*before, line[:at], *after])) for at in places)
        cut = next((at for at, text in shorter if parsed(text) == meant), None)
        found.append((line, "") if cut is None else (line[:cut], line[cut:].rstrip()))
    return found
