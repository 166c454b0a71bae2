"""Rows with the facts about settings: a field of a settings class declares one setting's row.

    hold_ms: float = setting(3, number(0, 100), unit="ms", label="Hold", help="...")

This setting has the name and the type of its field. The loader, the page, `cribwars config` and the
file of defaults use the row.
"""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any, TypeVar

from companion.toml.values import Check, Value

_T = TypeVar("_T")
_Table = TypeVar("_Table")


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """One setting, or one table whose keys the user chooses, such as `names`.

    Args:
        key: table and name, such as `strip.driver`.
        default: the value if neither a file nor the command line sets one.
        check: check of the value, or of each value in a table.
        label: the setting's name on the page; `group` is the name of its outermost table.
        help: the setting's purpose in one line.
        unit: the unit of a number, such as "ms".
        words: names of some values, by the value as text.
        other: the form's name for all values that are not in `words`; "" if there are none.
        at_once: True if a change acts while the table runs; other changes need a restart.
        secret: True if the value is never shown.
        is_table: True if the user chooses the keys.
    """

    key: str
    default: Value
    check: Check
    label: str
    help: str
    group: str = ""
    unit: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    other: str = ""
    at_once: bool = False
    secret: bool = False
    is_table: bool = False

    @property
    def name(self) -> str:
        return self.key.rpartition(".")[2]

    @property
    def table(self) -> str:
        return self.key.rpartition(".")[0]


def setting(default: _T, check: Check, *, label: str, help: str, **facts: Any) -> _T:  # noqa: A002, ANN401  # see `SettingRow`
    """Return the field of a setting; a mapping as default makes a table with the user's keys.

    `SettingRow` describes the arguments; `facts` are its other fields.
    """
    is_table = isinstance(default, Mapping)
    metadata = {"check": check, "label": label, "help": help, "is_table": is_table} | facts
    if is_table:
        made: _T = field(default_factory=lambda: default, metadata=metadata)
    else:
        made = field(default=default, metadata=metadata)
    return made


def table(kind: type[_Table], *, label: str) -> _Table:
    """Return the field of a table of settings; `kind` is a dataclass whose fields are settings."""
    made: _Table = field(default_factory=kind, metadata={"label": label})
    return made


def rows_of(kind: type, group: str, around: str = "") -> Iterator[SettingRow]:
    """Yield the row of each setting in a table and in the tables within it."""
    for each in fields(kind):
        facts = each.metadata
        if "check" in facts:
            default = each.default if each.default_factory is MISSING else each.default_factory()
            top = facts["label"] if facts["is_table"] and not around else group
            yield SettingRow(key=around + each.name, default=default, group=top, **facts)
        elif is_dataclass(each.default_factory):
            yield from rows_of(each.default_factory, facts["label"], f"{each.name}.")
