"""The running table: panel, journal, the loop and the lights thread."""

from companion.journal.resume import Accepted
from companion.table.display import TableStatus, Tapped
from companion.table.panel import Panel
from companion.table.table import Table

__all__ = ["Accepted", "Panel", "Table", "TableStatus", "Tapped"]
