"""Every place where a side can stand, numbered, and where each count from there leads.

The game itself is asked what a landing brings, so that any board and any house rules are played
as they are. All is told in arrays by the number of the place, for playing many deals at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.board import Hole, Track
from companion.errors import BadInputError
from companion.rules.game import HouseRules, Peg, Setup, Side, State, apply_all, decide, new_game
from companion.rules.game.turn import AWARD, MOST_POINTS

PlaceNumbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardState:
    """Place of a side: its hole, and `landed` if its next count takes the side path there.

    A side that is `out` plays and counts no more in this deal, nor in so many further ones (Z5,
    Z7). `owes`: the others' award for its penalty box is still to be reckoned with.
    """

    hole: Hole
    landed: bool = False
    out: int | None = None
    owes: bool = False


START = BoardState(hole=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStates:
    """The places of a track, and the ways between them; all arrays go by the place's number.

    `landing` (places, 30) tells where a count of so many points ends with all its consequences,
    `award` where the others' penalty box takes a side (Z6, Z9), `settled` is the same place with
    nothing owed, `out` tells whether a side there is out of the deal, and `next_deal` the place
    with which the following deal begins: who owes then stands as far back as the others were
    taken forward.
    """

    track: Track
    sides: int
    numbers: dict[BoardState, int]
    landing: PlaceNumbers
    award: PlaceNumbers
    settled: PlaceNumbers
    next_deal: PlaceNumbers
    out: NDArray[np.bool_]

    def number(self, hole: Hole, boxed: int = 0) -> int:
        """Return the number of a front peg's place; on a trap or an advance it counts as landed.

        `boxed` are the hands that the side still has to sit, 0 for one that plays (Z7). A hole
        that the board does not have is a `BadInputError`.
        """
        likeliest = (
            BoardState(hole=hole, out=boxed),
            BoardState(hole=hole, landed=True),
            BoardState(hole=hole),
        )
        found = (self.numbers.get(place) for place in likeliest[0 if boxed else 1 :])
        number = next((number for number in found if number is not None), None)
        if number is None or (isinstance(hole, int) and hole < 0):
            raise BadInputError(
                f"no hole {hole!r} on this board: give one that it has, 0 the start"
            )
        return number

    def number_of(self, side: Side) -> int:
        """Return the number of a side's place.

        A side that is out of the deal where no landing puts one out, as after an award, is
        numbered as one in play.
        """
        out = side.boxed.hands if side.boxed else 0 if side.folded else None
        place = BoardState(hole=side.front, landed=side.landed)
        return self.numbers.get(replace(place, out=out), self.numbers[place])

    @property
    def finish(self) -> int:
        """The number of the finish."""
        return self.numbers[BoardState(hole=self.track.finish)]


@cache
def board_states_of(track: Track, rules: HouseRules, sides: int) -> BoardStates:
    """Return the places of a board by these house rules for this many sides; made once for each."""
    setup = Setup.make(track, rules, lanes=tuple(range(1, sides + 1)))
    return _PlaceFinder(setup).places()


class _PlaceFinder:
    """Finder of all places of a set-up, by asking the game."""

    def __init__(self, setup: Setup) -> None:
        self.track = setup.track
        self.start = new_game(setup)
        self.found: list[BoardState] = []
        self.numbers: dict[BoardState, int] = {}
        self.landed_on = {
            hole: self.after_landing(hole)
            for zone in self.track.zones
            for hole in zone.box
            if hole <= self.track.finish
        }
        self.box = next((hole for hole, place in self.landed_on.items() if place.owes), None)
        """A hole whose landing takes the other side forward, if there is one."""

    def places(self) -> BoardStates:
        """Return all places, and the ways from each."""
        for place in self.resting_places():
            self.number(place)
        landing = self.each(self.landings)
        next_deal = self.each(lambda place: self.number(self.rested(place)))
        return BoardStates(
            track=self.track,
            sides=len(self.start.sides),
            numbers=self.numbers,
            landing=landing,
            award=self.each(lambda place: self.number(self.awarded(place))),
            settled=self.each(lambda place: self.number(replace(place, owes=False))),
            next_deal=next_deal,
            out=np.array([place.out is not None for place in self.found]),
        )

    def each(self, tell: Callable[[BoardState], int | list[int]]) -> PlaceNumbers:
        """Return a value for each place, also for those first met on the way."""
        return np.array([tell(place) for place in self.found], dtype=np.int32)

    def resting_places(self) -> Iterator[BoardState]:
        """Yield the places of rest; one below the start owes an award there."""
        yield from (BoardState(hole=hole) for hole in range(-AWARD, self.track.finish + 1))
        for zone in self.track.zones:
            yield from (BoardState(hole=hole) for hole in zone.path)
            if zone.diverts:
                yield from (BoardState(hole=hole, landed=True) for hole in zone.box)
        for landed in self.landed_on.values():
            place = landed
            while place.out is not None:
                yield place
                yield replace(place, owes=False)
                place = self.rested(place)

    def number(self, place: BoardState) -> int:
        """Return the number of a place; one not met yet gets the next."""
        if place not in self.numbers:
            self.numbers[place] = len(self.found)
            self.found.append(place)
        return self.numbers[place]

    def landings(self, place: BoardState) -> list[int]:
        """Return the landings of counts of 0 to 29 points."""
        here = self.number(place)
        finish = self.number(BoardState(hole=self.track.finish))
        if place.out is not None or here == finish:
            return [here] * (MOST_POINTS + 1)
        way = self.track.walk(place.hole, MOST_POINTS, landed=place.landed)
        ends = [here, *(self.number(self.resting(hole)) for hole in way)]
        too_long = here if self.start.setup.rules.finish == "exact" else finish
        return ends + [too_long] * (MOST_POINTS + 1 - len(ends))

    def resting(self, hole: Hole) -> BoardState:
        """Return the place of a side whose count ends on a hole; the finish is the end (Z12)."""
        if isinstance(hole, str) or hole == self.track.finish:
            return BoardState(hole=hole)
        return self.landed_on.get(hole, BoardState(hole=hole))

    def after_landing(self, hole: int) -> BoardState:
        """Return the place of a side whose count ends on this hole of a zone."""
        side = self.one_on(BoardState(hole=hole - 1)).sides[0]
        if side.boxed:
            return BoardState(hole=side.front, out=side.boxed.hands)
        if side.folded:
            return BoardState(hole=side.front, landed=side.landed, out=0, owes=True)
        return BoardState(hole=side.front, landed=side.landed)

    def awarded(self, place: BoardState) -> BoardState:
        """Return the place of a side in play after the other's penalty box (Z6, Z9).

        One that has folded is left where it is: both sides in boxes in one deal are rare.
        """
        if self.box is None or place.out is not None or place.hole == self.track.finish:
            return place
        side = self.one_on(BoardState(hole=self.box - 1), other=place).sides[1]
        return replace(place, hole=side.front, landed=side.landed)

    def one_on(self, place: BoardState, other: BoardState = START) -> State:
        """Return the game after a count of one of the first side, the second standing elsewhere."""
        first, second, *rest = self.start.sides
        sides = (
            replace(first, front=place.hole, landed=place.landed),
            replace(second, front=other.hole, landed=other.landed),
            *rest,
        )
        before = replace(self.start, sides=sides)
        return apply_all(before, decide(before, Peg(team=1, points=1)))

    def rested(self, place: BoardState) -> BoardState:
        """Return the place in the next deal: a hand further in its box, or in play again (Z7)."""
        if place.out:
            zone = self.track.zone_at(place.hole)
            assert zone is not None  # noqa: S101  # only a penalty box keeps a side
            hole = min(int(place.hole) + 1, zone.box[-1])
            return BoardState(hole=hole, out=place.out - 1)
        if place.owes:
            return BoardState(hole=int(place.hole) - AWARD)
        return replace(place, out=None)
