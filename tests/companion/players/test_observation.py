"""Requests to a seat: they have all that the seat may know, and nothing else."""

from dataclasses import replace

import pytest

from companion.players import DiscardRequest, PlayRequest
from companion.players.steps import Announce, Request
from companion.rules.deal import Discarded, Played
from companion.rules.game import HouseRules
from tests.support.card_games import GameRun, children, play_out, setup_for

PLAYERS = (2, 3, 4, 6)


def game(players: int, seed: int, starter: str = "after-discards") -> GameRun:
    """Play a game among children."""
    setup = setup_for(players, rules=replace(HouseRules(), starter=starter))
    return play_out(setup, children(players, seed), seed=seed)


@pytest.mark.parametrize("starter", ["after-discards", "before-discards"])
@pytest.mark.parametrize("players", PLAYERS)
def test_the_cards_are_those_that_the_seat_has_seen(players: int, starter: str) -> None:
    """A seat sees its cards, its discards, the starter and all cards played, in order."""
    seen: list[object] = []
    discarded: dict[int, object] = {}
    hand = None
    for step in game(players, 5, starter).steps:
        if isinstance(step, Announce):
            hand = step.hand
            if not step.events:
                seen, discarded = [], {}
            seen += [event.card for event in step.events if isinstance(event, Played)]
            discarded |= {e.seat: e.cards for e in step.events if isinstance(e, Discarded)}
        if not isinstance(step, Request):
            continue
        assert hand is not None
        own = hand.hand(step.seat)
        if isinstance(step.request, DiscardRequest):
            assert (own.cards, hand.starter) == (step.request.hand, step.request.starter)
        else:
            request = step.request
            assert (own.left, discarded[step.seat]) == (request.hand, request.discarded)
            assert (seen, hand.pile, hand.starter) == (
                list(request.seen),
                request.pile,
                request.starter,
            )


@pytest.mark.parametrize("players", PLAYERS)
def test_sides_are_distinguished_from_the_own_one_on(players: int) -> None:
    """Front pegs and hands to sit out begin with the own side and go on to the left (T1)."""
    played = game(players, 2)
    sides = len(played.history.state.setup.sides)
    boxed = 0
    for step, state in zip(played.steps, played.states, strict=True):
        if isinstance(step, Request):
            around = [(step.seat - 1 + offset) % sides + 1 for offset in range(sides)]
            assert tuple(state.pegs(side).front for side in around) == step.request.fronts
            stays = [state.pegs(side).boxed for side in around]
            assert tuple(stay.hands if stay else 0 for stay in stays) == step.request.boxed
            boxed += any(step.request.boxed)
            own_crib = (state.dealer - 1) % sides + 1 == around[0]
            assert own_crib == step.request.dealer
    assert (sides == 3) == (boxed > 0)


@pytest.mark.parametrize("players", PLAYERS)
def test_cards_left_are_reported_by_seat_from_the_own_one_on(players: int) -> None:
    """Each seat has its number of cards; a folded or boxed side has none to play (Z5, Z11)."""
    games = [game(players, seed) for seed in range(4)]
    hand = None
    none_left = 0
    steps = (pair for g in games for pair in zip(g.steps, g.states, strict=True))
    for step, state in steps:
        if isinstance(step, Announce):
            hand = step.hand
        if not isinstance(step, Request) or not isinstance(step.request, PlayRequest):
            continue
        assert hand is not None
        assert players == len(step.request.cards_left)
        in_deal = {held.seat: held for held in hand.hands}
        for offset, left in enumerate(step.request.cards_left):
            seat = (step.seat - 1 + offset) % players + 1
            out = state.pegs(state.setup.side_of(seat)).folded or seat not in in_deal
            none_left += out
            assert (0 if out else len(in_deal[seat].left)) == left
    assert none_left > 0
