"""Rows of the settings: what each takes, by key, and what each table of the user's own keys takes.

The default of a setting and its help stand beside each other in `defaults.toml`.
"""

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches

from companion.board.drawing.finish import FINISHES
from companion.commentary import languages
from companion.errors import Message, joined, suggest
from companion.lights.night import parse_hours
from companion.players import KINDS
from companion.rules.game.house_rules import PRESETS
from companion.settings.broker import parse_broker
from companion.toml.checks import (
    ANYTHING,
    LINE,
    SWITCH,
    TEXT,
    TEXTS,
    Check,
    ValueKind,
    check_line,
    choice,
    is_number,
    number,
)
from companion.toml.text import Value

_MIN_BAUD, _MAX_BAUD = 9600, 12_000_000
_LEAST_WHITE = 0.2
_milliamps = number(1, 100_000)


def _budget(value: Value) -> None:
    try:
        for supply in value if isinstance(value, list) and value else [value]:
            _milliamps.validate(supply)
    except ValueError as error:
        text = "{error}, or a list of such numbers, one a channel"
        raise ValueError(Message(text, error)) from error


def _baud(value: Value) -> None:
    if type(value) is not int or (value and not _MIN_BAUD <= value <= _MAX_BAUD):
        text = "0, or a whole number from {min_baud} to {max_baud}"
        raise ValueError(Message(text, _MIN_BAUD, _MAX_BAUD))


def _kinds(value: Value) -> None:
    if not isinstance(value, list) or not value or not set(map(str, value)) <= set(KINDS):
        text = 'a list of {kinds}, such as ["shark", "regular"]'
        raise ValueError(Message(text, ", ".join(KINDS)))


def _pins(value: Value) -> None:
    if not isinstance(value, list) or not all(type(pin) is int for pin in value):
        raise ValueError("a list of pins, such as [18, 13]")


def _white(value: Value) -> None:
    in_range = isinstance(value, list) and all(
        is_number(part) and _LEAST_WHITE <= float(str(part)) <= 1 for part in value
    )
    if not in_range or not isinstance(value, list) or len(value) != len("RGB"):
        raise ValueError("three numbers from 0.2 to 1, such as [1, 0.8, 0.9]")


def _parsed_by(parse: Callable[[str], object]) -> Check:
    """Return the check of a text that is empty, or that a function parses."""

    def validate(value: Value) -> None:
        check_line(value)
        if value:
            parse(str(value))

    return Check(kind=ValueKind.TEXT, validate=validate)


def _night(value: Value) -> None:
    check_line(value)
    if not re.fullmatch("[a-z0-9-]{1,40}", str(value)):
        raise ValueError('small letters, digits and hyphens, such as "friday"')


def _buttons(value: Value) -> None:
    where, _, port = value.partition(":") if isinstance(value, str) else ("", "", "")
    if value in ("gpio", "serial") or (where == "serial" and port):
        check_line(value)
        return
    hint = suggest(where, ("gpio", "serial"), otherwise="") if where != "serial" else ""
    takes = '"gpio", "serial", or a port as in "serial:/dev/ttyACM0"'
    raise ValueError(joined("; ", (takes, hint)) if hint else takes)


def _option(value: Value) -> None:
    if not isinstance(value, str | bool | int | float):
        raise ValueError("true or false, a number or a text")  # noqa: TRY004  # a check raises these
    if isinstance(value, str):
        check_line(value)


