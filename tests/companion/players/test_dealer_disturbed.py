"""Changes of the game from outside, and the reaction of the dealer."""

import random
from collections.abc import Callable

import pytest

from companion.board.zone_kinds import ZoneKind
from companion.errors import RuleError
from companion.players import DiscardRequest, PlayRequest
from companion.players.steps import Announce, Apply, DealerStep, Request, Won
from companion.rules.deal import Folded, Phase
from companion.rules.game import (
    Claim,
    Command,
    Deal,
    History,
    MoveInBox,
    NewGame,
    Overpeg,
    Peg,
    Penalty,
    Setup,
    State,
    Undo,
    new_game,
)
from tests.support.card_games import GameRun, Interference, children, play_out, regulars, setup_for

Wants = Callable[[DealerStep, State], bool]


class Once:
    """Interference by one command at the first step of the kind `at`."""

    def __init__(self, command: Command, wants: Wants) -> None:
        self._command, self._wants = command, wants
        self._seen = 0
        self.at: int | None = None

    def __call__(self, step: DealerStep, history: History) -> Command | None:
        """Return the command at its step."""
        self._seen += 1
        if self.at is not None or not self._wants(step, history.state):
            return None
        self.at = self._seen - 1
        return self._command

    def disturbed(self, played: GameRun) -> tuple[DealerStep, list[DealerStep], State]:
        """Return the disturbed step, the steps after it, and the state after the command."""
        assert self.at is not None
        following = played.steps[self.at + 1 :]
        states = [*played.states, played.history.state]
        return played.steps[self.at], following, states[self.at + 1]


def in_play(step: DealerStep, _state: State) -> bool:
    """Return True if a seat is asked for its second card."""
    return isinstance(step, Request) and len(step.request.hand) == 3


def test_a_penalty_in_the_play_changes_no_card() -> None:
    """The same seat is asked again, with the same cards and the moved pegs (N)."""
    once = Once(Penalty(rule="N12", by=1, taken=(2,)), in_play)
    played = play_out(setup_for(2), children(2, 3), seed=3, interfere=once)
    requested, (again, *_), state = once.disturbed(played)
    assert isinstance(requested, Request)
    assert isinstance(again, Request)
    assert (requested.seat, requested.request.hand, None) == (
        again.seat,
        again.request.hand,
        again.refused,
    )
    assert requested.request.fronts != again.request.fronts
    around = (1, 2) if again.seat == 1 else (2, 1)
    assert tuple(state.pegs(side).front for side in around) == again.request.fronts
    assert played.history.state.winner is not None


def test_a_count_taken_back_is_not_made_again() -> None:
    """The cards stay, and the hand goes on from the pegs as they are."""

    def counted(step: DealerStep, state: State) -> bool:
        return in_play(step, state) and state.counts_in_hand == 1

    once = Once(Undo(), counted)
    played = play_out(setup_for(2), children(2, 5), seed=5, interfere=once)
    requested, (again, *_), state = once.disturbed(played)
    assert 0 == state.counts_in_hand
    assert isinstance(requested, Request)
    assert isinstance(again, Request)
    assert (requested.seat, requested.request.hand) == (again.seat, again.request.hand)
    hand = next(reported.hand for reported in played.announced if reported.hand.phase is Phase.SHOW)
    assert [4, 4] == [len(held.cards) for held in hand.hands]
    done = [entry.command for entry in played.entries]
    taken_back = done.index(Undo())
    assert done[taken_back - 1] != done[taken_back + 1]


def test_after_a_win_taken_back_the_hand_goes_on() -> None:
    """G2: the winning count is not pegged again; the later counts of the cards are."""
    once = Once(Undo(), lambda step, _state: isinstance(step, Won))
    played = play_out(setup_for(2), regulars(2), seed=1, interfere=once)
    assert once.at is not None
    after = played.steps[once.at + 1 :]
    before = [reported for reported in played.steps[: once.at] if isinstance(reported, Announce)]
    going_on = next(step for step in after if isinstance(step, Announce))
    assert () == going_on.events
    assert going_on.hand.phase is before[-2].hand.phase
    assert going_on.hand.hands == before[-2].hand.hands
    counts = [step.count for step in after if isinstance(step, Apply) and step.count]
    won_by = [step.count for step in played.steps[: once.at] if isinstance(step, Apply)][-1]
    assert won_by is not counts[0]
    assert played.history.state.winner is not None


@pytest.mark.parametrize("asks", [DiscardRequest, PlayRequest])
def test_a_deal_of_somebody_elses_puts_the_cards_away(asks: type) -> None:
    """After a press of Deal within a hand, the next hand is dealt once, by its own dealer (T2)."""

    def wants(step: DealerStep, state: State) -> bool:
        return isinstance(step, Request) and isinstance(step.request, asks) and state.hand == 2

    once = Once(Deal(), wants)
    played = play_out(setup_for(2), children(2, 6), seed=6, interfere=once)
    _, (dealt, *_), state = once.disturbed(played)
    assert isinstance(dealt, Announce)
    assert () == dealt.events
    assert (3, state.dealer) == (state.hand, dealt.hand.seating.dealer)
    assert played.history.state.winner is not None


def test_a_deal_taken_back_is_dealt_again() -> None:
    """The hand before has counts, so the dealer goes on to the next hand."""

    def wants(step: DealerStep, state: State) -> bool:
        return isinstance(step, Request) and state.hand == 3

    once = Once(Undo(), wants)
    played = play_out(setup_for(2), children(2, 7), seed=7, interfere=once)
    _, (do, dealt, *_), state = once.disturbed(played)
    assert (2, Apply(command=Deal())) == (state.hand, do)
    assert isinstance(dealt, Announce)
    assert () == dealt.events


