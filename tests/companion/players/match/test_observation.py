"""What a seat is asked: what it may know, told from where it sits, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.players import DiscardRequest, PlayRequest
from companion.players.match.dealer import Choose, Notify
from companion.rules.deal import Discarded, Played
from companion.rules.game import HouseRules
from tests.support.card_games import Led, children, led, setup_for

PLAYERS = (2, 3, 4, 6)


def game(players: int, seed: int, starter: str = "after-discards") -> Led:
    """A game among children."""
    setup = setup_for(players, rules=replace(HouseRules(), starter=starter))
    return led(setup, children(players, seed), seed=seed)


@pytest.mark.parametrize("starter", ["after-discards", "before-discards"])
@pytest.mark.parametrize("players", PLAYERS)
def test_the_cards_are_those_that_the_seat_has_seen(players: int, starter: str) -> None:
    """Its own, what it threw, the starter and all that was played, in order; the pile is new."""
    seen: list[object] = []
    discarded: dict[int, object] = {}
    hand = None
    for moment in game(players, 5, starter).moments:
        if isinstance(moment, Notify):
            hand = moment.hand
            if not moment.events:
                seen, discarded = [], {}
            seen += [event.card for event in moment.events if isinstance(event, Played)]
            discarded |= {e.seat: e.cards for e in moment.events if isinstance(e, Discarded)}
        if not isinstance(moment, Choose):
            continue
        assert hand is not None
        own = hand.hand(moment.seat)
        if isinstance(moment.request, DiscardRequest):
            assert (own.cards, hand.starter) == (moment.request.hand, moment.request.starter)
        else:
            ask = moment.request
            assert (own.left, discarded[moment.seat]) == (ask.hand, ask.discarded)
            assert (seen, hand.pile, hand.starter) == (list(ask.seen), ask.pile, ask.starter)


@pytest.mark.parametrize("players", PLAYERS)
def test_sides_are_told_from_the_own_one_on(players: int) -> None:
    """Fronts and hands to sit begin with the own side and go on to the left (T1)."""
    played = game(players, 2)
    sides = len(played.history.state.setup.lanes)
    boxed = 0
    for moment, state in zip(played.moments, played.states, strict=True):
        if isinstance(moment, Choose):
            around = [(moment.seat - 1 + step) % sides + 1 for step in range(sides)]
            assert tuple(state.side(team).front for team in around) == moment.request.fronts
            stays = [state.side(team).boxed for team in around]
            assert tuple(stay.hands if stay else 0 for stay in stays) == moment.request.boxed
            boxed += any(moment.request.boxed)
            own_crib = (state.dealer - 1) % sides + 1 == around[0]
            assert own_crib == moment.request.dealer
    assert (sides == 3) == (boxed > 0)


@pytest.mark.parametrize("players", PLAYERS)
def test_cards_left_are_told_by_seat_from_the_own_one_on(players: int) -> None:
    """Of every seat at the table; a folded or boxed side has none to play (Z5, Z11)."""
    games = [game(players, seed) for seed in range(4)]
    hand = None
    none_left = 0
    moments = (pair for g in games for pair in zip(g.moments, g.states, strict=True))
    for moment, state in moments:
        if isinstance(moment, Notify):
            hand = moment.hand
        if not isinstance(moment, Choose) or not isinstance(moment.request, PlayRequest):
            continue
        assert hand is not None
        assert players == len(moment.request.cards_left)
        in_deal = {held.seat: held for held in hand.hands}
        for step, left in enumerate(moment.request.cards_left):
            seat = (moment.seat - 1 + step) % players + 1
            out = state.side(state.setup.team_of(seat)).folded or seat not in in_deal
            none_left += out
            assert (0 if out else len(in_deal[seat].left)) == left
    assert none_left > 0
