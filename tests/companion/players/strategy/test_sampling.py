"""Hands that the others may hold: all if few cards are left, or else a fixed sample."""

from collections import Counter
from itertools import combinations

import pytest

from companion.players import PlayRequest
from companion.players.strategy.inference import recall
from companion.players.strategy.sampling import Worlds, worlds
from companion.players.values.tables import load_tables
from companion.rules.cards import DECK, cards
from tests.companion.players.asks import play_ask

LATE = "2D 4D 9S"
"""A pile after which the seat to the left may hold anything."""


def unseen(request: PlayRequest) -> list[int]:
    """Return the ranks of the cards that nobody has shown."""
    known = {*request.hand, *request.discarded, *request.seen, request.starter}
    return [card.rank for card in DECK if card not in known]


def chances(found: Worlds) -> dict[tuple[int, ...], float]:
    """Return the chance of each holding of the seat to the left."""
    total: Counter[tuple[int, ...]] = Counter()
    for left, weight in zip(found.left[:, 1], found.weights, strict=True):
        total[tuple(sorted(int(rank) for rank in left if rank))] += weight
    return dict(total)


@pytest.mark.parametrize("number", [1, 2])
def test_every_holding_where_few_are_left(number: int) -> None:
    """Without an inferred play each holding has the chance that the cards give it."""
    request = play_ask("5H", pile=LATE, cards_left=(1, number))
    ways = Counter(tuple(sorted(pair)) for pair in combinations(unseen(request), number))
    expected = {ranks: count / ways.total() for ranks, count in ways.items()}
    assert expected == pytest.approx(chances(worlds(request, None, load_tables())))


def test_only_unseen_cards() -> None:
    """No seat holds a rank of which all four cards are seen, and each has its number of cards."""
    request = play_ask("5H 6H", discarded="KC KD", starter="KH", seen="KS 7S 7D", pile="KS 7S 7D")
    found = worlds(request, None, load_tables())
    assert 13 not in found.left
    assert ((found.left[:, 1] != 0).sum(axis=1) == 2).all()
    assert not found.left[:, 0].any()
    assert found.weights.sum() == pytest.approx(1)


def test_the_same_ask_has_the_same_sample() -> None:
    """The sample is fixed."""
    request = play_ask("5H 6H 7H 8H")
    one, other = (worlds(request, recall(request), load_tables()) for _ in range(2))
    assert (one.left == other.left).all()


def test_who_said_go_holds_nothing_that_fitted() -> None:
    """After a go at 29 the hand has no ace and no two (P2)."""
    request = play_ask("5H 6H", pile="KS QS 9S", cards_left=(2, 3))
    found = worlds(request, recall(request), load_tables())
    held = found.left[found.weights > 0, 1, 1:]
    assert held.min() > 2


def held(pile: str, ranks: set[int]) -> float:
    """Return the chance that the other, who led the first of two ranks, holds one of these."""
    request = play_ask("2S 3H 4H AH", pile=pile, discarded="2C 3C", cards_left=(4, 3), dealer=True)
    total = chances(worlds(request, recall(request), load_tables()))
    return sum(chance for holding, chance in total.items() if ranks & set(holding))


def test_hands_are_kept_for_what_they_make() -> None:
    """After a lead of a seven, an eight is likelier than after a king, and a five less likely."""
    assert held("7S", {8}) > 2 * held("KS", {8})
    assert held("KS", {5}) > 1.3 * held("7S", {5})


def held_after(pile: str, rank: int) -> float:
    """Return the chance that the other holds a rank after its answer to the own lead."""
    request = play_ask("3H 4H AH", pile=pile, cards_left=(3, 3), dealer=False)
    total = chances(worlds(request, recall(request), load_tables()))
    return sum(chance for holding, chance in total.items() if rank in holding)


def test_cards_that_would_have_made_more_are_seldom_held() -> None:
    """After a king on a seven an eight is unlikely, because it would have made fifteen."""
    assert held_after("7S KS", 8) < 0.6 * held_after("6S KS", 8)


def test_small_cards_are_kept() -> None:
    """After a two, a queen is unlikely if it would have made as much; after a king it is not."""
    assert held_after("6S 2S", 12) < 0.6 * held_after("6S KS", 12)


def test_whole_hands_where_it_is_known_who_played_what() -> None:
    """The played cards of a seat and the cards that it may hold are four together."""
    request = play_ask("5H 6H 7H", pile="KS QS", cards_left=(3, 3), dealer=False)
    found = worlds(request, recall(request), load_tables())
    assert found.kept is not None
    assert (found.kept[:, 1] != 0).all()
    assert (found.kept[:, 1] == cards("QS")[0].rank).any(axis=1).all()


def test_several_seats_share_the_unseen_cards() -> None:
    """No card is held twice."""
    request = play_ask("5H 6H 7H 8H", discarded="KC", fronts=(9, 9, 9), cards_left=(4, 4, 4))
    left = worlds(request, recall(request), load_tables()).left.reshape(-1, 12)
    most = Counter(unseen(request))
    for row in left[::9]:
        held = Counter(int(rank) for rank in row if rank)
        assert held.total() == 8
        assert all(held[rank] <= most[rank] for rank in held)
