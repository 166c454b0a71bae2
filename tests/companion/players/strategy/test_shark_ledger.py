"""Counts pegged in many rows at once end where the game puts them."""

import random

import numpy as np
import pytest
from msgspec import structs

from companion.board import Track
from companion.players.strategy.shark import NOBODY, BoardLedger
from companion.players.values.stances import Stances, stances_of
from companion.rules.game import HouseRules, Peg, Setup, State, apply_all, decide, new_game
from tests.support.boards import CRIB_WARS, CROWDED
from tests.training.random_deals import NO_FORESIGHT


def ledger_of(stances: Stances, at: list[int], rows: int, *, sides: int, seats: int) -> BoardLedger:
    """Return a ledger of sides in these stances, without gains and foresight."""
    gains = [np.zeros(stances.landing.shape)] * sides
    return BoardLedger(stances, at, rows, seats=seats, gains=gains, foresight=NO_FORESIGHT)


@pytest.mark.parametrize("track", [CRIB_WARS, CROWDED], ids=["crib-wars", "crowded"])
def test_two_sides_count_in_turn(track: Track) -> None:
    """Slides, traps, boxes with awards, folding and the win are as in the game (Z)."""
    rng = random.Random(track.finish)
    setup = Setup.make(track, HouseRules(), sides=(1, 2))
    stances = stances_of(setup.track, setup.rules, 2)
    holes = {number: stance for stance, number in stances.numbers.items()}
    for _ in range(300):
        state = position(setup, [rng.randrange(track.finish) for _ in range(2)])
        at = [stances.number(pegs.front) for pegs in state.all_pegs]
        ledger = ledger_of(stances, at, 1, sides=2, seats=2)
        # Once a side has folded its own awards are left out (see `Stances`).
        while state.winner is None and not any(pegs.folded for pegs in state.all_pegs):
            seat, points = rng.randrange(2), rng.randint(1, 12)
            ledger.peg(seat, np.array([points]))
            state = apply_all(state, decide(state, Peg(side=seat + 1, points=points)))
            assert ledger.winner[0] == (NOBODY if state.winner is None else state.winner - 1)
            for pegs, number in zip(state.all_pegs, ledger.at[0], strict=True):
                stance = holes[int(number)]
                assert (pegs.front, pegs.landed) == (stance.hole, stance.landed)
                assert pegs.folded == (stance.out is not None)


def position(setup: Setup, fronts: list[int]) -> State:
    """Return a game with its front pegs on these holes; on zones they have landed."""
    state = new_game(setup)
    zones = [setup.track.zone_at(front) for front in fronts]
    sides = (
        structs.replace(side, front=front, landed=zone is not None and zone.diverts)
        for side, front, zone in zip(state.all_pegs, fronts, zones, strict=True)
    )
    return structs.replace(state, all_pegs=tuple(sides))


def test_who_is_out_of_play() -> None:
    """A box takes its side's seats out of the play, and a win takes all seats (Z5, G2)."""
    stances = stances_of(CRIB_WARS, HouseRules(), 2)
    ledger = ledger_of(stances, [stances.number(20), stances.number(360)], 2, sides=2, seats=4)
    out = ledger.peg(2, np.array([0, 2]))
    assert out is not None
    # The award of 20 takes the other side home in the same row.
    assert [[False] * 4, [True] * 4] == out.tolist()
    assert [NOBODY, 1] == ledger.winner.tolist()
    assert ledger.peg(1, np.array([1, 1])) is None
    out = ledger.peg(1, np.array([2, 0]))
    assert out is not None
    assert [[True] * 4, [False] * 4] == out.tolist()
    assert [1, 1] == ledger.winner.tolist()


def test_three_sides_are_held_in_the_box() -> None:
    """Of three sides nobody gets an award, because the box holds the side (Z7)."""
    stances = stances_of(CRIB_WARS, HouseRules(), 3)
    other = stances.number(100)
    ledger = ledger_of(stances, [stances.number(20), other, other], 1, sides=3, seats=3)
    out = ledger.peg(0, np.array([2]))
    assert out is not None
    assert [[True, False, False]] == out.tolist()
    assert [stances.number(22, 3), other, other] == ledger.at[0].tolist()
