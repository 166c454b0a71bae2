"""Catalogues as Babel reads them: independent of the program's own reader."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

import companion

LOCALE = Path(companion.__file__).parent / "locale"


@dataclass(frozen=True, slots=True)
class Entry:
    """Entry of a catalogue: English text, or singular and plural, and the translations."""

    context: str
    english: tuple[str, ...]
    texts: tuple[str, ...]


def path_of(language: str, locale: Path = LOCALE) -> Path:
    """Return the file of a language."""
    return locale / language / "LC_MESSAGES" / "cribwars.po"


def entries_of(language: str) -> Iterator[Entry]:
    """Yield the entries of a language's file."""
    with path_of(language).open("rb") as file:
        yield from entries(read_po(file))


def entries(catalog: Catalog) -> Iterator[Entry]:
    """Yield the entries of a catalogue of Babel's."""
    for each in catalog:
        if each.id:
            yield Entry(each.context or "", _all(each.id), _all(each.string or ()))


def _all(texts: str | Iterable[str]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)
