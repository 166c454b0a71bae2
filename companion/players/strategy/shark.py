"""Player that considers all starters, the hands of the others and the board.

The player plays on any board by any house rules: `Stances` gets from the game itself where
each count leads, and the player computes the chance to win from there.

Each card that it may play is tried against the hands that the other seats may hold. A playout then
simulates the rest of the play: every seat plays the card with the best score. The score is what the
card's points are worth at this place of the board (see `Position.gains`) plus the forecast of later
points (see `Foresight`). The player chooses the card after which it wins most often.
"""

from collections.abc import Sequence

import numpy as np

from companion.players.player import CountRequest, DiscardRequest, PlayRequest, discard_count
from companion.players.strategy.discard import best_discard
from companion.players.strategy.inference import Recall, Worlds, recall, worlds
from companion.players.values.deals_ahead import deals_ahead_of
from companion.players.values.position import Position
from companion.players.values.rollout import Bools, Playout
from companion.players.values.stances import Stances
from companion.players.values.tables import (
    KEY_OF_RANK,
    POINTS_OF_KEY,
    Choice,
    Floats,
    Foresight,
    Numbers,
    Tables,
    load_tables,
    ranks_of,
)
from companion.rules.cards import HAND, Card, show_points
from companion.rules.game import Setup

NOBODY = -1


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


class BoardLedger:
    """Ledger of a playout: it pegs points in each row, and returns the scores of cards.

    Args:
        at: each side's stance (its hole and penalties, see `Stance`) at the beginning, as a number.
        rows: the number of rows; a row is one card to try and one set of hands of the others.
        gains: for each side, the worth of 0 to 29 points in each stance, of shape (stances, 30).
        foresight: the forecast for each card.
    """

    def __init__(
        self,
        stances: Stances,
        at: Sequence[int],
        rows: int,
        *,
        seats: int,
        gains: Sequence[Floats],
        foresight: Foresight,
    ) -> None:
        self.stances = stances
        self.at = np.tile(np.array(at), (rows, 1))
        self.winner = np.full(rows, NOBODY)
        self.side_of = np.arange(seats) % len(at)
        self.gains = gains
        self.foresight = foresight

    def scores(self, seat: int, points: Numbers, choice: Choice) -> Floats:
        side = self.side_of[seat]
        gains = self.gains[side][self.at[:, side, None], points]
        scores: Floats = gains + self.foresight.of(choice)
        return scores

    def peg(self, seat: int, points: Numbers) -> Bools | None:
        """Move a seat's side by its points in each row without a winner.

        Return True for each seat that is then out of play, shape (rows, seats), or None for none.
        """
        side, stances = self.side_of[seat], self.stances
        before = self.at[:, side]
        landing = stances.landing[before, np.where(self.winner == NOBODY, points, 0)]
        boxed = stances.out[landing] & (landing != before)
        self.at[:, side] = stances.settled[landing]
        if boxed.any():
            self.award(side, boxed)
        won = (self.at == stances.finish) & (self.winner == NOBODY)[:, None]
        if won.any():
            self.winner = np.where(won.any(axis=1), won.argmax(axis=1), self.winner)
        if not boxed.any() and not won.any():
            return None
        ended: Bools = won.any(axis=1)[:, None] | (boxed[:, None] & (self.side_of == side))
        return ended

    def award(self, side: int, boxed: Bools) -> None:
        """Move the other side on in the rows where `side` landed in a penalty box (rule Z6).

        With three sides the others do not move: instead, `side` must sit out hands (Z7).
        """
        if self.at.shape[1] != 2:  # noqa: PLR2004  # sides
            return
        other = self.at[:, 1 - side]
        self.at[:, 1 - side] = np.where(boxed, self.stances.award[other], other)


def best_play(
    request: PlayRequest, past: Recall | None, position: Position, tables: Tables
) -> Card:
    """Return the card that wins most often; only one card of each rank is tried."""
    cards = {card.rank: card for card in request.playable}
    found = worlds(request, past, tables)
    own = _own_points(request, past)
    ledger = BoardLedger(
        position.stances,
        position.at,
        len(cards) * len(found.weights),
        seats=len(request.cards_left),
        gains=position.gains(own),
        foresight=tables.foresight,
    )
    _play_out(request, past, found, list(cards), ledger)
    stage = 1
    if past and own is not None:
        _show(request, past, found, own, ledger)
        stage = position.deals.hands_counted
    won = _won(position, ledger, stage).reshape(len(cards), -1) @ found.weights
    return list(cards.values())[int(won.argmax())]


def _own_points(request: PlayRequest, past: Recall | None) -> int | None:
    """Return the points of the player's four cards with the starter; None if one is unknown."""
    hand = (*request.hand, *past.played(0)) if past else request.hand
    return show_points(hand, request.starter) if len(hand) == HAND else None


def _play_out(
    request: PlayRequest, past: Recall | None, found: Worlds, ranks: list[int], ledger: BoardLedger
) -> None:
    own = ranks_of(request.hand)
    hands = np.tile(found.left, (len(ranks), 1, 1))
    hands[:, 0, : len(own)] = own
    pick = np.repeat([own.tolist().index(rank) for rank in ranks], len(found.weights))
    last = -1
    if request.pile:
        last = past.plays[-1].seat if past else len(request.cards_left) - 1
    playout = Playout(hands, ledger, pile=tuple(card.rank for card in request.pile))
    playout.play_out(0, last=last, pick=pick)


def _show(request: PlayRequest, past: Recall, found: Worlds, own: int, ledger: BoardLedger) -> None:
    assert found.kept is not None  # noqa: S101  # `worlds` sets it if `past` is given
    keys = KEY_OF_RANK[found.kept].sum(axis=2) + KEY_OF_RANK[request.starter.rank]
    keys[:, 0] = 0
    points = POINTS_OF_KEY[keys].astype(np.int64)
    points[:, 0] = own
    times = len(ledger.at) // len(points)
    for step in range(len(request.cards_left)):
        seat = (past.leader + step) % len(request.cards_left)
        ledger.peg(seat, np.tile(points[:, seat], times))


def _won(position: Position, ledger: BoardLedger, stage: int) -> Floats:
    chance = position.winning(ledger.at, stage)
    return np.where(ledger.winner == NOBODY, chance, ledger.winner == 0)
