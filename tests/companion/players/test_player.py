"""Requests, with what a seat may know and what follows from it."""

import dataclasses

import pytest

from companion.players import DiscardRequest, PlayRequest
from companion.players.player import discard_count
from companion.rules.cards import cards
from tests.companion.players.asks import discard_ask, play_ask


def test_an_ask_holds_what_the_contract_says() -> None:
    """A request has exactly the fields of the contract, and no hidden cards."""
    of_discard = {"hand", "starter", "dealer", "fronts", "boxed"}
    more = {"discarded", "pile", "seen", "cards_left"}
    assert of_discard == {field.name for field in dataclasses.fields(DiscardRequest)}
    assert of_discard | more == {field.name for field in dataclasses.fields(PlayRequest)}


def test_cards_fit_up_to_31() -> None:
    """The count is the sum of the pile, and a card that passes 31 does not fit (P1)."""
    request = play_ask("AS 5H 6D KC", pile="KD QD 5D", discarded="2C 3C")
    assert request.count == 25
    assert cards("AS 5H 6D") == request.playable


@pytest.mark.parametrize(
    ("hand", "number"), [("5H 6H 7H 8H 9H TH", 2), ("5H 6H 7H 8H 9H", 1)], ids=["six", "five"]
)
def test_a_hand_keeps_four(hand: str, number: int) -> None:
    """Two of six cards are discarded, or one of five (T3)."""
    assert number == discard_count(discard_ask(hand))
