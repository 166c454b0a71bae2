"""Checks of single settings, such as the budget of a strip and the pins of buttons."""

import re
from collections.abc import Callable
from typing import Final

from companion.errors import NO_TEXT, Text, joined, suggest
from companion.players import KINDS
from companion.toml.values import LINE, Check, Value, ValueKind, is_number, number

_MIN_BAUD, _MAX_BAUD = 9600, 12_000_000
_LEAST_WHITE = 0.2
_MILLIAMPS = number(1, 100_000)


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
OPTION: Final = Check(
    kind=ValueKind.ANY, takes=Text("true or false, a number or a text"), accepts=_is_option
)
"""Check of an option of a strip's driver; the driver checks the value again."""
