"""The game: house rules, commands and events, and the state as a fold over events."""

from companion.rules.game.apply import apply, fold
from companion.rules.game.commands import (
    Claim,
    Command,
    Deal,
    GameCommand,
    MoveInBox,
    Muggins,
    NewGame,
    Overpeg,
    Peg,
    Penalty,
    Undo,
    Why,
)
from companion.rules.game.decide import decide
from companion.rules.game.events import Event, Kind
from companion.rules.game.history import HISTORY_LIMIT, Entry, History, first_kept
from companion.rules.game.house_rules import HouseRules
from companion.rules.game.state import Match, Setup, Side, State, new_game

__all__ = [
    "HISTORY_LIMIT",
    "Claim",
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
    "Muggins",
    "NewGame",
    "Overpeg",
    "Peg",
    "Penalty",
    "Setup",
    "Side",
    "State",
    "Undo",
    "Why",
    "apply",
    "decide",
    "first_kept",
    "fold",
    "new_game",
]
