"""Points and counts of hands that are played out without a board."""

import numpy as np

from companion.players.values.tables import SHAPE, Choice, Floats, Foresight, Numbers

NO_FORESIGHT = Foresight(left=np.zeros(SHAPE), kept=np.zeros(SHAPE))
"""Foresight of a player that considers only the points of the card."""


class PointsLedger:
    """Ledger without a board: the points of each side, and the number and sizes of its counts.

    The score of a card is its points plus its later balance.
    """

    def __init__(self, rows: int, sides: int, foresight: Foresight) -> None:
        self.foresight = foresight
        self.points = np.zeros((rows, sides), dtype=np.int64)
        self.counts = np.zeros((rows, sides), dtype=np.int64)
        self.sizes = np.zeros((sides, 30), dtype=np.int64)

    def scores(self, seat: int, points: Numbers, choice: Choice) -> Floats:
        """Return the points plus the later balance of each card."""
        del seat
        return points + self.foresight.of(choice)

    def peg(self, seat: int, points: Numbers) -> None:
        """Add the points to the total of the seat's side."""
        side = seat % self.points.shape[1]
        self.points[:, side] += points
        self.counts[:, side] += points > 0
        self.sizes[side] += np.bincount(points[points > 0], minlength=30)
