"""The game night of a running table, if its settings name a broker."""

from __future__ import annotations

from pathlib import Path

from companion.errors import BadInputError
from companion.night.broker import TableTopics
from companion.night.table_night import TableNight
from companion.runtime.start import StartedTable
from companion.settings.broker import parse_broker


def open_night(lit: StartedTable, folder: Path | None) -> TableNight | None:
    """Return the night of a table; report a fault and return None if the table cannot take part."""
    settings = lit.live.now.settings
    table = settings.night.table
    if not table or folder is None:
        no_number = "this table has no number in the night: set table in [night]"
        no_journal = "a game night needs the journal of the table: set --data"
        error = BadInputError(no_journal if table else no_number)
        fault = lit.fallbacks.fault("night.broker", error)
        lit.fallbacks.watch(lambda: fault)
        return None
    return TableNight(
        lit.table,
        TableTopics(settings.night.name, table),
        parse_broker(settings.night.broker),
        password=settings.night.password,
        folder=folder,
        board=lit.live.now.assembly.board.name,
        colours=lambda: lit.live.now.colours,
        changed=lit.broadcast.notify,
    )
