"""Win chances, compared with games that are played out and with known values."""

import random

import numpy as np
import pytest
from msgspec import structs

from companion.board import load_board
from companion.errors import RuleError
from companion.players.values.win_chance import best_option, win_chances, with_choices
from companion.rules.game import (
    Deal,
    GameCommand,
    HouseRules,
    MoveInBox,
    Muggins,
    Overpeg,
    Peg,
    Penalty,
    SetPegs,
    Setup,
    State,
    apply_all,
    decide,
    new_game,
)
from tests.support.card_games import play_out, regulars, setup_for

ROUNDING = 0.002
BINS = 10
ERRORS = 2.5
"""Standard errors by which a bin may be off; the counts of one game have one outcome."""
STEP = 5
"""Counts from one that is judged to the next, as neighbours say nearly the same."""


def standing(fronts: tuple[int, ...], rules: HouseRules) -> State:
    """Return a new game with its front pegs on these holes."""
    state = new_game(setup_for(len(fronts), rules=rules))
    sides = tuple(structs.replace(s, front=f) for s, f in zip(state.all_pegs, fronts, strict=True))
    return structs.replace(state, all_pegs=sides)


def played(setup: Setup, *commands: GameCommand) -> State:
    """Return a game after commands."""
    state = new_game(setup)
    for command in commands:
        state = apply_all(state, decide(state, command))
    return state


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_the_first_dealer_is_a_little_ahead_among_equals(players: int) -> None:
    """Before the first count the chances are equal, but of two the dealer wins 55 to 57 in 100."""
    found = win_chances(new_game(setup_for(players, board="classic")))
    assert abs(sum(found.values()) - 1) < ROUNDING
    assert max(found, key=lambda side: found[side]) == 1
    if players == 2:
        assert 0.55 < found[1] < 0.57


@pytest.mark.parametrize(
    ("fronts", "best"),
    [
        ((100, 100), "kept"),
        ((20, 100), None),  # they end in a penalty box
        ((100, 20), "given back"),  # they take the other side into it
        ((361, 20), "kept"),
    ],
)
def test_points_are_taken_as_they_raise_the_chance(
    fronts: tuple[int, int], best: str | None
) -> None:
    """M3, Z: points are taken, given back or left, whichever is best, and by the rules."""
    state = structs.replace(standing(fronts, HouseRules(muggins="on")), counts=1)
    kept = Muggins(erring=2, by=1, points=2, where="show", kind="missed")
    options = {
        "refused": structs.replace(kept, kind="overcalled"),
        "kept": kept,
        "given back": structs.replace(kept, given_back=True),
    }
    found = best_option(state, 1, options.values())
    assert best == next((name for name, each in options.items() if each is found), None)


@pytest.mark.parametrize(
    ("fronts", "asked", "penalty", "overpeg"),
    [
        ((100, 100, 100), (2, 3), (2, 3), 2),
        ((100, 20, 100), (2, 3), (3,), 3),  # two more end in a penalty box
        ((100, 20, 100), (3,), (2, 3), 3),
        ((100, 20, 20), (2, 3), (), None),
        ((100, 100, 20), (1, 3), (2,), None),
    ],
)
def test_computers_take_what_raises_their_chance(
    fronts: tuple[int, ...], asked: tuple[int, ...], penalty: tuple[int, ...], overpeg: int | None
) -> None:
    """N9, N11: computers leave points that lower their chance; people keep their choice."""
    state = standing(fronts, HouseRules())
    given = Penalty(rule="N9", by=1, taken=(2,))
    taken = with_choices(state, given, asked)
    assert isinstance(taken, Penalty)
    assert penalty == tuple(sorted(taken.taken))
    pegged = apply_all(state, decide(state, Peg(side=1, points=4)))
    wanted = Overpeg(side=1, extra=2, taken_by=overpeg)
    assert wanted == with_choices(pegged, structs.replace(wanted, taken_by=None), asked)


def test_a_choice_that_the_rules_or_people_make_is_left() -> None:
    """N3, N11: opponents take at once, or a person's side has taken the points."""
    state = played(setup_for(2, rules=HouseRules(penalty_to="opponents")), Peg(side=1, points=4))
    for command in (
        Penalty(rule="N9", by=1, taken=(2,)),
        Overpeg(side=1, extra=2, taken_by=2),
        Peg(side=2, points=20),
    ):
        assert command == with_choices(state, command, (1,))


