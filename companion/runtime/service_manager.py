"""The program as a service: messages to systemd, safe starts after failed ones, failed updates.

The messages are those of sd_notify(3); without systemd, no message is sent.

A start is good if the program runs for a minute, is stopped, or is restarted by the page. All other
starts are failed starts. They are counted in a runtime folder of systemd, which is kept when the
process ends and lost at a power cut. Without such a folder nothing is counted.

After three failed starts in a row the next start is a safe start, without the part that probably
caused the failures. If the last start failed before the board was lit, or after the page answered,
a virtual strip replaces the strip. If it failed between these stages, mock buttons replace the
buttons, and the strip shows a fault. For example, three starts fail while the driver opens the
strip: `starts.json` has `count` 3 and `stage` "begun", and the fourth start has a virtual strip.
"""

import asyncio
import faulthandler
import os
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import Final, Self

import msgspec

from companion.encoding import UNREADABLE
from companion.errors import NO_TEXT, Fault, Text, first_line
from companion.files import StoredFile
from companion.toml import Value

_FILE: Final = "starts.json"
MAX_FAILED_STARTS: Final = 3  # failed starts in a row, before a safe start
GOOD_AFTER_S: Final = 60.0  # seconds after which a start is good

READY: Final = "READY=1"
_ALIVE: Final = "WATCHDOG=1"
_FROZEN: Final = "WATCHDOG=trigger"
"""Message after which systemd acts at once as if the watchdog had expired."""
_SIGNS_OF_LIFE: Final = 3  # signs sent within each time limit of systemd's watchdog
Notify = Callable[[str], None]


class StartStage(StrEnum):
    """Stages that a start has reached."""

    BEGUN = "begun"
    LIT = "lit"
    READY = "ready"


class Starts(msgspec.Struct, frozen=True):
    """Number of starts since the last good one; how far the latest came, and why it failed."""

    count: int = 0
    stage: StartStage = StartStage.BEGUN
    reason: Text = NO_TEXT


class FailedStarts:
    """Record of failed starts in a row; a context manager around this run.

    `before` is the record without this start.

    Args:
        folder: the folder of the record; None to keep no record.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = StoredFile(folder / _FILE, Starts) if folder else None
        self.before = (self._file and self._file.load_if_readable()) or Starts()
        self._now = Starts(count=self.before.count + 1)
        self._write()

    @property
    def calls_for_safety(self) -> bool:
        """True if this start must be a safe start."""
        return self.before.count >= MAX_FAILED_STARTS

    def reach(self, stage: StartStage) -> None:
        """Note the stage that this start has reached, and forget the reason noted before."""
        self._note(stage=stage, reason=NO_TEXT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None:
            self.succeed()
        elif isinstance(error, Exception):
            self.fail(first_line(error))

    def fail(self, reason: Text) -> None:
        """Note the reason to report if this start fails before its next stage."""
        self._note(reason=reason)

    def succeed(self) -> None:
        """Forget all failed starts; this start counts as good from now on."""
        self._now = Starts(stage=self._now.stage)
        if self._file:
            with suppress(OSError):
                self._file.path.unlink(missing_ok=True)

    def _note(self, **changes: object) -> None:
        if self._now.count:
            self._now = msgspec.structs.replace(self._now, **changes)
            self._write()

    def _write(self) -> None:
        if self._file:
            with suppress(OSError):  # failed starts are not counted then
                self._file.save(self._now)


def failed_starts(environment: Mapping[str, str] = os.environ) -> FailedStarts:
    """Return the record in the folder that systemd names for this run."""
    folder = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return FailedStarts(Path(folder) if folder else None)


def has_mock_buttons(failed: Starts) -> bool:
    """Return True if a safe start uses mock buttons."""
    return failed.stage is StartStage.LIT


def safe_options(options: Mapping[str, Value], failed: Starts) -> Mapping[str, Value]:
    """Return the settings of the command line, changed for a safe start."""
    if has_mock_buttons(failed):
        return options
    return {**options, "strip": {"driver": "virtual"}}


def safety_fault(failed: Starts) -> Fault:
    """Return the fault to show after a safe start."""
    text = "safe start after {count} failed starts in a row ({reason}): {instead}"
    reason = failed.reason or Text("the log has the reason")
    instead = Text("the lights are on the page only")
    if has_mock_buttons(failed):
        instead = Text("the buttons are on the page only")
    problem = Text(text, count=failed.count, reason=reason, instead=instead)
    remedy = Text(
        "mend the cause, then start the table again on Set-up, or pull the plug for a moment"
    )
    return Fault(problem=problem, remedy=remedy)


_REPORT: Final = Path("/var/lib/cribwars-update/report.json")


class _Report(msgspec.Struct, frozen=True):
    """Report of an update: the version that failed, and the version that runs instead."""

    failed: str
    running: str


def update_fault(report: Path = _REPORT) -> Fault | None:
    """Return the fault to show if the last update has failed, or None."""
    with suppress(OSError, *UNREADABLE):
        found = msgspec.json.decode(report.read_bytes(), type=_Report)
        text = "version {failed} failed in its first minute; version {running} runs again"
        problem = Text(text, failed=found.failed, running=found.running)
        remedy = Text("wait for a newer version; the games are as they were")
        return Fault(problem=problem, remedy=remedy)
    return None


def notify(message: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send a message; it is lost if systemd cannot receive it."""
    address = environment.get("NOTIFY_SOCKET", "")
    if address:
        with (
            suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sender,
        ):
            # A name that begins with "@" is in Linux's abstract namespace.
            sender.connect(f"\0{address[1:]}" if address.startswith("@") else address)
            sender.send(message.encode())


def is_service(environment: Mapping[str, str] = os.environ) -> bool:
    """Return True if systemd waits for the start of this program."""
    return "NOTIFY_SOCKET" in environment


@contextmanager
def time_limit(seconds: float, environment: Mapping[str, str] = os.environ) -> Iterator[None]:
    """Exit with status 1 if the block takes too long, even while C code holds the interpreter.

    Before the exit, the log gets the stacks of all threads. Without systemd there is no limit.
    """
    if is_service(environment):
        faulthandler.dump_traceback_later(seconds, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def set_watchdog(seconds: float) -> str:
    """Return the message that sets the seconds in which systemd expects a sign of life."""
    return f"WATCHDOG_USEC={seconds * 1e6:.0f}"


def watchdog_interval(environment: Mapping[str, str] = os.environ) -> float | None:
    """Return the seconds between two signs of life, or None if systemd expects no signs."""
    microseconds = environment.get("WATCHDOG_USEC", "")
    ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) / 1e6 / _SIGNS_OF_LIFE if microseconds.isdecimal() and ours else None


async def feed_watchdog(
    interval: float,
    find_frozen: Callable[[], Text | None],
    give_up: Callable[[Text], None],
    *,
    send: Notify = notify,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Send systemd a sign of life every `interval` seconds, until a part is frozen.

    `find_frozen` returns a line about a frozen part, or None. `give_up` is called with the line
    before systemd ends the program.
    """
    send(set_watchdog(_SIGNS_OF_LIFE * interval))
    while (frozen := find_frozen()) is None:
        send(_ALIVE)
        await sleep(interval)
    give_up(frozen)
    send(_FROZEN)
