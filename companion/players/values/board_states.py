"""Every place where a side can stand, numbered, and where each count from there leads.

The game itself is asked what a landing brings, so that any board and any house rules are played
as they are. All is told in arrays by the number of the place, for playing many deals at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.board import Hole, Track
from companion.board.track import MOST_POINTS
from companion.board.zone_kinds import PENALTY_HOLES
from companion.errors import BadInputError
from companion.players.values.hands import Floats
from companion.players.values.tables import points_in_a_deal
from companion.rules.deal.seats import SIDES
from companion.rules.game import HouseRules, Peg, Pegs, Setup, State, apply_all, decide, new_game
from companion.rules.game.apply import HANDS_IN_BOX

OCCUPIED = 0.3
"""Part of the landings of three sides in a penalty box while another sits in one, of 4,000."""
PlaceNumbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardState:
    """Place of a side: its hole, and `landed` if its next count takes the side path there.

    A side that is `out` plays and counts no more in this deal, nor in so many further ones (Z5,
    Z7). `owes` are the holes that its penalty box brings the others and that are not given to them
    yet: it stands as much further back in the next deal, or first counts them off if it sat there.
    """

    hole: Hole
    landed: bool = False
    out: int | None = None
    owes: float = 0


START = BoardState(hole=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStates:
    """The places of a track, and the ways between them; all arrays go by the place's number.

    `landing` (places, 30) tells where a count of so many points ends with all its consequences,
    `award` where the others' penalty box takes a side (Z6, Z9), `settled` is the same place with
    nothing owed, `out` tells whether a side there is out of the deal, and `next_deal` the place
    with which the following deal begins: who owes then stands as far back as the others were
    taken forward. Of three sides one in `boxes` began that stay in this deal; it begins the
    following one in the place of `next_if_occupied` if another sat in a box before it (Z8).
    """

    track: Track
    sides: int
    numbers: dict[BoardState, int]
    landing: PlaceNumbers
    award: PlaceNumbers
    settled: PlaceNumbers
    next_deal: PlaceNumbers
    boxes: PlaceNumbers
    next_if_occupied: PlaceNumbers
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
            text = "no hole {hole} on this board: give one that it has, 0 the start"
            raise BadInputError(text, hole=repr(hole))
        return number

    def number_of(self, pegs: Pegs) -> int:
        """Return the number of a side's place.

        A side that is out of the deal where no landing puts one out, as after an award, is
        numbered as one in play.
        """
        out = pegs.boxed.hands if pegs.boxed else 0 if pegs.folded else None
        place = BoardState(hole=pegs.front, landed=pegs.landed)
        return self.numbers.get(replace(place, out=out), self.numbers[place])

    def before_deal(self, values: Floats) -> Floats:
        """Return values by place before the next deal begins, given those after it has begun."""
        before = values[self.next_deal]
        before[self.boxes] += OCCUPIED * (values[self.next_if_occupied] - before[self.boxes])
        return before

    def after_deal(self, at: Floats) -> Floats:
        """Return the chances of the place where the next deal begins, given those before it."""
        occupied = OCCUPIED * at[self.boxes]
        after = np.bincount(self.next_deal, at, len(at)).astype(np.float64)
        np.subtract.at(after, self.next_deal[self.boxes], occupied)
        np.add.at(after, self.next_if_occupied, occupied)
        return after

    @property
    def finish(self) -> int:
        return self.numbers[BoardState(hole=self.track.finish)]


@cache
def board_states_of(track: Track, rules: HouseRules, players: int) -> BoardStates:
    """Return the places of a board by these house rules for this many players; cached."""
    sides = tuple(range(1, SIDES[players] + 1))
    return _PlaceFinder(Setup.make(track, rules, sides=sides, players=players)).places()


class _PlaceFinder:
    """Finder of all places of a set-up, by asking the game."""

    def __init__(self, setup: Setup) -> None:
        self.track = setup.track
        self.start = new_game(setup)
        self.short_deal_gain = _short_deal_gain(setup)
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
        for place in self.resting_places():
            self.number(place)
        landing = self.each(self.landings)
        next_deal = self.each(lambda place: self.number(self.rested(place)))
        boxes = [place for place in self.found if place.out == HANDS_IN_BOX and place.owes]
        return BoardStates(
            track=self.track,
            sides=len(self.start.all_pegs),
            numbers=self.numbers,
            landing=landing,
            award=self.each(lambda place: self.number(self.awarded(place))),
            settled=self.each(lambda place: self.number(replace(place, owes=0))),
            next_deal=next_deal,
            boxes=np.array([self.numbers[place] for place in boxes], dtype=np.int32),
            next_if_occupied=np.array(
                [self.number(self.sent_back(place)) for place in boxes], dtype=np.int32
            ),
            out=np.array([place.out is not None for place in self.found]),
        )

    def each(self, tell: Callable[[BoardState], int | list[int]]) -> PlaceNumbers:
        return np.array([tell(place) for place in self.found], dtype=np.int32)

    def resting_places(self) -> Iterator[BoardState]:
        """Yield the places of rest; one below the start owes an award there."""
        yield from (BoardState(hole=hole) for hole in range(-PENALTY_HOLES, self.track.finish + 1))
        for zone in self.track.zones:
            yield from (BoardState(hole=hole) for hole in zone.path)
            if zone.diverts:
                yield from (BoardState(hole=hole, landed=True) for hole in zone.box)
        for landed in self.landed_on.values():
            if landed.owes:
                yield self.sent_back(landed)
            for place in self.stay(landed):
                yield place
                yield from self.stay(replace(place, owes=0))

    def stay(self, place: BoardState) -> Iterator[BoardState]:
        """Yield the places of a side that is out of play, deal by deal."""
        while place.out is not None:
            yield place
            place = self.rested(place)
        yield place

    def number(self, place: BoardState) -> int:
        """Return the number of a place; one not met yet gets the next."""
        if place not in self.numbers:
            self.numbers[place] = len(self.found)
            self.found.append(place)
        return self.numbers[place]

    def landings(self, place: BoardState) -> list[int]:
        here = self.number(place)
        finish = self.number(BoardState(hole=self.track.finish))
        if place.out is not None or here == finish:
            return [here] * (MOST_POINTS + 1)
        way = self.track.walk(place.hole, MOST_POINTS, landed=place.landed)
        paid = [
            self.number(replace(place, owes=place.owes - n)) for n in range(int(place.owes) + 1)
        ]
        ends = [*paid, *(self.number(self.resting(hole)) for hole in way)]
        too_long = here if self.start.setup.rules.finish == "exact" else finish
        return (ends + [too_long] * (MOST_POINTS + 1 - len(ends)))[: MOST_POINTS + 1]

    def resting(self, hole: Hole) -> BoardState:
        """Return the place of a side whose count ends on a hole; the finish is the end (Z12)."""
        if isinstance(hole, str) or hole == self.track.finish:
            return BoardState(hole=hole)
        return self.landed_on.get(hole, BoardState(hole=hole))

    def after_landing(self, hole: int) -> BoardState:
        """Return the place of a side whose count ends on this hole of a zone."""
        pegs = self.one_on(BoardState(hole=hole - 1)).all_pegs[0]
        if pegs.boxed:
            return BoardState(hole=pegs.front, out=pegs.boxed.hands, owes=PENALTY_HOLES)
        if pegs.folded:
            return BoardState(hole=pegs.front, landed=pegs.landed, out=0, owes=PENALTY_HOLES)
        return BoardState(hole=pegs.front, landed=pegs.landed)

    def awarded(self, place: BoardState) -> BoardState:
        """Return the place of a side in play after the other's penalty box (Z6, Z9).

        One that has folded is left where it is: both sides in boxes in one deal are rare.
        """
        if self.box is None or place.out is not None or place.hole == self.track.finish:
            return place
        pegs = self.one_on(BoardState(hole=self.box - 1), other=place).all_pegs[1]
        return replace(place, hole=pegs.front, landed=pegs.landed)

    def one_on(self, place: BoardState, other: BoardState = START) -> State:
        """Return the game after a count of one of the first side, the second standing elsewhere."""
        first, second, *rest = self.start.all_pegs
        sides = (
            structs.replace(first, front=place.hole, landed=place.landed),
            structs.replace(second, front=other.hole, landed=other.landed),
            *rest,
        )
        before = structs.replace(self.start, all_pegs=sides)
        return apply_all(before, decide(before, Peg(side=1, points=1)))

    def rested(self, place: BoardState) -> BoardState:
        """Return the place in the next deal: a hand further in its box, or in play again (Z7)."""
        if place.out is None:
            return place
        if len(self.start.all_pegs) == 2:  # noqa: PLR2004  # a side that has folded (Z6)
            return BoardState(hole=int(place.hole) - int(place.owes))
        if place.out == HANDS_IN_BOX:
            return BoardState(hole=self.next_in_box(place.hole), out=place.out - 1)
        owes = place.owes + self.short_deal_gain
        if place.out:
            return BoardState(hole=self.next_in_box(place.hole), out=place.out - 1, owes=owes)
        return BoardState(hole=place.hole, owes=round(owes))

    def next_in_box(self, hole: Hole) -> int:
        """Return the hole after one of a penalty box, at most its last (Z7)."""
        zone = self.track.zone_at(hole)
        assert zone is not None  # noqa: S101  # only a penalty box keeps a side
        return min(int(hole) + 1, zone.box[-1])

    def sent_back(self, place: BoardState) -> BoardState:
        """Return the place in the next deal of a side that landed in a box beside another (Z8)."""
        return BoardState(hole=max(int(place.hole) - 2 * PENALTY_HOLES, -PENALTY_HOLES))


def _short_deal_gain(setup: Setup) -> float:
    """Return the mean points that a deal brings a side more while a third one sits in a box."""
    players, sides = setup.players, len(setup.sides)
    if sides == 2:  # noqa: PLR2004  # nobody sits
        return 0
    return points_in_a_deal(players - players // sides) - points_in_a_deal(players)
