"""Fairness of a board, judged by games."""

import re
from collections import Counter

import pytest

from companion.board import board_names, load_board
from companion.players.fairness import GAMES, unfair
from companion.players.simulation import SimulationPlan, play_games
from companion.players.tally import SimulationTally

BOARD = load_board("crib-wars")


class Report:
    """Player of plans that returns a tally with this length, these visits and these wins."""

    def __init__(self, *, deals: int = 30, first: float = 0.52, **visits: float) -> None:
        self.deals, self.first, self.visits = deals, first, visits

    def __call__(self, plan: SimulationPlan, games: int) -> SimulationTally:
        """Return the tally; an ordinary game takes ten deals."""
        assert games == GAMES
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
        for number, record in enumerate(play_games(plan, games // 10, jobs=1)):
            tally.add(number, record)
        return tally

    assert [] == list(unfair(load_board(name), play))
