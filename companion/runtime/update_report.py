"""Report of an update that did not run, so that the previous version was put back."""

from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from companion.errors import Fault, Text

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
        remedy = "wait for a newer version; the games are as they were"
        return Fault(problem=problem, remedy=remedy)
    return None
