"""A game of cards on the board, led from the cut to the win."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from companion.errors import RuleError
from companion.players import DiscardRequest
from companion.players.match.dealer import Answer, Choose, DealerStep, Execute, Notify
from companion.rules.cards import count_play, show_points
from companion.rules.deal import Count, CountKind, Phase, Played, Shown, Turned
from companion.rules.game import Deal, HouseRules, Kind, MoveInBox, Peg
from tests.support.card_games import Led, children, chosen, led, setup_for

PLAYERS = (2, 3, 4, 6)
SEEDS = range(3)


def game(players: int, seed: int) -> Led:
    """A game among children."""
    return led(setup_for(players), children(players, seed), seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_is_played_to_its_win(players: int, seed: int) -> None:
    """A count wins, all play stops at once, and nothing more is asked or done (G2, Z12)."""
    played = game(players, seed)
    assert played.history.state.winner is not None
    assert Kind.WON in {event.kind for event in played.entries[-1].events}
    *_, do, stopped = played.moments
    assert isinstance(do, Execute)
    assert isinstance(stopped, Notify)
    assert Phase.OVER is stopped.hand.phase


@pytest.mark.parametrize("players", PLAYERS)
def test_the_same_dice_lead_the_same_game(players: int) -> None:
    """All chance comes from the dice that are given."""
    before = random.getstate()
    assert game(players, 7).moments == game(players, 7).moments
    assert game(players, 7).moments != game(players, 8).moments
    assert before == random.getstate()


# Counts


def due(moments: list[DealerStep]) -> list[Count]:
    """Each count that the cards say is to be pegged, once."""
    counts = [
        moment.hand.due
        for moment in moments
        if isinstance(moment, Notify) and any(isinstance(event, Count) for event in moment.events)
    ]
    return [count for count in counts if count]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_every_count_is_pegged_at_once_by_its_side(players: int, seed: int) -> None:
    """What is due is the next thing done, as one count of the seat's side; nothing else is (P7)."""
    played = game(players, seed)
    setup = played.history.state.setup
    for before, moment in pairwise(played.moments):
        if isinstance(before, Notify) and before.hand.due and before.hand.phase is not Phase.OVER:
            assert isinstance(moment, Execute)
            assert before.hand.due == moment.count
    pegged = [do for do in played.dos if do.count]
    assert due(played.moments) == [do.count for do in pegged]
    for do in pegged:
        assert do.count
        team, due_now = setup.team_of(do.count.seat), do.count
        assert Peg(team=team, points=due_now.points, why=due_now.why) == do.command
    assert not any(isinstance(do.command, Peg) for do in played.dos if not do.count)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_count_is_what_its_cards_make(players: int, seed: int) -> None:
    """The card or hand that is told with a count makes its points, counted by itself (P5, S2)."""
    counted: set[CountKind] = set()
    for before, moment in pairwise(game(players, seed).moments):
        if not isinstance(before, Notify) or not isinstance(moment, Execute) or not moment.count:
            continue
        count, hand = moment.count, before.hand
        counted.add(count.why)
        match moment.cause:
            case Shown():
                assert hand.starter is not None
                crib = count.why is CountKind.CRIB
                cards = hand.crib if crib else hand.hand(count.seat).cards
                assert show_points(cards, hand.starter, crib=crib) == count.points
            case Played(card=card):
                assert card == hand.pile[-1]
                assert count_play(hand.pile).points == count.points
            case None:
                assert count.why in (CountKind.HEELS, CountKind.GO, CountKind.LAST)
    assert {CountKind.PLAY, CountKind.HAND, CountKind.CRIB, CountKind.GO, CountKind.LAST} <= counted


@pytest.mark.parametrize(("ban", "barred"), [(0, False), (3, True)])
def test_near_the_finish_a_jack_is_no_heels(ban: int, barred: bool) -> None:
    """T7: where the house rule says so, the dealer's side gets nothing for the starter."""
    setup = setup_for(2, rules=HouseRules(game_to=31, heels_ban=ban, skunk_at="off"))
    heels = set()
    for seed in range(150):
        played = led(setup, children(2, seed), seed=seed)
        for moment, state in zip(played.moments, played.states, strict=True):
            if isinstance(moment, Notify) and any(isinstance(e, Turned) for e in moment.events):
                front = state.side(setup.team_of(state.dealer)).front
                near = isinstance(front, int) and 31 - 3 <= front < 31
                if near and moment.hand.starter and moment.hand.starter.rank == 11:
                    heels.add(moment.hand.due is not None)
    assert {not barred} == heels


# Hands


