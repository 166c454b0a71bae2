"""The game: house rules, commands, and the events that change its state."""

from companion.rules.game.apply import apply, apply_all
from companion.rules.game.commands import (
    Claim,
    Command,
    Correct,
    CountKind,
    Deal,
    GameCommand,
    MoveInBox,
    Muggins,
    NewGame,
    Overpeg,
    Peg,
    Penalty,
    SetPegs,
    Undo,
)
from companion.rules.game.decide import decide, muggins_applies
from companion.rules.game.events import Event, Kind, Movement, first_landing
from companion.rules.game.history import History, counting_side, standing, surplus_entries
from companion.rules.game.house_rules import HouseRules
from companion.rules.game.state import Entry, Match, Pegs, Setup, State, new_game

__all__ = [
    "Claim",
    "Command",
    "Correct",
    "CountKind",
    "Deal",
    "Entry",
    "Event",
    "GameCommand",
    "History",
    "HouseRules",
    "Kind",
    "Match",
    "MoveInBox",
    "Movement",
    "Muggins",
    "NewGame",
    "Overpeg",
    "Peg",
    "Pegs",
    "Penalty",
    "SetPegs",
    "Setup",
    "State",
    "Undo",
    "apply",
    "apply_all",
    "counting_side",
    "decide",
    "first_landing",
    "muggins_applies",
    "new_game",
    "standing",
    "surplus_entries",
]
