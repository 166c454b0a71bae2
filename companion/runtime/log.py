"""Lines on stderr: lines for the person who started the program, and the program's log.

Each record of the log is one line. Repeated records are counted, because an error that comes many
times a second must not fill the console or the system's log.
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
        """Write a line unchanged; the line is lost if nothing reads stderr any more."""
        with suppress(OSError):
            click.echo(line, err=True)

    def report(self, text: Text) -> None:
        """Write each line of a text about the program, translated."""
        for line in self.phrases.message(text).splitlines():
            self.write(f"cribwars: {line}")


REPEATS_S: Final = 60.0  # seconds for which repeats of a record are counted
_FRAMES: Final = 3  # most places in the code, such as "log.py:50", that a logged error names
_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def log_to_console() -> None:
    """Write warnings and errors of the whole program to stderr."""
    console = logging.StreamHandler(sys.stderr)
    console.setFormatter(OneLine("cribwars: %(message)s"))
    console.addFilter(Repeats(console.handle, later=_call_later))
    logging.basicConfig(handlers=[console], level=logging.WARNING)


class OneLine(logging.Formatter):
    """Formatter that writes a record in one line, with the places where an error was raised."""

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802  # logging's name
        _, error, trace = ei
        frames = reversed(extract_tb(trace)[-_FRAMES:])
        locations = " < ".join(f"{Path(each.filename).name}:{each.lineno}" for each in frames)
        return f"{type(error).__name__}: {error} (at {locations})"

    def format(self, record: logging.LogRecord) -> str:
        return " | ".join(filter(None, map(str.strip, super().format(record).splitlines())))


class Repeats(logging.Filter):
    """Filter that passes the first record of a kind, and counts the records that repeat it.

    Records are of one kind if they have the same logger, the same text without its values, and the
    same type of error. If the text without its values is only "%s", the value is compared too.

    Args:
        emit: called with a record that gives the number of repeats.
        later: `later(seconds, call)` calls `call` once, in some thread, after `seconds`.
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
        """If records of a kind were repeated, emit their count and count for another minute."""
        with self._lock:
            count = self._counts.pop(kind)
            if count:
                self._counts[kind] = 0
        if count:
            text = f"{first.getMessage().strip()} ({count} more in the last minute)"
            self._emit(_RepeatRecord(first.name, first.levelno, "", 0, text, (), None))
            self._later(REPEATS_S, lambda: self._end_minute(kind, first))


class _RepeatRecord(logging.LogRecord):
    """Record with the number of repeats of another record."""


def _call_later(seconds: float, call: Callable[[], None]) -> None:
    timer = Timer(seconds, call)
    timer.daemon = True
    timer.start()
