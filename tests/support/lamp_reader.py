"""Reader of the lamps alone: light over four seconds in, the standing of the game out.

It knows the printed board and the colour of each lane as it has seen it, and nothing of the game.
Levels are parts of a lane's full light, so that no hue is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.board.layout import Board
from companion.board.track import Hole, ZoneKind

Frames: TypeAlias = NDArray[np.float64]
"""Seen light of each LED, (frames, LEDs, 3): 16 frames, a quarter of a second apart."""

Levels: TypeAlias = NDArray[np.float64]

DARK, DIM, HALF, FULL = 0.1, 0.19, 0.38, 0.8
_MOST = 12
_LONGEST_COUNT = 29


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneReading:
    """Standing of one side; `hands` is None outside a penalty box."""

    front: Hole
    back: Hole
    pending: int = 0
    hands: int | None = None
    folded: bool = False
    move_due: bool = False
    awaited: bool = False
    skunk: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Standing of a game; `match` are the points of each lane, told between games alone."""

    lanes: Mapping[int, LaneReading]
    dealer: int | None
    heels_banned: bool = False
    winner: int | None = None
    match: Mapping[int, int] = field(default_factory=dict)


class LampReader:
    """Reader of a board's lamps.

    Args:
        board: the print.
        leds: the LED of each hole of each lane; hole 0 is its start lamp.
        dealers: the LED of each seat's lamp.
    """

    def __init__(
        self, board: Board, leds: Mapping[tuple[int, Hole], int], dealers: Mapping[int, int]
    ) -> None:
        self._board, self._dealers = board, dealers
        self._holes = {
            lane: [hole for each, hole in leds if each == lane]
            for lane in range(1, board.track.lanes + 1)
        }
        self._leds = {
            lane: [leds[lane, hole] for hole in holes] for lane, holes in self._holes.items()
        }
        self._start = {lane: leds[lane, 0] for lane in self._holes}
        self._full: dict[int, float] = {}

    def learn(self, frames: Frames) -> None:
        """Take each lane's full light from its start lamp, before a game."""
        self._full = {lane: float(frames[:, led].max()) for lane, led in self._start.items()}

    def read(self, frames: Frames) -> Reading:
        """Return the standing that four seconds of light tell."""
        lanes, match, winner = {}, {}, None
        for lane, holes in self._holes.items():
            light = frames[:, self._leds[lane]].max(axis=2)
            levels = dict(zip(holes, (light / max(self._full[lane], 1e-9)).T, strict=True))
            if not self._full[lane]:
                continue
            lanes[lane] = self._lane(levels)
            match[lane] = _match(levels)
            track = [levels[hole] for hole in range(1, self._board.track.finish + 1)]
            if np.mean([(level > 0).all() for level in track]) > HALF * 2:
                winner = lane
        lit = {seat: frames[:, led].max(axis=1) > 0 for seat, led in self._dealers.items()}
        dealer = next((seat for seat, on in lit.items() if on.sum() >= _MOST), None)
        banned = dealer is not None and _winks(~lit[dealer]) > 0
        return Reading(lanes=lanes, dealer=dealer, heels_banned=banned, winner=winner, match=match)

    def _lane(self, levels: Mapping[Hole, Levels]) -> LaneReading:
        front, hands = self._front(levels)
        start = levels[0]
        inverted = front == 0
        accents = start < DARK if inverted else start >= HALF
        longest = _longest(accents)
        pending, shared = 0, None
        if hands is None:
            pending, shared = self._pending(levels, front)
        back = _back(levels, front, accents, shared)
        return LaneReading(
            front=front,
            back=back,
            pending=pending,
            hands=hands,
            folded=longest == 4 and accents.sum() < 8,
            move_due=longest == 4 and accents.sum() >= 8,
            awaited=longest == 1 and accents.sum() == 4,
            skunk=2 * _winks(levels[front] < DARK),
        )

    def _front(self, levels: Mapping[Hole, Levels]) -> tuple[Hole, int | None]:
        """Return the front peg's hole, and the hands to sit in a penalty box."""
        boxes = [z.box for z in self._board.track.zones if z.kind is ZoneKind.PENALTY_BOX]
        for hole, level in levels.items():
            if (level >= FULL).sum() > 8:
                return hole, None
        for box in boxes:
            for hole in box:
                full = levels[hole] >= FULL
                if full.sum() == 8 and _longest(full) == 4:
                    return hole, 1 + sum(_is_half(levels[other]) for other in box if other != hole)
        for box in boxes:
            for hole in box:
                if _is_half(levels[hole]):
                    return hole, 0
        raise AssertionError("no front peg is seen")

    def _pending(self, levels: Mapping[Hole, Levels], front: Hole) -> tuple[int, Hole | None]:
        """Return the points of a trail, and the hole that its end shares with another peg."""
        for way in self._ways(front):
            ends = [n for n, hole in enumerate(way, start=1) if _is_ghost(levels[hole])]
            if ends:
                end = way[ends[-1] - 1]
                return ends[-1], end if _is_shared(levels[end]) else None
        return 0, None

    def _ways(self, front: Hole) -> Sequence[Sequence[Hole]]:
        """Return the ways that a count can take from a hole: a side path first, then straight."""
        track = self._board.track
        landed = [True, False] if (zone := track.zone_at(front)) and zone.diverts else [False]
        return [track.walk(front, _LONGEST_COUNT, landed=each) for each in landed]


def _is_half(level: Levels) -> bool:
    """Return True if a hole is half lit, but for winks."""
    return bool(((level >= HALF) & (level < FULL)).sum() >= _MOST)


def _is_ghost(level: Levels) -> bool:
    full = level >= FULL
    beats = full.sum() == 8 and _longest(full) == 2
    return beats or _is_half(level) or _is_shared(level)


def _is_shared(level: Levels) -> bool:
    """Return True if a ghost and a back peg take turns on a hole."""
    half = (level >= HALF) & (level < FULL)
    back = (level >= DIM) & (level < HALF)
    return bool(half.sum() == back.sum() == 8 and _longest(half) == 4)


def _back(
    levels: Mapping[Hole, Levels], front: Hole, accents: NDArray[np.bool_], shared: Hole | None
) -> Hole:
    """Return the back peg's hole; under the front peg it is not seen."""
    if shared is not None:
        return shared
    for hole, level in levels.items():
        dim = (level >= DIM) & (level < HALF)
        if hole == 0 and front != 0:
            dim |= accents
            if (dim & ~accents).sum() < 4:
                continue
        if hole != front and dim.sum() >= _MOST:
            return hole
    return front


def _match(levels: Mapping[Hole, Levels]) -> int:
    """Return how many holes from the first on are half lit for one second."""
    points = 0
    while (points + 1) in levels:
        half = (levels[points + 1] >= HALF) & (levels[points + 1] < FULL)
        if half.sum() != 4 and not (2 <= half.sum() < 4 and _winks(levels[points + 1] < DARK)):
            break
        points += 1
    return points


def _winks(dark: NDArray[np.bool_]) -> int:
    """Return how many dark frames have light before and after."""
    return int((dark & ~np.roll(dark, 1) & ~np.roll(dark, -1)).sum())


def _longest(on: NDArray[np.bool_]) -> int:
    """Return the most frames in a row, the last being followed by the first."""
    runs, best = 0, 0
    for each in (*on, *on):
        runs = runs + 1 if each else 0
        best = max(best, runs)
    return min(best, len(on))
