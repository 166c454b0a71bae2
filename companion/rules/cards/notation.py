"""Cards that others write: a hand to count, and the fields of requests in JSON."""

from collections.abc import Sequence

from companion.errors import BadInputError, as_text
from companion.rules.cards.card import HAND, Card, cards
from companion.rules.cards.points import Show, count_show


def count(hand: str | Sequence[str], starter: str, *, crib: bool = False) -> Show:
    """Return the points of a hand with its starter, and the combinations that make them.

    Args:
        hand: four cards: one text with spaces, or a text for each card.
        starter: the card that was turned up.
        crib: True if the four cards are a crib, whose flush has five cards (rule S3).

    Raises:
        BadInputError: a text is no card, a card is there twice, or there are not four in the hand.

    >>> count("5H 5S 5D JC", starter="5C").points
    29
    >>> for part in count("4H 5S 6D 6C", starter="KD").parts:
    ...     print(part.kind, part.points, *part.cards)
    fifteen 2 5S KD
    fifteen 2 4H 5S 6D
    fifteen 2 4H 5S 6C
    pair 2 6D 6C
    run 3 4H 5S 6D
    run 3 4H 5S 6C
    """
    held = cards(hand, number=HAND)
    turned_up = Card.parse(starter)
    if turned_up in held:
        text = "{turned_up} is in the hand and turned up: a deck holds it once"
        raise BadInputError(text, turned_up=turned_up)
    return count_show(held, turned_up, crib=crib)


def refused(words: str) -> BadInputError:
    """Return the error about a request; it is in English because a program reads it."""
    return BadInputError(as_text(words))


def read_cards(where: str, texts: Sequence[str], *, number: int | None = None) -> tuple[Card, ...]:
    """Parse the cards of the field `where`; refuse cards that occur twice."""
    try:
        return cards(texts, number=number)
    except BadInputError as error:
        raise refused(f"{where}: {error}") from None
