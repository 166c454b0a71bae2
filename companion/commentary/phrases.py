"""Words of one language: phrases about events, found by key, and translations of English texts.

`phrases.toml` has the phrases in English. The catalogue of a language has the translations of the
phrases, with the keys as contexts, and of all other texts of the program. It is a .po file in
gettext's format. The standard library reads only compiled catalogues (.mo). So the .po file is
compiled in memory, which takes a few milliseconds, and no compiled file can be out of date.
"""

import json
import re
import reprlib
import tomllib
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations
from importlib import resources
from io import BytesIO
from itertools import accumulate
from types import MappingProxyType
from typing import Any, Final, TypedDict

from companion.errors import SIDE, Fault, SettingsError, Text

ENGLISH: Final = "en"  # the language of the sources, which needs no catalogue
_PAGE = "page\x04"  # prefix of the keys of texts in the web pages' HTML and scripts
_NUMBERS = 200
"""The web pages get the plural form of each number from 0 to 199.

A higher number has the same form as 100 plus its last two digits: 1234 has that of 134."""
_LOCALE = resources.files("companion") / "locale"
_FIELD = re.compile(r'^(msg\w+)(?:\[\d\])? (".*"(?:\n".*")*)', re.MULTILINE)
_FUZZY = re.compile(r"^#,.*fuzzy", re.MULTILINE)
_KEY_PARTS = {"msgctxt": "{}\x04", "msgid": "{}", "msgid_plural": "\x00{}"}


class PageWords(TypedDict):
    """Words of the pages in one language.

    `texts` has the translations of each English text: one text, or a text for each plural form.
    `forms` has the index of the plural form for each number of things below 200.
    """

    texts: Mapping[str, list[str]]
    forms: list[int]


class Catalogue(GNUTranslations):
    """Translations of the English texts in the code; a text without a translation stays English."""

    def __init__(self, po: str = "") -> None:
        entries = dict(_entries(po))
        super().__init__(BytesIO(_compiled(entries)))
        self._page = {
            key.removeprefix(_PAGE).partition("\x00")[0]: text.split("\x00")
            for key, text in entries.items()
            if key.startswith(_PAGE)
        }

    def page_words(self) -> PageWords:
        plural: Callable[[int], int] = self.plural  # type: ignore[attr-defined]  # not in typeshed
        return {"texts": self._page, "forms": list(map(plural, range(_NUMBERS)))}


@cache
def languages() -> tuple[str, ...]:
    """Return English and each language that has a catalogue, in alphabetical order.

    >>> {"en", "fr"} <= set(languages())
    True
    """
    return tuple(sorted([ENGLISH, *(folder.name for folder in _LOCALE.iterdir())]))


@cache
def load_catalogue(language: str) -> Catalogue:
    """Return the catalogue of one of `languages()`; cached."""
    if language == ENGLISH:
        return Catalogue()
    file = _LOCALE / language / "LC_MESSAGES" / "cribwars.po"
    return Catalogue(file.read_text(encoding="utf-8"))


def _entries(po: str) -> Iterator[tuple[str, str]]:
    """Yield the key and the text of each translated entry, as in a compiled catalogue."""
    for entry in po.split("\n\n"):
        fields = [(name, _unquoted(strings)) for name, strings in _FIELD.findall(entry)]
        texts = [text for name, text in fields if name == "msgstr"]
        parts = (_KEY_PARTS[name].format(text) for name, text in fields if name in _KEY_PARTS)
        key = "".join(parts)
        if texts and all(texts) and not (key and _FUZZY.search(entry)):  # a fuzzy header is kept
            yield key, "\x00".join(texts)


def _unquoted(strings: str) -> str:
    text = strings[1:-1].replace('"\n"', "")
    return str(json.loads(f'"{text}"')) if "\\" in text else text


