"""Cards, piles of played cards, hands and cribs: their points, compared with the slow twin."""

import pickle
from collections import Counter
from itertools import combinations_with_replacement, product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadInputError, RuleError
from companion.rules.cards import (
    DECK,
    VALUES,
    Card,
    Show,
    cards,
    count_play,
    count_show,
    count_shows,
    distribution,
    play_points,
    show_points,
)
from companion.rules.cards.points import KEYS
from tests.companion.rules.cards.slow_count import slow_play, slow_show

FIVES = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)
"""A hand and, last, its starter."""
ONE_SUIT = st.lists(st.sampled_from(DECK[::4]), min_size=5, max_size=5, unique=True)


def _legal(pile: list[Card]) -> tuple[Card, ...]:
    """Return as many of the cards as can be played before the count would pass 31."""
    played: list[Card] = []
    for card in pile:
        if sum(before.value for before in played) + card.value <= 31:
            played.append(card)
    return tuple(played)


PILES = st.one_of(
    st.lists(st.sampled_from(DECK), unique=True, max_size=12),
    st.lists(st.sampled_from(DECK[:28]), unique=True, max_size=12),
    st.lists(st.sampled_from(DECK[:16]), unique=True, max_size=12),
).map(_legal)
"""Cards since the count was 0; low ones often, for long runs and cards alike."""


def made(pile: str) -> list[str]:
    """Return the parts that the last card of the pile makes, each as a text."""
    return [f"{part.kind} {part.points}" for part in count_play(cards(pile)).parts]


def points_one_by_one(pile: str) -> list[int]:
    """Return the points that each card made when it was played."""
    played = cards(pile)
    return [count_play(played[:place]).points for place in range(1, len(played) + 1)]


RANKS = [ranks for ranks in combinations_with_replacement(range(13), 5) if ranks[0] != ranks[4]]
"""Every choice of five ranks that a deck can give."""


def shown(hand: str, starter: str, *, crib: bool = False) -> Show:
    """Return the count of cards given as texts."""
    return count_show(cards(hand), Card.parse(starter), crib=crib)


def reported(show: Show) -> list[str]:
    """Return each part as a text: kind, points, cards."""
    return [f"{part.kind} {part.points}: {' '.join(map(str, part.cards))}" for part in show.parts]


def of_ranks(ranks: tuple[int, ...]) -> list[Card]:
    """Return cards of these ranks, equal ones in different suits."""
    return [DECK[4 * rank + ranks[:place].count(rank)] for place, rank in enumerate(ranks)]


def assert_like_the_slow_twin(five: list[Card], *, crib: bool) -> None:
    """Assert that table, parts and twin agree, and that the parts have the total."""
    *hand, starter = five
    show = count_show(hand, starter, crib=crib)
    expected = slow_show([str(card) for card in hand], str(starter), crib=crib)
    assert expected == show.by_kind
    assert sum(expected.values()) == show.points == show_points(hand, starter, crib=crib)
    assert show.points == sum(part.points for part in show.parts)


PUBLISHED = {
    0: 1_009_008,
    1: 99_792,
    2: 2_813_796,
    3: 505_008,
    4: 2_855_676,
    5: 697_508,
    6: 1_800_268,
    7: 751_324,
    8: 1_137_236,
    9: 361_224,
    10: 388_740,
    11: 51_680,
    12: 317_340,
    13: 19_656,
    14: 90_100,
    15: 9_168,
    16: 58_248,
    17: 11_196,
    18: 2_708,
    20: 8_068,
    21: 2_496,
    22: 444,
    23: 356,
    24: 3_680,
    28: 76,
    29: 4,
}
"""Hands by points; no other number of points can be made (rule S5)."""
POINTS = np.arange(30)


def test_the_deck() -> None:
    """A deck holds each of thirteen ranks in each of four suits once, by rank, ace first."""
    expected = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]
    assert expected == [str(card) for card in DECK]


@pytest.mark.parametrize("card", DECK)
def test_text_both_ways(card: Card) -> None:
    """A written card is read back as the same card."""
    assert card == Card.parse(str(card))


def test_ten_has_two_texts() -> None:
    """10H is read too, TH is written."""
    assert "TH" == str(Card.parse("10H"))
    assert Card.parse("TH") == Card.parse("10H")


@pytest.mark.parametrize(
    ("text", "rank", "suit", "value"),
    [
        ("AS", 1, "S", 1),
        ("9D", 9, "D", 9),
        ("TC", 10, "C", 10),
        ("JH", 11, "H", 10),
        ("QS", 12, "S", 10),
        ("KC", 13, "C", 10),
    ],
)
def test_rank_suit_and_value(text: str, rank: int, suit: str, value: int) -> None:
    """P1: the ace counts 1, court cards 10, others their pips."""
    card = Card.parse(text)
    assert (rank, suit, value) == (card.rank, card.suit, card.value)


