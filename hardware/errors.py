"""Sentences for people, and errors of lights and buttons whose messages are such sentences.

A text is a template with named placeholders, and the values that fill them. An error has a problem,
a remedy and the setting to change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import partial
from typing import Final, NoReturn

_PLACE: Final = re.compile(r"\{(\w+)\}")
_PLURAL: Final = "\0"  # between singular and plural in a template, as in gettext's catalogues


class Text:
    """Sentence for people, a frozen value: a template and the values of its placeholders.

    A value is a string or another text, which is translated too. A missing or superfluous value
    raises a `TypeError`. `str` returns the sentence in English; `companion.commentary` translates
    it. A text with an empty template is false.

    >>> str(Text("no seat {seat}: there are {players}", players=4, seat=5))
    'no seat 5: there are 4'
    >>> Text("no seat {seat}", players=4)
    Traceback (most recent call last):
    TypeError: 'no seat {seat}' needs values for seat, but got players
    """

    # Not a dataclass: msgspec would encode a dataclass as its fields, not as its sentence.
    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, str | Text]

    def __init__(self, template: str, /, **values: object) -> None:
        """Convert each value: a text stays, an error gives its text, others become strings."""
        if (places := set(_PLACE.findall(template))) != values.keys():
            there, given = (", ".join(sorted(names)) or "none" for names in (places, values))
            raise TypeError(f"{template!r} needs values for {there}, but got {given}")
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "values", {n: _words(value) for n, value in values.items()})

    def __setattr__(self, name: str, _value: object) -> NoReturn:
        raise AttributeError(f"a text is frozen: {name}")

    def __reduce__(self) -> tuple[partial[Text], tuple[()]]:
        return partial(Text, self.template, **self.values), ()

    def __eq__(self, other: object) -> bool:
        mine = self.template, self.values
        return mine == (other.template, other.values) if isinstance(other, Text) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.template, frozenset(self.values.items())))

    def __repr__(self) -> str:
        values = (f", {name}={value!r}" for name, value in self.values.items())
        return f"Text({self.template!r}{''.join(values)})"

    def __bool__(self) -> bool:
        return bool(self.template)

    def __str__(self) -> str:
        return self.rendered(lambda one, more, n: more if more and n != 1 else one, str)

    def rendered(
        self, translate: Callable[[str, str, int], str], say: Callable[[str | Text], str]
    ) -> str:
        """Return the translated template with `say(value)` in the place of each placeholder.

        `translate(singular, plural, n)` returns the form for n; the plural is "" if there is none.
        """
        one, _, more = self.template.partition(_PLURAL)
        template = translate(one, more, int(str(self.values["n"])) if more else 1)
        return _PLACE.sub(lambda place: say(self.values[place[1]]), template)


NO_TEXT: Final = Text("")


def filled(text: str | Text, values: Mapping[str, object]) -> Text:
    """Return a `Text` unchanged, or make one of a template and its values."""
    return text if isinstance(text, Text) else Text(text, **values)


def plural(n: int, one: str, more: str, /, **values: object) -> Text:
    """Return a text about `n` things: `n` chooses the form and fills the placeholder `{n}`.

    >>> str(plural(1, "{n} card", "{n} cards")), str(plural(2, "{n} card", "{n} cards"))
    ('1 card', '2 cards')
    """
    return Text(one + _PLURAL + more, n=n, **values)


def as_text(words: object) -> Text:
    """Return a text unchanged, an error's text, or `str` of any other value as a text.

    >>> as_text(ValueError("{lost}"))
    Text('{words}', words='{lost}')
    """
    if isinstance(value := _words(words), Text):
        return value
    return Text("{words}", words=value) if value else NO_TEXT


def joined(separator: str, values: Iterable[object]) -> Text:
    """Join texts and words to one text; None and empty values are left out.

    >>> str(joined(", ", [3, 4, ""])), str(joined(" or ", [3])), str(joined("; ", []))
    ('3, 4', '3', '')
    """
    kept = [value for each in values if each is not None and (value := _words(each))]
    if not kept[1:]:
        return as_text(kept[0]) if kept else NO_TEXT
    half = len(kept) // 2  # joined by halves, a thousand texts nest only ten levels deep
    one, other = joined(separator, kept[:half]), joined(separator, kept[half:])
    return Text("{one}" + separator + "{other}", one=one, other=other)


def _words(value: object) -> str | Text:
    if isinstance(value, Exception) and value.args and isinstance(value.args[0], Text):
        return value.args[0]
    return value if isinstance(value, Text) else str(value)


END_OTHER: Final = Text("stop it first (if it is the game table: sudo systemctl stop cribwars)")
"""Remedy for a device that another program uses."""


def nearest_remedy(name: str, known: Iterable[str], otherwise: Text) -> Text:
    """Return the remedy for an unknown name: the nearest known name, or else `otherwise`."""
    close = get_close_matches(name, list(known), n=1)
    return Text('did you mean "{name}"?', name=close[0]) if close else otherwise


class HardwareError(Exception):
    """Root of the hardware's errors; its text is one line that a user can act on.

    Args:
        problem: description of the fault.
        remedy: the action that removes the fault, or an empty text.
        key: the setting to change, such as `strip.order`, or "".
        values: the values of the problem's placeholders, by name.
    """

    def __init__(
        self, problem: str | Text, /, *, remedy: Text = NO_TEXT, key: str = "", **values: object
    ) -> None:
        self.problem = filled(problem, values)
        self.remedy, self.key = remedy, key
        self.text = joined(": ", (key, joined("; ", (self.problem, remedy))))
        super().__init__(self.text)


class StripError(HardwareError, RuntimeError):
    """A strip that cannot be set up, started or lit; the text names the setting to change."""


def driver_error(
    driver: str, problem: str | Text, /, *, remedy: Text, **values: object
) -> StripError:
    """Return the error for a `driver` setting that cannot be used; `values` fill `problem`."""
    template = 'driver = "{driver}": {problem}'
    text = Text(template, driver=driver, problem=filled(problem, values))
    return StripError(text, remedy=remedy, key="strip.driver")


class ButtonError(HardwareError, ValueError):
    """A button that cannot be set up; the text names the pin or the setting to change."""


def button_fault(table: str, button: str, problem: str, /, **values: object) -> ButtonError:
    """Return the error for a button; `values` fill the problem's placeholders.

    `table` is the TOML table of the settings file that has the button, such as "panel.pins".
    """
    text = Text("button {button}: {problem}", button=button, problem=Text(problem, **values))
    remedy = Text('change "{button}" in [{table}]', button=button, table=table)
    return ButtonError(text, remedy=remedy, key=f"{table}.{button}")
