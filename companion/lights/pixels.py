"""Light points of a board: holes and lamps, each lit by one LED.

The rows of holes come first, as the board lists them, then the lamps. With `Per.HOLE_AND_LANE`
every hole of every lane is a point. With `Per.HOLE` a point lights the same hole of all lanes, but
each lane has its own start lamp.
"""

from collections.abc import Iterable
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from companion.board.layout import Board, Lamp, Row
from companion.board.track import Hole

Indices = NDArray[np.intp]  # indices into the array of light points


class Per(StrEnum):
    """LED density of a board: one LED for each hole of each lane, or one that all lanes share."""

    HOLE_AND_LANE = "hole-and-lane"
    HOLE = "hole"


class Points:
    """Light points of a board: their number, `size`, and the index of each hole and each lamp."""

    def __init__(self, board: Board, per: Per = Per.HOLE_AND_LANE) -> None:
        self.board = board
        self.per = per
        self.lanes = tuple(range(1, board.track.lanes + 1))
        shared = (board.track.lanes + 1) // 2
        self.rows: tuple[Row, ...] = tuple(
            row for row in board.rows if per is Per.HOLE_AND_LANE or row.lane == shared
        )
        self._index: dict[tuple[int, Hole], int] = {}
        self.lamps: dict[str, int] = {}
        self.size = 0
        for row in self.rows:
            self._add_row(row, self.lanes if per is Per.HOLE else (row.lane,))
        for lamp in board.lamps:
            self._add_lamp(lamp)
        self._tracks = {
            lane: self.of(lane, range(1, board.track.finish + 1)) for lane in self.lanes
        }

    def index(self, lane: int, hole: Hole) -> int:
        """Return the point of a hole, where hole 0 is the lane's start lamp; may raise KeyError."""
        return self._index[lane, hole]

    def of(self, lane: int, holes: Iterable[Hole]) -> Indices:
        return np.array([self._index[lane, hole] for hole in holes], dtype=np.intp)

    def across(self, holes: Iterable[Hole]) -> Indices:
        holes = tuple(holes)
        return np.concatenate([self.of(lane, holes) for lane in self.lanes])

    def track(self, lane: int) -> Indices:
        return self._tracks[lane]

    def dealer_lamp(self, seat: int) -> Indices:
        """Return the point of a seat's dealer lamp, or no points if the board lacks this lamp."""
        lamp = self.lamps.get(f"dealer-{seat}")
        return np.array([] if lamp is None else [lamp], dtype=np.intp)

    def _add_row(self, row: Row, lanes: tuple[int, ...]) -> None:
        for hole in row.holes:
            self._index |= {(lane, hole): self.size for lane in lanes}
            self.size += 1

    def _add_lamp(self, lamp: Lamp) -> None:
        self.lamps[lamp.id] = self.size
        if lamp.id.startswith("start-"):
            self._index[int(lamp.id.removeprefix("start-")), 0] = self.size
        self.size += 1
