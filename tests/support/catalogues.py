"""Catalogues as Babel reads them, independently of the program's own reader."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from babel.messages.frontend import CommandLineInterface
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
    return _entries(path_of(language))


def extracted() -> Iterator[Entry]:
    """Yield the texts of the sources, as `make catalogues` extracts them."""
    root = LOCALE.parents[1]
    mapping = f"--mapping-file={root / 'pyproject.toml'}"
    with TemporaryDirectory() as folder:
        file = Path(folder, "texts.pot")
        arguments = ["pybabel", "--quiet", "extract", mapping, f"--output={file}", str(root)]
        CommandLineInterface().run(arguments)  # type: ignore[no-untyped-call]  # Babel's
        yield from _entries(file)


def _entries(path: Path) -> Iterator[Entry]:
    with path.open("rb") as file:
        catalog = read_po(file)
    for each in catalog:
        if each.id:
            yield Entry(each.context or "", _all(each.id), _all(each.string or ""))


def _all(texts: str | Iterable[str]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)
