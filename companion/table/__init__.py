"""The running table: panel, journal, the loop and the lights thread."""

from companion.table.archive import Begun
from companion.table.journal import Journal
from companion.table.lamps import Lamps, Light
from companion.table.news import Accepted, News
from companion.table.panel import Panel, all_actions
from companion.table.table import Table

__all__ = [
    "Accepted",
    "Begun",
    "Journal",
    "Lamps",
    "Light",
    "News",
    "Panel",
    "Table",
    "all_actions",
]
