"""Dealt cards as JSON values: a card that the caller may not see is null."""

from collections.abc import Collection
from typing import Literal

from msgspec import convert

from companion.rules.cards import Card
from companion.rules.deal import Hand, Phase, State
from companion.rules.game import HouseRules
from companion.table.declared_counts import DeclaredCounts
from companion.web.cards import card_responses


def cards_value(state: State, opened: Collection[int]) -> card_responses.Cards:
    """Return the cards of a deal for a caller who may see the hands of the seats in `opened`.

    Cards in other hands and in the crib are None until they are played or shown.
    """
    crib_shown = state.shown > len(state.hands)
    return card_responses.Cards(
        phase=state.phase,
        dealer=state.seating.dealer,
        turn=state.turn,
        starter=None if state.starter is None else str(state.starter),
        count=state.count,
        pile=list(map(str, state.pile)),
        hands=[_hand(state, hand, opened) for hand in state.hands],
        crib=[str(card) if crib_shown else None for card in state.crib],
        showing=_showing(state),
    )


def to_count_value(counts: DeclaredCounts) -> card_responses.CountToMake | None:
    """Return the count that a person must make, without the true points."""
    count = counts.awaited
    return convert(count, card_responses.CountToMake, from_attributes=True) if count else None


def open_count_value(counts: DeclaredCounts, rules: HouseRules) -> card_responses.OpenCount | None:
    """Return the count on which muggins may be called, without the true points."""
    count = counts.open
    if count is None or count.declared is None:
        return None
    return card_responses.OpenCount(
        seat=count.seat,
        side=count.side,
        why=count.why,
        points=count.declared,
        callers=sorted(counts.callers),
        undecided=sorted(counts.undecided),
        given_back=rules.given_back,
        only_missed=rules.muggins_counts == "missed",
    )


def _hand(state: State, hand: Hand, opened: Collection[int]) -> card_responses.SeatsCards:
    shown = state.index(hand.seat) < state.shown and not hand.folded
    is_open = shown or hand.seat in opened
    in_play = state.phase is Phase.PLAY

    def held(card: Card) -> card_responses.HeldCard:
        played = card not in hand.left
        face = str(card) if is_open or played else None
        return card_responses.HeldCard(card=face, played=in_play and played)

    return card_responses.SeatsCards(
        seat=hand.seat,
        side=state.seating.side_of(hand.seat),
        folded=hand.folded,
        cards=list(map(held, hand.cards)),
    )


def _showing(state: State) -> int | Literal["crib"] | None:
    if state.phase is not Phase.SHOW or not state.shown:
        return None
    return state.hands[state.shown - 1].seat if state.shown <= len(state.hands) else "crib"
