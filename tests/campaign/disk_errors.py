"""Errors of the disk under a session: at each read and write, once, for good, and for a while.

A refused operation changes nothing, an acknowledged one lasts, and nothing ends in a traceback.
"""

import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from companion.errors import CompanionError
from companion.journal.store import FILE as JOURNAL
from companion.settings.sources import page_file
from tests.campaign.figures import Verdicts
from tests.campaign.kills import OPERATIONS, calls_of, strace
from tests.campaign.played import Mark, play
from tests.campaign.session import Snapshot, inspect, paths

READS: Final = "pread64"
WRITES: Final = "pwrite64,fsync,fdatasync,ftruncate,rename,unlink,mkdir"
ERRORS: Final = {READS: ("EIO", "ENOMEM"), WRITES: ("ENOSPC", "EIO", "EROFS")}
SPANS: Final = ("{}", "{}+", "{}..{}")
"""Spans of an error: one call, all calls from then on, and some calls."""


def files_of(folder: Path) -> tuple[Path, ...]:
    """Return the paths at which errors are injected."""
    data, by_hand, backups = paths(folder)
    settings = page_file(by_hand)
    journal = [data / f"{JOURNAL}{suffix}" for suffix in ("", "-wal", "-shm")]
    beside = settings.with_name(f".{settings.name}.new")
    phones = (data / "phones.json", data / ".phones.json.new")
    return (data, *journal, *phones, settings.parent, settings, beside, backups)


def cases(seed: int) -> Iterator[str]:
    """Yield injections without end: each call that a session makes, each error, each span."""
    chance = random.Random(seed)
    calls = [(names, *call) for names in ERRORS for call in calls_of(seed, names)]
    while True:
        names, call, number = chance.choice(calls)
        when = chance.choice(SPANS).format(number, number + 8)
        yield f"{call}:error={chance.choice(ERRORS[names])}:when={when}"


def _allowed(marks: Sequence[Mark]) -> list[Snapshot]:
    """Return the states from the last acknowledged one on, and the refused ones.

    A refused state may be there all the same, as a new file whose folder could not be synced.
    """
    since: list[Snapshot] = []
    refused: list[Snapshot] = []
    for mark in marks:
        if mark.report.intent:
            since.append(mark.report.intent)
        elif since and mark.report.operation != "end":
            refused += since[-1:] if mark.report.failed else []
            del since[: -1 if mark.report.done else 0]
    return since + refused


def _verdict(folder: Path, marks: Sequence[Mark]) -> tuple[str | None, str]:
    """Compare the files with all allowed states."""
    allowed = _allowed(marks)
    if not allowed:
        return None, ""
    try:
        found = inspect(folder)
    except CompanionError as error:
        return "corrupt", str(error)
    for field in ("game", "undo", "settings", "phones"):
        if getattr(found, field) not in {getattr(each, field) for each in allowed}:
            return "lost", f"{field} of {msgspec.to_builtins(found)}, allowed {allowed}"
    return None, ""


def disk_errors(points: int, seed: int) -> Verdicts:
    """Play this number of sessions, each on a disk with an error; return the verdicts."""
    verdicts = Verdicts(("lost", "corrupt", "traceback"))
    for case, _ in zip(cases(seed), range(points), strict=False):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "table"
            tracer = strace(Path(name) / "log", case, files=files_of(folder))
            marks: list[Mark] = []
            try:
                marks += play(folder, seed=seed, operations=OPERATIONS, tracer=tracer)
                verdict, example = _verdict(folder, marks)
            except AssertionError as error:
                verdict, example = "traceback", str(error)
            verdicts.add(verdict, f"seed {seed}, {case}: {example}")
    return verdicts
