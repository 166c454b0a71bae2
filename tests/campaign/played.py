"""Sessions in a process of their own, and the states of the files that a cut may leave."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path

import msgspec

from companion.errors import CompanionError
from tests.campaign.session import Report, Snapshot, inspect
from tests.support.program import ROOT


@dataclass(frozen=True, slots=True)
class Mark:
    """A report of the session, and the position of the disk's log at its arrival."""

    position: int
    report: Report


def play(
    folder: Path,
    *,
    seed: int,
    operations: int,
    controls: Sequence[str] = (),
    tracer: Sequence[str] = (),
    position: Callable[[], int] = lambda: 0,
) -> Iterator[Mark]:
    """Run a session in a process of its own; yield each report with the position at that time.

    Raises:
        AssertionError: it ends with a traceback.
    """
    entry = ("-m", "tests.campaign.session", str(folder), str(seed), str(operations), *controls)
    with subprocess.Popen(
        [*tracer, sys.executable, *entry],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        for line in process.stdout:
            report = msgspec.json.decode(line, type=Report)
            yield Mark(position(), report)
            if report.done or report.failed:
                with suppress(BrokenPipeError):
                    process.stdin.write(b"\n")
                    process.stdin.flush()
        errors = process.stderr.read().decode()
    if process.returncode > 0:
        raise AssertionError(errors)


def expected_at(marks: Sequence[Mark], position: float = inf) -> tuple[Snapshot, ...]:
    """Return the states of the files that a cut at a position of the log may leave.

    They are the last acknowledged state, and the state of an operation that was running.
    """
    reached: Snapshot | None = None
    intent: Snapshot | None = None
    for mark in marks:
        if mark.report.intent:
            intent = mark.report.intent  # what is under way may have been written before it is read
        elif mark.position > position:
            break
        elif mark.report.done and intent:
            reached, intent = intent, None
    return tuple(filter(None, (reached, intent)))


def judge(folder: Path, expected: Sequence[Snapshot]) -> tuple[str | None, str]:
    """Open the files of a session that was cut off; return the verdict on them, and an example."""
    try:
        found = inspect(folder)
    except CompanionError as error:
        return "corrupt", str(error)
    if found.loss:
        return "corrupt", found.loss
    if any(found.has(each) for each in expected):
        return None, ""
    return "lost", f"{found}, expected {expected}"
