"""The seat of each card is inferred from the order of turns and the goes, and what others may hold.

Hands that the others may hold are all if few cards are left, or else a fixed sample.
"""

from collections import Counter
from itertools import combinations

import pytest

from companion.players import PlayRequest
from companion.players.steps import Announce, Request
from companion.players.strategy.inference import Worlds, recall, worlds
from companion.players.values.tables import load_tables
from companion.rules.cards import DECK, VALUES, cards
from companion.rules.deal import Played
from tests.companion.players.asks import play_ask
from tests.support.card_games import children, play_out, setup_for

LATE = "2D 4D 9S"
"""A pile after which the seat to the left may hold anything."""


def reported(request: PlayRequest) -> list[tuple[int, str]] | None:
    """Return the inferred plays as seat and card."""
    past = recall(request)
    return None if past is None else [(play.seat, str(play.card)) for play in past.plays]


def test_turn_by_turn() -> None:
    """The pone leads, the dealer follows (P1)."""
    request = play_ask("2H 3H KD", pile="7S 8S 9S", cards_left=(3, 2), dealer=True)
    assert [(1, "7S"), (0, "8S"), (1, "9S")] == reported(request)


def test_a_go_is_inferred() -> None:
    """After K-Q-9 the own 2 can follow the 9 only if the other said go (P2)."""
    request = play_ask("5H 6H", seen="KS QS 9S", pile="KS QS 9S", cards_left=(2, 3), dealer=True)
    assert reported(request) is None
    request = play_ask("5H 6H", seen="KS QS 9S", pile="KS QS 9S", cards_left=(2, 3), dealer=False)
    assert [(0, "KS"), (1, "QS"), (0, "9S")] == reported(request)
    past = recall(request)
    assert past is not None
    # It is one's turn again at 29: the other has said go with 2 left to 31.
    assert (0, 2) == past.room


def test_nobody_says_go_below_22() -> None:
    """Every card fits below 22, so the next seat plays."""
    request = play_ask("5H 6H 7H", seen="AS", pile="AS", cards_left=(3, 4), dealer=False)
    assert reported(request) is None


def test_a_new_count_begins_with_the_next_seat() -> None:
    """After 31 the seat to the left of the last player leads (P4)."""
    request = play_ask("5H 6H", seen="KS QS JS AS 4D", pile="4D", cards_left=(2, 1), dealer=True)
    assert [(1, "KS"), (0, "QS"), (1, "JS"), (0, "AS"), (1, "4D")] == reported(request)


@pytest.mark.parametrize(("players", "right"), [(2, 0.97), (3, 0.85), (4, 0.7), (6, 0.5)])
def test_recalled_as_it_was(players: int, right: float) -> None:
    """With two players nearly every play of whole games is inferred right; with more, most.

    With more players, the dealer and the seats of several goes are not always known.
    """
    found = total = 0
    truth: list[tuple[int, str]] = []
    for number, step in enumerate(play_out(setup_for(players), children(players, 4), seed=7).steps):
        if isinstance(step, Announce):
            truth = [] if not step.events else truth
            truth += [(e.seat, str(e.card)) for e in step.events if isinstance(e, Played)]
        if number % 3 or not isinstance(step, Request):
            continue
        if isinstance(step.request, PlayRequest):
            seen = [((seat - step.seat) % players, card) for seat, card in truth]
            found += reported(step.request) == seen
            total += 1
    assert found >= right * total


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_what_is_recalled_is_possible(players: int) -> None:
    """All cards are there in order, within 31, at most four for a seat, and no go is broken."""
    for step in play_out(setup_for(players), children(players, 1), seed=2).requests[::7]:
        request = step.request
        if not isinstance(request, PlayRequest) or (past := recall(request)) is None:
            continue
        assert request.seen == tuple(play.card for play in past.plays)
        assert all(sum(VALUES[c] for c in (*p.pile, p.card)) <= 31 for p in past.plays)
        for seat, left in enumerate(request.cards_left):
            assert len(past.played(seat)) + left in (0, 4)
        assert all(VALUES[card] > past.room[0] for card in request.hand)


def test_no_order_of_turns() -> None:
    """An impossible pile gives None, without an error."""
    assert recall(play_ask("KH QH JH TH", seen="2S 3S 4S", cards_left=(4, 4))) is None


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
