"""One hand as cards: deal, discards, starter, play and show, as a fold over events."""

from companion.rules.deal.apply import apply, fold
from companion.rules.deal.commands import (
    Command,
    CutStarter,
    DeclareDead,
    Discard,
    Fold,
    GoOn,
    PlayCard,
    SayGo,
    Stop,
)
from companion.rules.deal.decide import decide
from companion.rules.deal.events import (
    Count,
    Died,
    Discarded,
    Entered,
    Event,
    Folded,
    Pegged,
    Phase,
    Played,
    Reset,
    SaidGo,
    Shown,
    Turned,
)
from companion.rules.deal.seats import Seating, cut_for_deal, heels_barred
from companion.rules.deal.state import Hand, State, kept_deal, new_deal
from companion.rules.game import Why

__all__ = [
    "Command",
    "Count",
    "CutStarter",
    "DeclareDead",
    "Died",
    "Discard",
    "Discarded",
    "Entered",
    "Event",
    "Fold",
    "Folded",
    "GoOn",
    "Hand",
    "Pegged",
    "Phase",
    "PlayCard",
    "Played",
    "Reset",
    "SaidGo",
    "SayGo",
    "Seating",
    "Shown",
    "State",
    "Stop",
    "Turned",
    "Why",
    "apply",
    "cut_for_deal",
    "decide",
    "fold",
    "heels_barred",
    "kept_deal",
    "new_deal",
]
