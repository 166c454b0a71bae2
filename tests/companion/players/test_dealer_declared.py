"""Games in which sides declare their counts: the requests of the dealer and their effects."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from companion.players.steps import Announce, Apply, Challenge, DealerStep, Declare, Request
from companion.rules.deal import CountKind, Phase
from companion.rules.deal.declared_count import DECLARED_KINDS, corrections
from companion.rules.game import Command, History, HouseRules, Muggins, Peg, Undo, muggins_applies
from tests.companion.rules.cards.slow_count import slow_play, slow_show
from tests.support.card_games import GameRun, children, play_out, setup_for

ON = HouseRules(board="classic", game_to=121, muggins="on", muggins_counts="missed-and-overcalled")
PLAYERS = (2, 3, 4, 6)


def counted(step: Declare) -> int:
    """Return the points of the cards, counted slowly."""
    cards, starter = list(map(str, step.request.cards)), step.request.starter
    if starter is None:
        return sum(points for _, points in slow_play(cards))
    return sum(slow_show(cards, str(starter), crib=step.request.crib).values())


def game(players: int, seed: int, *, rules: HouseRules = ON, wrong: float = 0.0) -> GameRun:
    """Play a game in which the next side calls muggins on each wrong count."""
    rng = random.Random(seed)

    def declare(step: Declare) -> int:
        return max(0, counted(step) + (rng.randint(-3, 3) if rng.random() < wrong else 0))

    def call(step: DealerStep, history: History) -> Command | None:
        if not isinstance(step, Challenge) or step.count.declared == step.count.actual:
            return None
        state, count = history.state, step.count
        if count in called or state.winner is not None:
            return None
        called.append(count)
        by = next(side for side in state.others(count.side))
        points = abs(count.actual - (count.declared or 0))
        return corrections(count, by, points, overcalls_score=True)[0]

    called: list[object] = []
    setup = setup_for(players, board="classic", rules=rules)
    return play_out(setup, children(players, seed), seed=seed, declare=declare, interfere=call)


@pytest.mark.parametrize("players", PLAYERS)
def test_every_card_and_hand_is_counted_by_its_side(players: int) -> None:
    """M1, M4: sides declare cards and hands, except leads; other counts are the dealer's."""
    played = game(players, 1)
    steps = played.steps
    assert all(counted(step) == step.count.actual for step in steps if isinstance(step, Declare))
    for before, step in pairwise(steps):
        if isinstance(before, Announce) and before.hand.phase is not Phase.OVER and before.events:
            due = before.hand.due
            is_lead = len(before.hand.pile) == 1 and before.hand.phase is Phase.PLAY
            by_cards = due is not None and due.why in DECLARED_KINDS and not is_lead
            assert isinstance(step, Declare) == by_cards == before.points_hidden
    assert any(step.count.actual == 0 for step in steps if isinstance(step, Declare))
    assert played.history.state.winner is not None


@pytest.mark.parametrize("players", PLAYERS)
def test_calls_leave_each_side_what_is_its_own(players: int) -> None:
    """M2: a side keeps the points that it found, and loses too many; the caller has the rest."""
    played = game(players, 3, wrong=0.5)
    setup = played.history.state.setup
    points = dict.fromkeys(setup.sides, 0)
    for step in played.steps:
        if isinstance(step, Apply) and isinstance(step.command, Peg):
            points[step.command.side] += step.command.points
    commands = [entry.command for entry in played.entries]
    called = [command for command in commands if isinstance(command, Muggins)]
    assert called
    for command in called:
        points[command.by] += command.points
        points[command.erring] -= command.points if command.kind == "overcalled" else 0
    state = played.history.state
    assert {t: min(n, 121) for t, n in points.items()} == {t: state.progress(t) for t in points}


def test_beyond_muggers_alley_the_cards_are_counted() -> None:
    """M3: the front peg before the count decides; there a count of nothing is not pegged."""
    rules = replace(ON, muggins="alley", board="crib-wars", game_to=None)
    played = play_out(setup_for(2, rules=rules), children(2, 5), seed=5, declare=counted)
    beyond = 0
    for step, state in zip(played.steps, played.states, strict=True):
        if isinstance(step, Declare):
            assert muggins_applies(state, step.count.side)
        if isinstance(step, Apply) and step.count and step.count.why in DECLARED_KINDS:
            outside = not muggins_applies(state, step.count.seat)
            beyond += outside
            assert outside == (step.cause is not None)
    assert beyond > 10


def test_cards_go_on_by_themselves_only_after_the_others_were_asked() -> None:
    """After a count without a choice, the challenge closes before the cards go on."""
    closing = 0
    played = game(2, 4)
    for before, step in pairwise(played.steps):
        if isinstance(before, Challenge) and isinstance(step, Announce):
            shown = step.hand.phase is not Phase.PLAY or step.hand.due or not step.hand.pile
            assert before.closes == bool(shown)
            closing += before.closes
    assert closing > 10


@pytest.mark.parametrize("later", [False, True])
def test_a_count_taken_back_is_declared_again(later: bool) -> None:
    """An undone count of the same cards is declared again, also after another card was played."""

    def taken_back(step: DealerStep, history: History) -> Command | None:
        last = history.last.command if history.last else None
        if done or not isinstance(last, Peg) or last.why is not CountKind.PLAY:
            return None
        if isinstance(step, Declare if later else Request):
            done.append(last)
            return Undo()
        return None

    done: list[Peg] = []
    setup = setup_for(2, board="classic", rules=ON)
    played = play_out(setup, children(2, 2), seed=2, declare=counted, interfere=taken_back)
    commands = [entry.command for entry in played.entries]
    at = commands.index(Undo())
    assert [done[0], Undo(), done[0]] == commands[at - 1 : at + 2]
    assert played.history.state.winner is not None
