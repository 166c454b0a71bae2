"""The running table: panel, journal, the loop and the lights thread."""

from companion.table.archive import Begun
from companion.table.journal import Journal
from companion.table.lamps import Lamps, Light
from companion.table.news import News
from companion.table.panel import Panel
from companion.table.table import Table

__all__ = ["Begun", "Journal", "Lamps", "Light", "News", "Panel", "Table"]