def test_a_card_is_its_number() -> None:
    """A card stands for its number in tables, arrays, and in another process."""
    array = np.array(DECK, dtype=np.uint8)
    assert list(range(52)) == array.tolist()
    assert tuple(VALUES[number] for number in range(52)) == tuple(card.value for card in DECK)
    assert DECK == pickle.loads(pickle.dumps(DECK))  # noqa: S301  # our own bytes


def test_every_card_is_there() -> None:
    """No card is false, not even the one with the number 0."""
    assert all(bool(card) for card in DECK)


def test_a_card_in_a_sentence() -> None:
    """A card shows its text wherever it is written, padded too."""
    assert "JC, [ JC], Card.parse('JC')" == "{0}, [{0:>3}], {0!r}".format(Card.parse("JC"))


@pytest.mark.parametrize("text", ["", "5", "H5", "5h", "1H", "11H", "5X", "05H", " 5H", "5H\n"])
def test_no_card(text: str) -> None:
    """Anything else is refused in one line with the text and the form of a card."""
    with pytest.raises(BadInputError) as refused:
        Card.parse(text)
    assert f"{text!r} is no card" in str(refused.value)
    assert "such as TH" in str(refused.value)
    assert 1 == len(str(refused.value).splitlines())


def test_a_long_text_is_cut() -> None:
    """The error is one line, however long the wrong text is."""
    with pytest.raises(BadInputError) as refused:
        Card.parse("5H" * 10_000)
    assert 200 > len(str(refused.value))


def test_cards_of_a_text_or_a_list() -> None:
    """Cards are given in one text with blanks between them, or in a list."""
    expected = (Card.parse("5H"), Card.parse("TS"), Card.parse("JC"))
    assert expected == cards("5H  10S JC ") == cards(["5H", "TS", "JC"])
    assert () == cards("") == cards([])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("5H 5S 5H JC", "5H is given twice"),
        ("TH 10H 5S JC", "TH is given twice"),
        ("5H 5S 5D", "4 cards are needed, 3 are given"),
        ("5H 5S 5D JC QC", "4 cards are needed, 5 are given"),
        (["5H", "5S 5D", "JC"], "'5S 5D' is no card"),
    ],
)
def test_wrong_cards(given: str | list[str], said: str) -> None:
    """A repeated card, a wrong number of cards or a wrong card is refused by name."""
    with pytest.raises(BadInputError, match=said):
        cards(given, number=4)


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
        ("2H 2S", ["pair 2"]),
        ("9H 2H 2S 2D", ["fifteen 2", "pair-royal 6"]),
        ("2H 2S 2D 2C", ["double-pair-royal 12"]),
        ("5H 4S 5D", []),
        ("KH QS", []),
        ("2H 2S 3D 2C", []),
        ("2H 2S 3D 3C", ["pair 2"]),
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
def test_the_parts_of_a_card(pile: str, parts: list[str]) -> None:
    """P5, P6, P7: one count has fifteen or 31, pairs by rank or the longest run, in any order."""
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


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("5H 5S 5D JC", "5C", 29),
        ("5H 5S 5D 5C", "JC", 28),
        ("5H 5S 5D TC", "5C", 28),
        ("TH TS 5D 5C", "2H", 12),
        ("4H 4S 5D 6C", "6H", 24),
        ("4H 5S 6D 7C", "6H", 14),
        ("3H 3S 3D 4C", "5H", 21),
        ("7H 7S 8D 8C", "9H", 24),
        ("AH 3S 7D 9C", "KH", 0),
    ],
)
def test_hands_that_are_known(hand: str, starter: str, points: int) -> None:
    """S2: hands with published points have these."""
    assert points == shown(hand, starter).points


def test_what_makes_a_double_run() -> None:
    """S2: a double run is two runs and a pair."""
    assert ["pair 2: 4S 4H", "run 3: 2D 3C 4S", "run 3: 2D 3C 4H"] == [
        part for part in reported(shown("4H 4S 3C 2D", "KD")) if not part.startswith("fifteen")
    ]


@pytest.mark.parametrize(
    ("hand", "starter", "flush", "crib_flush"),
    [
        ("2H 4H 8H TH", "KH", 5, 5),
        ("2H 4H 8H TH", "KS", 4, 0),
        ("2H 4H 8H TS", "KH", 0, 0),
        ("TS 2H 4H 8H", "KH", 0, 0),
        ("2H 4S 8H TH", "KH", 0, 0),
        ("2H 4H 8S TH", "KH", 0, 0),
        ("2H 4H 8H TS", "KS", 0, 0),
    ],
)
def test_flush(hand: str, starter: str, flush: int, crib_flush: int) -> None:
    """S3: four of the hand 4, five 5; a crib only five; four with the starter's help nothing."""
    assert flush == shown(hand, starter).by_kind["flush"]
    assert crib_flush == shown(hand, starter, crib=True).by_kind["flush"]


