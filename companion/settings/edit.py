"""Editor of settings in the text of the user's file; all other lines stay as they are.

Comments are kept: the comment of a removed line becomes a line of its own.
"""

import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Final, TypeAlias, cast

from companion.errors import Fault, Message, SettingsError
from companion.settings.schema import split_key
from companion.toml.document import (
    KeyPath,
    Statement,
    comments,
    end_comment,
    key_text,
    parsed,
    statements,
)
from companion.toml.text import Value, toml_key, toml_value

_WIDTH: Final = 100

_Tables: TypeAlias = dict[str, object]


def changed(text: str, changes: Mapping[str, Value | None]) -> str:
    """Return the text of a valid settings file with some settings changed or removed.

    Args:
        text: the text of the file; lines that set other keys stay, byte for byte.
        changes: values by key, such as `strip.driver` or `panel.pins.1.undo`; None removes a key.

    Raises:
        SettingsError: TOML cannot express a value, or this editor cannot change the file's layout.
    """
    wanted = tomllib.loads(text)
    lines = original = statements(text)
    for key, value in changes.items():
        path = _path(key)
        if _value(wanted, path) == value and type(_value(wanted, path)) is type(value):
            continue
        _apply(wanted, path, value)
        lines = _edited(lines, path, value)
    result = "".join(_ended_like(text, line, original) for line in lines)
    if not _says(result, wanted):
        problem, remedy = "cannot be written into this file", "change it there by hand"
        faults = [Fault(key=key, problem=problem, remedy=remedy) for key in changes]
        raise SettingsError(*faults)
    return result


def _ended_like(text: str, line: Statement, original: list[Statement]) -> str:
    """Return the text of a statement; a new one gets the line ends of the file."""
    ours = not any(line is each for each in original)
    return line.text.replace("\n", "\r\n") if ours and "\r\n" in text else line.text


def _path(key: str) -> KeyPath:
    table, name = split_key(key)
    return (*table.split("."), name) if table else (name,)


def _says(text: str, wanted: _Tables) -> bool:
    found = parsed(text)
    return found is not None and _without_empty(found) == _without_empty(wanted)


def _without_empty(tables: _Tables) -> _Tables:
    """Return the tables without empty ones, which make no difference."""
    inner = {key: _without_empty(value) for key, value in tables.items() if isinstance(value, dict)}
    bare = {key: value for key, value in tables.items() if not isinstance(value, dict)}
    return bare | {key: table for key, table in inner.items() if table}


def _value(tables: object, path: KeyPath) -> Value | None:
    for key in path:
        if not isinstance(tables, dict) or key not in tables:
            return None
        tables = tables[key]
    return tables


def _apply(tables: _Tables, path: KeyPath, value: Value | None) -> None:
    *around, name = path
    for key in around:
        inner = tables.setdefault(key, {})
        if not isinstance(inner, dict):
            problem = Message("{key} is no table in the file", key)
            raise SettingsError(Fault(key=".".join(path), problem=problem, remedy="mend that"))
        tables = inner
    if value is None:
        tables.pop(name, None)
    else:
        tables[name] = deepcopy(value)


# The statements of the file


def _edited(lines: list[Statement], path: KeyPath, value: Value | None) -> list[Statement]:
    """Return the statements with one setting changed."""
    for n, line in enumerate(lines):
        if line.keys and path[: len(line.path)] == line.path:
            whole = line.path == path
            inside = value if whole else _inside(line, path, value)
            return [*lines[:n], *_rewritten(line, inside), *lines[n + 1 :]]
    remaining = list(_without(lines, path))
    return remaining if value is None else _added(remaining, path, value)


def _inside(line: Statement, path: KeyPath, value: Value | None) -> Value:
    """Return the inline table that a statement sets, with one setting in it changed."""
    tables = tomllib.loads(line.text)
    _apply(tables, path[len(line.table) :], value)
    return _value(tables, line.keys)


def _rewritten(line: Statement, value: Value | None) -> Iterator[Statement]:
    """Yield a statement with another value; for None only its comments."""
    if value is None:
        yield from _remarks(line, comments(line))
        return
    end = end_comment(line)
    yield from _remarks(line, comments(line)[: -1 if end else None])
    yield replace(line, text=f"{_set(key_text(line), value)}{end}\n")


