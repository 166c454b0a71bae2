"""Cards: what one is, and what a hand, a crib and a played card are worth."""

from companion.cards.bulk import count_shows, distribution
from companion.cards.card import DECK, JACK, VALUES, Card, cards
from companion.cards.part import Part, PartKind
from companion.cards.play import Play, count_play, play_points
from companion.cards.show import Show, count_show, show_points

__all__ = [
    "DECK",
    "JACK",
    "VALUES",
    "Card",
    "Part",
    "PartKind",
    "Play",
    "Show",
    "cards",
    "count_play",
    "count_show",
    "count_shows",
    "distribution",
    "play_points",
    "show_points",
]
