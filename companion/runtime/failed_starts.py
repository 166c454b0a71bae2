"""Failed starts in a row, and the safe start or the return to the last version that follows them.

They are counted in a folder that outlasts the process and not the power. A start has failed unless
it was stopped, restarted by the page, or has run for a minute. Where systemd names no such folder
nothing is counted.

After failed starts in a row the table runs without the part that they died of. A start that died
before its board was lit, or after the page answered, has its strip replaced by a virtual one. One
that died between the two has its buttons replaced by mock ones, and its strip shows that something
is wrong. Three starts that ended while the driver opened the strip, for instance, leave `count` 3
and `stage` "begun" in `starts.json`; the fourth lights the page only.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final, Self

import msgspec

from companion.encoding import encode_json, read_json, stored
from companion.errors import NO_TEXT, Fault, Text, first_line
from companion.toml.text import Value

FILE: Final = "starts.json"
MOST: Final = 3  # failed starts in a row, after which the next is a safe one
GOOD_AFTER_S: Final = 60.0  # seconds after which a start has not failed


class StartStage(StrEnum):
    """Stages that a start has reached."""

    BEGUN = "begun"
    LIT = "lit"
    READY = "ready"


class Starts(msgspec.Struct, frozen=True):
    """Count of the starts since the last good one, with the stage and the reason of the last."""

    count: int = 0
    stage: StartStage = StartStage.BEGUN
    reason: Text = NO_TEXT


class FailedStarts:
    """Record of the starts in a row that have failed before this one; a context manager around it.

    Args:
        folder: where the record is; None to keep none.

    `before` are those before this start.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = folder / FILE if folder else None
        self.before = Starts()
        if self._file:
            self.before = read_json(self._file, Starts) or Starts()
        self._now = Starts(count=self.before.count + 1)
        self._write()

    @property
    def calls_for_safety(self) -> bool:
        """True if so many starts have failed that this one has to be safe."""
        return self.before.count >= MOST

    def reach(self, stage: StartStage) -> None:
        """Note the stage of this start; what it might have died of until then is over."""
        self._note(stage=stage, reason=NO_TEXT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None:
            self.succeed()
        elif isinstance(error, Exception):
            self.fail(first_line(error))

    def fail(self, reason: Text) -> None:
        """Note why this start ends, or why it would if it ended now without a word."""
        self._note(reason=reason)

    def succeed(self) -> None:
        """Forget all failed starts. A failure after this is the first of a row."""
        self._now = Starts(stage=self._now.stage)
        if self._file:
            with suppress(OSError):
                self._file.unlink(missing_ok=True)

    def _note(self, **changes: object) -> None:
        if self._now.count:
            self._now = msgspec.structs.replace(self._now, **changes)
            self._write()

    def _write(self) -> None:
        if self._file:
            with suppress(OSError):  # then every start is as the first
                self._file.write_bytes(encode_json(self._now, stored))


def failed_starts(environment: Mapping[str, str] = os.environ) -> FailedStarts:
    """Return the record in the folder that systemd names for this run."""
    folder = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return FailedStarts(Path(folder) if folder else None)


_VIRTUAL: Final = "virtual"
_INSTEAD: Final = {
    StartStage.BEGUN: Text("the lights are on the page only"),
    StartStage.LIT: Text("the buttons are on the page only"),
    StartStage.READY: Text("the lights are on the page only"),
}
_NO_REASON: Final = Text("the log has the reason")


def has_mock_buttons(failed: Starts) -> bool:
    """Return True if a safe start leaves the real buttons alone."""
    return failed.stage is StartStage.LIT


def safe_options(options: Mapping[str, Value], failed: Starts) -> Mapping[str, Value]:
    """Return the options of the command line for a safe start."""
    if has_mock_buttons(failed):
        return options
    return {**options, "strip": {"driver": _VIRTUAL}}


def safety_fault(failed: Starts) -> Fault:
    """Return the fault with which a safe start plays on."""
    text = "safe start after {count} failed starts in a row ({reason}): {instead}"
    reason = failed.reason or _NO_REASON
    problem = Text(text, count=failed.count, reason=reason, instead=_INSTEAD[failed.stage])
    remedy = Text("mend that, then start the table again on Set-up, or pull the plug for a moment")
    return Fault(problem=problem, remedy=remedy)


REPORT: Final = Path("/var/lib/cribwars-update/report.json")


class _Report(msgspec.Struct, frozen=True):
    """Version that failed, and the one that runs instead."""

    failed: str
    running: str


def update_fault(report: Path = REPORT) -> Fault | None:
    """Return the fault to show while the last update has failed."""
    with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
        found = msgspec.json.decode(report.read_bytes(), type=_Report)
        text = "version {failed} did not run for a minute; {running} is back"
        problem = Text(text, failed=found.failed, running=found.running)
        remedy = Text("wait for a newer version; the games are as they were")
        return Fault(problem=problem, remedy=remedy)
    return None