def _without(lines: list[Statement], path: KeyPath) -> Iterator[Statement]:
    """Yield the statements outside of a table or a list of tables, and all comments."""
    for n, line in enumerate(lines):
        following = lines[n + 1] if n + 1 < len(lines) else line
        if line.is_remark or line.path[: len(path)] != path:
            is_gap = _is_empty(line) and following.is_item and following.path == path
            yield from () if is_gap else (line,)
        else:
            yield from _remarks(line, comments(line))


def _remarks(line: Statement, texts: list[str]) -> Iterator[Statement]:
    for comment in texts:
        yield Statement(text=f"{comment}\n", table=line.table)


def _added(lines: list[Statement], path: KeyPath, value: Value) -> list[Statement]:
    """Return the statements with a new setting at the end of its table."""
    table = path[:-1]
    last = max((n for n, line in enumerate(lines) if _is_in(line, table)), default=None)
    if _is_tables(value) and (last is None or lines[last].table == table):
        at = len(lines) if last is None else _after(lines, last)
        return _inserted(lines, at, list(_blocks(path, value)))
    if last is not None:
        return _inserted(lines, _after(lines, last), [_line(path, value, lines[last].table)])
    new = [*_header(table), _line(path, value, table)] if table else [_line(path, value, ())]
    at = len(lines) if table else _end_of_top(lines)
    gap = [Statement(text="\n", table=())]
    before = gap if at and not _is_empty(lines[at - 1]) else []
    return _inserted(lines, at, [*before, *new, *([] if at == len(lines) else gap)])


def _is_in(line: Statement, table: KeyPath) -> bool:
    """Return True if a statement is a table's header, or sets a key in it."""
    if line.is_header:
        return line.path == table and not line.is_item
    return len(line.table) <= len(table) < len(line.path) and line.path[: len(table)] == table


def _after(lines: list[Statement], n: int) -> int:
    """Return the index after a statement and the indented lines that continue its comment."""
    n += 1
    while n < len(lines) and lines[n].is_remark and lines[n].text.startswith((" ", "\t")):
        n += 1
    return n


def _inserted(lines: list[Statement], at: int, new: list[Statement]) -> list[Statement]:
    """Return the statements with others inserted at an index, each on lines of its own."""
    before = lines[:at]
    if before and not before[-1].text.endswith("\n"):
        before[-1] = replace(before[-1], text=f"{before[-1].text}\n")
    return [*before, *new, *lines[at:]]


def _header(table: KeyPath, brackets: str = "[]") -> list[Statement]:
    name, half = ".".join(map(toml_key, table)), len(brackets) // 2
    text = f"{brackets[:half]}{name}{brackets[half:]}\n"
    return [Statement(text=text, table=table, is_header=True, is_item=half > 1)]


def _line(path: KeyPath, value: Value, within: KeyPath) -> Statement:
    """Return a statement that sets a key inside the table `within`."""
    keys = path[len(within) :]
    text = _set(f"{'.'.join(map(toml_key, keys))} = ", value)
    return Statement(text=f"{text}\n", table=within, keys=keys)


def _is_empty(line: Statement) -> bool:
    return line.is_remark and not line.text.strip()


def _end_of_top(lines: list[Statement]) -> int:
    """Return the index of the first table's header, or of the comment right above it."""
    at = next((n for n, line in enumerate(lines) if line.is_header), len(lines))
    if at == len(lines):
        return at
    while at and lines[at - 1].is_remark and not _is_empty(lines[at - 1]):
        at -= 1
    return at


def _is_tables(value: Value) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _blocks(path: KeyPath, tables: Value) -> Iterator[Statement]:
    """Yield a list of tables, each under a header of its own."""
    for table in cast("list[dict[str, Value]]", tables):
        yield Statement(text="\n", table=path)
        yield from _header(path, "[[]]")
        for key, value in table.items():
            yield _line((*path, key), value, path)


def _set(key: str, value: Value) -> str:
    """Return the text of a key and its value; a long list takes several lines."""
    line = f"{key}{toml_value(value)}"
    if len(line) <= _WIDTH or not isinstance(value, list):
        return line
    items, rows = [f"{toml_value(item)}," for item in value], [""]
    for item in items:
        if len(rows[-1]) + len(item) >= _WIDTH:
            rows.append("")
        rows[-1] += f" {item}" if rows[-1] else f"    {item}"
    return f"{key}[\n" + "\n".join(rows) + "\n]"
