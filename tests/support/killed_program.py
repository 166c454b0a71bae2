"""The real program, killed by `kill -9` between a commit and the light that would show it.

It runs as a process of its own, which kills itself after the commit of the journal's row number
`KILLED_AT`, before it reports that row.
"""

import os
import signal
import sqlite3
from functools import partial

from companion.cli import main
from companion.journal.writer import Journal
from companion.runtime import start
from tests.support.commits import connect_with


def commit(database: sqlite3.Connection) -> None:
    """Commit; if the given row is on disk now, kill this process at once."""
    sqlite3.Connection.commit(database)
    (seq,) = database.execute("SELECT max(seq) FROM log").fetchone()
    if seq == int(os.environ["KILLED_AT"]):
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    # Only this test needs such a setting.
    vars(start)["Journal"] = partial(Journal, connect=connect_with(commit))
    main.main()