@pytest.mark.parametrize(
    ("fronts", "given_back"), [((100, 100), False), ((100, 20), True), ((20, 100), None)]
)
def test_computers_choose_where_points_of_muggins_go(
    fronts: tuple[int, int], given_back: bool | None
) -> None:
    """M3: points are kept or given back, whichever is better; if both are bad there is no call."""
    state = standing(fronts, HouseRules(muggins="on"))
    call = Muggins(erring=2, by=1, points=2, where="show", kind="missed", given_back=not given_back)
    if given_back is None:
        with pytest.raises(RuleError, match="not raise its chance"):
            with_choices(state, call, (1,))
    else:
        assert structs.replace(call, given_back=given_back) == with_choices(state, call, (1,))


def test_a_won_game_is_certain() -> None:
    """The winner has the chance 1, and each other side 0."""
    state = played(setup_for(3), SetPegs(side=2, front=360, back=340), Peg(side=2, points=3))
    assert {1: 0.0, 2: 1.0, 3: 0.0} == win_chances(state)


def test_what_helps_a_side_raises_its_chance() -> None:
    """A hole more or an advance raises the chance; a penalty box or others' points lower it."""
    setup = setup_for(2)

    def chance(*commands: GameCommand) -> float:
        pegs = [SetPegs(side=side, front=196, back=190) for side in setup.sides]
        return win_chances(played(setup, *pegs, *commands))[1]

    assert chance(Peg(side=2, points=2)) < chance(Peg(side=1, points=2))
    advanced = chance(Peg(side=1, points=4))  # to 200, whose path ends at 236
    assert chance(Peg(side=1, points=3)) < advanced
    assert chance(Peg(side=1, points=16)) < chance(Peg(side=2, points=2))  # 212 is a penalty box


def test_who_counts_first_wins_where_both_are_a_hole_away() -> None:
    """The pone counts before the dealer (G2); later in the deal the dealer has the chance."""
    setup = setup_for(2, board="classic")
    pegs = (SetPegs(side=side, front=115, back=100) for side in setup.sides)
    state = structs.replace(played(setup, *pegs, Deal()), counts_in_hand=0)
    pone = next(side for side in setup.sides if side != setup.side_of(state.dealer))
    early, late = win_chances(state), win_chances(structs.replace(state, counts_in_hand=40))
    assert early[pone] > 0.5
    assert late[pone] < early[pone]


@pytest.mark.parametrize("seed", range(4))
def test_every_state_has_chances(seed: int) -> None:
    """The chances have the sum 1 in all states: folded, boxed, carried or set back."""
    rng = random.Random(seed)
    rules = HouseRules(
        back_lands=bool(seed % 2), award_lands=seed < 2, finish=rng.choice(("exact", "overshoot"))
    )
    state = new_game(setup_for(2 + seed % 2, rules=rules))
    for _ in range(120):
        commands: list[GameCommand] = [
            Deal(),
            *(MoveInBox(side=side) for side in state.setup.sides),
            *(Peg(side=side, points=rng.randint(1, 29)) for side in state.setup.sides * 4),
        ]
        command = rng.choice(commands)
        try:
            state = apply_all(state, decide(state, command))
        except RuleError:
            continue
        found = win_chances(state)
        assert abs(sum(found.values()) - 1) < ROUNDING
        assert min(found.values()) >= 0


@pytest.mark.deep
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("board", "players", "games", "brier"),
    [("crib-wars", 2, 240, 0.215), ("classic", 2, 240, 0.185), ("crib-wars", 3, 80, 0.19)],
)
def test_chances_are_those_of_games_among_equals(
    board: str, players: int, games: int, brier: float
) -> None:
    """Of the counts with a chance of 70 %, about 70 % are in won games; the Brier score is small.

    An even share for each side would score 0.25 for two and 0.222 for three.
    """
    setup = setup_for(players, board=board, rules=HouseRules(board=load_board(board).name))
    reported, won, of_game = [], [], []
    for seed in range(games):
        entries = play_out(setup, regulars(players), seed=seed).entries
        winner = entries[-1].state.winner
        for entry in entries[seed % STEP : -1 : STEP]:
            for side, chance in win_chances(entry.state).items():
                reported.append(chance)
                won.append(side == winner)
                of_game.append(seed)
    chances, outcomes = np.array(reported), np.array(won, dtype=float)
    score = ((chances - outcomes) ** 2).mean()
    assert score < brier < ((1 / len(setup.sides) - outcomes) ** 2).mean()
    bins = np.minimum((chances * BINS).astype(int), BINS - 1)
    for number in range(BINS):
        inside = bins == number
        if inside.any():
            off = ERRORS * (0.25 / len(set(np.array(of_game)[inside]))) ** 0.5
            assert abs(chances[inside].mean() - outcomes[inside].mean()) < off
