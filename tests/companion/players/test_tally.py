"""Sums over games, compared with sums computed in another way."""

import random

import pytest

from companion.players.tally import SimulationTally
from tests.companion.players.records import plan, record, tally


def test_sums_of_games_as_they_were_played() -> None:
    """Each sum is the sum over the records, in any order."""
    three = plan("regular", "child", seats=3)
    records = [three.play(number) for number in range(6)]
    added, shuffled = tally(*records, of=three), SimulationTally(plan=three)
    for number in random.Random(1).sample(range(6), 6):
        shuffled.add(number, records[number])
    assert added == shuffled
    assert sum(one.deals for one in records) / 6 == added.deals_per_game
    assert {
        zone.id: sum(one.zones.get(zone.id, 0) for one in records)
        for zone in three.setup.track.zones
    } == {zone.id: added.zones[zone.id] for zone in three.setup.track.zones}
    assert 6 == added.wins.total() == sum(added.deals.values()) == sum(added.worth.values())
    assert sum(sum(one.landings.values()) for one in records) == added.landings.total()


def test_wins_follow_the_kinds_round_the_table() -> None:
    """Seat 1 wins three games: the first kind has it in games 0 and 2, the second in game 1."""
    assert {0: 2, 1: 1} == tally(record(), record(), record()).wins


def test_points_of_whole_deals() -> None:
    """The means are points of a whole deal and a side."""
    two = tally(record(), record())
    assert (4, 15.0, 10.0) == (
        two.whole_deals,
        two.points_per_deal(own=True),
        two.points_per_deal(own=False),
    )
    three = tally(record(), of=plan("child", seats=3))
    assert 5.0 == three.points_per_deal(own=False)


def test_a_game_of_one_deal_has_no_whole_one() -> None:
    """Without whole deals nothing is divided by zero."""
    short = tally(record(deals=1, points={}))
    assert 0.0 == short.points_per_deal(own=True)


@pytest.mark.parametrize(
    ("led_into", "decided"),
    [
        ({("trap-333", 2)}, 1),
        ({("trap-333", 1)}, 0),
        ({("trap-276", 2), ("box-346", 2)}, 0),
        ({("trap-333", 1), ("trap-333", 2)}, 1),
    ],
)
def test_decided_by_the_last_trap(led_into: set[tuple[str, int]], decided: int) -> None:
    """A game is decided if the loser led, and landed in the time trap nearest to the finish."""
    assert decided == tally(record(led_into=frozenset(led_into))).decided


def test_the_first_dealers_side_wins() -> None:
    """Either partner may be the first dealer of the side."""
    four = plan("child", seats=4)
    games = (record(first_dealer=dealer, winner=1) for dealer in (1, 2, 3, 4))
    assert 2 == tally(*games, of=four).first_dealer_wins
