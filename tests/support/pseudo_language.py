"""A language made from the French one: each of our words is between brackets."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from companion.commentary import catalogue, languages, load_catalogue, load_phrases
from tests.support.catalogues import entries_of, path_of

PSEUDO = "eo"
_CACHED = (languages, load_catalogue, load_phrases)
_PLACE = re.compile(r"(\{[^}]*\})")


def marked(text: str) -> str:
    """Return a text with its words in brackets; its places stay outside of them.

    >>> marked("pas de siège {seat} ici")
    '⟦pas de siège ⟧{seat}⟦ ici⟧'
    """
    parts = _PLACE.split(text)
    return "".join(f"⟦{part}⟧" if n % 2 == 0 and part else part for n, part in enumerate(parts))


@pytest.fixture
def third_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Write the pseudo-language into a folder beside French."""
    locale = tmp_path / "locale"
    pseudo = Catalog(PSEUDO)
    for entry in (each for each in entries_of("fr") if all(each.texts)):
        texts = tuple(map(marked, entry.texts))
        (english, text) = (entry.english, texts) if texts[1:] else (entry.english[0], texts[0])
        pseudo.add(english, text, context=entry.context or None)
    for language in ("fr", PSEUDO):
        path_of(language, locale).parent.mkdir(parents=True)
    path_of("fr", locale).write_bytes(path_of("fr").read_bytes())
    with path_of(PSEUDO, locale).open("wb") as file:
        write_po(file, pseudo)
    monkeypatch.setattr(catalogue, "_LOCALE", locale)
    for cached in _CACHED:
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in _CACHED:
        cached.cache_clear()
