"""Short makers of requests: cards are texts, and pegs have defaults."""

from companion.board import Hole
from companion.players import DiscardRequest, PlayRequest
from companion.rules.cards import Card, cards


def discard_ask(
    hand: str,
    *,
    dealer: bool = False,
    fronts: tuple[Hole, ...] = (30, 30),
    boxed: tuple[int, ...] | None = None,
    starter: str | None = None,
) -> DiscardRequest:
    """Return a request for discards."""
    boxed = boxed or (0,) * len(fronts)
    return DiscardRequest(
        hand=cards(hand),
        dealer=dealer,
        fronts=fronts,
        boxed=boxed,
        starter=None if starter is None else Card.parse(starter),
    )


def play_ask(
    hand: str,
    *,
    discarded: str = "AC KC",
    pile: str = "",
    seen: str | None = None,
    starter: str = "QH",
    cards_left: tuple[int, ...] | None = None,
    dealer: bool = False,
    fronts: tuple[Hole, ...] = (30, 30),
    boxed: tuple[int, ...] | None = None,
) -> PlayRequest:
    """Return a request for a card; by default the others hold as many, and the pile is all seen."""
    left = cards(hand)
    return PlayRequest(
        hand=left,
        discarded=cards(discarded),
        pile=cards(pile),
        seen=cards(pile if seen is None else seen),
        starter=Card.parse(starter),
        cards_left=cards_left or (len(left),) * len(fronts),
        dealer=dealer,
        fronts=fronts,
        boxed=boxed or (0,) * len(fronts),
    )
