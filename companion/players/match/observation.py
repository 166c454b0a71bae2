"""Observations: the cards and pegs that a seat may know when it has to choose."""

from collections.abc import Sequence

from companion.players.player import CountRequest, DiscardRequest, PlayRequest
from companion.rules import deal
from companion.rules.cards import Card
from companion.rules.deal import Count, CountKind, Phase
from companion.rules.game import State


def request_for(
    state: State, hand: deal.State, seat: int, *, discarded: tuple[Card, ...], seen: Sequence[Card]
) -> DiscardRequest | PlayRequest:
    """Return a seat's request; it discarded `discarded`, and `seen` were played in this hand."""
    setup, own = state.setup, hand.hand(seat)
    team = setup.team_of(seat)
    first = setup.lanes.index(team)
    sides = [state.side(lane) for lane in (*setup.lanes[first:], *setup.lanes[:first])]
    fronts = tuple(side.front for side in sides)
    boxed = tuple(side.boxed.hands if side.boxed else 0 for side in sides)
    dealer = team == setup.team_of(hand.seating.dealer)
    if hand.phase is Phase.DISCARD:
        return DiscardRequest(
            hand=own.cards, dealer=dealer, fronts=fronts, boxed=boxed, starter=hand.starter
        )
    assert hand.starter is not None  # noqa: S101  # it is turned before the play
    return PlayRequest(
        hand=own.left,
        discarded=discarded,
        pile=hand.pile,
        starter=hand.starter,
        seen=tuple(seen),
        cards_left=_cards_left(hand, seat, setup.players),
        dealer=dealer,
        fronts=fronts,
        boxed=boxed,
    )


def count_request_for(hand: deal.State, count: Count) -> CountRequest:
    """Return the request for the points of the cards that a count is of."""
    if count.why is CountKind.PLAY:  # without HEELS, GO, LAST, HAND
        return CountRequest(cards=hand.pile)
    crib = count.why is CountKind.CRIB
    cards = hand.crib if crib else hand.hand(count.seat).cards
    return CountRequest(cards=cards, starter=hand.starter, crib=crib)


def _cards_left(hand: deal.State, seat: int, players: int) -> tuple[int, ...]:
    """Cards that each seat may still play, this one first; none in a folded or boxed one."""
    left = {held.seat: 0 if held.folded else len(held.left) for held in hand.hands}
    return tuple(left.get((seat - 1 + step) % players + 1, 0) for step in range(players))
