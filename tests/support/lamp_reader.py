"""Reader of the lamps, which turns seconds of light into the state of the game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.board import Hole, ZoneKind
from companion.board.layout import Board
from companion.lights import Wiring


def led_of(wiring: Wiring, point: int) -> tuple[int, int] | None:
    """Return the channel and LED that show a light point; None if no LED does."""
    light = np.zeros((wiring.points.size, 3), np.float32)
    light[point] = 1
    lit = np.flatnonzero(wiring.spread(light)[:, 0]).tolist()
    if not lit:
        return None
    channel = int(lit[0] >= wiring.leds[0])
    return channel, lit[0] - channel * wiring.leds[0]


Frames: TypeAlias = NDArray[np.float64]
"""Seen light of each LED, (frames, LEDs, 3), each frame a quarter of a second after the last."""

Levels: TypeAlias = NDArray[np.float64]
"""Parts of a lane's full light at one hole, a quarter of a second apart."""

DARK, DIM, HALF, FULL = 0.1, 0.19, 0.38, 0.8
RHYTHM = 16
"""Frames of a rhythm."""

_SECOND = 4
_MOST = 12
_LONGEST_COUNT = 29
_PRESET_STEP = 5
_LIKE = 0.95
"""Cosine between a colour and a lane's above which it is that lane's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneReading:
    """State of one side; `hands` is None outside a penalty box."""

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
    """Standing of a game; `match` are the points of each lane, shown between games alone."""

    lanes: Mapping[int, LaneReading]
    dealer: int | None
    heels_banned: bool = False
    deal_awaited: bool = False
    winner: int | None = None
    match: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignUpReading:
    """Sign-up for a new game; `chosen` of `choices` are its house rules, 0 without a choice."""

    people: Mapping[int, int]
    seats: int
    choices: int = 0
    chosen: int = 0


class LampReader:
    """Reader of a board's lamps.

    Args:
        board: the print.
        leds: the LED of each hole of each lane; hole 0 is its start lamp.
        dealers: the LED of each seat's lamp.

    Attributes:
        length: frames that it needs; where lanes share LEDs, each of three has its seconds in them.
    """

    def __init__(
        self, board: Board, leds: Mapping[tuple[int, Hole], int], dealers: Mapping[int, int]
    ) -> None:
        self._board, self._dealers = board, dealers
        self._lanes = range(1, board.track.lanes + 1)
        self._leds = {
            lane: {hole: led for (each, hole), led in leds.items() if each == lane}
            for lane in self._lanes
        }
        self._shared = len(set(leds.values())) < len(leds)
        self.length = RHYTHM * 4 if self._shared else RHYTHM
        self._full: dict[int, NDArray[np.float64]] = {}

    def learn(self, frames: Frames) -> None:
        """Take each lane's full light from its start lamp, before a game."""
        lights = {lane: frames[:, leds[0]] for lane, leds in self._leds.items()}
        brightest = {lane: light[light.max(axis=1).argmax()] for lane, light in lights.items()}
        self._full = {lane: light for lane, light in brightest.items() if light.any()}

    def read(self, frames: Frames) -> Reading:
        """Return the state of the game that these frames show."""
        lanes, winner = {}, None
        match = {lane: self._match(frames, lane) for lane in self._full}
        lasting = self._without_match(frames, match)
        for lane in self._full:
            lanes[lane] = self._lane(self._levels(lasting, lane))
            track = [self._leds[lane][hole] for hole in range(1, self._board.track.finish + 1)]
            lit = np.mean((frames[:, track].max(axis=2) > 0).all(axis=0)) > HALF * 2
            if lit and lanes[lane].front == self._board.track.finish:
                winner = lane
        on = {seat: frames[:RHYTHM, led].max(axis=1) > 0 for seat, led in self._dealers.items()}
        dealer = next((seat for seat, lit in on.items() if lit.sum() >= _MOST), None)
        dark = RHYTHM - on[dealer].sum() if dealer is not None else 0
        return Reading(
            lanes=lanes,
            dealer=dealer,
            heels_banned=dark == 2,
            deal_awaited=dark == 4,
            winner=winner,
            match=match,
        )

    def read_sign_up(self, frames: Frames) -> SignUpReading:
        """Return the sides and the house rules that these frames show, for known lanes."""
        seats = sum(bool(frames[:, led].any()) for led in self._dealers.values())
        people = {}
        for lane, leds in self._leds.items():
            start = frames[:, leds[0]].max() / self._full[lane].max()
            if start >= FULL:
                people[lane] = sum(self._for_one_second(frames, lane, n, FULL) for n in (1, 2))
        full = max(light.max() for light in self._full.values())
        choices = [
            frames[:, self._leds[1][hole]].max() / full
            for hole in range(_PRESET_STEP, self._board.track.finish, _PRESET_STEP)
        ]
        marked = [level for level in choices if level >= DIM]
        chosen = next((n for n, level in enumerate(marked, start=1) if level >= FULL), 0)
        return SignUpReading(people=people, seats=seats, choices=len(marked), chosen=chosen)

    # Light of a lane

    def _levels(self, frames: Frames, lane: int) -> Mapping[Hole, Levels]:
        """Return the levels of each hole over a rhythm: in the lane's own seconds where shared.

        A light that is lit only at times counts as dark. A second may belong to a lane whose full
        light is less.
        """
        full = self._full[lane].max()
        least = min(light.max() for light in self._full.values())
        found = {}
        for hole, led in self._leds[lane].items():
            light = frames[:, led]
            if self._shared and hole:
                lasts = (light[::_SECOND].max(axis=1) >= DIM * least).all()
                light = light[self._own(light, lane) & lasts]
            levels = light.max(axis=1)[:RHYTHM] / full
            found[hole] = levels if len(levels) == RHYTHM else np.zeros(RHYTHM)
        return found

    def _own(self, light: NDArray[np.float64], lane: int) -> NDArray[np.bool_]:
        """Return the frames of the seconds that begin with the colour of a lane."""
        begins = light[::_SECOND]
        lanes = list(self._full)
        colours = np.stack([self._full[each] / np.linalg.norm(self._full[each]) for each in lanes])
        alike = begins @ colours.T / np.maximum(np.linalg.norm(begins, axis=1), 1e-9)[:, None]
        lit = begins.max(axis=1) >= DIM * self._full[lane].max()
        own = (alike.argmax(axis=1) == lanes.index(lane)) & (alike.max(axis=1) >= _LIKE) & lit
        return np.repeat(own, _SECOND)

    def _for_one_second(self, frames: Frames, lane: int, hole: Hole, least: float) -> bool:
        """Return True if a hole has the lane's light of a level for one second in four."""
        lit = self._lit(frames[:, self._leds[lane][hole]], lane, least)
        return bool(lit.sum() * RHYTHM == _SECOND * len(frames))

    def _lit(self, light: NDArray[np.float64], lane: int, least: float) -> NDArray[np.bool_]:
        """Return the frames in which an LED has the lane's light of a level."""
        levels = light.max(axis=1) / self._full[lane].max()
        above = {HALF: FULL, FULL: np.inf}[least]
        lit: NDArray[np.bool_] = (levels >= least) & (levels < above)
        return lit & self._own(light, lane) if self._shared else lit

    def _without_match(self, frames: Frames, match: Mapping[int, int]) -> Frames:
        """Return the frames without the lights of a match, which hide what lasts for a second.

        There the light is that at the beginning of the second after the next: between games,
        lasting lights repeat after two seconds except for winks, and no second begins with one.
        """
        found = frames.copy()
        for lane, points in match.items():
            for hole in range(1, points + 1):
                led = self._leds[lane][hole]
                for n in np.flatnonzero(self._lit(frames[:, led], lane, HALF)):
                    after = n - n % _SECOND + 2 * _SECOND
                    found[n, led] = frames[after % len(frames), led]
        return found

    def _match(self, frames: Frames, lane: int) -> int:
        """Return the number of holes from the first on that are half lit for one second."""
        points = 0
        while self._for_one_second(frames, lane, points + 1, HALF):
            points += 1
        return points

    # Standing of a side

    def _lane(self, levels: Mapping[Hole, Levels]) -> LaneReading:
        front, hands = self._front(levels)
        start = levels[0]
        inverted = front == 0
        accents = start < DARK if inverted else start >= HALF
        repeated = accents & np.roll(accents, RHYTHM // 2)
        dark = (levels[front] < DARK) & ~(repeated & inverted)
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
            folded=longest == 4 and int(accents.sum()) < 8,
            move_due=longest == 4 and int(accents.sum()) >= 8,
            awaited=_longest(repeated) == 1 and repeated.sum() == 4,
            skunk=2 * _winks(dark),
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
        """Return the points of a trail, and the hole that its end shares with the back peg."""
        for trail in self._trails(front):
            ends = [n for n, hole in enumerate(trail, start=1) if _is_ghost(levels[hole])]
            if ends:
                shared = [hole for hole in trail[: ends[-1]] if _is_shared(levels[hole])]
                return ends[-1], shared[-1] if shared else None
        return 0, None

    def _trails(self, front: Hole) -> Sequence[Sequence[Hole]]:
        """Return the trails that a count can have from a hole: a side path first, then straight.

        Beyond the finish they go on from the first hole.
        """
        track = self._board.track
        landed = [True, False] if (zone := track.zone_at(front)) and zone.diverts else [False]
        ways = [track.walk(front, _LONGEST_COUNT, landed=each) for each in landed]
        return [(*way, *range(1, _LONGEST_COUNT - len(way) + 1)) for way in ways]


def _is_half(level: Levels) -> bool:
    """Return True if a hole is half lit, but for winks."""
    return bool(((level >= HALF) & (level < FULL)).sum() >= _MOST)


def _is_ghost(level: Levels) -> bool:
    full = level >= FULL
    beats = full.sum() == 8 and _longest(full) == 2
    return beats or _is_half(level) or _is_shared(level)


def _is_shared(level: Levels) -> bool:
    """Return True if a ghost, steady or beating, and a back peg take turns on a hole."""
    half, full = level >= HALF, level >= FULL
    back = ((level >= DIM) & ~half).sum() >= 8
    steady = half.sum() == 8 and _longest(half) == 4
    return bool(back and (steady or (full.sum() == 4 and _longest(full) == 2)))


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


def _winks(dark: NDArray[np.bool_]) -> int:
    """Return the number of dark frames between frames with light."""
    return int((dark & ~np.roll(dark, 1) & ~np.roll(dark, -1)).sum())


def _longest(on: NDArray[np.bool_]) -> int:
    """Return the greatest number of frames in a row; the first frame follows the last."""
    runs, best = 0, 0
    for each in (*on, *on):
        runs = runs + 1 if each else 0
        best = max(best, runs)
    return min(best, len(on))