@pytest.mark.parametrize("players", PLAYERS)
def test_the_deal_goes_round_hand_by_hand(players: int) -> None:
    """After each hand the next is dealt, by the seat that the game says (T2)."""
    played = game(players, 3)
    dealers = [told.hand.seating.dealer for told in played.deals]
    dealt = [moment.command for moment in played.dos if isinstance(moment.command, Deal)]
    assert {Deal()} == set(dealt[-(len(dealers) - 1) :])
    assert played.history.state.hand == len(dealers)
    if players == 2:
        assert all(one != other for one, other in pairwise(dealers))


def test_the_cut_decides_who_deals_first() -> None:
    """Every seat deals first in some game, entered before the first count (T2)."""
    firsts = set()
    for seed in range(20):
        played = game(3, seed)
        first = played.moments[0]
        assert 0 == played.states[1].counts
        firsts.add(played.deals[0].hand.seating.dealer)
        if isinstance(first, Execute):
            assert Deal(dealer=played.deals[0].hand.seating.dealer) == first.command
        if {1, 2, 3} == firsts:
            break
    else:
        pytest.fail(f"only these have dealt first: {firsts}")


def test_a_game_that_has_begun_goes_on_with_the_next_hand() -> None:
    """Where counts have been made in a hand, the next one is dealt first; there is no cut."""
    states = (entry.state for entry in game(2, 4).entries[30:])
    midway = next(state for state in states if state.counts_in_hand)
    goes_on = led(midway, children(2, 4), seed=9)
    first = goes_on.moments[0]
    assert isinstance(first, Execute)
    assert (Deal(), midway.hand + 1) == (first.command, goes_on.states[1].hand)
    assert goes_on.history.state.winner is not None


def test_a_boxed_side_sits_out_and_moves_once_a_hand() -> None:
    """It is dealt no cards, and moves its peg in each hand but that of its entry (Z7, Z11)."""
    moves = owed = boxed = 0
    for seed in range(6):
        played = game(3, seed)
        moves += sum(isinstance(do.command, MoveInBox) for do in played.dos)
        boxed += sum(event.kind is Kind.BOXED for event in played.events)
        for moment, state in zip(played.moments, played.states, strict=True):
            if isinstance(moment, Notify) and not moment.events:
                out = state.boxed_team()
                in_deal = {state.setup.team_of(hand.seat) for hand in moment.hand.hands}
                assert {1, 2, 3} - {out} == in_deal
                stay = state.side(out).boxed if out else None
                owed += bool(stay and stay.may_move)
    assert boxed > 0
    assert moves > boxed
    assert 0 == owed


def test_who_folds_plays_no_more_in_this_hand() -> None:
    """A side whose peg has folded is not asked, shows nothing and has no card left to play (Z5)."""
    folds = 0
    for seed in range(4):
        played = game(3, seed)
        for moment, state in zip(played.moments, played.states, strict=True):
            out = {team for team in state.setup.lanes if state.side(team).folded}
            folds += bool(out)
            if isinstance(moment, Choose):
                assert state.setup.team_of(moment.seat) not in out
            if isinstance(moment, Execute) and moment.count:
                assert state.setup.team_of(moment.count.seat) not in out
    assert folds > 0


# Answers


@pytest.mark.parametrize("players", PLAYERS)
def test_who_is_asked_can_answer(players: int) -> None:
    """Discards are asked of who holds more than four, a card of who has one that fits (T3, P1)."""
    dealt = {2: {6}, 3: {5, 6}, 4: {5}, 6: {5}}
    sizes = set()
    for ask in game(players, 3).asks:
        if isinstance(ask.request, DiscardRequest):
            sizes.add(len(ask.request.hand))
        else:
            assert ask.request.fitting
            assert ask.request.cards_left[0] == len(ask.request.hand)
    assert sizes <= dealt[players]
    assert sizes


def test_an_answer_against_the_rules_is_asked_again() -> None:
    """The same seat is asked once more, with what the rules say (P1, P8, T3)."""
    players = children(2, 1)
    refused: set[str | None] = set()
    wrong: list[Answer] = []

    def answer(ask: Choose) -> Answer:
        if ask.refused:
            refused.add(ask.refused.rule)
            return chosen(players[ask.seat], ask)
        if isinstance(ask.request, DiscardRequest):
            return ask.request.hand[:1]
        wrong.append(None)
        return None if len(wrong) % 2 else ask.request.starter

    played = led(setup_for(2), players, seed=1, answer=answer)
    assert {"T3", "P1", "P8"} == refused
    assert played.history.state.winner is not None
    for one, other in pairwise(played.moments):
        if isinstance(other, Choose) and other.refused:
            assert isinstance(one, Choose)
            assert (one.seat, one.request) == (other.seat, other.request)
            assert isinstance(other.refused, RuleError)
