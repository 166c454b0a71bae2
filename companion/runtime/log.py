"""Lines on stderr: those for the person who started the program, and the program's log.

The log has one line a record, and repeats as a count: a fault that comes many times a second must
fill neither the console nor the system's log.
"""

import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from threading import Lock, Timer
from traceback import extract_tb
from types import TracebackType
from typing import Final

import click

from companion.commentary import Phrases, load_phrases
from companion.errors import Text


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

    def report(self, text: Text) -> None:
        """Write each line of a text about the program, translated."""
        for line in self.phrases.message(text).splitlines():
            self.write(f"cribwars: {line}")


REPEATS_S: Final = 60.0  # seconds for which the repeats of a line are counted
_FRAMES: Final = 3  # places in the code that are named for an error, the innermost first
_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def log_to_console() -> None:
    """Write warnings and errors of the whole program to stderr."""
    console = logging.StreamHandler(sys.stderr)
    console.setFormatter(OneLine("cribwars: %(message)s"))
    console.addFilter(Repeats(console.handle, later=_call_later))
    logging.basicConfig(handlers=[console], level=logging.WARNING)


class OneLine(logging.Formatter):
    """Format of a record in one line, an error with the places where it was raised."""

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802  # logging's name
        _, error, trace = ei
        frames = reversed(extract_tb(trace)[-_FRAMES:])
        locations = " < ".join(f"{Path(each.filename).name}:{each.lineno}" for each in frames)
        return f"{type(error).__name__}: {error} (at {locations})"

    def format(self, record: logging.LogRecord) -> str:
        return " | ".join(filter(None, map(str.strip, super().format(record).splitlines())))


class Repeats(logging.Filter):
    """Filter that lets the first record of its kind pass, and a count of those that follow.

    Records are of one kind if they have the same logger, text before its values are filled in, and
    type of error; a text that is nothing but a value counts as filled in.

    Args:
        emit: takes the records with counts.
        later: makes a call once, in some thread, after so many seconds.
    """

    def __init__(
        self,
        emit: Callable[[logging.LogRecord], object],
        *,
        later: Callable[[float, Callable[[], None]], None],
    ) -> None:
        super().__init__()
        self._emit, self._later = emit, later
        self._lock = Lock()
        self._counts: dict[object, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record, _RepeatRecord):
            return True
        text = record.getMessage() if record.msg == "%s" else record.msg
        kind = record.name, text, record.exc_info and record.exc_info[0]
        with self._lock:
            if kind in self._counts:
                self._counts[kind] += 1
                return False
            self._counts[kind] = 0
        self._later(REPEATS_S, lambda: self._end_minute(kind, record))
        return True

    def _end_minute(self, kind: object, first: logging.LogRecord) -> None:
        """Emit the count of a kind, and count for another minute if there was one."""
        with self._lock:
            count = self._counts.pop(kind)
            if count:
                self._counts[kind] = 0
        if count:
            text = f"{first.getMessage().strip()} ({count} more in the last minute)"
            self._emit(_RepeatRecord(first.name, first.levelno, "", 0, text, (), None))
            self._later(REPEATS_S, lambda: self._end_minute(kind, first))


class _RepeatRecord(logging.LogRecord):
    """Record with the count of another's repeats."""


def _call_later(seconds: float, call: Callable[[], None]) -> None:
    timer = Timer(seconds, call)
    timer.daemon = True
    timer.start()