def _compiled(entries: Mapping[str, str]) -> bytes:
    """Return a compiled catalogue: header, offsets of keys and texts, then the keys and texts."""
    texts = [text.encode() for text in (*entries, *entries.values())]
    keys_at, first_at = 28, 28 + 8 * len(texts)
    header = (0x950412DE, 0, len(entries), keys_at, keys_at + 8 * len(entries), 0, 0)
    places = accumulate((len(text) + 1 for text in texts), initial=first_at)
    table = [number for text, at in zip(texts, places, strict=False) for number in (len(text), at)]
    return array("I", (*header, *table)).tobytes() + b"".join(text + b"\x00" for text in texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Words of one language: its catalogue of translations, and the English phrases by key.

    `lists` has the English lists of words, such as numbers and ranks.
    """

    language: str
    catalogue: Catalogue
    phrases: Mapping[str, str]
    lists: Mapping[str, tuple[str, ...]]

    def say(self, key: str, **places: str) -> str:
        return self._translated(key).format_map(places)

    def table(self, name: str) -> dict[str, str]:
        """Return the phrases of a table of `phrases.toml` by their keys, with places to fill in."""
        where = f"{name}."
        keys = [key for key in self.phrases if key.startswith(where)]
        return {key.removeprefix(where): self._translated(key) for key in keys}

    def side(self, side: int, names: Mapping[int, str]) -> str:
        """Return a side's name, translated if it is a default name, or else the side's number."""
        name = names.get(side)
        return (
            self.catalogue.pgettext("sides", name) if name else self.say("side", number=str(side))
        )

    def message(self, text: Text, names: Mapping[int, str] = MappingProxyType({})) -> str:
        """Return a text, with the sides' names, in this language or else in English."""

        def say(value: str | Text) -> str:
            return self.message(value, names) if isinstance(value, Text) else self._gettext(value)

        if text.template == SIDE:
            return self.side(int(str(text.values["number"])), names)
        return text.rendered(self._form, say)

    def number(self, number: int) -> str:
        words = self.lists["numbers"]
        return self._word("numbers", number) if number < len(words) else str(number)

    def rank(self, rank: int) -> str:
        """Return the name of a rank, 1 for the ace to 13 for the king, with its article."""
        return self._word("ranks", rank - 1)

    def joined(self, kind: str, texts: list[str]) -> str:
        """Return texts joined into one. Their `kind` is `items`, `clauses` or `sums`."""
        joined, *more = texts
        for text in more[:-1]:
            joined = self.say(f"join.{kind}_more", first=joined, more=text)
        return self.say(f"join.{kind}_last", first=joined, last=more[-1]) if more else joined

    def _gettext(self, english: str) -> str:
        return english and self.catalogue.gettext(english)  # gettext returns the header for ""

    def _form(self, one: str, more: str, n: int) -> str:
        return self.catalogue.ngettext(one, more, n) if more else self._gettext(one)

    def _translated(self, key: str) -> str:
        return self.catalogue.pgettext(key, self.phrases[key])

    def _word(self, key: str, number: int) -> str:
        return self.catalogue.pgettext(key, self.lists[key][number])


@cache
def load_phrases(language: str) -> Phrases:
    """Return the words of a language; cached.

    Raises:
        SettingsError: the language is not one of `languages()`.
    """
    if language not in languages():
        problem = Text("the commentator does not speak this language")
        remedy = Text("choose one of {names}", names=", ".join(languages()))
        raise SettingsError(Fault(file=reprlib.repr(language), problem=problem, remedy=remedy))
    english = _english()
    return Phrases(
        language=language,
        catalogue=load_catalogue(language),
        phrases={key: value for key, value in english.items() if isinstance(value, str)},
        lists={key: tuple(value) for key, value in english.items() if isinstance(value, list)},
    )


@cache
def _english() -> Mapping[str, str | list[str]]:
    file = resources.files("companion.commentary") / "phrases.toml"
    return dict(flat(tomllib.loads(file.read_text(encoding="utf-8"))))


def flat(table: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each value of nested tables with its dotted key."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{where}{name}.")
        else:
            yield f"{where}{name}", value
