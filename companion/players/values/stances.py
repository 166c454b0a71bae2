"""Numbered stances of a side on a board, and the stance to which each count leads.

A stance has everything that the future of a side depends on: its hole, whether its next count takes
a side path, how long it is out of play, and its debt (see `Stance.owes`). A board has a few
thousand stances, each with a number, so thousands of games can be played at once in arrays:
`landing[number, points]` is the number of the stance after a count and all effects of the zones.

The arrays come from the game itself: one side is put before a zone and pegs one point, and then the
stances of both sides are recorded. So the arrays fit any board and any house rules.

>>> from companion.board import load_board
>>> stances = stances_of(load_board("crib-wars").track, HouseRules(), 2)
>>> names = {number: stance for stance, number in stances.numbers.items()}
>>> names[int(stances.landing[stances.number(2), 3])]  # a count of 3 from hole 2
Stance(hole=5, landed=False, out=None, owes=0)
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.board import Hole, Track
from companion.board.layout import MOST_POINTS
from companion.board.zone_kinds import PENALTY_HOLES
from companion.errors import BadInputError
from companion.players.values.tables import Floats, points_in_a_deal
from companion.rules.deal.seats import SIDES
from companion.rules.game import HouseRules, Peg, Pegs, Setup, State, apply_all, decide, new_game
from companion.rules.game.apply import HANDS_IN_BOX

OCCUPIED = 0.3
"""Share of landings in a penalty box that find the box occupied, in 4,000 landings simulated with
three sides."""
StanceNumbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stance:
    """Stance of a side.

    Attributes:
        hole: the hole of the front peg; below 0 for a side that starts a deal behind hole 0.
        landed: True if the next count takes the side path that begins at this hole.
        out: None for a side in play. A number means that the side is out of play for the rest of
            this deal and for this number of further deals (rules Z5, Z7).
        owes: a debt in holes. By the rules the others gain holes when this side is in a penalty
            box. Here they do not move, and this side owes the holes. With two sides, this side
            starts the next deal this far back. With three, its counts after the box pay the debt.
    """

    hole: Hole
    landed: bool = False
    out: int | None = None
    owes: float = 0


START = Stance(hole=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stances:
    """Stances of a track, and the stance to which each event leads.

    Attributes:
        numbers: the number of each stance; it is the first index of the arrays `landing`, `award`,
            `settled`, `next_deal` and `out`.
        landing: the stance after a count of 0 to 29 points, shape (stances, 30).
        award: the stance after another side's landing in a penalty box (Z6, Z9).
        settled: the stance without its debt.
        next_deal: the stance at the start of the next deal.
        boxes: with three sides, the stances of a side in a box that it entered in this deal.
        next_if_occupied: the stance at the start of the next deal for each of `boxes`, if another
            side sat in the box already (Z8).
        out: True if a side in this stance is out of play.
    """

    track: Track
    numbers: dict[Stance, int]
    landing: StanceNumbers
    award: StanceNumbers
    settled: StanceNumbers
    next_deal: StanceNumbers
    boxes: StanceNumbers
    next_if_occupied: StanceNumbers
    out: NDArray[np.bool_]

    def number(self, hole: Hole, boxed: int = 0) -> int:
        """Return the number of the stance of a side on a hole.

        On a time trap or a green advance, the side's next count takes the side path. `boxed` is the
        number of hands that the side must sit out (Z7).

        Raises:
            BadInputError: the board does not have this hole.
        """
        numbers = self.numbers
        number = numbers.get(Stance(hole=hole, landed=True), numbers.get(Stance(hole=hole)))
        if boxed:
            number = numbers.get(Stance(hole=hole, out=boxed), number)
        if number is None or (isinstance(hole, int) and hole < 0):
            text = "this board has no hole {hole}: give one of its holes, or 0 for the start"
            raise BadInputError(text, hole=repr(hole))
        return number

    def number_of(self, pegs: Pegs) -> int:
        """Return the number of a side's stance.

        A side that is out of play can be on a hole that has no such stance, for example after an
        award. Then the number is that of a side in play on this hole.
        """
        out = pegs.boxed.hands if pegs.boxed else 0 if pegs.folded else None
        stance = Stance(hole=pegs.front, landed=pegs.landed)
        return self.numbers.get(replace(stance, out=out), self.numbers[stance])

    def before_deal(self, values: Floats) -> Floats:
        """Return the values of all stances at the end of a deal, given those in the next deal."""
        before = values[self.next_deal]
        before[self.boxes] += OCCUPIED * (values[self.next_if_occupied] - before[self.boxes])
        return before

    def after_deal(self, at: Floats) -> Floats:
        """Return the chance of each stance in a new deal, given those at the end of a deal."""
        occupied = OCCUPIED * at[self.boxes]
        after = np.bincount(self.next_deal, at, len(at)).astype(np.float64)
        np.subtract.at(after, self.next_deal[self.boxes], occupied)
        np.add.at(after, self.next_if_occupied, occupied)
        return after

    @property
    def finish(self) -> int:
        return self.numbers[Stance(hole=self.track.finish)]


@cache
def stances_of(track: Track, rules: HouseRules, players: int) -> Stances:
    """Return the stances on a board by these house rules for this many players; cached."""
    sides = tuple(range(1, SIDES[players] + 1))
    return _StanceFinder(Setup.make(track, rules, sides=sides, players=players)).stances()


class _StanceFinder:
    """Finder of all stances of a set-up; it gets them from the game."""

    def __init__(self, setup: Setup) -> None:
        self.track = setup.track
        self.start = new_game(setup)
        self.short_deal_gain = _short_deal_gain(setup)
        self.found: list[Stance] = []
        self.numbers: dict[Stance, int] = {}
        self.landed_on = {
            hole: self.after_landing(hole)
            for zone in self.track.zones
            for hole in zone.box
            if hole <= self.track.finish
        }
        self.box = next((hole for hole, stance in self.landed_on.items() if stance.owes), None)
        """A hole of a penalty box, or None on a board without one."""

    def stances(self) -> Stances:
        for stance in self.resting_places():
            self.number(stance)
        landing = self.each(self.landings)
        next_deal = self.each(lambda stance: self.number(self.rested(stance)))
        boxes = [stance for stance in self.found if stance.out == HANDS_IN_BOX and stance.owes]
        return Stances(
            track=self.track,
            numbers=self.numbers,
            landing=landing,
            award=self.each(lambda stance: self.number(self.awarded(stance))),
            settled=self.each(lambda stance: self.number(replace(stance, owes=0))),
            next_deal=next_deal,
            boxes=np.array([self.numbers[stance] for stance in boxes], dtype=np.int32),
            next_if_occupied=np.array(
                [self.number(self.sent_back(stance)) for stance in boxes], dtype=np.int32
            ),
            out=np.array([stance.out is not None for stance in self.found]),
        )

    def each(self, tell: Callable[[Stance], int | list[int]]) -> StanceNumbers:
        return np.array([tell(stance) for stance in self.found], dtype=np.int32)

    def resting_places(self) -> Iterator[Stance]:
        """Yield stances at the start of a deal; a side that pays a debt can start below hole 0."""
        yield from (Stance(hole=hole) for hole in range(-PENALTY_HOLES, self.track.finish + 1))
        for zone in self.track.zones:
            yield from (Stance(hole=hole) for hole in zone.path)
            if zone.diverts:
                yield from (Stance(hole=hole, landed=True) for hole in zone.box)
        for landed in self.landed_on.values():
            if landed.owes:
                yield self.sent_back(landed)
            for stance in self.stay(landed):
                yield stance
                yield from self.stay(replace(stance, owes=0))

    def stay(self, stance: Stance) -> Iterator[Stance]:
        """Yield the stances of a side deal by deal, from this one until it is in play again."""
        while stance.out is not None:
            yield stance
            stance = self.rested(stance)
        yield stance

    def number(self, stance: Stance) -> int:
        """Return the number of a stance; a new stance gets the next number."""
        if stance not in self.numbers:
            self.numbers[stance] = len(self.found)
            self.found.append(stance)
        return self.numbers[stance]

    def landings(self, stance: Stance) -> list[int]:
        here = self.number(stance)
        finish = self.number(Stance(hole=self.track.finish))
        if stance.out is not None or here == finish:
            return [here] * (MOST_POINTS + 1)
        route = self.track.walk(stance.hole, MOST_POINTS, landed=stance.landed)
        paid = [
            self.number(replace(stance, owes=stance.owes - n)) for n in range(int(stance.owes) + 1)
        ]
        ends = [*paid, *(self.number(self.resting(hole)) for hole in route)]
        too_long = here if self.start.setup.rules.finish == "exact" else finish
        return (ends + [too_long] * (MOST_POINTS + 1 - len(ends)))[: MOST_POINTS + 1]

    def resting(self, hole: Hole) -> Stance:
        """Return the stance of a side whose count ends on a hole; at the finish no zone acts."""
        if isinstance(hole, str) or hole == self.track.finish:
            return Stance(hole=hole)
        return self.landed_on.get(hole, Stance(hole=hole))

    def after_landing(self, hole: int) -> Stance:
        """Return the stance of a side whose count ends on this hole of a zone."""
        pegs = self.one_on(Stance(hole=hole - 1)).all_pegs[0]
        if pegs.boxed:
            return Stance(hole=pegs.front, out=pegs.boxed.hands, owes=PENALTY_HOLES)
        if pegs.folded:
            return Stance(hole=pegs.front, landed=pegs.landed, out=0, owes=PENALTY_HOLES)
        return Stance(hole=pegs.front, landed=pegs.landed)

    def awarded(self, stance: Stance) -> Stance:
        """Return the stance after the other side's landing in a penalty box (Z6, Z9).

        A side out of play does not move here: the case that both land in boxes is rare, so ignored.
        """
        if self.box is None or stance.out is not None or stance.hole == self.track.finish:
            return stance
        pegs = self.one_on(Stance(hole=self.box - 1), other=stance).all_pegs[1]
        return replace(stance, hole=pegs.front, landed=pegs.landed)

    def one_on(self, stance: Stance, other: Stance = START) -> State:
        """Return the game after side 1 pegs a point from `stance`; side 2 is in stance `other`."""
        first, second, *rest = self.start.all_pegs
        sides = (
            structs.replace(first, front=stance.hole, landed=stance.landed),
            structs.replace(second, front=other.hole, landed=other.landed),
            *rest,
        )
        before = structs.replace(self.start, all_pegs=sides)
        return apply_all(before, decide(before, Peg(side=1, points=1)))

    def rested(self, stance: Stance) -> Stance:
        """Return the stance in the next deal: one hole on in the box, or in play again (Z7)."""
        if stance.out is None:
            return stance
        if len(self.start.all_pegs) == 2:  # noqa: PLR2004  # the side has folded (Z6)
            return Stance(hole=int(stance.hole) - int(stance.owes))
        if stance.out == HANDS_IN_BOX:
            return Stance(hole=self.next_in_box(stance.hole), out=stance.out - 1)
        owes = stance.owes + self.short_deal_gain
        if stance.out:
            return Stance(hole=self.next_in_box(stance.hole), out=stance.out - 1, owes=owes)
        return Stance(hole=stance.hole, owes=round(owes))

    def next_in_box(self, hole: Hole) -> int:
        """Return the next hole of a penalty box, at most its last (Z7)."""
        zone = self.track.zone_at(hole)
        assert zone is not None  # noqa: S101  # only a penalty box holds a side
        return min(int(hole) + 1, zone.box[-1])

    def sent_back(self, stance: Stance) -> Stance:
        """Return the stance in the next deal of a side that landed in an occupied box (Z8)."""
        return Stance(hole=max(int(stance.hole) - 2 * PENALTY_HOLES, -PENALTY_HOLES))


def _short_deal_gain(setup: Setup) -> float:
    """Return the mean additional points of a side in a deal that a third side sits out."""
    players, sides = setup.players, len(setup.sides)
    if sides == 2:  # noqa: PLR2004  # no side sits out
        return 0
    return points_in_a_deal(players - players // sides) - points_in_a_deal(players)
