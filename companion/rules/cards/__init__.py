"""Cards, and the points of hands, cribs and played cards."""

from companion.rules.cards.card import (
    DECK,
    HAND,
    JACK,
    MOST_VALUE,
    PAIR_KINDS,
    THIRTY_ONE,
    VALUES,
    Card,
    Part,
    PartKind,
    cards,
)
from companion.rules.cards.notation import count
from companion.rules.cards.points import (
    Show,
    count_play,
    count_show,
    count_shows,
    distribution,
    play_points,
    show_points,
)

__all__ = [
    "DECK",
    "HAND",
    "JACK",
    "MOST_VALUE",
    "PAIR_KINDS",
    "THIRTY_ONE",
    "VALUES",
    "Card",
    "Part",
    "PartKind",
    "Show",
    "cards",
    "count",
    "count_play",
    "count_show",
    "count_shows",
    "distribution",
    "play_points",
    "show_points",
]
