"""Stances: each count leads where the game says, for every board and house rule."""

from functools import cache

import numpy as np
import pytest
from msgspec import structs

from companion.board import Track, load_board
from companion.board.zone_kinds import PENALTY_HOLES
from companion.errors import BadInputError
from companion.players.values.stances import OCCUPIED, Stance, Stances, stances_of
from companion.rules.game import HouseRules, Peg, Setup, State, apply_all, decide, new_game
from tests.support.boards import CLASSIC, CRIB_WARS, CROWDED

BOARDS = {
    "crib-wars": (CRIB_WARS, HouseRules()),
    "to 220": (CRIB_WARS, HouseRules(game_to=214)),
    "crowded": (CROWDED, HouseRules()),
    "exact": (CROWDED, HouseRules(finish="exact")),
    "harsh": (CROWDED, HouseRules(back_lands=True, award_lands=False)),
    "classic": (CLASSIC, HouseRules(board="classic", heels_ban=0)),
}


@pytest.fixture(params=BOARDS, name="setup")
def _setup(request: pytest.FixtureRequest) -> Setup:
    track, rules = BOARDS[request.param]
    return Setup.make(track, rules, sides=(1, 2))


def in_play(stances: Stances) -> list[Stance]:
    """Return the stances of a peg that may count."""
    return [
        stance
        for stance in stances.numbers
        if stance.out is None and (isinstance(stance.hole, str) or stance.hole >= 0)
    ]


def position(setup: Setup, first: Stance, second: Stance) -> State:
    """Return a game with its two pegs in these stances."""
    state = new_game(setup)
    sides = [
        structs.replace(
            side, front=stance.hole, landed=stance.landed, folded=stance.out is not None
        )
        for side, stance in zip(state.all_pegs, (first, second), strict=False)
    ]
    return structs.replace(state, all_pegs=(*sides, *state.all_pegs[2:]))


def test_every_count_from_every_place(setup: Setup) -> None:
    """A side's stance after a count, and whether it goes on, are those of the game."""
    stances = stances_of(setup.track, setup.rules, 2)
    by_number = {number: stance for stance, number in stances.numbers.items()}
    other = Stance(hole=1)
    for stance in in_play(stances):
        if stance.hole == setup.track.finish:
            continue
        for points in (*range(1, 13), 20, 29):
            before = position(setup, stance, other)
            pegs = apply_all(before, decide(before, Peg(side=1, points=points))).all_pegs[0]
            landed = by_number[int(stances.landing[stances.numbers[stance], points])]
            assert (pegs.front, pegs.landed) == (landed.hole, landed.landed)
            assert pegs.folded == (landed.out is not None) == bool(landed.owes)


def test_awards_from_every_place(setup: Setup) -> None:
    """After another side's penalty box a side is where the game puts it (Z6, Z9, Z10)."""
    stances = stances_of(setup.track, setup.rules, 2)
    by_number = {number: stance for stance, number in stances.numbers.items()}
    snare = penalised_from(setup)
    for stance in in_play(stances):
        if stance.hole == setup.track.finish:
            continue
        taken = by_number[int(stances.award[stances.numbers[stance]])]
        if snare is None:
            assert stance == taken
            continue
        before = position(setup, Stance(hole=snare), stance)
        pegs = apply_all(before, decide(before, Peg(side=1, points=1))).all_pegs[1]
        assert (pegs.front, pegs.landed) == (taken.hole, taken.landed)


def penalised_from(setup: Setup) -> int | None:
    """Return a hole from which one point ends in a penalty box."""
    boxes = [zone for zone in setup.track.zones if zone.kind == "penalty-box"]
    return boxes[0].box[0] - 1 if boxes else None


def test_nobody_counts_from_the_finish_or_out_of_play(setup: Setup) -> None:
    """The win is the end, and a folded side stays until the next deal (Z5, Z12)."""
    stances = stances_of(setup.track, setup.rules, 2)
    for stance, number in stances.numbers.items():
        if stance.out is not None or stance.hole == setup.track.finish:
            assert {number} == set(stances.landing[number].tolist())


def test_what_is_owed_is_reckoned_with_the_next_deal() -> None:
    """A side with a debt begins the next deal that much further back."""
    stances = stances_of(CRIB_WARS, HouseRules(), 2)
    owing = stances.numbers[Stance(hole=193, out=0, owes=PENALTY_HOLES)]
    assert stances.numbers[Stance(hole=173)] == stances.next_deal[owing]
    paid = stances.settled[owing]
    assert stances.numbers[Stance(hole=193, out=0)] == paid
    assert stances.numbers[Stance(hole=193)] == stances.next_deal[paid]


def test_three_hands_in_the_box() -> None:
    """A boxed side moves a hole a hand, sits three hands and plays on from the last (Z7).

    Each hand brings the others 2.6 points more, so the side first counts off 8.
    """
    stances = stances_of(CRIB_WARS, HouseRules(), 3)
    by_number = {number: stance for stance, number in stances.numbers.items()}
    route = [by_number[int(stances.landing[stances.number(210), 3])]]
    for _ in range(4):
        route.append(by_number[int(stances.next_deal[stances.numbers[route[-1]]])])
    holes = [(212, 3), (213, 2), (214, 1), (214, 0), (214, None)]
    assert holes == [(stance.hole, stance.out) for stance in route]
    assert [0, pytest.approx(2.64, abs=0.05)] == [route[1].owes, route[2].owes]
    assert route[1] == by_number[stances.number(213, 2)]
    for points, (hole, owes) in {3: (214, 5), 8: (214, 0), 9: (215, 0)}.items():
        counted = by_number[int(stances.landing[stances.numbers[route[-1]], points])]
        assert (hole, owes) == (counted.hole, counted.owes)


def test_a_box_that_another_side_sits_in() -> None:
    """The newcomer begins the next deal 20 back and owes the third side as much (Z8)."""
    stances = stances_of(CRIB_WARS, HouseRules(), 3)
    box = stances.landing[stances.number(210), 3]
    assert box in stances.boxes
    before = stances.before_deal(np.arange(len(stances.landing), dtype=float))
    sits, back = stances.next_deal[box], stances.numbers[Stance(hole=172)]
    assert before[box] == pytest.approx((1 - OCCUPIED) * sits + OCCUPIED * back)
    after = stances.after_deal(np.eye(len(stances.landing))[box])
    assert {int(sits): 1 - OCCUPIED, int(back): OCCUPIED} == {
        int(stance): pytest.approx(after[stance]) for stance in np.flatnonzero(after)
    }


def test_a_front_peg_on_a_trap_has_landed() -> None:
    """A request does not say so, but nearly all pegs come there by a landing."""
    stances = stances_of(CRIB_WARS, HouseRules(), 2)
    assert stances.numbers[Stance(hole=131, landed=True)] == stances.number(131)
    assert stances.numbers[Stance(hole="trap-1:2")] == stances.number("trap-1:2")


@pytest.mark.parametrize("hole", [364, -1, "trap-9:1", "nowhere"])
def test_no_such_place(hole: int | str) -> None:
    """A hole that the board does not have gives an error of one line."""
    stances = stances_of(CRIB_WARS, HouseRules(), 2)
    with pytest.raises(BadInputError, match="no hole"):
        stances.number(hole)


@cache
def shipped() -> Track:
    """Return the shipped track."""
    return load_board("crib-wars").track


def test_places_are_found_once() -> None:
    """The same board, rules and sides give the same object."""
    assert stances_of(shipped(), HouseRules(), 2) is stances_of(shipped(), HouseRules(), 2)
