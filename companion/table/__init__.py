"""Running table: it turns presses into commands, applies and saves them, and shows the game."""

from companion.journal.resume import Accepted
from companion.table.display import Tapped
from companion.table.panel.panel import Panel
from companion.table.table import Table

__all__ = ["Accepted", "Panel", "Table", "Tapped"]
