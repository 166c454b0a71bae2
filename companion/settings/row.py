"""The facts about each setting, called its row, and the checks of the values.

A field of a settings class declares one setting's row:

    hold_ms: float = setting(3, number(0, 100), unit="ms", label="Hold", help="...")

This setting has the name and the type of its field. The loader, the page, `cribwars config` and the
file of defaults use the row. The checks at the end are of single settings, such as the budget of a
strip, the pins of buttons and the address of a message broker.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from companion.errors import NO_TEXT, Text, joined, suggest
from companion.network import is_wifi_name, is_wifi_password
from companion.players import KINDS
from companion.toml import LINE, Check, Value, ValueKind, is_number, number

_T = TypeVar("_T")
_Table = TypeVar("_Table")
_MIN_BAUD, _MAX_BAUD = 9600, 12_000_000
_LEAST_WHITE = 0.2
_MILLIAMPS = number(1, 100_000)
_PORTS: Final = {"mqtt": 1883, "mqtts": 8883}


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
    """Return the field of a setting; for a table whose keys the user chooses, give a mapping.

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


def _is_budget(value: Value) -> bool:
    supplies = value if isinstance(value, list) and value else [value]
    return all(map(_MILLIAMPS.accepts, supplies))


def _is_white(value: Value) -> bool:
    return (
        isinstance(value, list)
        and len(value) == len("RGB")
        and all(is_number(part) and _LEAST_WHITE <= part <= 1 for part in value)
    )


def _is_place_of_buttons(value: Value) -> bool:
    where, _, port = value.partition(":") if isinstance(value, str) else ("", "", "")
    if value in ("gpio", "serial") or (where == "serial" and port):
        LINE.validate(value)
        return True
    hint = suggest(where, ("gpio", "serial"), otherwise=NO_TEXT) if where != "serial" else ""
    raise ValueError(joined("; ", (BUTTONS.takes, hint)))


def _is_option(value: Value) -> bool:
    if isinstance(value, str):
        LINE.validate(value)
    return isinstance(value, str | bool | int | float)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerAddress:
    """Host and port of a broker; `tls` is True for an encrypted connection."""

    host: str
    port: int
    tls: bool = False


def parse_broker(text: str) -> BrokerAddress:
    """Parse the address of a broker.

    >>> parse_broker("mqtt://night.local")
    BrokerAddress(host='night.local', port=1883, tls=False)

    Raises:
        ValueError: the address has another form; the message shows the right one.
    """
    try:
        parts = urlsplit(text)
        port = parts.port or _PORTS[parts.scheme]
        if not parts.hostname or parts.username or parts.path.strip("/") or parts.query:
            raise ValueError(text)  # noqa: TRY301  # all of these are one fault
    except (KeyError, ValueError):
        raise ValueError('an address such as "mqtt://night.local", or mqtts:// with TLS') from None
    return BrokerAddress(host=parts.hostname, port=port, tls=parts.scheme == "mqtts")


def parsed_by(parse: Callable[[str], object]) -> Check:
    """Return the check that a text is empty, or that a function can parse it."""

    def accepts(value: Value) -> bool:
        LINE.validate(value)
        return not value or bool(parse(str(value)))

    return Check(kind=ValueKind.TEXT, takes=LINE.takes, accepts=accepts)


BUDGET: Final = Check(
    kind=ValueKind.NUMBER_OR_NUMBERS,
    takes=Text("{error}, or a list of such numbers, one a channel", error=_MILLIAMPS.takes),
    accepts=_is_budget,
    low=_MILLIAMPS.low,
    high=_MILLIAMPS.high,
)
BAUD: Final = Check(
    kind=ValueKind.NUMBER,
    takes=Text(
        "0, or a whole number from {min_baud} to {max_baud}", min_baud=_MIN_BAUD, max_baud=_MAX_BAUD
    ),
    accepts=lambda value: type(value) is int and (not value or _MIN_BAUD <= value <= _MAX_BAUD),
    low=0,
    high=_MAX_BAUD,
    whole=True,
)
WHITE: Final = Check(
    kind=ValueKind.NUMBERS,
    takes=Text("three numbers from 0.2 to 1, such as [1, 0.8, 0.9]"),
    accepts=_is_white,
)
PINS: Final = Check(
    kind=ValueKind.NUMBERS,
    takes=Text("a list of pins, such as [18, 13]"),
    accepts=lambda value: isinstance(value, list) and all(type(pin) is int for pin in value),
)
PLAYERS: Final = Check(
    kind=ValueKind.TEXTS,
    takes=Text('a list of {kinds}, such as ["shark", "regular"]', kinds=", ".join(KINDS)),
    accepts=lambda value: (
        isinstance(value, list) and value != [] and {*map(str, value)} <= {*KINDS}
    ),
    choices=tuple(KINDS),
)
BUTTONS: Final = Check(
    kind=ValueKind.TEXT,
    takes=Text('"gpio", "serial", or a port as in "serial:/dev/ttyACM0"'),
    accepts=_is_place_of_buttons,
)
NIGHT: Final = Check(
    kind=ValueKind.TEXT,
    takes=Text('small letters, digits and hyphens, such as "friday"'),
    accepts=lambda value: isinstance(value, str) and bool(re.fullmatch("[a-z0-9-]{1,40}", value)),
)
WIFI_NAME: Final = Check(
    kind=ValueKind.TEXT,
    takes=Text('a name of 1 to 32 letters, such as "Crib Wars"; a letter with an accent counts 2'),
    accepts=lambda value: isinstance(value, str) and is_wifi_name(value),
)
WIFI_PASSWORD: Final = Check(
    kind=ValueKind.TEXT,
    takes=Text("a password of 8 to 63 letters, digits and signs without accents"),
    accepts=lambda value: isinstance(value, str) and is_wifi_password(value),
)
OPTION: Final = Check(
    kind=ValueKind.ANY, takes=Text("true or false, a number or a text"), accepts=_is_option
)
"""Check of an option of a strip's driver; the driver checks the value again."""
