"""Computer players: their requests and answers, and the games that they play."""

from companion.players.player import CountRequest, DiscardRequest, Player, PlayRequest
from companion.players.registry import KINDS, make_player
from companion.players.strategy.shark import Shark
from companion.players.strategy.simple import Child, Regular

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
