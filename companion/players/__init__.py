"""Computer players: their requests and answers, and the games that they play."""

from companion.players.kinds import KINDS, Child, Regular, make_player
from companion.players.player import CountRequest, DiscardRequest, Player, PlayRequest
from companion.players.strategy.shark import Shark

__all__ = [
    "KINDS",
    "Child",
    "CountRequest",
    "DiscardRequest",
    "PlayRequest",
    "Player",
    "Regular",
    "Shark",
    "make_player",
]
