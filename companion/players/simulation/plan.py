"""Plan of a simulation: the player of each seat and the random numbers of each game.

All random numbers of a game come from the seed and the game's number. So a game is the same in
every process and in a simulation of any length.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from companion.board import Track
from companion.errors import BadInputError
from companion.players import make_player
from companion.players.match.match import GameRecord, play_game
from companion.rules.deal.seats import SIDES
from companion.rules.game import HouseRules, Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationPlan:
    """Plan of games with one set-up.

    Attributes:
        setup: the board, the house rules and the sides.
        kinds: the kinds of the players in the first game; the list is repeated if there are more
            seats. From game to game each player moves to the next seat.
    """

    setup: Setup
    kinds: tuple[str, ...]
    seed: int

    @classmethod
    def make(
        cls,
        track: Track,
        rules: HouseRules,
        kinds: Sequence[str],
        *,
        seats: int | None = None,
        seed: int,
    ) -> SimulationPlan:
        """Return a plan for a number of seats; by default a seat for each kind, and at least two.

        Raises:
            BadInputError: a kind is unknown, no game has this many seats, or there are more kinds
                than seats.
            RuleError: the game has more sides than the board has lanes (rule T1).
        """
        seats = max(len(kinds), min(SIDES)) if seats is None else seats
        if seats not in SIDES:
            text = "{seats} players cannot play: choose 2, 3, 4 or 6 players (T1)"
            raise BadInputError(text, seats=seats)
        if not 1 <= len(kinds) <= seats:
            text = "{kinds} kinds of player cannot take {seats} seats: name 1 to {seats} kinds"
            raise BadInputError(text, kinds=len(kinds), seats=seats)
        setup = Setup.make(track, rules, sides=tuple(range(1, SIDES[seats] + 1)), players=seats)
        for kind in kinds:
            make_player(kind, setup, random.Random(seed))  # noqa: S311  # only checks the kind
        return cls(setup=setup, kinds=tuple(kinds), seed=seed)

    def seated(self, number: int) -> dict[int, int]:
        """Return the index in `kinds` of the player in each seat in game `number`."""
        seats = self.setup.players
        return {seat: (seat - 1 + number) % seats % len(self.kinds) for seat in range(1, seats + 1)}

    def winners(self, number: int, winner: int) -> frozenset[int]:
        seated = self.seated(number).items()
        return frozenset(kind for seat, kind in seated if self.setup.side_of(seat) == winner)

    def play(self, number: int) -> GameRecord:
        players = {
            seat: make_player(self.kinds[kind], self.setup, self._rng(number, seat))
            for seat, kind in self.seated(number).items()
        }
        return play_game(self.setup, players, self._rng(number))

    def _rng(self, *of: int) -> random.Random:
        return random.Random("/".join(map(str, (self.seed, *of))))  # noqa: S311  # no secrets
