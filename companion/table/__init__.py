"""The running table: panel, journal, the loop and the lights thread."""

from companion.journal.accepted import Accepted
from companion.table.panel import Panel
from companion.table.snapshot import News, Tapped
from companion.table.table import Table

__all__ = ["Accepted", "News", "Panel", "Table", "Tapped"]