@pytest.mark.parametrize(
    ("hand", "starter", "nobs"),
    [
        ("JH 2S 4D 8C", "9H", 1),
        ("2S JH 4D 8C", "9H", 1),
        ("2S 4D JH 8C", "9H", 1),
        ("2S 4D 8C JH", "9H", 1),
        ("JH JS JD 8C", "9H", 1),
        ("JH 2S 4D 8C", "KH", 1),
        ("JH 2S 4D 8C", "9S", 0),
        ("TH 2S 4D 8C", "JH", 0),
        ("JS 2S 4D 8C", "JH", 0),
        ("QH 2S 4D 8C", "9H", 0),
    ],
)
def test_nobs(hand: str, starter: str, nobs: int) -> None:
    """S4: the jack of the starter's suit is 1, in the crib too; a jack turned up is none."""
    assert nobs == shown(hand, starter).by_kind["nobs"]
    assert nobs == shown(hand, starter, crib=True).by_kind["nobs"]


@pytest.mark.parametrize("ranks", [RANKS[start::25] for start in range(25)])
def test_every_choice_of_ranks(ranks: list[tuple[int, ...]]) -> None:
    """S2: for all 6,175 choices of ranks the table, the parts and the slow twin agree."""
    for five in map(of_ranks, ranks):
        assert_like_the_slow_twin(five, crib=False)


def test_every_choice_of_suits() -> None:
    """S3: for every way to give five ranks their suits flush and nobs are as the twin counts."""
    for suits in product(range(4), repeat=5):
        five = [DECK[4 * rank + suit] for rank, suit in zip((0, 10, 4, 7, 8), suits, strict=True)]
        for crib in (False, True):
            assert_like_the_slow_twin(five, crib=crib)


@given(FIVES | ONE_SUIT, st.booleans())
def test_any_hand(five: list[Card], crib: bool) -> None:
    """S2: any hand or crib, in any order, counts as the slow twin counts it."""
    assert_like_the_slow_twin(five, crib=crib)


def test_keys_keep_choices_apart() -> None:
    """Any five ranks of a deck have a sum of keys of their own: the table knows them by it."""
    sums = Counter(sum(KEYS[rank] for rank in ranks) for ranks in RANKS)
    assert 6175 == len(sums) == len(RANKS)


@pytest.mark.parametrize(
    ("kind", "mean"), [("fifteens", 2.6061), ("pairs", 1.1765), ("runs", 0.8700)]
)
def test_published_means_of_the_kinds(kind: str, mean: float) -> None:
    """S2: over all hands fifteens, pairs and runs bring what is published."""
    made = hands = 0
    for ranks in RANKS:
        *hand, starter = of_ranks(ranks)
        ways = prod(comb(4, alike) for alike in Counter(ranks).values())
        made += ways * count_show(hand, starter).by_kind[kind]
        hands += ways
    assert 2_598_960 == hands
    assert mean == pytest.approx(made / hands, abs=5e-5)


def test_distribution_of_all_hands() -> None:
    """S5: all 12,994,800 hands with a starter spread over the points as published."""
    made = distribution()
    assert PUBLISHED == {points: number for points, number in enumerate(made.tolist()) if number}
    assert 12_994_800 == made.sum()
    assert 4.769152 == pytest.approx((POINTS * made).sum() / made.sum(), abs=5e-7)


def test_distribution_of_all_cribs() -> None:
    """S3: a crib's harder flush brings the published mean, and no hand is lost."""
    made = distribution(crib=True)
    assert 12_994_800 == made.sum()
    assert 4.734819 == pytest.approx((POINTS * made).sum() / made.sum(), abs=5e-7)
    assert [4, 76, 0, 0, 0] == made[[29, 28, 27, 26, 19]].tolist()


@pytest.mark.parametrize("crib", [False, True])
def test_as_one_by_one(crib: bool) -> None:
    """S2: as many hands as fill several chunks count in bulk as they do one by one."""
    rng = np.random.default_rng(363)
    fives = rng.random((70_001, 52)).argpartition(5)[:, :5].astype(np.uint8)
    fives[::10] &= ~np.uint8(3)  # all of one suit: flushes are rare otherwise
    hands, starters = fives[:, :4], fives[:, 4]
    expected = [show_points(hand, starter, crib=crib) for *hand, starter in fives.tolist()]
    assert expected == count_shows(hands, starters, crib=crib).tolist()


def test_no_hands() -> None:
    """No hands make no points."""
    points = count_shows(np.empty((0, 4), dtype=np.uint8), np.empty(0, dtype=np.uint8))
    assert (0,) == points.shape
