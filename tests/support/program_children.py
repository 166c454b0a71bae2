"""Child processes: the program, or a part of it, in the way that a test needs.

Arguments: the name of a function below and its own arguments.
"""

import json
import os
import queue
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from unittest.mock import patch

from companion.cli import main
from companion.journal.writer import Journal
from companion.rules.game import Command, Deal, NewGame, Peg, Undo
from tests.companion.journal.scribe import begun, connect_with

FRAMES = 3
"""Lines of its dump after which `stopped_lights` is stopped."""

COMMANDS: tuple[Command, ...] = (
    Peg(side=1, points=15),
    Peg(side=2, points=8),
    Peg(side=1, points=7),
    Undo(),
    Deal(),
    NewGame(sides=(1, 2, 3)),
    Peg(side=3, points=22),
)
"""A fold in a penalty box, taken back, a deal, and a new game with a third side."""


def commands_in_turn(commands: str) -> None:
    """Run `cribwars` with lists of arguments, as JSON; a failure ends it, with its exit code."""
    for arguments in json.loads(commands):
        cribwars(*arguments)


def cribwars(*arguments: str) -> None:
    """Run the program with these arguments."""
    sys.argv[1:] = arguments
    main.main()


def stopped_lights(*arguments: str) -> None:
    """Run `cribwars lights test`, which gets a SIGTERM after some frames."""
    with tempfile.TemporaryDirectory() as folder:
        pipe = Path(folder, "dump")
        os.mkfifo(pipe)
        threading.Thread(target=_stop, args=(pipe,)).start()
        cribwars("lights", "test", *arguments, "--dump", str(pipe))


def _stop(dump: Path) -> None:
    """Read the dump to its end, and ask to end after some frames."""
    with dump.open("rb") as lines:
        for n, _ in enumerate(lines, start=1):
            if n == FRAMES:
                os.kill(os.getpid(), signal.SIGTERM)


def killed(*arguments: str) -> None:
    """Run the program, killed by `kill -9` between a commit and the light that would show it.

    It dies after the commit of the journal's row number `KILLED_AT`, before it reports that row.
    """
    journal = partial(Journal, connect=connect_with(_commit_or_die))
    with patch("companion.runtime.start.Journal", journal):  # only this test needs such a setting
        cribwars(*arguments)


def _commit_or_die(database: sqlite3.Connection) -> None:
    """Commit; if the given row is on disk now, kill this process at once."""
    sqlite3.Connection.commit(database)
    (seq,) = database.execute("SELECT max(seq) FROM log").fetchone()
    if seq == int(os.environ["KILLED_AT"]):
        os.kill(os.getpid(), signal.SIGKILL)


def journal(folder: str) -> None:
    """Play a short game; write a line on stdout for each command that is on disk."""
    journal = Journal(Path(folder), now=time.time)
    history, _ = journal.begin(begun())
    answers: queue.SimpleQueue[bool] = queue.SimpleQueue()
    for number, command in enumerate(COMMANDS, start=1):
        journal.write(history.do(command), answers.put)
        if answers.get():
            os.write(sys.stdout.fileno(), b"%d\n" % number)
    journal.close()


if __name__ == "__main__":
    ways = (commands_in_turn, stopped_lights, killed, journal)
    {way.__name__: way for way in ways}[sys.argv[1]](*sys.argv[2:])
