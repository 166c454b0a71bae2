"""Lines on stderr for whoever has started the program, in one language."""

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property

import click

from companion.commentary import Phrases, load_phrases


class Console:
    """Writer of lines on stderr.

    Args:
        language: returns the language; it is called once, for the first line.
    """

    def __init__(self, language: Callable[[], str] = lambda: "en") -> None:
        self._language = language

    @cached_property
    def phrases(self) -> Phrases:
        return load_phrases(self._language())

    def write(self, line: str) -> None:
        """Write a line as it is; one whose reader has gone is lost."""
        with suppress(OSError):
            click.echo(line, err=True)

    def report(self, text: str) -> None:
        """Write each line of a text about the program, translated."""
        for line in self.phrases.message(text).splitlines():
            self.write(f"cribwars: {line}")
