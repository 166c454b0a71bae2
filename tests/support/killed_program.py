"""The real program, which a kill -9 meets between a commit and the light that would show it.

An entry for a process of its own. `KILLED_AT` is the number of the journal's row after whose
commit the process is gone, before anybody has been told of it.
"""

import os
import signal
import sqlite3
from functools import partial

from companion.cli import main
from companion.journal.writer import Journal
from companion.runtime import start


def commit(database: sqlite3.Connection) -> None:
    """Commit; if that has put the row in question on disk, die at once."""
    database.commit()
    (seq,) = database.execute("SELECT max(seq) FROM log").fetchone()
    if seq == int(os.environ["KILLED_AT"]):
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    # The program has no setting for this, and needs none but here.
    vars(start)["Journal"] = partial(Journal, commit=commit)
    main.main()
