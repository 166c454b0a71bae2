"""The running table: panel, journal, the loop and the lights thread."""

from companion.table.archive import Begun
from companion.table.journal import Journal
from companion.table.lamps import Bare, Lamps, Light
from companion.table.news import Accepted, News, Tapped
from companion.table.panel import Panel
from companion.table.presses import all_actions
from companion.table.table import Table

__all__ = [
    "Accepted",
    "Bare",
    "Begun",
    "Journal",
    "Lamps",
    "Light",
    "News",
    "Panel",
    "Table",
    "Tapped",
    "all_actions",
]
