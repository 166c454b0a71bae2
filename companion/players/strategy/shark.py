"""The player that looks ahead: at what may be turned up, at what the others hold, at the board.

It is the same for any board and house rules: where counts land and what comes of it is the game's
word, and what places are worth follows from that. Blind to zones it takes the track for a plain
one: that is what the seeing one is measured against.
"""

from dataclasses import replace

from companion.board import Hole
from companion.players.player import CountRequest, DiscardRequest, PlayRequest, discard_count
from companion.players.strategy.discard import best_discard
from companion.players.strategy.inference import recall
from companion.players.strategy.pegging import best_play
from companion.players.values.finish_chances import finish_chances_of
from companion.players.values.position import Position
from companion.players.values.tables import load_tables
from companion.rules.cards import Card
from companion.rules.game import Setup


class Shark:
    """Throws and plays what wins most often; the same request has always the same answer.

    `setup` tells the board and the house rules; the number of players is in each request.
    """

    def __init__(self, setup: Setup, *, blind: bool = False) -> None:
        self._setup = setup
        self._blind = blind
        self._track = replace(setup.track, zones=()) if blind else setup.track
        self._tables = load_tables()

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        """Return the discard that leaves the best hand and crib together."""
        # Who of two others deals is not told: the one to the right, as likely as not.
        dealer = 0 if request.dealer else len(request.fronts) - 1
        position = self._position(request, _players(request, self._setup.players), dealer)
        return best_discard(request, position, self._tables)

    def play(self, request: PlayRequest) -> Card | None:
        """Return the best card over all that the others may hold."""
        playable = {card.rank: card for card in request.playable}
        if len(playable) <= 1:
            return next(iter(playable.values()), None)
        past, sides = recall(request), len(request.fronts)
        dealer = (past.leader - 1) % sides if past else 0 if request.dealer else sides - 1
        players = sides if len(request.cards_left) <= sides else 2 * sides
        position = self._position(request, players, dealer)
        return best_play(request, past, position, self._tables)

    def count(self, request: CountRequest) -> int:
        """Return all points."""
        return request.points

    def _position(
        self, request: DiscardRequest | PlayRequest, players: int, dealer: int
    ) -> Position:
        """Return the standing of all sides, as this player sees the board."""
        rules = self._setup.rules
        return Position.make(
            finish_chances_of(self._track, rules, players),
            fronts=tuple(map(self._seen, request.fronts)),
            boxed=request.boxed,
            dealer=dealer,
        )

    def _seen(self, front: Hole) -> Hole:
        """Return a front peg's hole; a blind player gets one with as far to go on a plain track."""
        if not self._blind:
            return front
        zone = self._setup.track.zone_at(front)
        return self._setup.track.progress(front, landed=zone is not None and zone.diverts)


def _players(request: DiscardRequest, usual: int) -> int:
    """Return the number of players: two discard two cards, four are two sides, else as `usual`."""
    sides = len(request.fronts)
    if sides == 2:  # noqa: PLR2004  # sides
        return sides if discard_count(request) == 2 else 2 * sides  # noqa: PLR2004  # discards
    return max(usual, sides) if usual % sides == 0 else sides
