"""Cards, and the points of hands, cribs and played cards."""

from companion.rules.cards.bulk import count_shows, distribution
from companion.rules.cards.card import DECK, HAND, JACK, MOST_VALUE, VALUES, Card, cards
from companion.rules.cards.combination import PAIR_KINDS, THIRTY_ONE, Part, PartKind
from companion.rules.cards.pegging import count_play, play_points
from companion.rules.cards.show import Show, count_show, show_points

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
    "count_play",
    "count_show",
    "count_shows",
    "distribution",
    "play_points",
    "show_points",
]
