"""A language made of the French file, in which every word of ours is between brackets."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.commentary import languages, load_phrases, phrase_file

PSEUDO = "eo"
_CACHED = (languages, load_phrases)
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
    """Put the pseudo-language into a folder beside the others."""
    folder = tmp_path / "phrases"
    folder.mkdir()
    for language in languages():
        content = (phrase_file._SHIPPED / f"{language}.toml").read_bytes()
        (folder / f"{language}.toml").write_bytes(content)
    french = tomllib.loads((folder / "fr.toml").read_text(encoding="utf-8"))
    (folder / f"{PSEUDO}.toml").write_text("\n".join(_dumped(french)), encoding="utf-8")
    monkeypatch.setattr(phrase_file, "_SHIPPED", folder)
    for cached in _CACHED:
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in _CACHED:
        cached.cache_clear()


def _dumped(table: Mapping[str, Any], where: str = "") -> Iterator[str]:
    """Yield the lines of a TOML file whose texts are marked, plain values before tables."""
    for key, value in table.items():
        if isinstance(value, list):
            yield f"{json.dumps(key)} = {json.dumps([marked(item) for item in value])}"
        elif isinstance(value, str):
            yield f"{json.dumps(key)} = {json.dumps(marked(value))}"
    for key, value in table.items():
        if isinstance(value, dict):
            name = f"{where}{json.dumps(key)}"
            yield f"[{name}]"
            yield from _dumped(value, f"{name}.")
