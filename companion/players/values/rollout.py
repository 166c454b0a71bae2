"""Playout of many hands at once: a simulation that plays all cards and pegs the points.

A row is one possible distribution of the cards. All rows are played at the same time, in arrays.
The seats take turns. In each row a seat plays the fitting card with the best score, or says go if
no card fits. Seat 0 is the player who must play a card; the other seats follow to the left. Cards
are ranks, 1 to 13, since suits do not matter in the play; a card that has been played becomes 0.

For example, in one row seat 0 holds a 5 and seat 1 holds a ten. Seat 0 leads the 5. Seat 1 plays
the ten, and pegs 2 points for fifteen and then a point for the last card.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.players.values.tables import Choice, Floats, Numbers, Ranks
from companion.rules.cards import MOST_VALUE, VALUES
from companion.rules.cards.card import FIFTEEN, PAIRS, RANKS, SHORTEST_RUN, SUITS, THIRTY_ONE

Bools = NDArray[np.bool_]

LONGEST_RUN = 7
VALUE = np.array([0, *VALUES[:: len(SUITS)]], dtype=np.int64)  # value of each rank
_BIT = np.array([0, *(1 << rank for rank in range(len(RANKS)))], dtype=np.int32)
_NO_CARD = np.int32((1 << len(RANKS)) - 1)  # shares a bit with every rank, so it ends every run
_PAIR = np.array([0, *(PAIRS[alike][1] for alike in sorted(PAIRS)), 0, 0], dtype=np.int64)
_MARK = np.zeros(THIRTY_ONE + MOST_VALUE + 1, dtype=np.int64)
_MARK[[FIFTEEN, THIRTY_ONE]] = 2


def _run_points() -> Numbers:
    """Return an array of the points of each set of ranks: its size if it is a run, else 0.

    The array's index has a bit for each rank in the set; bit 0 is the ace.
    """
    points = np.zeros(1 << len(RANKS), dtype=np.int64)
    for length in range(SHORTEST_RUN, LONGEST_RUN + 1):
        for lowest in range(len(RANKS) - length + 1):
            points[((1 << length) - 1) << lowest] = length
    return points


_RUN = _run_points()


class ScoreLedger(Protocol):
    """Ledger that pegs the points of the playout, and decides which card is the best."""

    def scores(self, seat: int, points: Numbers, choice: Choice) -> Floats:
        """Return the scores of a seat's cards; these and `points` have the shape (rows, cards)."""

    def peg(self, seat: int, points: Numbers) -> Bools | None:
        """Peg a seat's points, shape (rows,).

        Return True for each seat that is then out of play, shape (rows, seats), or None if all
        seats are still in play.
        """


class Playout:
    """Rows of hands that are played to the end; all rows begin with the same pile.

    Args:
        hands: the ranks, shape (rows, seats, cards); each becomes 0 when it is played.
        pile: the ranks played since the count was 0.
    """

    def __init__(self, hands: Ranks, ledger: ScoreLedger, *, pile: tuple[int, ...] = ()) -> None:
        self.hands = hands
        self.ledger = ledger
        rows, self.seats = hands.shape[:2]
        self.row = np.arange(rows)
        self.count = np.full(rows, sum(VALUE[list(pile)]), dtype=np.int64)
        self.tail = np.full((rows, LONGEST_RUN - 1), _NO_CARD)
        self.rank = np.full(rows, pile[-1] if pile else 0, dtype=np.uint8)
        alike = next((n for n, rank in enumerate(reversed(pile)) if rank != pile[-1]), len(pile))
        self.alike = np.full(rows, alike)
        self.last = np.full(rows, -1)
        for place, rank in enumerate(reversed(pile[1 - LONGEST_RUN :])):
            self.tail[:, place] = _BIT[rank]

    def play_out(self, seat: int, *, last: int = -1, pick: Numbers | None = None) -> None:
        """Play all cards.

        Args:
            seat: the next seat.
            last: the seat that played the last card of the pile; -1 if the pile is empty.
            pick: the index of the card that the next seat plays in each row, or None for the best.
        """
        self.last[:] = last
        while self.hands.any():
            self.act(seat, pick)
            seat, pick = (seat + 1) % self.seats, None

    def act(self, seat: int, pick: Numbers | None = None) -> None:
        """Let a seat play a card, or say go, in every row (P1 to P4)."""
        cards = self.hands[:, seat]
        after = self.count[:, None] + VALUE[cards]
        fits = (cards != 0) & (after <= THIRTY_ONE)
        points = self.points(cards, after)
        if pick is None:
            choice = np.minimum(after, THIRTY_ONE), self.rank[:, None], cards
            scores = self.ledger.scores(seat, points, choice)
            pick = np.where(fits, scores, -np.inf).argmax(axis=1)
        self.lay(seat, pick, fits[self.row, pick], points[self.row, pick])

    def points(self, cards: Ranks, after: Numbers) -> Numbers:
        made: Numbers = _MARK[after] + _PAIR[self.alike][:, None] * (cards == self.rank[:, None])
        ranks = _BIT[cards]
        runs = cards != 0
        longest = np.zeros_like(made)
        for place in range(LONGEST_RUN - 1):
            before = self.tail[:, place, None]
            runs &= (ranks & before) == 0
            if not runs.any():
                break
            ranks |= before
            np.maximum(longest, _RUN.take(ranks) * runs, out=longest)
        return made + longest

    def lay(self, seat: int, pick: Numbers, plays: Bools, points: Numbers) -> Bools:
        """Play the picked card where `plays` is True; in all other rows the seat says go (P2).

        All arrays have the shape (rows,). `pick` is the index of the card. Return True for each row
        in which the seat pegs the point for go or last card.
        """
        rank = np.where(plays, self.hands[self.row, seat, pick], 0).astype(np.uint8)
        self.hands[self.row, seat, pick] *= ~plays
        self.count += VALUE[rank]
        self.alike = np.where(plays, np.where(rank == self.rank, self.alike + 1, 1), self.alike)
        self.rank = np.where(plays, rank, self.rank)
        self.tail[plays, 1:] = self.tail[plays, :-1]
        self.tail[plays, 0] = _BIT[rank[plays]]
        # If the seat that played last says go, all seats have said go. It pegs the point for go.
        round_again = ~plays & (self.last == seat)
        self.last[plays] = seat
        self.peg(seat, points * plays)
        at_most = self.count == THIRTY_ONE
        pointed: Bools = round_again | (plays & ~at_most & ~self.hands.any(axis=(1, 2)))
        self.peg(seat, pointed.astype(np.int64))
        self.reset(pointed | at_most)
        return pointed

    def peg(self, seat: int, points: Numbers) -> None:
        """Peg points. Take away the cards of the seats that are then out of play (Z5, G2)."""
        if points.any() and (out := self.ledger.peg(seat, points)) is not None:
            self.hands *= ~out[:, :, None]

    def reset(self, rows: Bools) -> None:
        self.count[rows] = 0
        self.tail[rows] = _NO_CARD
        self.rank = np.where(rows, 0, self.rank).astype(np.uint8)
        self.alike[rows] = 0
        self.last[rows] = -1
