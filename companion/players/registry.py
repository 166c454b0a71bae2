"""Kinds of computer player, by name."""

import random
from collections.abc import Callable, Mapping

from companion.errors import BadInputError, suggest
from companion.players.player import Player
from companion.players.strategy.shark import Shark
from companion.players.strategy.simple import Child, Regular
from companion.rules.game import Setup

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
