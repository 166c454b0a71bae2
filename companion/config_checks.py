"""What each setting takes: a check by its name, and one for each table of the user's own keys."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from companion.commentary import languages
from companion.game.house_rules import PRESETS
from companion.players import KINDS

Value: TypeAlias = object
"""What TOML knows: text, numbers, true and false, lists and tables."""

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


def _number(low: float, high: float, *, whole: bool = False) -> Callable[[Value], Value]:
    kinds = (int,) if whole else (int, float)
    what = f"a {'whole ' if whole else ''}number from {low:g} to {high:g}"

    def check(value: Value) -> Value:
        if isinstance(value, bool) or not isinstance(value, kinds) or not low <= value <= high:
            raise ValueError(what)
        return value

    return check


def _budget(value: Value) -> Value:
    try:
        for supply in value if isinstance(value, list) and value else [value]:
            _milliamps(supply)
    except ValueError as error:
        raise ValueError(f"{error}, or a list of such numbers, one a channel") from error
    return value


def _choice(*choices: str) -> Callable[[Value], Value]:
    def check(value: Value) -> Value:
        if value not in choices:
            raise ValueError(" or ".join(f'"{choice}"' for choice in choices))
        return value

    return check


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


_whole = _number(0, 65535, whole=True)
_milliamps = _number(1, 100_000)
CHECKS: Mapping[str, Callable[[Value], Value]] = MappingProxyType(
    {
        "board": _text,
        "teams": _number(2, 3, whole=True),
        "players": _number(0, 6, whole=True),
        "preset": _choice(*PRESETS),
        "language": _choice(*languages()),
        "strip.driver": _text,
        "strip.type": _text,
        "strip.order": _line,
        "strip.pins": _pins,
        "strip.budget_ma": _budget,
        "lights.brightness": _number(0.05, 1),
        "lights.calm": _switch,
        "panel.bounce_ms": _number(0, 1000),
        "panel.hold_ms": _number(0, 100),
        "panel.sleep_minutes": _number(0.1, 1440),
        "web.host": _text,
        "web.port": _whole,
        "web.hosts": _texts,
        "demo.idle_minutes": _number(0, 1440),
        "demo.players": _kinds,
        "demo.speed": _number(0.1, 100),
        "demo.voice": _switch,
    }
)
FREE: Mapping[str, Callable[[Value], Value]] = MappingProxyType(
    {
        "rules": lambda value: value,
        "wiring": lambda value: value,
        "names": _text,
        "lights.colours": _text,
        "panel.pins": _number(0, 27, whole=True),
        "panel.actions": _text,
    }
)
"""Tables whose keys are not the settings' own, and the check of each value."""
