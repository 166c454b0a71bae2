"""Player that considers all starters, the hands of the others and the board.

The player plays on any board by any house rules: it pegs each count in a game to see where the
count leads, and computes the chance to win from there.
"""

from companion.players.player import CountRequest, DiscardRequest, PlayRequest, discard_count
from companion.players.strategy.discard import best_discard
from companion.players.strategy.inference import recall
from companion.players.strategy.play_choice import best_play
from companion.players.values.deals_ahead import deals_ahead_of
from companion.players.values.position import Position
from companion.players.values.tables import load_tables
from companion.rules.cards import Card
from companion.rules.game import Setup


class Shark:
    """Player that plays the cards that win most often; equal requests get equal answers.

    `setup` has the board and the house rules. The number of players comes from each request.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._tables = load_tables()

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        # A request does not say which other side deals. Assume the side to the right.
        dealer = 0 if request.dealer else len(request.fronts) - 1
        position = self._position(request, _players(request, self._setup.players), dealer)
        return best_discard(request, position, self._tables)

    def play(self, request: PlayRequest) -> Card | None:
        playable = {card.rank: card for card in request.playable}
        if len(playable) <= 1:
            return next(iter(playable.values()), None)
        past, sides = recall(request), len(request.fronts)
        dealer = (past.leader - 1) % sides if past else 0 if request.dealer else sides - 1
        players = sides if len(request.cards_left) <= sides else 2 * sides
        position = self._position(request, players, dealer)
        return best_play(request, past, position, self._tables)

    def count(self, request: CountRequest) -> int:
        return request.points

    def _position(
        self, request: DiscardRequest | PlayRequest, players: int, dealer: int
    ) -> Position:
        return Position.make(
            deals_ahead_of(self._setup.track, self._setup.rules, players),
            fronts=request.fronts,
            boxed=request.boxed,
            dealer=dealer,
        )


def _players(request: DiscardRequest, usual: int) -> int:
    """Return the number of players; with two sides, a single discard means four players."""
    sides = len(request.fronts)
    if sides == 2:  # noqa: PLR2004  # sides
        return sides if discard_count(request) == 2 else 2 * sides  # noqa: PLR2004  # discards
    return max(usual, sides) if usual % sides == 0 else sides
