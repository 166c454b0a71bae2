"""The console's log has one line for each record, and counts repeats."""

import logging
from collections.abc import Callable

from companion.runtime.log import REPEATS_S, OneLine, Repeats


class Minutes:
    """A logger whose minutes end when the test says so; `lines` is the console's output."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.due: list[Callable[[], None]] = []
        console = _Lines(self.lines)
        console.setFormatter(OneLine("%(message)s"))
        console.addFilter(Repeats(console.handle, later=self._later))
        self.log = logging.getLogger(f"{__name__}.{id(self)}")
        self.log.propagate = False
        self.log.addHandler(console)

    def _later(self, seconds: float, call: Callable[[], None]) -> None:
        assert REPEATS_S == seconds
        self.due.append(call)

    def end(self) -> None:
        """End the minute of each kind."""
        due, self.due = self.due, []
        for call in due:
            call()

    def fail(self, times: int) -> None:
        """Log an error with its trace."""
        for number in range(times):
            try:
                _leave(number)
            except OSError:
                self.log.exception("no answer\n")


def _leave(client: int) -> None:
    raise OSError(f"client {client} has left")


class _Lines(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))


def test_an_error_is_one_line() -> None:
    """It has text, type and place of the error."""
    minutes = Minutes()
    minutes.fail(1)
    (line,) = minutes.lines
    assert line.startswith("no answer | OSError: client 0 has left (at test_log.py:")
    assert "\n" not in line


def test_repeats_are_counted() -> None:
    """The first is shown at once, the others as a number a minute."""
    minutes = Minutes()
    minutes.fail(478)
    assert 1 == len(minutes.lines)
    minutes.end()
    assert "no answer (477 more in the last minute)" == minutes.lines[1]
    minutes.fail(2)
    minutes.end()
    assert "no answer (2 more in the last minute)" == minutes.lines[2]
    minutes.end()
    assert ([], 3) == (minutes.due, len(minutes.lines))
    minutes.fail(1)
    assert 4 == len(minutes.lines)


def test_other_records_pass() -> None:
    """Another text is of another kind; one made elsewhere is a repeat only of itself."""
    minutes = Minutes()
    minutes.log.warning("pin %d is busy", 4)
    minutes.log.warning("pin %d is busy", 5)
    for line in ("the disk is full", "the port failed", "connected", "connected"):
        minutes.log.warning("%s", line)
    minutes.log.warning("no room")
    shown = ["pin 4 is busy", "the disk is full", "the port failed", "connected", "no room"]
    assert shown == minutes.lines
