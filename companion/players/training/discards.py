"""Discards of many hands at once, by the means of the kept cards and of the crib."""

import numpy as np

from companion.players.values.hands import (
    MEAN_POINTS,
    Cards,
    Floats,
    choices,
    flush_worth,
    place_of_four,
    ranks_of,
)


def split_hands(dealt: Cards, crib: Floats) -> tuple[Cards, Cards]:
    """Split hands dealt, (n, 5 or 6), into the cards kept, (n, 4), and discarded, (n, 1 or 2).

    `crib` is the worth of the discards by their ranks from 0, one axis a card; negative if the crib
    is another's.
    """
    kept_places, thrown_places = choices(dealt.shape[1])
    kept, discarded = dealt[:, kept_places], dealt[:, thrown_places]
    worth = MEAN_POINTS[place_of_four(ranks_of(kept))] + flush_worth(kept)
    ranks = ranks_of(discarded) - 1
    worth += crib[tuple(np.moveaxis(ranks, -1, 0))]
    best = worth.argmax(axis=1)
    row = np.arange(len(dealt))
    return kept[row, best], discarded[row, best]
