"""The seat of each card is inferred from the order of turns and the goes."""

import pytest

from companion.players import PlayRequest
from companion.players.steps import Announce, Request
from companion.players.strategy.inference import recall
from companion.rules.cards import VALUES
from companion.rules.deal import Played
from tests.companion.players.asks import play_ask
from tests.support.card_games import children, play_out, setup_for


def reported(request: PlayRequest) -> list[tuple[int, str]] | None:
    """Return the inferred plays as seat and card."""
    past = recall(request)
    return None if past is None else [(play.seat, str(play.card)) for play in past.plays]


def test_turn_by_turn() -> None:
    """The pone leads, the dealer follows (P1)."""
    request = play_ask("2H 3H KD", pile="7S 8S 9S", cards_left=(3, 2), dealer=True)
    assert [(1, "7S"), (0, "8S"), (1, "9S")] == reported(request)


def test_a_go_is_inferred() -> None:
    """After K-Q-9 the own 2 can follow the 9 only if the other said go (P2)."""
    request = play_ask("5H 6H", seen="KS QS 9S", pile="KS QS 9S", cards_left=(2, 3), dealer=True)
    assert reported(request) is None
    request = play_ask("5H 6H", seen="KS QS 9S", pile="KS QS 9S", cards_left=(2, 3), dealer=False)
    assert [(0, "KS"), (1, "QS"), (0, "9S")] == reported(request)
    past = recall(request)
    assert past is not None
    # It is one's turn again at 29: the other has said go with 2 left to 31.
    assert (0, 2) == past.room


def test_nobody_says_go_below_22() -> None:
    """Every card fits below 22, so the next seat plays."""
    request = play_ask("5H 6H 7H", seen="AS", pile="AS", cards_left=(3, 4), dealer=False)
    assert reported(request) is None


def test_a_new_count_begins_with_the_next_seat() -> None:
    """After 31 the seat to the left of the last player leads (P4)."""
    request = play_ask("5H 6H", seen="KS QS JS AS 4D", pile="4D", cards_left=(2, 1), dealer=True)
    assert [(1, "KS"), (0, "QS"), (1, "JS"), (0, "AS"), (1, "4D")] == reported(request)


@pytest.mark.parametrize(("players", "right"), [(2, 0.97), (3, 0.85), (4, 0.7), (6, 0.5)])
def test_recalled_as_it_was(players: int, right: float) -> None:
    """With two players nearly every play of whole games is inferred right; with more, most.

    With more players, the dealer and the seats of several goes are not always known.
    """
    found = total = 0
    truth: list[tuple[int, str]] = []
    for number, step in enumerate(play_out(setup_for(players), children(players, 4), seed=7).steps):
        if isinstance(step, Announce):
            truth = [] if not step.events else truth
            truth += [(e.seat, str(e.card)) for e in step.events if isinstance(e, Played)]
        if number % 3 or not isinstance(step, Request):
            continue
        if isinstance(step.request, PlayRequest):
            seen = [((seat - step.seat) % players, card) for seat, card in truth]
            found += reported(step.request) == seen
            total += 1
    assert found >= right * total


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_what_is_recalled_is_possible(players: int) -> None:
    """All cards are there in order, within 31, at most four for a seat, and no go is broken."""
    for step in play_out(setup_for(players), children(players, 1), seed=2).requests[::7]:
        request = step.request
        if not isinstance(request, PlayRequest) or (past := recall(request)) is None:
            continue
        assert request.seen == tuple(play.card for play in past.plays)
        assert all(sum(VALUES[c] for c in (*p.pile, p.card)) <= 31 for p in past.plays)
        for seat, left in enumerate(request.cards_left):
            assert len(past.played(seat)) + left in (0, 4)
        assert all(VALUES[card] > past.room[0] for card in request.hand)


def test_no_order_of_turns() -> None:
    """An impossible pile gives None, without an error."""
    assert recall(play_ask("KH QH JH TH", seen="2S 3S 4S", cards_left=(4, 4))) is None
