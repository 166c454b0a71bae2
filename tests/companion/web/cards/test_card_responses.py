"""Cards for the page never show a face that the seat cannot know."""

from collections.abc import Iterator

import pytest

from companion.rules.cards import Card
from companion.rules.deal import Discarded, Event, Phase, Played, Shown, State, Turned
from companion.web.cards.card_responses import cards_value
from tests.support.card_games import children, play_out, setup_for
from tests.support.real_table import as_sent

PLAYERS = (2, 3, 4, 6)


def hands(players: int, seed: int) -> Iterator[tuple[State, list[Event]]]:
    """Return every state of the cards in a game, each with the earlier events of its hand."""
    past: list[Event] = []
    for reported in play_out(setup_for(players), children(players, seed), seed=seed).announced:
        past = [*past, *reported.events] if reported.events else []
        yield reported.hand, past


def in_the_open(past: list[Event], dealt: dict[int, tuple[Card, ...]]) -> set[Card]:
    """Return the cards that everybody has seen: turned, played or shown."""
    seen: set[Card] = set()
    hands = dict(dealt)
    crib: set[Card] = set()
    for event in past:
        match event:
            case Discarded(seat=seat, cards=thrown):
                hands[seat] = tuple(card for card in hands[seat] if card not in thrown)
                crib |= set() if event.under_deck else set(thrown)
            case Turned(card=card) | Played(card=card):
                seen.add(card)
            case Shown(seat=seat, show=show):
                seen |= crib if show.crib else set(hands[seat])
    return seen


def faces(value: object) -> set[Card]:
    """Return every card that is named anywhere in a value."""
    match value:
        case dict():
            return {card for inner in value.values() for card in faces(inner)}
        case list():
            return {card for inner in value for card in faces(inner)}
        case str() if len(value) in (2, 3) and value[-1] in "SHDC":
            return {Card.parse(value)}
    return set()


@pytest.mark.parametrize("players", PLAYERS)
def test_no_face_is_shown_that_the_seat_cannot_know(players: int) -> None:
    """Only own, open and shown cards are named, by a second reckoning from the events."""
    dealt: dict[int, tuple[Card, ...]] = {}
    from_deck: set[Card] = set()
    for state, past in hands(players, 0):
        if not past:
            dealt = {hand.seat: hand.cards for hand in state.hands}
            from_deck = set(state.crib)
        known = in_the_open(past, dealt)
        if any(isinstance(event, Shown) and event.show.crib for event in past):
            known |= from_deck
        for opened in ((), *((hand.seat,) for hand in state.hands)):
            own = {card for seat in opened for card in dealt[seat]}
            assert faces(as_sent(cards_value(state, opened))) <= known | own


@pytest.mark.parametrize("players", PLAYERS)
def test_what_may_be_seen_is_shown(players: int) -> None:
    """Opened hands are shown whole, others as far as played, and all in the show."""
    phases = set()
    for state, past in hands(players, 5):
        phases.add(state.phase)
        seats = state.seating.seats
        reported = as_sent(cards_value(state, seats[:1]))
        by_seat = {hand["seat"]: hand for hand in reported["hands"]}
        assert list(seats) == list(by_seat)
        own = by_seat[seats[0]]["cards"]
        assert [str(card) for card in state.hand(seats[0]).cards] == [c["card"] for c in own]
        played = {(e.seat, str(e.card)) for e in past if isinstance(e, Played)}
        shown = {e.seat for e in past if isinstance(e, Shown) and not e.show.crib}
        for seat, hand in by_seat.items():
            named = {card["card"] for card in hand["cards"]} - {None}
            assert {card for who, card in played if who == seat} <= named
            if seat in shown and not hand["folded"]:
                assert 4 == len(named)
            lying = {card["card"] for card in hand["cards"] if card["played"]}
            in_play = state.phase is Phase.PLAY
            assert ({card for who, card in played if who == seat} if in_play else set()) == lying
    assert set(Phase) - {Phase.STARTER} <= phases


def test_an_unshown_crib_stays_hidden_when_the_game_is_won() -> None:
    """S1, G2: play stops at the win, and hidden cards stay hidden."""
    unshown = 0
    for seed in range(30):
        *_, (state, past) = hands(2, seed)
        if not any(isinstance(event, Shown) and event.show.crib for event in past):
            unshown += 1
            assert [None] * len(state.crib) == cards_value(state, ()).crib
        if 0 < unshown <= seed:
            break
    else:
        pytest.fail(f"of 30 games {unshown} ended with an unshown crib")


def test_the_hand_that_is_counted_is_named() -> None:
    """S1: the seat is named while its hand is counted, the crib at last, else nothing."""
    named = []
    for state, past in hands(2, 1):
        showing = cards_value(state, ()).showing
        last = next((event for event in reversed(past) if isinstance(event, Shown)), None)
        if state.phase is Phase.SHOW:
            assert last is not None
            assert ("crib" if last.show.crib else last.seat) == showing
            named.append(showing)
        else:
            assert showing is None
    assert {1, 2, "crib"} == set(named)


def test_a_hand_is_reported_with_its_count() -> None:
    """P1, P9: it has the pile since the count was 0, the count, and the turn."""
    for state, _ in hands(3, 2):
        reported = cards_value(state, ())
        assert (list(map(str, state.pile)), state.count) == (reported.pile, reported.count)
        assert (state.turn, state.seating.dealer, state.phase) == (
            reported.turn,
            reported.dealer,
            reported.phase,
        )
        assert (None if state.starter is None else str(state.starter)) == reported.starter