def test_a_side_that_folds_meanwhile_folds_its_cards() -> None:
    """Z5: two points of a penalty that land in a box fold hand and crib, as a count does."""
    once = Once(Penalty(rule="N12", by=2, taken=(1,)), in_play)
    played = play_out(near_a_box(setup_for(2)), children(2, 1), seed=1, interfere=once)
    _, (folded, *_), _ = once.disturbed(played)
    assert isinstance(folded, Announce)
    assert Folded(side=1) in folded.events
    assert [True, False] == [folded.hand.hand(seat).folded for seat in (1, 2)]


def near_a_box(setup: Setup) -> State:
    """Return a game in which two points take side 1 into a box, in a hand without counts."""
    history = History(new_game(setup))
    box = min(
        hole for zone in setup.track.zones for hole in zone.box if zone.kind is ZoneKind.PENALTY_BOX
    )
    for command in (Peg(side=1, points=box - 2), Deal()):
        history.do(command)
    return history.state


def test_a_side_that_is_found_to_sit_in_a_box_plays_no_cards() -> None:
    """N11, Z7: a corrected count of the last hand lands in a box, so the side plays no cards."""
    history = History(new_game(setup_for(3)))
    history.do(Peg(side=1, points=25))
    history.do(Deal())
    once = Once(Overpeg(side=1, extra=1), lambda step, _: isinstance(step, Request))
    played = play_out(history.state, children(3, 1), seed=1, interfere=once)
    _, (reported, *_), state = once.disturbed(played)
    assert (22, False) == (state.pegs(1).front, state.pegs(1).folded)
    assert isinstance(reported, Announce)
    assert Folded(side=1) in reported.events


@pytest.mark.parametrize("left", [2, 6])
def test_a_game_given_away_is_over(left: int) -> None:
    """N10: after a claim nothing is asked or done, and the cards are put down."""

    def wants(step: DealerStep, _state: State) -> bool:
        return isinstance(step, Request) and len(step.request.hand) == left

    once = Once(Claim(rule="N10", by=1, game_to=2), wants)
    played = play_out(setup_for(2), children(2, 2), seed=2, interfere=once)
    _, (last, won), state = once.disturbed(played)
    assert Won() == won
    assert isinstance(last, Announce)
    assert (Phase.OVER, 2) == (last.hand.phase, state.winner)


def test_a_new_game_with_other_sides_is_left_alone() -> None:
    """The dealer ends if a game with other sides begins."""
    once = Once(NewGame(sides=(1, 3)), in_play)
    played = play_out(setup_for(2), children(2, 2), seed=2, interfere=once)
    _, following, state = once.disturbed(played)
    assert ([], (1, 3)) == (following, state.setup.sides)


def test_what_has_become_wrong_is_not_insisted_on() -> None:
    """Z5: if a side folds before its count is pegged, the count is lost and the hand goes on."""

    def own_count(step: DealerStep, _state: State) -> bool:
        return isinstance(step, Apply) and isinstance(step.command, Peg) and is_first(step)

    def is_first(do: Apply) -> bool:
        return getattr(do.command, "side", None) == 1

    once = Once(Penalty(rule="N12", by=2, taken=(1,)), own_count)
    played = play_out(near_a_box(setup_for(2)), children(2, 1), seed=4, interfere=once)
    do, (reported, *_), state = once.disturbed(played)
    assert state.pegs(1).folded
    assert isinstance(do, Apply)
    assert do.command not in [entry.command for entry in played.entries[:3]]
    assert isinstance(reported, Announce)
    assert Folded(side=1) in reported.events
    assert played.history.state.winner is not None


INTERFERENCES = 60
"""Most interferences: a game in which they never stop has no end."""


def anybody(seed: int) -> Interference:
    """Return an interference that does anything at any time that the rules allow."""
    rng = random.Random(seed)
    left = iter(range(INTERFERENCES))

    def interfere(_moment: DealerStep, history: History) -> Command | None:
        command = anything(rng, history.state)
        if rng.random() > 1 / 20 or not is_taken(history, command) or next(left, None) is None:
            return None
        return command

    return interfere


def anything(rng: random.Random, state: State) -> Command:
    """Return a random command."""
    side = rng.choice(state.setup.sides)
    chances: list[Command] = [
        *[Undo()] * 5,
        Deal(),
        Peg(side=side, points=rng.randint(1, 29)),
        Penalty(rule="N12", by=side, taken=state.others(side)),
        MoveInBox(side=side),
        Overpeg(side=side, extra=1),
        NewGame(),
    ]
    return rng.choice(chances)


def is_taken(history: History, command: Command) -> bool:
    """Return True if the rules accept the command."""
    try:
        history.decide(command)
    except RuleError:
        return False
    return True


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_nothing_that_others_do_stops_the_dealer(players: int, seed: int) -> None:
    """After any interference the game comes to a win, and all hands are dealt whole."""
    played = play_out(
        setup_for(players), children(players, seed), seed=seed, interfere=anybody(seed)
    )
    assert played.history.state.winner is not None
    assert len(played.entries) > len(played.applied)
    for reported in played.announced:
        if reported.hand.phase is Phase.SHOW:
            assert {4} == {len(hand.cards) for hand in reported.hand.hands}
