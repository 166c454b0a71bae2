"""The shipped tables are those of their script, within the error of the sample."""

import io
import random

import numpy as np
import pytest

from companion.players import DiscardRequest
from companion.players.values.tables import (
    CELLS,
    MEAN_POINTS,
    POINTS,
    Counts,
    chances,
    load_tables,
    mean,
    place_of_four,
    ranks_of,
    unpack,
)
from companion.rules.cards import DECK, show_points
from tests.companion.players.slow_player import SlowPlayer
from tests.training.build_tables import CRIBS, crib_points, make, pack
from tests.training.random_deals import crib_means, crib_worth, flush_worth, split_hands

SAMPLE = 2_000


def error(counts: Counts) -> float:
    """Return the standard error of the mean points."""
    parts = chances(counts)
    square = float(parts @ POINTS**2) - float(parts @ POINTS) ** 2
    return float((square / counts.sum()) ** 0.5)


@pytest.mark.parametrize("crib", CRIBS)
def test_cells_can_be_made_anew(crib: tuple[int, bool]) -> None:
    """A cell from another seed has the mean of the shipped one, within four standard errors."""
    tables, rng = load_tables(), np.random.default_rng(crib)
    cells = CELLS[2 if crib[0] == 2 else 1]
    for place in range(0, len(cells), 11):
        again = crib_points(rng, SAMPLE, cells[place], crib, crib_worth(tables.cribs))
        shipped = tables.cribs[crib][place]
        bound = 4 * (error(again) ** 2 + error(shipped) ** 2) ** 0.5
        assert abs(mean(again) - mean(shipped)) < bound


@pytest.mark.parametrize(("ranks", "own"), [((5, 5), True), ((10, 13), True), ((7, 8), False)])
def test_cells_by_the_slow_player(ranks: tuple[int, int], own: bool) -> None:
    """Cribs with the oracle's discards, counted one by one, have the same mean."""
    rng = random.Random(sum(ranks))
    points = [slow_crib(rng, ranks, own=own) for _ in range(120)]
    shipped = crib_means(load_tables().cribs[2, own])[ranks[0] - 1, ranks[1] - 1]
    assert abs(shipped - np.mean(points)) < 4 * float(np.std(points)) / len(points) ** 0.5


def slow_crib(rng: random.Random, ranks: tuple[int, int], *, own: bool) -> int:
    """Return the points of a crib with discards of these ranks and of the oracle."""
    discarded = [next(card for card in rng.sample(DECK, 52) if card.rank == ranks[0])]
    discarded += [c for c in rng.sample(DECK, 52) if c.rank == ranks[1] and c not in discarded][:1]
    *hand, starter = rng.sample([card for card in DECK if card not in discarded], 7)
    request = DiscardRequest(hand=tuple(hand), dealer=not own, fronts=(0, 0), boxed=(0, 0))
    return show_points((*discarded, *SlowPlayer(rng).discard(request)), starter, crib=True)


def test_what_is_known_of_cribs() -> None:
    """The best and the worst discards, and their difference, are those of published tables."""
    own, others = (crib_means(load_tables().cribs[2, side]) for side in (True, False))
    assert (8.79, 9.37) == pytest.approx((own[4, 4], others[4, 4]), abs=0.25)
    assert (2.84, 3.88) == pytest.approx((own[9, 12], others[9, 12]), abs=0.25)
    assert (7.00, 7.00) == pytest.approx((own[4, 10], own[1, 2]), abs=0.25)
    assert (7.76, 7.63) == pytest.approx((others[4, 10], others[6, 7]), abs=0.25)
    assert own.min() == own[9, 12]
    assert own.max() == own[4, 4]


def test_one_thrown_card() -> None:
    """With one discard each, a five is best for the side that counts the crib (T3)."""
    for crib in CRIBS[2:]:
        assert crib_means(load_tables().cribs[crib]).argmax() == 4


def test_hands_and_pegging_are_those_of_good_players() -> None:
    """A hand makes about 8; the dealer pegs about 3.5, and the pone a point less."""
    tables = load_tables()
    assert mean(tables.hands[2, True]) == pytest.approx(7.93, abs=0.2)
    assert mean(tables.hands[2, False]) == pytest.approx(8.08, abs=0.2)
    pegged = [
        float(mean(sizes) * (chances(counts) @ np.arange(len(counts))))
        for counts, sizes in zip(tables.counts[2], tables.sizes[2], strict=True)
    ]
    assert (2.25, 3.45) == pytest.approx(pegged, abs=0.3)


def test_the_same_seed_makes_the_same_tables() -> None:
    """All random numbers come from one seed, and the file gives the same tables back."""
    one = make(7, scale=0.001)
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **pack(one))
    file.seek(0)
    again = unpack(dict(np.load(file)))
    assert pack(again).keys() == pack(load_tables()).keys()
    other = pack(make(7, scale=0.001))
    for name, array in pack(again).items():
        assert (other[name] == array).all()


def test_many_throw_as_one_would() -> None:
    """Without a worth of the crib the best hand is kept, at any index of the deals."""
    dealt = np.array([[16, 17, 18, 43, 48, 4], [48, 4, 16, 17, 18, 43]], dtype=np.uint8)
    kept, discarded = split_hands(dealt, np.zeros((13, 13)))
    assert [[16, 17, 18, 43]] * 2 == [sorted(hand) for hand in kept.tolist()]
    assert [[4, 48]] * 2 == [sorted(hand) for hand in discarded.tolist()]


# Mean points of four cards


def test_the_mean_over_all_starters() -> None:
    """Ranks and a flush give the exact mean, except for the suit of a jack."""
    rng = random.Random(3)
    for _ in range(300):
        four = rng.sample(DECK, 4)
        starters = [card for card in DECK if card not in four]
        mean = sum(show_points(four, starter) for starter in starters) / len(starters)
        numbers = np.array(four, dtype=np.uint8)
        found = MEAN_POINTS[place_of_four(ranks_of(numbers))] + flush_worth(numbers)
        jacks = sum(card.rank == 11 for card in four)
        assert abs(mean - found) < 1e-9 + jacks * 3.5 / 48


def test_order_does_not_matter() -> None:
    """The cards of a hand may be in any order, and many hands are looked up at once."""
    hands = np.array([[0, 13, 26, 39], [39, 26, 13, 0]], dtype=np.uint8)
    one, other = place_of_four(ranks_of(hands))
    assert one == other
