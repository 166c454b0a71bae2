"""Counts of computer players: the points that each kind finds in cards that all can see."""

import random

from companion.players import Child, CountRequest, Regular, Shark
from companion.rules.cards import DECK
from tests.companion.rules.cards.slow_count import pips, slow_show
from tests.support.card_games import setup_for

HANDS = 400


def hands() -> list[tuple[CountRequest, int]]:
    """Return hands and cribs with their points, counted slowly."""
    rng = random.Random(1)
    dealt = [rng.sample(DECK, 5) for _ in range(HANDS)]
    asks = [
        CountRequest(cards=tuple(kept), starter=starter, crib=bool(number % 2))
        for number, (*kept, starter) in enumerate(dealt)
    ]
    return [(request, points(request)) for request in asks]


def points(request: CountRequest) -> int:
    """Return the points of a hand or a crib."""
    return sum(
        slow_show(list(map(str, request.cards)), str(request.starter), crib=request.crib).values()
    )


def test_a_shark_finds_all() -> None:
    """M1: a shark misses no points."""
    shark = Shark(setup_for(2))
    assert all(shark.count(request) == actual for request, actual in hands())


def test_a_regular_misses_fifteens_of_many_cards() -> None:
    """A regular misses only fifteens of four and five cards."""
    missed = 0
    for request, actual in hands():
        five = [str(card) for card in (*request.cards, request.starter)]
        long = sum(pips(five) - pips([card]) == 15 for card in five) + (pips(five) == 15)
        missed += long
        assert actual - 2 * long == Regular().count(request)
    assert missed


def test_a_child_misses_some_by_chance() -> None:
    """A child misses about a fifth of the points, by its random numbers, and never has too many."""
    found = [Child(rng=random.Random(7)).count(request) for request, _ in hands()]
    assert found == [Child(rng=random.Random(7)).count(request) for request, _ in hands()]
    child = Child(rng=random.Random(7))
    counted = [(child.count(request), actual) for request, actual in hands()]
    assert all(own <= actual for own, actual in counted)
    share = sum(own for own, _ in counted) / sum(actual for _, actual in counted)
    assert 0.75 < share < 0.85


def test_a_card_played_is_counted_as_the_last_of_its_pile() -> None:
    """P5: a regular and a shark find all points of a played card."""
    request = CountRequest(cards=tuple(card for card in DECK if str(card) in {"5S", "5H", "5D"}))
    assert 8 == Regular().count(request) == Shark(setup_for(2)).count(request)
