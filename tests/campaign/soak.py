"""A night at the table: random presses, counts, referee's commands, demos, watchers and restarts.

After every restart the table has the last reported state, which is also that of an independent fold
of the journal's rows. Memory, files and threads do not grow; the wall clock jumps, and the program
is stopped for a moment, as on a laptop that sleeps.
"""

import json
import os
import random
import signal
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from companion.board import load_board
from companion.journal.store import FILE as JOURNAL
from companion.rules.game import History, HouseRules, Setup, new_game
from companion.rules.game.notation import read_command
from tests.campaign.figures import Verdicts
from tests.support.limits import TIMEOUT_S
from tests.support.program import Program, running

FAKETIME: Final = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))), None)
BUTTONS: Final = ("plus_one", "plus_five", "plus_five", "enter", "enter", "undo")
JUMPS: Final = ("-40y", "+0", "+12y", "-1d", "+1d", "-300")
ROUND: Final = 40
"""Actions between two restarts."""
WARM_UP_ROUNDS: Final = 2
MOST_GROWTH: Final = (8.0, 3, 1)
"""Megabytes, files and threads that may vary by chance; a leak grows with the rounds."""


def missing() -> str:
    """Return why this machine cannot run the campaign, "" if it can."""
    return "" if FAKETIME else "needs the package faketime"


@dataclass(frozen=True, slots=True)
class Usage:
    """Memory in megabytes, open files and threads of a process."""

    rss: float
    files: int
    threads: int


def usage(pid: int) -> Usage:
    """Return the present usage of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    files = len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208  # names only
    return Usage(int(status["VmRSS"].split()[0]) / 1024, files, int(status["Threads"]))


def folded(journal: Path) -> dict[str, object]:
    """Return the table as the rows of a journal have it, replayed one by one.

    An undo goes back to the state from before the command that it takes back: a stack.
    """
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT seq, command FROM log ORDER BY seq").fetchall()
    setup = Setup.make(load_board("classic").track, HouseRules(board="classic"), sides=(1, 2))
    history = History(new_game(setup))
    for _, command in rows:
        history.do(read_command(command))
    state = history.state
    return {
        "seq": rows[-1][0] if rows else 0,
        "dealer": state.dealer,
        "hand": state.hand,
        "winner": state.winner,
        "fronts": {str(side): state.pegs(side).front for side in setup.sides},
    }


def reported(table: dict[str, Any]) -> dict[str, object]:
    """Return the same state from the page's interface."""
    fronts = {side: table["teams"][side]["front"] for side in ("1", "2")}
    return {key: table[key] for key in ("seq", "dealer", "hand", "winner")} | {"fronts": fronts}


class Night:
    """A table that random people use; `folder` is its home."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self._chance = folder, random.Random(seed)
        self._clock = folder / "clock"
        self._clock.write_text("+0")
        self.verdicts = Verdicts(("lost", "refused wrongly", "traceback", "grown"))
        self.name = f"seed {seed}"

    @contextmanager
    def _started(self) -> Iterator[Program]:
        clock = {
            "LD_PRELOAD": str(FAKETIME),
            "FAKETIME_TIMESTAMP_FILE": str(self._clock),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        arguments = ("--strip", "null", "--board", "classic", "--teams", "2")
        with running(self._folder, *arguments, simulate=True, **clock) as program:
            yield program
            if "Traceback" in program.stderr:
                self.verdicts.add("traceback", program.stderr[-2000:])

    def play(self, rounds: int) -> Verdicts:
        """Play a number of rounds in a few runs of the program, which end in a kill or a stop."""
        while rounds > 0:
            a_run = min(rounds, self._chance.randint(3, 12))
            with self._started() as program:
                self._check_start(program)
                self._run(program, a_run)
                if self._chance.random() < 0.5:  # else it is killed
                    program.stop()
            rounds -= a_run
        return self.verdicts

    def _check_start(self, program: Program) -> None:
        journal = self._folder / "data" / JOURNAL
        found, expected = reported(program.table()), folded(journal)
        self.verdicts.add(
            None if found == expected else "lost", f"{self.name}: {found}, the rows say {expected}"
        )

    def _run(self, program: Program, rounds: int) -> None:
        warm = None
        for number in range(rounds):
            self._round(program)
            warm = usage(program.pid) if number == WARM_UP_ROUNDS else warm
        end = usage(program.pid)
        if warm:
            grown = any(
                after - before > most
                for before, after, most in zip(
                    astuple(warm), astuple(end), MOST_GROWTH, strict=True
                )
            )
            self.verdicts.add("grown" if grown else None, f"{self.name}: {warm}, then {end}")

    def _round(self, program: Program) -> None:
        with httpx.Client(base_url=program.url, timeout=TIMEOUT_S) as client:
            with client.stream("GET", "/api/stream") as stream:
                next(stream.iter_bytes())
                for _ in range(ROUND):
                    self._act(client)
            self._interrupt(program)
            client.post("/api/demo", json={"on": False})
            self._acknowledged(client)

    def _acknowledged(self, client: httpx.Client) -> None:
        """Check that acknowledged counts are in the rows, as they must be on disk before."""
        found = reported(client.get("/api/table").json())
        expected = folded(self._folder / "data" / JOURNAL)
        later = int(str(expected["seq"])) > int(str(found["seq"]))
        right = found == expected or later
        self.verdicts.add(None if right else "lost", f"{self.name}: {found}, rows {expected}")

    def _act(self, client: httpx.Client) -> None:
        side = self._chance.choice((1, 2))
        kind = self._chance.random()
        if kind < 0.7:
            button = f"{side}.{self._chance.choice(BUTTONS)}"
            self._press(client, button)
        elif kind < 0.8:
            self._press(client, self._chance.choice(("deal", "deal", "mode")))
        elif kind < 0.9:
            command = {"penalty": {"rule": "N5", "by": side, "taken": [3 - side]}}
            self._post(client, "/api/command", command)
        else:
            self._post(client, "/api/demo", {"on": self._chance.random() < 0.3})

    def _press(self, client: httpx.Client, button: str) -> None:
        self._post(client, "/api/press", {"button": button, "seconds": 0.05})

    def _post(self, client: httpx.Client, path: str, body: Mapping[str, object]) -> None:
        response = client.post(path, json=body)
        right = response.status_code in {200, 204, 400, 409, 429}
        self.verdicts.add(
            None if right else "refused wrongly", f"{path} {json.dumps(body)}: {response.text}"
        )

    def _interrupt(self, program: Program) -> None:
        self._clock.write_text(self._chance.choice(JUMPS))
        os.kill(program.pid, signal.SIGSTOP)
        os.kill(program.pid, signal.SIGCONT)


def soak(rounds: int, seed: int) -> Verdicts:
    """Play this number of rounds at a table; return the verdicts."""
    with tempfile.TemporaryDirectory() as folder:
        return Night(Path(folder), seed).play(rounds)
