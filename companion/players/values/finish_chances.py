"""Chances of each side to finish at each tick of the deals to come, from every place on the board.

The counts of average deals move a side along the track, with the effects of the zones that it lands
in. Sides are treated as independent: the points that a penalty box gives to the others count as
a debt of the side in it. The side that finishes first wins (G2).
"""

from functools import lru_cache
from typing import TypeAlias

import numpy as np

from companion.players.values.deals_ahead import DealsAhead
from companion.players.values.hands import Floats

FinishChances: TypeAlias = tuple[tuple[Floats, ...], ...]
"""Chances by role and stage, (places, ticks); `role` is the place in the order of counting.

Stage 0 is before the play; stage n follows tick n - 1, and the last one the crib. Ticks count from
the play of this deal on.
"""

_IN_MEMORY = 2
"""10 MB for two players and 363 holes."""


def behind(ahead: Floats) -> Floats:
    """Return the chances not to have finished by each tick; finishing in that tick counts half."""
    chances: Floats = 1 - ahead.cumsum(axis=-1) + ahead / 2
    return chances


@lru_cache(_IN_MEMORY)
def finish_chances_of(deals: DealsAhead) -> FinishChances:
    """Return the chances of each role from each stage of a deal on; cached."""
    return tuple(_stages(deals, role) for role in range(len(deals.counts)))


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
