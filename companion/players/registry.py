"""The kinds of computer player, by name."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType

from companion.errors import BadInputError, suggest
from companion.players.player import Player
from companion.players.strategy.shark import Shark
from companion.players.strategy.simple import Child, Regular
from companion.rules.game import Setup

KINDS: Mapping[str, Callable[[Setup, random.Random], Player]] = MappingProxyType(
    {
        "child": lambda _setup, dice: Child(dice=dice),
        "regular": lambda _setup, _dice: Regular(),
        "shark": lambda setup, _dice: Shark(setup),
    }
)
"""Constructor of each kind, from a game's set-up and random numbers of its own."""


def make_player(kind: str, setup: Setup, dice: random.Random) -> Player:
    """Make a player of a kind for a seat of such games; an unknown kind is a `BadInputError`.

    `dice` are the player's own: only a child throws them.
    """
    if kind in KINDS:
        return KINDS[kind](setup, dice)
    raise BadInputError(f"no player is called {kind!r}: {suggest(kind, KINDS)}")
