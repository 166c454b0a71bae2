"""Ledger of counts on the board, in many rows at once: landings, boxes, awards and the win."""

from collections.abc import Sequence

import numpy as np

from companion.players.values.hands import Floats
from companion.players.values.pegging_values import Choice, Foresight, Numbers
from companion.players.values.rollout import Bools
from companion.players.values.stances import Stances

NOBODY = -1


class BoardLedger:
    """Ledger in which a card is judged by its landing and by its later balance.

    Args:
        stances: the stances of the board.
        at: the number of each side's stance at the beginning.
        rows: the number of rows of the playout.
        seats: the number of seats.
        gains: the worth in points of each count, by side, shape (stances, 30).
        foresight: the later balance of a card.
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
        """Walk a count in each row without a winner. Return the seats that are then out of play."""
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
        """Award the other of two sides in the rows where this side landed in a box (Z6)."""
        if self.at.shape[1] != 2:  # noqa: PLR2004  # of three sides, the box holds this one instead (Z7)
            return
        other = self.at[:, 1 - side]
        self.at[:, 1 - side] = np.where(boxed, self.stances.award[other], other)
