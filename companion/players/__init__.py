"""Computer players: what they are asked, what they answer, and games among them."""

from companion.players.player import DiscardAsk, PlayAsk, Player
from companion.players.registry import KINDS, make_player
from companion.players.strategy.shark import Shark
from companion.players.strategy.simple import Child, Regular

__all__ = [
    "KINDS",
    "Child",
    "DiscardAsk",
    "PlayAsk",
    "Player",
    "Regular",
    "Shark",
    "make_player",
]
