"""Win probability: the chance of each side to finish at each tick of the deals to come.

A deal has a tick for the play, one for each hand in the order of counting, and one for the crib.
The counts of average deals move a side along the track, with the effects of the zones that it lands
in. Sides are treated as independent: the points that a penalty box gives to the others count as
a debt of the side in it. The side that finishes first wins (G2).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, reduce

import numpy as np

from companion.board import Track
from companion.players.values.board_states import BoardStates, board_states_of
from companion.players.values.hands import Floats
from companion.players.values.tables import Tables, all_cribs, chances, load_tables
from companion.rules.deal.seats import SIDES
from companion.rules.game import HouseRules

SLOW = 5
"""Holes a deal of a very slow side: the finish divided by it is the number of deals ahead."""
SPARE = 12
"""Additional deals, for sides that are sent back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WinProbability:
    """Chances of a side to finish at each tick of the deals to come, by its place on the board.

    `ahead[role][stage]` is (places, ticks), `role` the place in the order of counting, the
    dealer's side last. Stage 0 is before the play; stage n follows tick n - 1, and the last one
    the crib. Ticks count from the play of this deal on. `behind`, of the same shape, has the
    chances not to have finished by each tick; finishing in that tick counts half.
    `play[role]`, (places, places), is the transition matrix of the play, `hand[role]` of a hand.
    """

    players: int
    sides: int
    ahead: tuple[tuple[Floats, ...], ...]
    behind: tuple[tuple[Floats, ...], ...]
    play: tuple[Floats, ...]
    hand: tuple[Floats, ...]

    @property
    def hands_counted(self) -> int:
        """The stage after the last hand."""
        return self.players + 1

    @property
    def crib_counted(self) -> int:
        """The stage after the crib."""
        return self.players + 2


@cache
def win_probability_of(track: Track, rules: HouseRules, players: int) -> WinProbability:
    """Return the chances for this many players on a board by these house rules; cached."""
    return _Runner(board_states_of(track, rules, SIDES[players]), players, load_tables()).run()


class _Runner:
    """Calculation of the chances, from the last deal ahead back to the present one."""

    def __init__(self, places: BoardStates, players: int, tables: Tables) -> None:
        self.places = places
        self.players = players
        self.sides = SIDES[players]
        self.ticks = players + 2
        self.deals = places.track.finish // SLOW + SPARE
        self.tables = tables

    def run(self) -> WinProbability:
        """Return each role's chances at every stage of a deal."""
        moves = [self.moves_of(role) for role in range(self.sides)]
        starts = self.starts([self.this_deal(own) for own in moves], [_product(m) for m in moves])
        ends = [self.end(starts[self.next_role(role)]) for role in range(self.sides)]
        ahead = tuple(self.stages(own, end) for own, end in zip(moves, ends, strict=True))
        return WinProbability(
            players=self.players,
            sides=self.sides,
            ahead=ahead,
            behind=tuple(tuple(map(_behind, stages)) for stages in ahead),
            play=tuple(map(self.play, range(self.sides))),
            hand=tuple(self.hand(role) for role in range(self.sides)),
        )

    def next_role(self, role: int) -> int:
        """Return the role in the next deal: the side that counts first deals then (T2)."""
        return (role - 1) % self.sides

    def moves_of(self, role: int) -> list[Floats | None]:
        """Return a side's moves in the ticks of a deal, (places, places); None in the others'."""
        hand = self.hand(role)
        hands = [hand if seat % self.sides == role else None for seat in range(self.players)]
        cribs = chances(all_cribs(self.tables, self.players))
        crib = self.move(cribs) if self.deals_in(role) else None
        return [self.play(role), *hands, crib]

    def deals_in(self, role: int) -> bool:
        """Return True if the role is the dealer's."""
        return role == self.sides - 1

    def hand(self, role: int) -> Floats:
        """Return the move of a hand, (places, places)."""
        return self.move(chances(self.tables.hands[self.players, self.deals_in(role)]))

    def move(self, points: Floats) -> Floats:
        """Return the move of one count whose points have these chances."""
        landing = self.places.landing
        move = np.zeros((len(landing), len(landing)))
        np.add.at(move, (np.arange(len(landing))[:, None], landing), points)
        return move

    def play(self, role: int) -> Floats:
        """Return the move of the play: the number and sizes of counts that the role brings."""
        count = self.move(chances(self.tables.sizes[self.players][role]))
        total = np.zeros_like(count)
        for chance in chances(self.tables.counts[self.players][role])[::-1]:
            total = count @ total + chance * np.eye(len(count))
        return total

    def this_deal(self, moves: list[Floats | None]) -> Floats:
        """Return the chances to finish at each tick of one deal, (places, ticks)."""
        return self.stages(moves, np.zeros((len(self.places.landing), self.ticks)))[0]

    def starts(self, finishing: list[Floats], whole: list[Floats]) -> list[Floats]:
        """Return the chances before a deal over all deals in sight, by role."""
        blocks = [finishing]
        for _ in range(self.deals - 1):
            following = [block[self.places.next_deal] for block in blocks[-1]]
            blocks.append(
                [whole[role] @ following[self.next_role(role)] for role in range(self.sides)]
            )
        return [np.hstack([block[role] for block in blocks]) for role in range(self.sides)]

    def end(self, start: Floats) -> Floats:
        """Return the chances after the crib, the next deal starting with `start`."""
        end = np.zeros_like(start)
        end[:, self.ticks :] = start[self.places.next_deal, : -self.ticks]
        return end

    def stages(self, moves: list[Floats | None], end: Floats) -> tuple[Floats, ...]:
        """Return the chances at each stage, from before the play to after the crib."""
        finish = self.places.finish
        stages = [end]
        for tick, move in reversed(list(enumerate(moves))):
            before = stages[-1]
            if move is not None:
                before = move @ before
                before[:, tick] += move[:, finish]
                before[finish] = 0
            stages.append(before)
        return tuple(reversed(stages))


def _product(moves: list[Floats | None]) -> Floats:
    """Return the product of the moves of a deal, in their order."""
    return reduce(np.matmul, [move for move in moves if move is not None])


def _behind(ahead: Floats) -> Floats:
    behind: Floats = 1 - ahead.cumsum(axis=-1) + ahead / 2
    return behind
