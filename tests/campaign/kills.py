"""kill -9 at the writing system calls of a session, one after the other."""

import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from tests.campaign.figures import Verdicts
from tests.campaign.played import expected_at, judge, play

CALLS: Final = "write,pwrite64,fsync,fdatasync,ftruncate,rename,unlink,mkdir"
CALL: Final = re.compile(r"^(\d+) +(\w+)\(", re.MULTILINE)
OPERATIONS: Final = 14


def missing() -> str:
    """Return why this machine cannot run the campaign, "" if it can."""
    return "" if shutil.which("strace") else "needs the package strace"


def strace(log: Path, *injections: str, files: tuple[Path, ...] = ()) -> tuple[str, ...]:
    """Return a tracer that injects a fault, only at calls about these files if there are any."""
    names = (word for file in files for word in ("-P", str(file)))
    injected = (word for injection in injections for word in ("-e", f"inject={injection}"))
    traced = f"trace={','.join(injection.partition(':')[0] for injection in injections)}"
    return ("strace", "-f", "-qq", "-o", str(log), *names, "-e", traced, *injected)


def calls_of(seed: int, names: str = CALLS) -> list[tuple[str, int]]:
    """Return the system calls of a session as strace counts them: name, number in its thread."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        tracer = ("strace", "-f", "-qq", "-o", str(log), "-e", f"trace={names}")
        list(play(Path(folder) / "table", seed=seed, operations=OPERATIONS, tracer=tracer))
        made = Counter(CALL.findall(log.read_text()))
    return sorted({(name, n + 1) for (_, name), most in made.items() for n in range(most)})


def kills(points: int, seed: int) -> Verdicts:
    """Kill a session at this number of its calls, spread over all; return the verdicts."""
    verdicts, calls = Verdicts(("lost", "corrupt")), calls_of(seed)
    for point in range(points):
        name, number = calls[point * len(calls) // points]
        with tempfile.TemporaryDirectory() as folder:
            tracer = strace(Path(folder) / "log", f"{name}:signal=KILL:when={number}")
            table = Path(folder) / "table"
            marks = list(play(table, seed=seed, operations=OPERATIONS, tracer=tracer))
            expected = expected_at(marks)
            if expected:  # it had begun
                verdict, example = judge(table, expected)
                verdicts.add(verdict, f"seed {seed}, killed at {name} {number}: {example}")
    return verdicts
