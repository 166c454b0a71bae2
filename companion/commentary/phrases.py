"""Words of one language: phrases about events, found by key, and translations of English texts.

`phrases.toml` has the phrases in English. The catalogue of a language has the translations of the
phrases, with the keys as contexts, and of all other texts of the program.
"""

import reprlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from companion.commentary.catalogue import Catalogue, languages, load_catalogue
from companion.errors import SIDE, Fault, SettingsError, Text


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
        """Return a text in this language, or else in English, with the names of its sides."""

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
