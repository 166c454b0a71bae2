"""A game of cards on the board, from the cut to the win."""

import random
from itertools import pairwise

import pytest

from companion.board.zone_kinds import ZoneKind
from companion.errors import RuleError
from companion.players import DiscardRequest
from companion.players.steps import Announce, Answer, Apply, DealerStep, Request, Won
from companion.rules.cards import count_play, show_points
from companion.rules.deal import Count, CountKind, Phase, Played, Shown, Turned
from companion.rules.game import Deal, HouseRules, Kind, MoveInBox, Peg, apply_all, decide, new_game
from tests.support.card_games import GameRun, children, chosen, play_out, setup_for

PLAYERS = (2, 3, 4, 6)
SEEDS = range(3)


def game(players: int, seed: int) -> GameRun:
    """Play a game among children."""
    return play_out(setup_for(players), children(players, seed), seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_is_played_to_its_win(players: int, seed: int) -> None:
    """After the winning count all play stops, and nothing more is asked or done (G2, Z12)."""
    played = game(players, seed)
    assert played.history.state.winner is not None
    assert Kind.WON in {event.kind for event in played.entries[-1].events}
    *_, do, stopped, won = played.steps
    assert isinstance(do, Apply)
    assert Won() == won
    assert isinstance(stopped, Announce)
    assert Phase.OVER is stopped.hand.phase


@pytest.mark.parametrize("players", PLAYERS)
def test_the_same_seed_leads_the_same_game(players: int) -> None:
    """All chance comes from the given generator."""
    before = random.getstate()
    assert game(players, 7).steps == game(players, 7).steps
    assert game(players, 7).steps != game(players, 8).steps
    assert before == random.getstate()


# Counts


def due(steps: list[DealerStep]) -> list[Count]:
    """Yield each count that the cards make due, once."""
    counts = [
        step.hand.due
        for step in steps
        if isinstance(step, Announce) and any(isinstance(event, Count) for event in step.events)
    ]
    return [count for count in counts if count]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_every_count_is_pegged_at_once_by_its_side(players: int, seed: int) -> None:
    """The next due count is the next command, as a count of the seat's side (P7)."""
    played = game(players, seed)
    setup = played.history.state.setup
    for before, step in pairwise(played.steps):
        if isinstance(before, Announce) and before.hand.due and before.hand.phase is not Phase.OVER:
            assert isinstance(step, Apply)
            assert before.hand.due == step.count
    pegged = [do for do in played.applied if do.count]
    assert due(played.steps) == [do.count for do in pegged]
    for do in pegged:
        assert do.count
        side, due_now = setup.side_of(do.count.seat), do.count
        assert Peg(side=side, points=due_now.points, why=due_now.why) == do.command
    assert not any(isinstance(do.command, Peg) for do in played.applied if not do.count)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_count_is_what_its_cards_make(players: int, seed: int) -> None:
    """The card or hand that a step has as the cause makes the points of its count (P5, S2)."""
    counted: set[CountKind] = set()
    for before, step in pairwise(game(players, seed).steps):
        if not isinstance(before, Announce) or not isinstance(step, Apply) or not step.count:
            continue
        count, hand = step.count, before.hand
        counted.add(count.why)
        match step.cause:
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
    """T7: if the house rule says so, the dealer's side gets nothing for the starter."""
    setup = setup_for(2, rules=HouseRules(game_to=31, heels_ban=ban, skunk_at="off"))
    heels = set()
    for seed in range(150):
        played = play_out(setup, children(2, seed), seed=seed)
        for step, state in zip(played.steps, played.states, strict=True):
            if isinstance(step, Announce) and any(isinstance(e, Turned) for e in step.events):
                front = state.pegs(setup.side_of(state.dealer)).front
                near = isinstance(front, int) and 31 - 3 <= front < 31
                if near and step.hand.starter and step.hand.starter.rank == 11:
                    heels.add(step.hand.due is not None)
    assert {not barred} == heels


# Hands


@pytest.mark.parametrize("players", PLAYERS)
def test_the_deal_goes_round_hand_by_hand(players: int) -> None:
    """After each hand the next seat deals, as the game says (T2)."""
    played = game(players, 3)
    dealers = [reported.hand.seating.dealer for reported in played.deals]
    dealt = [step.command for step in played.applied if isinstance(step.command, Deal)]
    assert {Deal()} == set(dealt[-(len(dealers) - 1) :])
    assert played.history.state.hand == len(dealers)
    if players == 2:
        assert all(one != other for one, other in pairwise(dealers))


def test_the_cut_decides_who_deals_first() -> None:
    """The cut is entered before the first count; each seat deals first in some game (T2)."""
    firsts = set()
    for seed in range(20):
        played = game(3, seed)
        first = played.steps[0]
        assert 0 == played.states[1].counts
        firsts.add(played.deals[0].hand.seating.dealer)
        if isinstance(first, Apply):
            assert Deal(dealer=played.deals[0].hand.seating.dealer) == first.command
        if {1, 2, 3} == firsts:
            break
    else:
        pytest.fail(f"only these have dealt first: {firsts}")


def test_a_game_that_has_begun_goes_on_with_the_next_hand() -> None:
    """If the hand has counts, the next hand is dealt first, without a cut."""
    states = (entry.state for entry in game(2, 4).entries[30:])
    midway = next(state for state in states if state.counts_in_hand)
    goes_on = play_out(midway, children(2, 4), seed=9)
    first = goes_on.steps[0]
    assert isinstance(first, Apply)
    assert (Deal(), midway.hand + 1) == (first.command, goes_on.states[1].hand)
    assert goes_on.history.state.winner is not None


def test_the_peg_of_a_person_in_a_box_is_the_persons_to_move() -> None:
    """Z7: the dealer moves only the pegs of computers in a box."""
    setup = setup_for(3)
    box = next(zone.box[0] for zone in setup.track.zones if zone.kind is ZoneKind.PENALTY_BOX)
    state = new_game(setup)
    for command in (Peg(side=1, points=box - 1), Peg(side=1, points=1), Deal()):
        state = apply_all(state, decide(state, command))
    for people in ((1,), (2, 3)):
        done = play_out(state, children(3, 4), seed=9, people=people)
        moved = MoveInBox(side=1) in [do.command for do in done.applied]
        assert moved == (1 not in people)


def test_a_boxed_side_sits_out_and_moves_once_a_hand() -> None:
    """A boxed side gets no cards, and moves its peg in each hand after its entry (Z7, Z11)."""
    moves = owed = boxed = 0
    for seed in range(6):
        played = game(3, seed)
        moves += sum(isinstance(do.command, MoveInBox) for do in played.applied)
        boxed += sum(event.kind is Kind.BOXED for event in played.events)
        for step, state in zip(played.steps, played.states, strict=True):
            if isinstance(step, Announce) and not step.events:
                out = state.boxed_side()
                in_deal = {state.setup.side_of(hand.seat) for hand in step.hand.hands}
                assert {1, 2, 3} - {out} == in_deal
                stay = state.pegs(out).boxed if out else None
                owed += bool(stay and stay.may_move)
    assert boxed > 0
    assert moves > boxed
    assert 0 == owed


def test_who_folds_plays_no_more_in_this_hand() -> None:
    """A side that has folded is not asked, shows nothing and has no card left to play (Z5)."""
    folds = 0
    for seed in range(4):
        played = game(3, seed)
        for step, state in zip(played.steps, played.states, strict=True):
            out = {side for side in state.setup.sides if state.pegs(side).folded}
            folds += bool(out)
            if isinstance(step, Request):
                assert state.setup.side_of(step.seat) not in out
            if isinstance(step, Apply) and step.count:
                assert state.setup.side_of(step.count.seat) not in out
    assert folds > 0


# Answers


@pytest.mark.parametrize("players", PLAYERS)
def test_who_is_asked_can_answer(players: int) -> None:
    """A seat with over four cards must discard, and one with a fitting card must play (T3, P1)."""
    dealt = {2: {6}, 3: {5, 6}, 4: {5}, 6: {5}}
    sizes = set()
    for ask in game(players, 3).requests:
        if isinstance(ask.request, DiscardRequest):
            sizes.add(len(ask.request.hand))
        else:
            assert ask.request.playable
            assert ask.request.cards_left[0] == len(ask.request.hand)
    assert sizes <= dealt[players]
    assert sizes


def test_an_answer_against_the_rules_is_asked_again() -> None:
    """The same seat is asked again, with the error of the rules (P1, P8, T3)."""
    players = children(2, 1)
    refused: set[str | None] = set()
    wrong: list[Answer] = []

    def answer(ask: Request) -> Answer:
        if ask.refused:
            refused.add(ask.refused.rule)
            return chosen(players[ask.seat], ask)
        if isinstance(ask.request, DiscardRequest):
            return ask.request.hand[:1]
        wrong.append(None)
        return None if len(wrong) % 2 else ask.request.starter

    played = play_out(setup_for(2), players, seed=1, answer=answer)
    assert {"T3", "P1", "P8"} == refused
    assert played.history.state.winner is not None
    for one, other in pairwise(played.steps):
        if isinstance(other, Request) and other.refused:
            assert isinstance(one, Request)
            assert (one.seat, one.request) == (other.seat, other.request)
            assert isinstance(other.refused, RuleError)
