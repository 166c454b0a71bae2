"""Connections whose commits fail, wait, or end the process."""

import sqlite3
from collections.abc import Callable
from pathlib import Path


def connect_with(
    commit: Callable[[sqlite3.Connection], None],
) -> Callable[[Path], sqlite3.Connection]:
    """Return a `connect` for a `Journal` whose recorder commits by `commit`."""

    class Connection(sqlite3.Connection):
        def commit(self) -> None:
            commit(self)

    return lambda path: sqlite3.connect(
        path, timeout=1, isolation_level=None, check_same_thread=False, factory=Connection
    )
