"""Players by name; the child plays any legal card, and the regular takes the most at once."""

import random
from itertools import combinations

import pytest

from companion.errors import BadInputError
from companion.players import KINDS, Child, Regular, Shark, make_player
from companion.rules.cards import DECK, Card, cards, play_points, show_points
from tests.companion.players.asks import discard_ask, play_ask
from tests.support.card_games import setup_for


def test_the_kinds() -> None:
    """There are three kinds, from the weakest to the strongest."""
    made = [type(make_player(kind, setup_for(2), random.Random(1))) for kind in KINDS]
    assert [Child, Regular, Shark] == made


@pytest.mark.parametrize(("kind", "instead"), [("sharc", "did you mean 'shark'"), ("x", "child")])
def test_no_such_kind(kind: str, instead: str) -> None:
    """The error is one line that lists the kinds."""
    with pytest.raises(BadInputError, match=instead):
        make_player(kind, setup_for(2), random.Random(1))


def test_a_child_plays_every_card_that_fits_and_no_other() -> None:
    """Each legal card comes at some time, and no card that passes 31 (P1)."""
    child = Child(rng=random.Random(1))
    request = play_ask("AS 5H 6D KC", pile="KD QD 5D", discarded="2C 3C")
    assert set(request.playable) == {child.play(request) for _ in range(100)}


def test_a_child_throws_any_two() -> None:
    """Each of the 15 choices comes at some time (T3)."""
    child = Child(rng=random.Random(1))
    request = discard_ask("5H 6H 7H 8H 9H TH")
    discarded = {frozenset(child.discard(request)) for _ in range(500)}
    assert set(map(frozenset, combinations(request.hand, 2))) == discarded


def test_the_same_dice_make_the_same_child() -> None:
    """All chance comes from the given generator."""
    request = discard_ask("5H 6H 7H 8H 9H TH")
    one, other = (Child(rng=random.Random(8)) for _ in range(2))
    assert [one.discard(request) for _ in range(9)] == [other.discard(request) for _ in range(9)]


@pytest.mark.parametrize("size", [5, 6])
def test_a_regular_keeps_the_best_hand(size: int) -> None:
    """No other four cards make more over all starters."""
    rng = random.Random(size)
    for _ in range(40):
        hand = rng.sample(DECK, size)
        discarded = Regular().discard(discard_ask(" ".join(map(str, hand))))
        best = max(sum_over_starters(hand, kept) for kept in combinations(hand, 4))
        assert best == sum_over_starters(hand, tuple(c for c in hand if c not in discarded))


@pytest.mark.parametrize("size", [5, 6])
def test_a_regular_knows_a_starter_that_is_shown(size: int) -> None:
    """T6: no other four cards make more with the shown starter."""
    rng = random.Random(size)
    for _ in range(40):
        *hand, starter = rng.sample(DECK, size + 1)
        request = discard_ask(" ".join(map(str, hand)), starter=str(starter))
        kept = tuple(card for card in hand if card not in Regular().discard(request))
        best = max(show_points(four, starter) for four in combinations(hand, 4))
        assert best == show_points(kept, starter)


def sum_over_starters(hand: list[Card], kept: tuple[Card, ...]) -> int:
    """Return the sum of the points of a kept hand over all starters."""
    return sum(show_points(kept, starter) for starter in DECK if starter not in hand)


def test_a_regular_takes_the_most_at_once() -> None:
    """No fitting card makes more."""
    rng = random.Random(4)
    for _ in range(200):
        deck = rng.sample(DECK, 9)
        pile = deck[:2]
        request = play_ask(" ".join(map(str, deck[2:6])), pile=" ".join(map(str, pile)))
        card = Regular().play(request)
        assert card is not None
        assert max(play_points((*pile, c)) for c in request.playable) == play_points((*pile, card))


def test_a_regular_keeps_its_small_cards() -> None:
    """Without points the highest card is played."""
    (king,) = cards("KH")
    assert king == Regular().play(play_ask("KH 7C 2D AS", discarded="3C 8C"))


@pytest.mark.parametrize("player", [Child(rng=random.Random(1)), Regular()])
def test_nothing_fits(player: Child | Regular) -> None:
    """The answer is None only if no card fits (P2)."""
    assert player.play(play_ask("KH QH", pile="KD QD 5D", discarded="2C 3C")) is None
