"""Chances to finish, compared with walks hand by hand."""

import random

import numpy as np
import pytest

from companion.board import Track
from companion.players.values.deals_ahead import deals_ahead_of
from companion.players.values.position import behind, finish_chances_of
from companion.players.values.stances import OCCUPIED, Stances, stances_of
from companion.players.values.tables import Counts, load_tables
from companion.rules.deal.seats import SIDES
from companion.rules.game import HouseRules
from tests.support.boards import CLASSIC, CRIB_WARS

PLAIN = HouseRules(board="classic", skunk_at="finish", heels_ban=0)
WALKS = 300


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_chances_are_chances(players: int) -> None:
    """A side finishes at most once, and from nearly every stance within the deals ahead."""
    for stages in finish_chances_of(deals_ahead_of(CRIB_WARS, HouseRules(), players)):
        for stage in stages:
            total = stage.sum(axis=1)
            assert stage.min() >= 0
            assert total.max() < 1 + 1e-9
            assert np.median(total) > 0.98


def test_who_stands_at_the_finish_will_not_get_there() -> None:
    """A side at the finish does not finish at any later tick."""
    deals = deals_ahead_of(CLASSIC, PLAIN, 2)
    stances, ahead = deals.stances, finish_chances_of(deals)
    assert not any(stage[stances.finish].any() for stages in ahead for stage in stages)


def test_the_first_dealer_wins_a_little_more() -> None:
    """Of two equal players the first dealer wins 55 to 57 games in 100, as in published games."""
    deals = deals_ahead_of(CLASSIC, PLAIN, 2)
    stances, ahead = deals.stances, finish_chances_of(deals)
    start = stances.number(0)
    won = ahead[1][0][start] @ behind(ahead[0][0][start])
    assert 0.55 < won < 0.57
    lost = ahead[0][0][start] @ behind(ahead[1][0][start])
    assert abs(1 - won - lost) < 1e-6


@pytest.mark.parametrize("players", [2, 3, 4])
def test_from_one_place_as_from_all(players: int) -> None:
    """Forwards from one stance the chances are the same as backwards from the end."""
    deals = deals_ahead_of(CRIB_WARS, HouseRules(), players)
    for role, stages in enumerate(finish_chances_of(deals)):
        for stage, ahead in enumerate(stages):
            for hole in (0, 199, 200, 361):
                stance = deals.stances.number(hole)
                assert np.allclose(ahead[stance], deals.ahead(role, stage, stance))


@pytest.mark.parametrize(
    ("players", "role"), [(2, 0), (2, 1), (3, 1), (4, 1)], ids=["pone", "dealer", "three", "four"]
)
@pytest.mark.parametrize("track", [CLASSIC, CRIB_WARS], ids=["classic", "crib-wars"])
def test_as_soon_as_one_that_walks(track: Track, players: int, role: int) -> None:
    """Walks of counts drawn one by one finish at these ticks, within chance."""
    stances = stances_of(track, HouseRules(), players)
    ahead = finish_chances_of(deals_ahead_of(track, HouseRules(), players))
    rng = random.Random(players + role)
    start = stances.number(3 * track.finish // 4)
    walked = np.array([walk(stances, players, role, start, rng) for _ in range(WALKS)])
    reported = ahead[role][0][start]
    for tick in np.quantile(walked, [0.1, 0.5, 0.9]).astype(int):
        seen = (walked <= tick).mean()
        assert abs(reported[: tick + 1].sum() - seen) < 4 * 0.5 / WALKS**0.5


def walk(stances: Stances, players: int, role: int, at: int, rng: random.Random) -> int:
    """Return the tick at which a side in this stance before a deal finishes."""
    sides, tick = SIDES[players], 0
    while True:
        for counts in counts_of_a_deal(players, role, rng):
            for points in counts:
                at = int(stances.landing[at, points])
            if at == stances.finish:
                return tick
            tick += 1
        at, role = next_deal(stances, at, rng), (role - 1) % sides


def next_deal(stances: Stances, at: int, rng: random.Random) -> int:
    """Return the stance at the start of the next deal; in a box it depends on another side."""
    boxes = stances.boxes.tolist()
    if at in boxes and rng.random() < OCCUPIED:
        return int(stances.next_if_occupied[boxes.index(at)])
    return int(stances.next_deal[at])


def counts_of_a_deal(players: int, role: int, rng: random.Random) -> list[list[int]]:
    """Return a side's counts at each tick of a deal: the play, the hands in order, the crib."""
    tables, sides = load_tables(), SIDES[players]
    deals = role == sides - 1
    many = drawn(tables.counts[players][role], rng)
    play = [drawn(tables.sizes[players][role], rng) for _ in range(many)]
    hands = [
        [drawn(tables.hands[players, deals], rng)] if seat % sides == role else []
        for seat in range(players)
    ]
    crib = [drawn(tables.cribs[players, False].sum(axis=0), rng)] if deals else []
    return [play, *hands, crib]


def drawn(counts: Counts, rng: random.Random) -> int:
    """Draw a number by these frequencies."""
    return rng.choices(range(len(counts)), weights=counts.tolist())[0]
