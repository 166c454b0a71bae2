"""Finding and reading a language's file: all is checked here, once; `Phrases` lack nothing."""

from __future__ import annotations

import reprlib
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from string import Formatter

from companion.commentary.phrase_keys import LISTS, PHRASES, TRANSLATIONS
from companion.errors import Fault, SettingsError, suggest

_SHIPPED = resources.files("companion.commentary") / "phrases"

_Lists = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """All that one language has to say: phrases by key, lists of words, names of sides."""

    language: str
    phrases: Mapping[str, str]
    lists: _Lists
    names: Mapping[str, str]

    @property
    def voice(self) -> str:
        """The speech program's name for the language."""
        return self.phrases["voice"]

    def say(self, key: str, **places: str) -> str:
        """Return a phrase with its places filled."""
        return self.phrases[key].format_map(places)

    def number(self, number: int) -> str:
        """Return a number in words up to 31, in digits beyond."""
        words = self.lists["numbers"]
        return words[number] if number < len(words) else str(number)

    def rank(self, rank: int) -> str:
        """Return the name of a rank, 1 for the ace to 13 for the king, with its article."""
        return self.lists["ranks"][rank - 1]

    def items(self, texts: list[str]) -> str:
        """Several things as one list."""
        return self._joined("join.items", texts)

    def clauses(self, texts: list[str]) -> str:
        """Several things that one side does, one after the other."""
        return self._joined("join.clauses", texts)

    def _joined(self, key: str, texts: list[str]) -> str:
        joined, *more = texts
        for text in more[:-1]:
            joined = self.say(f"{key}_more", first=joined, more=text)
        return self.say(f"{key}_last", first=joined, last=more[-1]) if more else joined


def languages() -> tuple[str, ...]:
    """Return the languages that have a file, in alphabetical order.

    >>> {"en", "fr"} <= set(languages())
    True
    """
    files = (file.name for file in _SHIPPED.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


def load_phrases(language: str) -> Phrases:
    """Return the phrases of a language.

    Raises:
        SettingsError: there is no such language, or with every fault of its file, a line each.
    """
    if language not in languages():
        problem = "no language that the commentator speaks"
        remedy = f"choose {', '.join(languages())}"
        fault = Fault(file=reprlib.repr(language), problem=problem, remedy=remedy)
        raise SettingsError(fault)
    return parse_phrases((_SHIPPED / f"{language}.toml").read_bytes(), language=language)


def parse_phrases(content: bytes, *, language: str) -> Phrases:
    """Parse the bytes of a language's file.

    Raises:
        SettingsError: with every fault, each a line with file, key and remedy.
    """
    file = f"{language}.toml"
    try:
        values = tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:
        fault = Fault(file=file, problem=f"not TOML in UTF-8: {error}", remedy="mend it there")
        raise SettingsError(fault) from None
    given = dict(_flat(values))
    faults = [replace(fault, file=file) for fault in _faults(given)]
    if faults:
        raise SettingsError(*faults)
    names = f"{TRANSLATIONS}."
    return Phrases(
        language=language,
        phrases={key: str(given[key]) for key in PHRASES},
        lists={key: tuple(map(str, _listed(given[key]))) for key in LISTS},
        names={k.removeprefix(names): str(v) for k, v in given.items() if k.startswith(names)},
    )


def _flat(table: Mapping[str, object], above: str = "") -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


# What can be wrong


def _faults(given: Mapping[str, object]) -> Iterator[Fault]:
    known = (*PHRASES, *LISTS)
    for key in known:
        if key not in given:
            yield Fault(key=key, problem="is missing", remedy="give it a text")
    for key, value in given.items():
        if key in LISTS:
            yield from _list_faults(key, value)
        elif key in PHRASES:
            yield from _phrase_faults(key, value)
        elif key.startswith(f"{TRANSLATIONS}."):
            yield from _text_faults(key, value)
        else:
            remedy = suggest(key, known, otherwise="take it out")
            problem = "is no key of a language"
            yield Fault(key=reprlib.repr(key), problem=problem, remedy=remedy)


def _text_faults(key: str, value: object) -> Iterator[Fault]:
    if not isinstance(value, str) or not value.strip():
        problem = f"{reprlib.repr(value)} is no text"
        yield Fault(key=key, problem=problem, remedy="write words in quotes")
    elif any(unicodedata.category(character) == "Cc" for character in value):
        problem = f"{reprlib.repr(value)} holds more than a line of text"
        yield Fault(key=key, problem=problem, remedy="take out what is not")


def _list_faults(key: str, value: object) -> Iterator[Fault]:
    words = _listed(value)
    if len(words) != LISTS[key]:
        problem = f"{len(words)} words are given"
        yield Fault(key=key, problem=problem, remedy=f"it takes {LISTS[key]}")
    for place, word in enumerate(words, start=1):
        yield from _text_faults(f"{key}[{place}]", word)


def _phrase_faults(key: str, value: object) -> Iterator[Fault]:
    faults = tuple(_text_faults(key, value))
    if faults:
        yield from faults
        return
    try:
        found = list(_places(str(value)))
    except ValueError as error:
        problem = f"the braces do not fit ({error})"
        yield Fault(key=key, problem=problem, remedy="write a place as {name}")
        return
    for place in sorted(PHRASES[key].difference(found)):
        yield Fault(key=key, problem=f"has no place {{{place}}}", remedy="put it in")
    for place in dict.fromkeys(found):
        if place not in PHRASES[key]:
            there = ", ".join(f"{{{name}}}" for name in sorted(PHRASES[key])) or "none"
            problem = f"no place {{{place}}} is filled here"
            yield Fault(key=key, problem=problem, remedy=f"there is {there}")


def _places(text: str) -> Iterator[str]:
    """Yield the whole text of each pair of braces: a place is a name and nothing more."""
    for _, name, spec, conversion in Formatter().parse(text):
        if name is not None:
            yield name + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
