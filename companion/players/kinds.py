"""Kinds of computer player, by name, and the two that do not think ahead.

A child plays any legal card. A regular makes the most points that it can make now.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from companion.errors import BadInputError, suggest
from companion.players.player import (
    CountRequest,
    DiscardRequest,
    Player,
    PlayRequest,
    discard_count,
)
from companion.players.strategy.discard import keep_four
from companion.players.strategy.shark import Shark
from companion.rules.cards import Card, Part, PartKind, play_points
from companion.rules.game import Setup

_FOUND_BY_A_CHILD: Final = 0.8  # probability with which a child finds a combination
_LONGEST_FIFTEEN: Final = 3  # cards of the longest fifteen that a regular finds in a hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """Player that plays a random legal card."""

    rng: random.Random

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        return tuple(self.rng.sample(request.hand, discard_count(request)))

    def play(self, request: PlayRequest) -> Card | None:
        return self.rng.choice(request.playable) if request.playable else None

    def count(self, request: CountRequest) -> int:
        """Return the points of the combinations found, each with the chance `_FOUND_BY_A_CHILD`."""
        found = (part for part in request.parts if self.rng.random() < _FOUND_BY_A_CHILD)
        return sum(part.points for part in found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Regular:
    """Player that keeps the hand with the most points, and plays the card with the most points.

    Before the starter is turned up, the hand's points are the mean over all starters. Among cards
    with equal points the player plays the highest, because low cards still fit later.
    """

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        discards, points = keep_four(request.hand, request.starter)
        return discards[int(points.mean(axis=1).argmax())]

    def play(self, request: PlayRequest) -> Card | None:
        return max(
            request.playable,
            key=lambda card: (play_points((*request.pile, card)), card),
            default=None,
        )

    def count(self, request: CountRequest) -> int:
        """Return the points; in a hand or crib, a fifteen of four or five cards is overlooked."""
        in_hand = request.starter is not None
        found = (part for part in request.parts if not (in_hand and _is_long_fifteen(part)))
        return sum(part.points for part in found)


def _is_long_fifteen(part: Part) -> bool:
    return part.kind is PartKind.FIFTEEN and len(part.cards) > _LONGEST_FIFTEEN


KINDS: Mapping[str, Callable[[Setup, random.Random], Player]] = {
    "child": lambda _setup, rng: Child(rng=rng),
    "regular": lambda _setup, _rng: Regular(),
    "shark": lambda setup, _rng: Shark(setup),
}
"""Constructor of each kind, from the set-up of the game and the player's random generator."""


def make_player(kind: str, setup: Setup, rng: random.Random) -> Player:
    """Make a player of a kind. Raise a `BadInputError` if the kind is unknown.

    No other player may use the generator `rng`. Only a player of the kind `child` draws from it.
    """
    if kind in KINDS:
        return KINDS[kind](setup, rng)
    text = "no kind of player is called {kind}: {remedy}"
    raise BadInputError(text, kind=repr(kind), remedy=suggest(kind, KINDS))
