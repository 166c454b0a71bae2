"""What each setting takes: a check by its name, and one for each table of the user's own keys."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from companion.commentary import languages
from companion.errors import suggest
from companion.players import KINDS
from companion.rules.game.house_rules import PRESETS

Value: TypeAlias = object
"""What TOML knows: text, numbers, true and false, lists and tables."""


class Kind(StrEnum):
    """What a setting is, for whoever draws a form of it."""

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
    """What a setting takes; called with a value it does not, a `ValueError` says what it takes.

    `low` and `high` are a number's limits, both included; `choices` are all the texts there are.
    """

    kind: Kind
    judge: Callable[[Value], object]
    low: float | None = None
    high: float | None = None
    whole: bool = False
    choices: tuple[str, ...] = ()

    def __call__(self, value: Value) -> None:
        """Refuse a value that the setting does not take."""
        self.judge(value)

    @property
    def takes(self) -> str:
        """What it takes, in words; nothing of what takes anything."""
        try:
            self.judge(_NOTHING)
        except ValueError as error:
            return str(error)
        return ""


_NOTHING = object()
"""What no check takes."""

_SLOWEST, _FASTEST = 9600, 12_000_000
_NOT_IN_A_LINE = ("Cc", "Cs", "Zl", "Zp")


def is_one_line(text: str) -> bool:
    r"""Whether a text can stand in a line: nothing in it moves a cursor or begins another line.

    >>> is_one_line("Zoë & Ben"), is_one_line("a\nb"), is_one_line("\x1b[2J")
    (True, False, False)
    """
    return not any(unicodedata.category(character) in _NOT_IN_A_LINE for character in text)


def _text(value: Value) -> Value:
    if not isinstance(value, str) or not value:
        raise ValueError("a text")
    return _line(value)


def _line(value: Value) -> Value:
    if not isinstance(value, str) or not is_one_line(value):
        raise ValueError("a text without control characters")
    return value


def _switch(value: Value) -> Value:
    if not isinstance(value, bool):
        raise ValueError("true or false")  # noqa: TRY004  # one kind of error for all checks
    return value


def _number(low: float, high: float, *, whole: bool = False) -> Check:
    kinds = (int,) if whole else (int, float)
    what = f"a {'whole ' if whole else ''}number from {low:g} to {high:g}"

    def judge(value: Value) -> Value:
        if isinstance(value, bool) or not isinstance(value, kinds) or not low <= value <= high:
            raise ValueError(what)
        return value

    return Check(kind=Kind.NUMBER, judge=judge, low=low, high=high, whole=whole)


def _budget(value: Value) -> Value:
    try:
        for supply in value if isinstance(value, list) and value else [value]:
            _milliamps(supply)
    except ValueError as error:
        raise ValueError(f"{error}, or a list of such numbers, one a channel") from error
    return value


def _baud(value: Value) -> Value:
    if type(value) is not int or (value and not _SLOWEST <= value <= _FASTEST):
        raise ValueError(f"0, or a whole number from {_SLOWEST} to {_FASTEST}")
    return value


def _choice(*choices: str) -> Check:
    def judge(value: Value) -> Value:
        if value not in choices:
            raise ValueError(" or ".join(f'"{choice}"' for choice in choices))
        return value

    return Check(kind=Kind.CHOICE, judge=judge, choices=choices)


def _texts(value: Value) -> Value:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError('a list of texts, such as ["board.example"]')
    return [_line(item) for item in value]


def _kinds(value: Value) -> Value:
    if not isinstance(value, list) or not value or not set(map(str, value)) <= set(KINDS):
        raise ValueError(f'a list of {", ".join(KINDS)}, such as ["shark", "regular"]')
    return value


def _pins(value: Value) -> Value:
    if not isinstance(value, list) or not all(type(pin) is int for pin in value):
        raise ValueError("a list of pins, such as [18, 13]")
    return value


def _buttons(value: Value) -> Value:
    where, _, port = value.partition(":") if isinstance(value, str) else ("", "", "")
    if value in ("gpio", "serial") or (where == "serial" and port):
        return _line(value)
    hint = suggest(where, ("gpio", "serial"), otherwise="") if where != "serial" else ""
    takes = '"gpio", "serial", or a port as in "serial:/dev/ttyACM0"'
    raise ValueError(f"{takes}; {hint}" if hint else takes)


_whole = _number(0, 65535, whole=True)
_milliamps = _number(1, 100_000)
_a_text = Check(kind=Kind.TEXT, judge=_text)
_a_line = Check(kind=Kind.TEXT, judge=_line)
_a_switch = Check(kind=Kind.SWITCH, judge=_switch)
_anything = Check(kind=Kind.ANY, judge=lambda value: value)
CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "board": _a_text,
        "teams": _number(2, 3, whole=True),
        "players": _number(0, 6, whole=True),
        "preset": _choice(*PRESETS),
        "language": _choice(*languages()),
        "strip.driver": _a_text,
        "strip.type": _a_text,
        "strip.order": _a_line,
        "strip.pins": Check(kind=Kind.NUMBERS, judge=_pins),
        "strip.baud": Check(kind=Kind.NUMBER, judge=_baud, low=0, high=_FASTEST, whole=True),
        "strip.budget_ma": Check(kind=Kind.NUMBER_OR_NUMBERS, judge=_budget, low=1, high=100_000),
        "lights.brightness": _number(0.05, 1),
        "lights.calm": _a_switch,
        "panel.buttons": Check(kind=Kind.TEXT, judge=_buttons),
        "panel.bounce_ms": _number(0, 1000),
        "panel.hold_ms": _number(0, 100),
        "panel.sleep_minutes": _number(0.1, 1440),
        "web.host": _a_text,
        "web.port": _whole,
        "web.hosts": Check(kind=Kind.TEXTS, judge=_texts),
        "demo.idle_minutes": _number(0, 1440),
        "demo.players": Check(kind=Kind.TEXTS, judge=_kinds, choices=tuple(KINDS)),
        "demo.speed": _number(0.1, 100),
        "demo.voice": _a_switch,
    }
)
FREE: Mapping[str, Check] = MappingProxyType(
    {
        "rules": _anything,
        "wiring": _anything,
        "names": _a_text,
        "lights.colours": _a_text,
        "panel.pins": _number(0, 27, whole=True),
        "panel.places": _number(0, 31, whole=True),
        "panel.actions": _a_text,
    }
)
"""Tables whose keys are not the settings' own, and the check of each value."""


def split_key(key: str) -> tuple[str, str]:
    """The table and the name in it of a setting's key; "" is the top.

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
    return setting if setting in CHECKS or inside else None
