"""Chances of each side to finish at each tick of the deals to come.

The counts of average deals move a side along the track, with the effects of the zones that it lands
in. Sides are treated as independent: the points that a penalty box gives to the others count as
a debt of the side in it. The side that finishes first wins (G2).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from companion.board import Track
from companion.players.values.board_states import PlaceNumbers
from companion.players.values.deals_ahead import DealsAhead, deals_ahead_of
from companion.players.values.hands import Floats
from companion.rules.game import HouseRules

_IN_MEMORY = 2
"""10 MB for two players and 363 holes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishChances:
    """Chances of a side to finish at each tick of the deals to come, by its place on the board.

    `ahead[role][stage]` is (places, ticks), `role` the place in the order of counting, the
    dealer's side last. Stage 0 is before the play; stage n follows tick n - 1, and the last one
    the crib. Ticks count from the play of this deal on.
    """

    deals: DealsAhead
    ahead: tuple[tuple[Floats, ...], ...]

    @property
    def players(self) -> int:
        """The number of players."""
        return self.deals.players

    @property
    def hands_counted(self) -> int:
        """The stage after the last hand."""
        return self.players + 1

    @property
    def crib_counted(self) -> int:
        """The stage after the crib."""
        return self.players + 2

    def behind(self, role: int, stage: int, place: int | PlaceNumbers) -> Floats:
        """Return the chances not to have finished by each tick, from one place or several."""
        return behind(self.ahead[role][stage][place])


def behind(ahead: Floats) -> Floats:
    """Return the chances not to have finished by each tick; finishing in that tick counts half."""
    chances: Floats = 1 - ahead.cumsum(axis=-1) + ahead / 2
    return chances


@lru_cache(_IN_MEMORY)
def finish_chances_of(track: Track, rules: HouseRules, players: int) -> FinishChances:
    """Return the chances for this many players on a board by these house rules; cached."""
    deals = deals_ahead_of(track, rules, players)
    ahead = tuple(_stages(deals, role) for role in range(len(deals.counts)))
    return FinishChances(deals=deals, ahead=ahead)


def _stages(deals: DealsAhead, role: int) -> tuple[Floats, ...]:
    """Return a role's chances at each stage, from before the play to after the crib."""
    places, counts = deals.places, deals.counts[role]
    later = deals.starts[deals.next_role(role)]
    end = np.zeros_like(later)
    end[:, len(counts) :] = places.before_deal(later)[:, : -len(counts)]
    stages = [end]
    for tick, counted in reversed(list(enumerate(counts))):
        after = stages[-1]
        stages.append(after if counted is None else counted.finishing(places, tick, after))
    return tuple(reversed(stages))
