"""Cards: their values, their text, and the errors of a wrong text."""

import pickle

import numpy as np
import pytest

from companion.errors import BadInputError
from companion.rules.cards import DECK, VALUES, Card, cards


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
