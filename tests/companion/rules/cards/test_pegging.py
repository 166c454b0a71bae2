"""Played cards: what each makes, beside the slow twin."""

import pytest
from hypothesis import given

from companion.errors import RuleError
from companion.rules.cards import DECK, Card, cards, count_play, play_points
from tests.companion.rules.cards.dealt import PILES
from tests.companion.rules.cards.slow_count import slow_play


def made(pile: str) -> list[str]:
    """Return the parts that the last card of the pile makes, each as a text."""
    return [f"{part.kind} {part.points}" for part in count_play(cards(pile)).parts]


def points_one_by_one(pile: str) -> list[int]:
    """Return the points that each card made when it was played."""
    played = cards(pile)
    return [count_play(played[:place]).points for place in range(1, len(played) + 1)]


@pytest.mark.parametrize(
    ("pile", "points"),
    [
        ("7H 8S 6D 4C 5H", [0, 2, 3, 0, 5]),
        ("7H 8S 6D 5C", [0, 2, 3, 4]),
        ("7H 8S 6D 9C", [0, 2, 3, 4]),
        ("AH 2S 5D 4C 3H 6S", [0, 0, 0, 0, 7, 6]),
        ("5H 5S 5D 5C", [0, 2, 8, 12]),
        ("5H 4S 3D 3C", [0, 0, 3, 4]),
        ("7H AS 6D 3C 5H 2S 4D", [0, 0, 0, 0, 0, 0, 7]),
    ],
)
def test_plays_that_are_known(pile: str, points: list[int]) -> None:
    """P5: plays with published points make these, card by card."""
    assert points == points_one_by_one(pile)


@pytest.mark.parametrize(
    ("pile", "parts"),
    [
        ("7H 8S", ["fifteen 2"]),
        ("KH QS JD AC", ["thirty-one 2"]),
        ("5H 5S 5D", ["fifteen 2", "pair-royal 6"]),
        ("KH JH AS 5D 5S", ["thirty-one 2", "pair 2"]),
        ("4H 9S 8D TC", ["thirty-one 2", "run 3"]),
        ("TH 7S 7D 7C", ["thirty-one 2", "pair-royal 6"]),
        ("4H 5S 6D", ["fifteen 2", "run 3"]),
    ],
)
def test_all_points_of_a_card_are_one_count(pile: str, parts: list[str]) -> None:
    """P7: one count has all that a card makes: fifteen or thirty-one, pairs or run."""
    assert parts == made(pile)


@pytest.mark.parametrize(
    ("pile", "parts"),
    [
        ("2H 2S", ["pair 2"]),
        ("9H 2H 2S 2D", ["fifteen 2", "pair-royal 6"]),
        ("2H 2S 2D 2C", ["double-pair-royal 12"]),
        ("5H 4S 5D", []),
        ("KH QS", []),
        ("2H 2S 3D 2C", []),
        ("2H 2S 3D 3C", ["pair 2"]),
    ],
)
def test_pairs(pile: str, parts: list[str]) -> None:
    """P5: only cards of a rank directly after each other pair; court cards pair by rank."""
    assert parts == made(pile)


@pytest.mark.parametrize(
    ("pile", "parts"),
    [
        ("4H 5S", []),
        ("4H 4S 5D 6C", ["run 3"]),
        ("4H 5S 5D 6C", []),
        ("4H 6S 2D 5C", []),
        ("3H 4S 5D 4C", []),
        ("3H 4S 5D 4C 3S", ["run 3"]),
        ("QH KS AD", []),
        ("JH QS KD", ["run 3"]),
        ("2H 2S 3D 3C 4H", []),
        ("3S 2H 4D 5H 3H", ["run 4"]),
        ("AH 3S 2D 4C 6H 5S", ["run 6"]),
    ],
)
def test_runs(pile: str, parts: list[str]) -> None:
    """P6: the longest run only, in any order; a card that repeats or does not belong breaks it."""
    assert parts == made(pile)


def test_a_run_has_its_cards() -> None:
    """P6: a run has the cards that make it, without earlier ones."""
    (part,) = count_play(cards("KH 4S 6D 5C")).parts
    assert cards("4S 6D 5C") == part.cards


def test_the_count() -> None:
    """P1: the count is the sum of the cards, ace 1, court cards 10."""
    assert [1, 11, 21, 30] == [
        count_play(cards(pile)).count for pile in ("AH", "AH KS", "AH KS JD", "AH KS JD 9C")
    ]


def test_no_cards() -> None:
    """P4: before the first card the count is 0 and nothing is made."""
    nothing = count_play(())
    assert (0, 0, ()) == (nothing.count, nothing.points, nothing.parts)


def test_over_31() -> None:
    """P1: a card that passes 31 is refused by its name."""
    with pytest.raises(RuleError, match="2C makes 32") as refused:
        count_play(cards("KH QS JD 2C"))
    assert "P1" == refused.value.rule


@given(PILES)
def test_any_pile(pile: tuple[Card, ...]) -> None:
    """P7: any pile makes the parts that the slow twin finds, and both ways the same points."""
    play = count_play(pile)
    assert slow_play([str(card) for card in pile]) == [
        (part.kind.value, part.points) for part in play.parts
    ]
    assert sum(part.points for part in play.parts) == play.points == play_points(pile)
    assert sum(card.value for card in pile) == play.count


def test_every_pile_of_three() -> None:
    """P5: all piles of three cards make what the slow twin finds, as numbers too."""
    some = DECK[0:52:4] + DECK[1:52:4] + DECK[2:52:4]
    for pile in ((a, b, c) for a in some for b in some for c in some if len({a, b, c}) == 3):
        expected = slow_play([str(card) for card in pile])
        assert sum(points for _, points in expected) == play_points([int(card) for card in pile])
