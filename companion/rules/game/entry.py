"""An accepted command, as the past of a table has it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.game.commands import Command
from companion.rules.game.events import Event
from companion.rules.game.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An accepted command, what followed from it, and the state after it."""

    command: Command
    events: tuple[Event, ...]
    state: State
