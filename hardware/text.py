"""Sentences for people: a template with named places, and the values that fill them."""

import re
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Final, Self

PLACE: Final = re.compile(r"\{(\w+)\}")
"""Place of a value in a template."""
EITHER: Final = "{some} or {last}"
"""Template of a list of alternatives."""


class Text(str):
    """Sentence in English with the template and the values that it was made from.

    To show it in another language, fill the translated template with the same values. Each place
    gets a value by its name; a value that is missing or left over is a `TypeError`.

    >>> Text("no seat {seat}: there are {players}", players=4, seat=5)
    'no seat 5: there are 4'
    >>> Text("no seat {seat}", players=4)
    Traceback (most recent call last):
    TypeError: 'no seat {seat}' has the places seat, not players
    """

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Return the filled template; an exception among the values is replaced by its text."""
        if (places := set(PLACE.findall(template))) != values.keys():
            there, given = (", ".join(sorted(names)) or "none" for names in (places, values))
            raise TypeError(f"{template!r} has the places {there}, not {given}")
        filling = {
            name: str(value) if isinstance(value, Exception) else value
            for name, value in values.items()
        }
        text = super().__new__(cls, filled(template, filling))
        text.template, text.values = template, filling
        return text

    def __str__(self) -> Self:
        return self


def marked(template: str) -> str:
    """Return a template unchanged: it marks a text that is filled, or stored, somewhere else."""
    return template


def filled(template: str, values: Mapping[str, object]) -> str:
    """Return a template with its places filled."""
    return PLACE.sub(lambda place: str(values[place[1]]), template)


def filled_both(one: str, other: str, values: Mapping[str, object]) -> tuple[str, str]:
    """Return two texts, such as a problem and its remedy, each filled with the values it names.

    >>> filled_both("no {what}", "get {what} at {shop}", {"what": "strip", "shop": "Max's"})
    ('no strip', "get strip at Max's")
    """
    return _filled_from(values, one), _filled_from(values, other)


def _filled_from(values: Mapping[str, object], text: str) -> str:
    if isinstance(text, Text):
        return text
    return Text(text, **{name: values[name] for name in PLACE.findall(text)})


def listed(values: Iterable[object], template: str = "{some} and {last}") -> str:
    """Return values as a list in words; the template is translated like any other.

    >>> listed([3]), listed([3, 4]), listed([3, 4], EITHER)
    ('3', '3 and 4', '3 or 4')
    """
    return reduce(lambda some, last: Text(template, some=some, last=last), map(str, values))
