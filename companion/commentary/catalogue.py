"""Catalogues of translations in gettext's format: one .po file for each language.

The standard library reads only compiled catalogues (.mo). So the .po file is compiled in memory,
which takes a few milliseconds, and no compiled file can be out of date.
"""

import json
import re
from array import array
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from gettext import GNUTranslations
from importlib import resources
from io import BytesIO
from itertools import accumulate
from typing import Final, TypedDict

ENGLISH: Final = "en"  # the language of the sources, which needs no catalogue
_PAGE = "page\x04"  # prefix of the keys of texts in the pages' scripts and documents
_NUMBERS = 200
"""The pages get the plural forms of the numbers below this.

A higher number has the form of 100 plus its last two digits: 1234 that of 134."""
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
