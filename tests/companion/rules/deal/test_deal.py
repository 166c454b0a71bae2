"""From the deck to the starter: the deal, the discards, the cut and heels."""

import random

import pytest

from companion.errors import BadInputError
from companion.rules.cards import DECK, Card
from companion.rules.deal import (
    ConfirmCount,
    CutStarter,
    Discard,
    Fold,
    Phase,
    PlayCard,
    Seating,
    State,
    Stop,
    new_deal,
)
from tests.companion.rules.deal.tables import Table

SEATED = ((2, None), (3, None), (4, None), (6, None), (3, 1), (6, 3))
"""Numbers of players, with a boxed side or none."""


def deck_with(starter: str, at: int) -> list[Card]:
    """Return the deck with this card at this place, from the top."""
    deck = [card for card in DECK if str(card) != starter]
    deck.insert(at, Card.parse(starter))
    return deck


def dealt(players: int, *, dealer: int = 2, boxed: int | None = None) -> Table:
    """Return a deal of the sorted deck."""
    return Table(new_deal(Seating.make(players=players, dealer=dealer, boxed=boxed), DECK))


def discard_all(table: Table) -> None:
    """Let every seat discard its first cards."""
    thrown = table.state.seating.discards
    for hand in table.state.hands:
        table.do(Discard(seat=hand.seat, cards=hand.cards[:thrown]))


def everywhere(state: State) -> list[Card]:
    """Return every card, wherever it is, before the play."""
    held = [card for hand in state.hands for card in hand.cards]
    starter = [] if state.starter is None else [state.starter]
    return sorted([*held, *state.crib, *state.deck, *starter])


def test_one_card_at_a_time() -> None:
    """T4: cards go round one by one from the dealer's left, the dealer last."""
    table = dealt(2, dealer=1)
    assert DECK[0:12:2] == table.state.hand(2).cards
    assert DECK[1:12:2] == table.state.hand(1).cards
    assert DECK[12:] == table.state.deck


@pytest.mark.parametrize(("players", "boxed"), SEATED)
def test_every_hand_and_the_crib_has_four(players: int, boxed: int | None) -> None:
    """T3: whatever the number of players, all hands and the crib end with four cards."""
    table = dealt(players, boxed=boxed)
    discard_all(table)
    assert {4} == {len(hand.cards) for hand in table.state.hands}
    assert 4 == len(table.state.crib)
    assert list(DECK) == everywhere(table.state)


def test_the_decks_card_in_the_crib_of_three() -> None:
    """T3: with three players the crib's fourth card is the top one of the deck."""
    table = dealt(3)
    discard_all(table)
    assert DECK[15] in table.state.crib
    assert DECK[16:] == table.state.deck


def test_the_crib_of_three_sides() -> None:
    """T3: of six players only the other four throw into the crib; two go under the deck."""
    table = dealt(6, dealer=2)
    discard_all(table)
    thrown = {seat: DECK[place] for place, seat in enumerate((3, 4, 5, 6, 1, 2))}
    assert [thrown[seat] for seat in (3, 4, 6, 1)] == list(table.state.crib)
    assert (*DECK[30:], thrown[5], thrown[2]) == table.state.deck


def test_the_dealers_side_throws_into_its_crib_if_four_play() -> None:
    """T3: only of six players do some throw under the deck."""
    table = dealt(4)
    discard_all(table)
    assert DECK[:4] == table.state.crib


@pytest.mark.parametrize("fault", [0, 1, 3, 6])
def test_a_wrong_number_of_discards(fault: int) -> None:
    """T3: two players throw two cards each, no more and no fewer."""
    table = dealt(2, dealer=1)
    discard = Discard(seat=2, cards=table.state.hand(2).cards[:fault])
    assert "T3" == table.refused(discard)


def test_discards_that_cannot_be() -> None:
    """T3: a seat throws different cards, its own, and once."""
    table = dealt(2, dealer=1)
    first, second, *others = table.state.hand(2).cards
    assert "T3" == table.refused(Discard(seat=2, cards=(first, first)))
    assert "T3" == table.refused(Discard(seat=1, cards=(first, second)))
    table.do(Discard(seat=2, cards=(first, second)))
    assert "T3" == table.refused(Discard(seat=2, cards=(others[0], others[1])))


def test_a_seat_that_is_not_in_the_deal() -> None:
    """Z11: who is boxed holds no cards and throws none."""
    table = dealt(3, boxed=1)
    assert "T1" == table.refused(Discard(seat=1, cards=DECK[:2]))


