"""Computer players: what they are asked, what they answer, and games among them."""

from companion.players.kinds import KINDS, make_player
from companion.players.player import DiscardAsk, PlayAsk, Player
from companion.players.shark import Shark
from companion.players.simple import Child, Regular

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
