"""Finding and reading a language's file: all is checked here, once; `Phrases` lack nothing."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from string import Formatter

from companion.commentary.phrase_keys import LISTS, PHRASES, TRANSLATIONS
from companion.errors import Fault, SettingsError, suggest
from companion.toml.checks import Check, Kind, check_text
from companion.toml.table import TableReader, decode, parse
from companion.toml.text import Value

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
    file, faults = f"{language}.toml", list[Fault]()
    values = parse(decode(content, file, faults), file, faults)
    given = {} if faults else _read(TableReader(values, file=file, where="", faults=faults))
    if faults:
        raise SettingsError(*faults)
    names = f"{TRANSLATIONS}."
    return Phrases(
        language=language,
        phrases={key: str(given[key]) for key in PHRASES},
        lists={key: tuple(map(str, _listed(given[key]))) for key in LISTS},
        names={k.removeprefix(names): str(v) for k, v in given.items() if k.startswith(names)},
    )


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


# Faults


def _read(reader: TableReader) -> dict[str, object]:
    """Return every sound value by its whole key; the others are faults of the reader's."""
    found: dict[str, object] = {}
    for table, name in reader.leaves():
        key = table.key(name)
        if key in LISTS:
            found[key] = table.optional(name, _words(LISTS[key]), None)
        elif key in PHRASES:
            found[key] = table.optional(name, _WORDS, "")
            _check_places(table, name, PHRASES[key], str(found[key]))
        elif table.where == TRANSLATIONS:
            found[key] = table.optional(name, _WORDS, "")
        else:
            remedy = suggest(key, (*PHRASES, *LISTS), otherwise="take it out")
            table.fault(name, "is no key of a language", remedy)
    for key in (*PHRASES, *LISTS):
        if key not in found:
            reader.fault(key, "is missing", "give it a text")
    return found


def _check_text(value: Value) -> None:
    check_text(value)
    if not str(value).strip():
        raise ValueError("words in quotes")


def _words(length: int) -> Check:
    def judge(value: Value) -> None:
        if not isinstance(value, list) or len(value) != length:
            raise ValueError(f"a list of {length} words")
        for word in value:
            _check_text(word)

    return Check(kind=Kind.TEXTS, judge=judge)


_WORDS = Check(kind=Kind.TEXT, judge=_check_text)


def _check_places(table: TableReader, name: str, places: frozenset[str], phrase: str) -> None:
    """Note the places that a sound phrase lacks, and those that are never filled."""
    if not table.good(name):
        return
    try:
        found = list(_places(phrase))
    except ValueError as error:
        table.fault(name, f"the braces do not fit ({error})", "write a place as {name}")
        return
    for place in sorted(places.difference(found)):
        table.fault(name, f"has no place {{{place}}}", "put it in")
    for place in dict.fromkeys(found):
        if place not in places:
            there = ", ".join(f"{{{each}}}" for each in sorted(places)) or "none"
            table.fault(name, f"no place {{{place}}} is filled here", f"there is {there}")


def _places(text: str) -> Iterator[str]:
    """Yield the whole text of each pair of braces: a place is a name and nothing more."""
    for _, name, spec, conversion in Formatter().parse(text):
        if name is not None:
            yield name + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
