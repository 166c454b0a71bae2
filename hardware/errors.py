"""Errors of lights and switches: each tells the problem, the remedy and the setting to change."""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial, reduce
from typing import Final, Self

END_OTHER: Final = "end that one first, such as a table: sudo systemctl stop cribwars"
"""Remedy for a device that another program has."""

_PLACE = re.compile(r"\{(\w+)\}")


class FilledText(str):
    """Sentence in English with the template and the values that it was made from.

    Whoever shows it can translate the template, and fill it again with the same values.

    >>> FilledText("pin {pin} is in use for {label}", 4, "the strip")
    'pin 4 is in use for the strip'
    """

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, *values: object) -> Self:
        """Return the filled template; the values are in the order of its places."""
        texts = [str(value) if isinstance(value, Exception) else value for value in values]
        filling = dict(zip(dict.fromkeys(_PLACE.findall(template)), texts, strict=True))
        text = super().__new__(cls, _PLACE.sub(lambda place: str(filling[place[1]]), template))
        text.template, text.values = template, filling
        return text

    def __str__(self) -> Self:
        return self


def listed(values: Iterable[object], template: str = "{some} and {last}") -> str:
    """Return values as a list in words, of which each language has its own.

    >>> listed([12, 13, 18], "{some} or {last}")
    '12 or 13 or 18'
    """
    return reduce(partial(FilledText, template), map(str, values))


def nearest_remedy(name: str, known: Iterable[str], otherwise: str) -> str:
    """Return the remedy for an unknown name: the nearest known one, or else another remedy."""
    close = get_close_matches(name, list(known), n=1)
    return FilledText('did you mean "{name}"?', close[0]) if close else otherwise


class HardwareError(Exception):
    """Root of the hardware's errors; its text is one line that a user can act on.

    Args:
        problem: a description of what is wrong.
        values: of the places in it, and then of those in the remedy.
        remedy: the thing to do about it; "" if nothing can be said.
        key: the setting to change, such as `strip.order`; "" if it is none.
    """

    def __init__(self, problem: str, *values: object, remedy: str = "", key: str = "") -> None:
        problem, others = _filled(problem, values)
        remedy, _ = _filled(remedy, others)
        text = FilledText("{0}; {1}", problem, remedy) if remedy else problem
        super().__init__(FilledText("{0}: {1}", key, text) if key else text)
        self.problem, self.remedy, self.key = problem, remedy, key


class StripError(HardwareError, RuntimeError):
    """A strip that cannot be set up, started or shown; the text names the setting to change."""


def driver_error(driver: str, problem: str, *values: object, remedy: str) -> StripError:
    """Return the error of a strip driver that cannot be used as it is set."""
    text = 'driver = "{driver}": {problem}'
    problem, others = _filled(problem, values)
    return StripError(text, driver, problem, *others, remedy=remedy, key="strip.driver")


class ButtonError(HardwareError, ValueError):
    """A button that cannot be set up; the text names the pin or the setting to change."""


def button_fault(table: str, button: str, problem: str, *values: object) -> ButtonError:
    """Return the fault of a button in a table of the settings; `values` fill the problem."""
    text, remedy = "button {button}: {problem}", 'change "{button}" in [{table}]'
    filled, key = FilledText(problem, *values), f"{table}.{button}"
    return ButtonError(text, button, filled, button, table, remedy=remedy, key=key)


def _filled(text: str, values: Sequence[object]) -> tuple[str, Sequence[object]]:
    """Return a text with its places filled by the first values, and the other values."""
    if not values or isinstance(text, FilledText):
        return text, values
    count = len(set(_PLACE.findall(text)))
    return FilledText(text, *values[:count]), values[count:]
