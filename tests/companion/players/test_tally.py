"""Sums over games, compared with sums computed in another way, and fairness judged by them."""

import random
import re
from collections import Counter

import pytest

from companion.board import board_names, load_board
from companion.players.simulation import SimulationPlan, play_games
from companion.players.tally import FAIRNESS_GAMES, SimulationTally, unfair
from tests.companion.players.records import plan, record, tally

BOARD = load_board("crib-wars")


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


class Report:
    """Player of plans that returns a tally with this length, these visits and these wins."""

    def __init__(self, *, deals: int = 30, first: float = 0.52, **visits: float) -> None:
        self.deals, self.first, self.visits = deals, first, visits

    def __call__(self, plan: SimulationPlan, games: int) -> SimulationTally:
        """Return the tally; an ordinary game takes ten deals."""
        assert games == FAIRNESS_GAMES
        deals = self.deals if plan.setup.track.zones else 10
        visits = {
            zone.id: round(games * self.visits.get(zone.id.replace("-", "_"), 1))
            for zone in plan.setup.track.zones
        }
        return SimulationTally(
            plan=plan,
            games=games,
            whole_deals=games * (deals - 1),
            first_dealer_wins=round(self.first * games),
            zones=Counter(visits),
        )


@pytest.mark.parametrize(
    ("reported", "key", "words"),
    [
        (Report(deals=41), "finish", "41 deals, 4.1 times .* 2 to 4 times; remove a zone"),
        (Report(deals=19), "finish", "19 deals, 1.9 times .*; add some holes"),
        (Report(first=0.7), "finish", "the first dealer wins 70% of games, more than 58%; move"),
        (Report(box_212=0.2), "zone[box-212].first", "only 0.20 times a game; move this zone"),
        (Report(trap_130=13), "zone[trap-130].first", "here 13.0 times a game; move this zone"),
    ],
)
def test_what_is_unfair(reported: Report, key: str, words: str) -> None:
    """Each fault has its key and remedy: length, visits to a zone, the first dealer's edge."""
    (fault,) = unfair(BOARD, reported)
    assert key == fault.key
    assert re.search(words, str(fault.text))


@pytest.mark.parametrize(
    "reported", [Report(), Report(deals=20), Report(deals=40), Report(first=0.62)]
)
def test_what_is_fair(reported: Report) -> None:
    """The limits are fair, and so is an edge that may be chance in this number of games."""
    assert [] == list(unfair(BOARD, reported))


def test_without_zones_a_board_is_as_long_as_it_is() -> None:
    """On a plain board only the edge is judged."""
    plain = load_board("classic")
    assert [] == list(unfair(plain, Report(deals=1)))
    assert ["finish"] == [fault.key for fault in unfair(plain, Report(first=0.7))]


@pytest.mark.deep
@pytest.mark.parametrize("name", board_names())
def test_shipped_boards_are_fair(name: str) -> None:
    """`cribwars board check --fair` finds no fault; here it plays a tenth of its games."""

    def play(plan: SimulationPlan, games: int) -> SimulationTally:
        tally = SimulationTally(plan=plan)
        for number, played in enumerate(play_games(plan, games // 10, jobs=1)):
            tally.add(number, played)
        return tally

    assert [] == list(unfair(load_board(name), play))