def test_a_deck_that_is_not_whole() -> None:
    """T4: the deck holds each of the 52 cards once."""
    for deck in (DECK[:51], (*DECK[:51], DECK[0])):
        with pytest.raises(BadInputError, match="52"):
            new_deal(Seating.make(players=2, dealer=1), deck)


def test_the_starter_comes_after_the_discards() -> None:
    """T6: no starter before the last discard, no card before the starter."""
    table = dealt(2, dealer=1)
    assert "T3" == table.refused(CutStarter(seat=2))
    discard_all(table)
    assert Phase.STARTER == table.state.phase
    assert "T6" == table.refused(PlayCard(seat=2, card=table.state.hand(2).cards[0]))
    assert ["starter 4H"] == table.do(CutStarter(seat=2, at=1))
    assert (Phase.PLAY, 2) == (table.state.phase, table.state.turn)


def test_the_starter_before_the_discards() -> None:
    """T6: by the house rule of 001 the starter is shown first, and then cards are thrown."""
    table = Table(
        new_deal(Seating.make(players=2, dealer=1), deck_with("JS", 12), starter="before-discards")
    )
    assert "T6" == table.refused(Discard(seat=2, cards=table.state.hand(2).cards[:2]))
    assert ["starter JS", "1 pegs 2 heels"] == table.do(CutStarter(seat=2))
    table.peg()
    discard_all(table)
    assert (Phase.PLAY, 2) == (table.state.phase, table.state.turn)


def test_who_cuts() -> None:
    """T6: only the player at the dealer's right cuts, and cuts a card that is there."""
    table = dealt(3, dealer=2)
    discard_all(table)
    assert "T6" == table.refused(CutStarter(seat=2))
    assert "T6" == table.refused(CutStarter(seat=1, at=len(table.state.deck)))
    assert "T6" == table.refused(CutStarter(seat=1, at=-1))
    table.do(CutStarter(seat=1, at=len(table.state.deck) - 1))
    assert DECK[-1] == table.state.starter
    assert list(DECK) == everywhere(table.state)


@pytest.mark.parametrize("starter", ["JS", "JH", "JD", "JC"])
def test_heels(starter: str) -> None:
    """T7: a jack turned up gives the dealer two, before anybody plays a card."""
    table = Table(new_deal(Seating.make(players=2, dealer=1), deck_with(starter, 12)))
    discard_all(table)
    assert [f"starter {starter}", "1 pegs 2 heels"] == table.do(CutStarter(seat=2))
    assert "P7" == table.refused(PlayCard(seat=2, card=table.state.hand(2).left[0]))
    table.do(ConfirmCount())
    assert (Phase.PLAY, 2) == (table.state.phase, table.state.turn)


def test_heels_near_the_finish() -> None:
    """T7: no heels where the dealer's front peg bars them; the play begins at once."""
    table = Table(new_deal(Seating.make(players=2, dealer=1), deck_with("JS", 12)))
    discard_all(table)
    assert ["starter JS"] == table.do(CutStarter(seat=2, heels_barred=True))
    assert 2 == table.state.turn


def test_no_heels_for_other_cards() -> None:
    """T7: only a jack is heels."""
    for card in DECK:
        table = Table(new_deal(Seating.make(players=2, dealer=1), deck_with(str(card), 12)))
        discard_all(table)
        pegs = table.do(CutStarter(seat=2))[1:]
        assert (["1 pegs 2 heels"] if str(card)[0] == "J" else []) == pegs


def test_nothing_to_have_pegged() -> None:
    """P7: only a count that is due can have been pegged."""
    assert "P7" == dealt(2, dealer=1).refused(ConfirmCount())


def test_the_same_deck_deals_the_same_hands() -> None:
    """T4: cards and shuffles come from outside, so any deal can be dealt again."""
    deck = random.Random(7).sample(DECK, len(DECK))
    seating = Seating.make(players=6, dealer=4)
    assert new_deal(seating, deck) == new_deal(seating, tuple(deck))


def test_no_heels_for_a_dealer_who_has_folded() -> None:
    """Z5, T7: a side that a penalty has folded before the cut throws its cards, and no more."""
    table = Table(new_deal(Seating.make(players=2, dealer=1), deck_with("JS", 12)))
    table.do(Fold(side=1))
    discard_all(table)
    assert ["starter JS"] == table.do(CutStarter(seat=2))
    assert (4, 2) == (len(table.state.crib), table.state.turn)


def test_a_win_before_the_play() -> None:
    """G2: a win by heels, or by a penalty during the discards, stops the deal as well."""
    table = dealt(2, dealer=1)
    table.do(Stop())
    assert Phase.OVER == table.state.phase
