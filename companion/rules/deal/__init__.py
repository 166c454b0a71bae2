"""One deal, from dealing the cards to the show: commands, and the events that change its state."""

from companion.rules.deal.deal_events import (
    Command,
    ConfirmCount,
    Count,
    CutStarter,
    Discard,
    Discarded,
    Event,
    Fold,
    Folded,
    Pegged,
    Phase,
    PhaseBegan,
    PlayCard,
    Played,
    Reset,
    SaidGo,
    Shown,
    Stop,
    Turned,
)
from companion.rules.deal.decide import decide
from companion.rules.deal.seats import Seating, cut_for_deal, heels_barred
from companion.rules.deal.state import Hand, State, apply_all, kept_deal, new_deal
from companion.rules.game import CountKind

__all__ = [
    "Command",
    "ConfirmCount",
    "Count",
    "CountKind",
    "CutStarter",
    "Discard",
    "Discarded",
    "Event",
    "Fold",
    "Folded",
    "Hand",
    "Pegged",
    "Phase",
    "PhaseBegan",
    "PlayCard",
    "Played",
    "Reset",
    "SaidGo",
    "Seating",
    "Shown",
    "State",
    "Stop",
    "Turned",
    "apply_all",
    "cut_for_deal",
    "decide",
    "heels_barred",
    "kept_deal",
    "new_deal",
]
