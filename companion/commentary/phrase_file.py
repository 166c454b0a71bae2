"""Reader of a language's file, which is checked once: `Phrases` lack nothing.

The English file is the reference: every language has its keys, and each phrase its places. A phrase
whose key ends in the name of an event, a part or a rule is said for just that. The tables of
translations go by the English text itself; what they lack is told in English.
"""

import reprlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any

from companion.errors import Fault, RuleError, SettingsError, in_language, suggest
from companion.toml.checks import TEXT, Check, ValueKind
from companion.toml.table import TableReader, decode, parse
from companion.toml.text import Value

_SHIPPED = resources.files("companion.commentary") / "phrases"

_REFERENCE = "en"
_NAMES = "names"
_PAGES = "pages"
_MESSAGES = "messages"
_TRANSLATIONS = (_NAMES, _PAGES, _MESSAGES)
"""Tables by English text: names of sides, words of the pages, rulings and refusals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Texts of one language: phrases by key, lists of words, and translations of English texts.

    `names` are those of sides, `pages` the words of the pages, `messages` rulings and refusals.
    """

    language: str
    phrases: Mapping[str, str]
    lists: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]
    pages: Mapping[str, str]
    messages: Mapping[str, str]

    @property
    def title(self) -> str:
        return self.phrases["name"]

    @property
    def voice(self) -> str:
        """The speech program's name for the language."""
        return self.phrases["voice"]

    def say(self, key: str, **places: str) -> str:
        return self.phrases[key].format_map(places)

    def table(self, name: str) -> dict[str, str]:
        """Return the phrases of a table by their keys in it, their places not filled."""
        return _table(name, self.phrases)

    def side(self, side: int, names: Mapping[int, str]) -> str:
        """Return a side's name, translated if there is a word for it; its number without one."""
        name = names.get(side)
        return self.names.get(name, name) if name else self.say("side", number=str(side))

    def message(self, text: str) -> str:
        """Return a ruling, refusal or notice; in English what has no translation."""
        return in_language(text, lambda english: self.messages.get(english, english))

    def refusal(self, error: RuleError, names: Mapping[int, str]) -> str:
        """Return the text of a refusal with the name of its side; `names` are by side."""
        text = self.message(error.text)
        return text if error.side is None else text.replace("{team}", self.side(error.side, names))

    def number(self, number: int) -> str:
        """Return a number in words up to 31, in digits beyond."""
        words = self.lists["numbers"]
        return words[number] if number < len(words) else str(number)

    def rank(self, rank: int) -> str:
        """Return the name of a rank, 1 for the ace to 13 for the king, with its article."""
        return self.lists["ranks"][rank - 1]

    def items(self, texts: list[str]) -> str:
        """Return several things as one list."""
        return self._joined("join.items", texts)

    def clauses(self, texts: list[str]) -> str:
        """Return the predicates of one side, in their order, as one."""
        return self._joined("join.clauses", texts)

    def sums(self, texts: list[str]) -> str:
        """Return the parts of a count, each with the total so far, as one."""
        return self._joined("join.sums", texts)

    def _joined(self, key: str, texts: list[str]) -> str:
        joined, *more = texts
        for text in more[:-1]:
            joined = self.say(f"{key}_more", first=joined, more=text)
        return self.say(f"{key}_last", first=joined, last=more[-1]) if more else joined


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have a file, in alphabetical order.

    >>> {"en", "fr"} <= set(languages())
    True
    """
    files = (file.name for file in _SHIPPED.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


@cache
def load_phrases(language: str) -> Phrases:
    """Return the phrases of a language; read once.

    Raises:
        SettingsError: there is no such language, or with every fault of its file, a line each.
    """
    if language not in languages():
        problem = "no language that the commentator speaks"
        remedy = f"choose {', '.join(languages())}"
        fault = Fault(file=reprlib.repr(language), problem=problem, remedy=remedy)
        raise SettingsError(fault)
    return parse_phrases(_content(language), language=language)


@cache
def reference() -> Mapping[str, frozenset[str] | int]:
    """Return the keys of every language: the places of each phrase, the length of each list."""
    values = tomllib.loads(_content(_REFERENCE).decode())
    for table in _TRANSLATIONS:
        values.pop(table, None)
    return {
        key: len(value) if isinstance(value, list) else frozenset(_places(value))
        for key, value in _flat(values)
    }


def parse_phrases(content: bytes, *, language: str) -> Phrases:
    """Parse the bytes of a language's file.

    Raises:
        SettingsError: with every fault, each a line with file, key and remedy.
    """
    file, faults = f"{language}.toml", list[Fault]()
    tables = parse(decode(content, file, faults), file, faults)
    values = {} if faults else _read(TableReader(tables, file=file, where="", faults=faults))
    if faults:
        raise SettingsError(*faults)
    return Phrases(
        language=language,
        phrases={key: str(value) for key, value in values.items() if _is_phrase(key)},
        lists={key: tuple(value) for key, value in values.items() if isinstance(value, list)},
        names=_table(_NAMES, values),
        pages=_table(_PAGES, values),
        messages=_table(_MESSAGES, values),
    )


def _table(table: str, values: Mapping[str, object]) -> dict[str, str]:
    where = f"{table}."
    return {key.removeprefix(where): str(values[key]) for key in values if key.startswith(where)}


def _is_phrase(key: str) -> bool:
    return isinstance(reference().get(key), frozenset)


def _content(language: str) -> bytes:
    return (_SHIPPED / f"{language}.toml").read_bytes()


def _flat(table: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{where}{name}.")
        else:
            yield f"{where}{name}", value


# Faults


def _read(reader: TableReader) -> dict[str, object]:
    """Return every sound value by its whole key; the others are faults of the reader's."""
    found: dict[str, object] = {}
    for table, name in reader.leaves():
        key = table.key(name)
        expected = reference().get(key)
        if isinstance(expected, int):
            found[key] = table.optional(name, _words(expected), None)
        elif expected is not None:
            found[key] = table.optional(name, _WORDS, "")
            _check_places(table, name, expected, str(found[key]))
        elif table.where in _TRANSLATIONS:
            found[key] = table.optional(name, _WORDS, "")
            _check_places(table, name, _filled(name), str(found[key]))
        else:
            remedy = suggest(key, reference(), otherwise="take it out")
            table.fault(name, "is no key of a language", remedy)
    for key in reference():
        if key not in found:
            reader.fault(key, "is missing", "give it a text")
    return found


def _is_words(value: Value) -> bool:
    TEXT.validate(value)
    return bool(str(value).strip())


_WORDS = Check(kind=ValueKind.TEXT, takes="words in quotes", accepts=_is_words)


def _words(length: int) -> Check:
    def accepts(value: Value) -> bool:
        if not isinstance(value, list) or len(value) != length:
            return False
        for word in value:
            _WORDS.validate(word)
        return True

    return Check(kind=ValueKind.TEXTS, takes=f"a list of {length} words", accepts=accepts)


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


def _filled(english: str) -> frozenset[str]:
    """Return the places of an English text; one whose braces do not fit has none."""
    try:
        return frozenset(_places(english))
    except ValueError:
        return frozenset()


def _places(text: str) -> Iterator[str]:
    """Yield the whole text of each pair of braces: a place is a name and nothing more."""
    for _, name, spec, conversion in Formatter().parse(text):
        if name is not None:
            yield name + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
