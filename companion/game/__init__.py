"""The game: house rules, commands and events, and the state as a fold over events."""

from companion.game.commands import (
    Command,
    Deal,
    GameCommand,
    MoveInBox,
    NewGame,
    Overpeg,
    Peg,
    Undo,
)
from companion.game.decide import decide
from companion.game.events import Event, Kind
from companion.game.fold import apply, fold
from companion.game.history import Entry, History
from companion.game.house_rules import HouseRules
from companion.game.state import Match, Setup, Side, State, new_game

__all__ = [
    "Command",
    "Deal",
    "Entry",
    "Event",
    "GameCommand",
    "History",
    "HouseRules",
    "Kind",
    "Match",
    "MoveInBox",
    "NewGame",
    "Overpeg",
    "Peg",
    "Setup",
    "Side",
    "State",
    "Undo",
    "apply",
    "decide",
    "fold",
    "new_game",
]
