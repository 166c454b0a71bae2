"""Sources of settings: the file written by hand, and the set-up page's own, which takes precedence.

Values are kept by their whole key, such as `strip.driver`. If the page's file has a table whose
keys the user chooses, such as `[names]`, this table of the file written by hand is ignored. So
a change of a name first copies the whole table into the page's file. If the last name is removed
there, an empty table stays.

>>> by_hand = flat({"teams": 3, "names": {"1": "Ada"}})
>>> changed({}, {"names.2": "Bo", "lights.calm": True}, by_hand)
{'names.1': 'Ada', 'names.2': 'Bo', 'lights.calm': True}
>>> changed({"teams": 2}, {"names.1": None, "teams": None}, by_hand)
{'names': {}}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from companion.errors import Fault, Text
from companion.settings.schema import OWN_KEYS, split_key
from companion.toml import Value, decode, parse, toml_key, toml_value

PAGE_FILE: Final = "settings-of-page.toml"
_HEAD: Final = """\
# Written by the set-up page, whose values take precedence over those of {name}.
# They may be moved there by hand; this file is replaced with each change.
"""

Values: TypeAlias = dict[str, Value]
"""Values by their whole key; an empty table whose keys the user chooses has the value {}."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Settings of one origin: a file, or the command line."""

    origin: str
    values: Values


def page_file(file: Path) -> Path:
    """Return the place of the page's file beside the settings file."""
    return file.with_name(PAGE_FILE)


def read_sources(file: Path, faults: list[Fault], *, required: bool = False) -> list[Source]:
    """Return the settings file and the page's file as sources; a missing file is an empty source.

    Args:
        file: the settings file.
        faults: list to which faults are added; a file that cannot be read is an empty source.
        required: True if a missing settings file is a fault.
    """
    found = []
    for place in (file, page_file(file)):
        origin, content = str(place), b""
        try:
            content = place.read_bytes()
        except OSError as error:
            is_gone = isinstance(error, FileNotFoundError | NotADirectoryError)
            if not is_gone or (required and place == file):
                remedy = Text("give a file that is there and may be read")
                problem = Text("cannot be read ({reason})", reason=error.strerror)
                faults.append(Fault(file=origin, problem=problem, remedy=remedy))
        tables = parse(decode(content, origin, faults), origin, faults)
        found.append(Source(origin=origin, values=flat(tables)))
    return found


def flat(tables: Mapping[str, Value]) -> Values:
    """Return the values of nested tables by their whole key.

    >>> flat({"web": {"port": 1, "hosts": []}, "wiring": {"a": {"b": 2}}, "names": {}, "demo": {}})
    {'web.port': 1, 'web.hosts': [], 'wiring.a': {'b': 2}, 'names': {}}
    """
    found: Values = {}
    for key, value in tables.items():
        if isinstance(value, dict) and value and split_key(key)[0] not in OWN_KEYS:
            found |= flat({f"{key}.{name}": inner for name, inner in value.items()})
        elif value != {} or key in OWN_KEYS:
            found[key] = value
    return found


def has_table(values: Mapping[str, Value], table: str) -> bool:
    """Return True if the values have this table, whose keys the user chooses; it may be empty."""
    return table in values or any(split_key(key)[0] == table for key in values)


def changed(
    values: Mapping[str, Value], changes: Mapping[str, Value | None], by_hand: Mapping[str, Value]
) -> Values:
    """Return the values of the page's file after changes.

    Args:
        values: the values before the changes.
        changes: values by key; None removes a value, or a table.
        by_hand: values of the file written by hand.
    """
    new = dict(values)
    for key, value in changes.items():
        table, _ = split_key(key)
        if table not in OWN_KEYS:
            new = without(new, key) | ({} if value is None else flat({key: value}))
            continue
        if not has_table(new, table):
            new |= {each: old for each, old in by_hand.items() if split_key(each)[0] == table}
            if value is None and key not in new:
                continue
        new.pop(table, None)
        if value is not None:
            new[key] = value
        elif new.pop(key, None) and not has_table(new, table):
            new[table] = {}
    return new


def without(values: Mapping[str, Value], key: str) -> Values:
    """Return the values without those of a key, of the keys below it, and of a key above it.

    >>> values = {"teams": 9, "wiring.per": "hole", "wiring.chains": [3]}
    >>> without(values, "wiring.chains[1].rows"), without(values, "wiring")
    ({'teams': 9, 'wiring.per': 'hole'}, {'teams': 9})
    """

    def is_hit(each: str) -> bool:
        return each == key or each.startswith(f"{key}.") or key.startswith((f"{each}.", f"{each}["))

    return {each: value for each, value in values.items() if not is_hit(each)}


def page_text(values: Mapping[str, Value], file: str) -> str:
    """Return the text of the page's file; its heading names `file`, the settings file."""
    tables: dict[str, list[str]] = {"": []}
    for key, value in values.items():
        if key in OWN_KEYS:
            tables[key] = []
        else:
            table, name = split_key(key)
            tables.setdefault(table, []).append(f"{toml_key(name)} = {toml_value(value)}")
    blocks = ("\n".join([f"[{table}]"] * bool(table) + lines) for table, lines in tables.items())
    return _HEAD.format(name=file) + "\n\n".join(filter(None, blocks)) + "\n"
