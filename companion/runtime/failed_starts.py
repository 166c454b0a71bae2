"""Failed starts in a row: the safe start that follows them, and the report of a failed update.

A start is good if the program runs for a minute, is stopped, or is restarted by the page. All other
starts are failed starts. They are counted in a runtime folder of systemd, which is kept when the
process ends and lost at a power cut. Without such a folder nothing is counted.

After three failed starts in a row the next start is a safe start, without the part that probably
caused the failures. If the last start failed before the board was lit, or after the page answered,
a virtual strip replaces the strip. If it failed between these stages, mock buttons replace the
buttons, and the strip shows a fault. For example, three starts fail while the driver opens the
strip: `starts.json` has `count` 3 and `stage` "begun", and the fourth start has a virtual strip.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final, Self

import msgspec

from companion.errors import NO_TEXT, Fault, Text, first_line
from companion.files import StoredFile
from companion.toml.values import Value

FILE: Final = "starts.json"
MOST: Final = 3  # failed starts in a row, before a safe start
GOOD_AFTER_S: Final = 60.0  # seconds after which a start is good


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
        self._file = StoredFile(folder / FILE, Starts) if folder else None
        self.before = (self._file and self._file.load_if_readable()) or Starts()
        self._now = Starts(count=self.before.count + 1)
        self._write()

    @property
    def calls_for_safety(self) -> bool:
        """True if this start must be a safe start."""
        return self.before.count >= MOST

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


REPORT: Final = Path("/var/lib/cribwars-update/report.json")


class _Report(msgspec.Struct, frozen=True):
    """Report of an update: the version that failed, and the version that runs instead."""

    failed: str
    running: str


def update_fault(report: Path = REPORT) -> Fault | None:
    """Return the fault to show if the last update has failed, or None."""
    with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
        found = msgspec.json.decode(report.read_bytes(), type=_Report)
        text = "version {failed} failed in its first minute; version {running} runs again"
        problem = Text(text, failed=found.failed, running=found.running)
        remedy = Text("wait for a newer version; the games are as they were")
        return Fault(problem=problem, remedy=remedy)
    return None