CHECKS: Mapping[str, Check] = {
    "board": TEXT,
    "teams": number(2, 3, whole=True),
    "players": number(0, 6, whole=True),
    "preset": choice(*PRESETS),
    "language": choice(*languages()),
    "voice": choice("off", "short", "full"),
    "sheet.finish": choice(*FINISHES),
    "sheet.title": LINE,
    "strip.driver": TEXT,
    "strip.type": TEXT,
    "strip.order": LINE,
    "strip.pins": Check(kind=ValueKind.NUMBERS, validate=_pins),
    "strip.baud": Check(kind=ValueKind.NUMBER, validate=_baud, low=0, high=_MAX_BAUD, whole=True),
    "strip.budget_ma": Check(
        kind=ValueKind.NUMBER_OR_NUMBERS, validate=_budget, low=1, high=100_000
    ),
    "strip.white_balance": Check(kind=ValueKind.NUMBERS, validate=_white),
    "lights.brightness": number(0.05, 1),
    "lights.calm": SWITCH,
    "lights.dither": SWITCH,
    "lights.night": _parsed_by(parse_hours),
    "lights.night_limit": number(0.005, 1),
    "lights.speed": number(0.25, 4),
    "panel.buttons": Check(kind=ValueKind.TEXT, validate=_buttons),
    "panel.bounce_ms": number(0, 1000),
    "panel.hold_ms": number(0, 100),
    "panel.sleep_minutes": number(0.1, 1440),
    "web.host": TEXT,
    "web.port": number(0, 65535, whole=True),
    "web.hosts": TEXTS,
    "night.broker": _parsed_by(parse_broker),
    "night.name": Check(kind=ValueKind.TEXT, validate=_night),
    "night.table": number(0, 9999, whole=True),
    "night.password": LINE,
    "demo.idle_minutes": number(0, 1440),
    "demo.players": Check(kind=ValueKind.TEXTS, validate=_kinds, choices=tuple(KINDS)),
    "demo.speed": number(0.1, 100),
    "demo.voice": SWITCH,
}
"""The row of each setting: kind, range and choices; default and help are in `defaults.toml`."""

SECRETS = frozenset({"night.password"})
"""Settings whose values are shown nowhere."""

STRIP = "strip"
"""The table that also takes the options of the strip's driver, which checks them itself."""

OPTION = Check(kind=ValueKind.ANY, validate=_option)

FREE: Mapping[str, Check] = {
    "rules": ANYTHING,
    "wiring": ANYTHING,
    "names": TEXT,
    "lights.colours": TEXT,
    "panel.pins": number(0, 27, whole=True),
    "panel.places": number(0, 31, whole=True),
    "panel.actions": TEXT,
}
"""The tables whose keys are the user's own, and the check of each value."""


def check_of(table: str, name: str) -> Check | None:
    """Return the check of a setting by its table and name, None if there is no such setting.

    A key of the strip that looks like a misspelt setting is none; others are its driver's.

    >>> check_of("strip", "wled") is OPTION, check_of("strip", "tpye"), check_of("web", "wled")
    (True, None, None)
    """
    key = f"{table}.{name}" if table else name
    if key in CHECKS or table in FREE:
        return CHECKS.get(key) or FREE[table]
    settings = [other.removeprefix("strip.") for other in CHECKS if other.startswith("strip.")]
    return OPTION if table == STRIP and not get_close_matches(name, settings) else None


_AT_ONCE = frozenset({"names", "lights", "lights.colours", "demo"})
"""Tables of settings that act while the table runs."""


def acts_at_once(key: str) -> bool:
    """Return True if a change of a setting, or of its table, acts while the table runs.

    >>> acts_at_once("names.1"), acts_at_once("voice"), acts_at_once("rules.finish")
    (True, True, False)
    """
    return key in ("language", "voice") or bool({key, split_key(key)[0]} & _AT_ONCE)


def split_key(key: str) -> tuple[str, str]:
    """Return the table and the name in it of a setting's key; "" is the top.

    >>> split_key("strip.driver"), split_key("panel.pins.1.undo"), split_key("teams")
    (('strip', 'driver'), ('panel.pins', '1.undo'), ('', 'teams'))
    """
    for table in FREE:
        if key.startswith(f"{table}."):
            return table, key.removeprefix(f"{table}.")
    table, _, name = key.rpartition(".")
    return table, name


def setting_of(key: str) -> str | None:
    """Return the setting in which the key of a fault lies; None if it is no setting's key.

    >>> setting_of("strip.type"), setting_of("wiring.chains[2].rows"), setting_of("bord")
    ('strip.type', 'wiring.chains', None)
    """
    setting = key.partition("[")[0]
    inside = any(f"{setting}.".startswith(f"{table}.") for table in FREE)
    return setting if inside or check_of(*split_key(setting)) else None
