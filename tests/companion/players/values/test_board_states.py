"""BoardStates: where each count leads is the game's word, for every board and house rule."""

from functools import cache

import numpy as np
import pytest
from msgspec import structs

from companion.board import Track, load_board
from companion.board.zone_kinds import PENALTY_HOLES
from companion.errors import BadInputError
from companion.players.values.board_states import (
    OCCUPIED,
    BoardState,
    BoardStates,
    board_states_of,
)
from companion.rules.game import HouseRules, Peg, Setup, State, apply_all, decide, new_game
from tests.support.tracks import CLASSIC, CRIB_WARS, CROWDED

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


def in_play(places: BoardStates) -> list[BoardState]:
    """The places where a peg can stand that counts."""
    return [
        place
        for place in places.numbers
        if place.out is None and (isinstance(place.hole, str) or place.hole >= 0)
    ]


def position(setup: Setup, first: BoardState, second: BoardState) -> State:
    """A game with its two pegs there."""
    state = new_game(setup)
    sides = [
        structs.replace(side, front=place.hole, landed=place.landed, folded=place.out is not None)
        for side, place in zip(state.all_pegs, (first, second), strict=False)
    ]
    return structs.replace(state, all_pegs=(*sides, *state.all_pegs[2:]))


def test_every_count_from_every_place(setup: Setup) -> None:
    """A side's place after a count, and whether it goes on, are those of the game."""
    places = board_states_of(setup.track, setup.rules, 2)
    by_number = {number: place for place, number in places.numbers.items()}
    other = BoardState(hole=1)
    for place in in_play(places):
        if place.hole == setup.track.finish:
            continue
        for points in (*range(1, 13), 20, 29):
            before = position(setup, place, other)
            pegs = apply_all(before, decide(before, Peg(side=1, points=points))).all_pegs[0]
            landed = by_number[int(places.landing[places.numbers[place], points])]
            assert (pegs.front, pegs.landed) == (landed.hole, landed.landed)
            assert pegs.folded == (landed.out is not None) == bool(landed.owes)


def test_awards_from_every_place(setup: Setup) -> None:
    """The place to which the other's penalty box takes a side is that of the game (Z6, Z9, Z10)."""
    places = board_states_of(setup.track, setup.rules, 2)
    by_number = {number: place for place, number in places.numbers.items()}
    snare = penalised_from(setup)
    for place in in_play(places):
        if place.hole == setup.track.finish:
            continue
        taken = by_number[int(places.award[places.numbers[place]])]
        if snare is None:
            assert place == taken
            continue
        before = position(setup, BoardState(hole=snare), place)
        pegs = apply_all(before, decide(before, Peg(side=1, points=1))).all_pegs[1]
        assert (pegs.front, pegs.landed) == (taken.hole, taken.landed)


def penalised_from(setup: Setup) -> int | None:
    """A hole from which one point ends in a penalty box."""
    boxes = [zone for zone in setup.track.zones if zone.kind == "penalty-box"]
    return boxes[0].box[0] - 1 if boxes else None


def test_nobody_counts_from_the_finish_or_out_of_play(setup: Setup) -> None:
    """The win is the end, and who has folded stays where it is until the next deal (Z5, Z12)."""
    places = board_states_of(setup.track, setup.rules, 2)
    for place, number in places.numbers.items():
        if place.out is not None or place.hole == setup.track.finish:
            assert {number} == set(places.landing[number].tolist())


def test_what_is_owed_is_reckoned_with_the_next_deal() -> None:
    """A side that owes an award begins the next deal as far back; one that paid stays."""
    places = board_states_of(CRIB_WARS, HouseRules(), 2)
    owing = places.numbers[BoardState(hole=193, out=0, owes=PENALTY_HOLES)]
    assert places.numbers[BoardState(hole=173)] == places.next_deal[owing]
    paid = places.settled[owing]
    assert places.numbers[BoardState(hole=193, out=0)] == paid
    assert places.numbers[BoardState(hole=193)] == places.next_deal[paid]


def test_three_hands_in_the_box() -> None:
    """A boxed side moves a hole a hand, sits three hands and plays on from the last (Z7).

    Each deal that it sits brings the others 2.6 points more: it then counts 8 off first.
    """
    places = board_states_of(CRIB_WARS, HouseRules(), 3)
    by_number = {number: place for place, number in places.numbers.items()}
    way = [by_number[int(places.landing[places.number(210), 3])]]
    for _ in range(4):
        way.append(by_number[int(places.next_deal[places.numbers[way[-1]]])])
    holes = [(212, 3), (213, 2), (214, 1), (214, 0), (214, None)]
    assert holes == [(place.hole, place.out) for place in way]
    assert [0, pytest.approx(2.64, abs=0.05)] == [way[1].owes, way[2].owes]
    assert way[1] == by_number[places.number(213, 2)]
    for points, (hole, owes) in {3: (214, 5), 8: (214, 0), 9: (215, 0)}.items():
        counted = by_number[int(places.landing[places.numbers[way[-1]], points])]
        assert (hole, owes) == (counted.hole, counted.owes)


def test_a_box_that_another_side_sits_in() -> None:
    """The newcomer begins the next deal 20 back and owes the third side as much (Z8)."""
    places = board_states_of(CRIB_WARS, HouseRules(), 3)
    box = places.landing[places.number(210), 3]
    assert box in places.boxes
    before = places.before_deal(np.arange(len(places.landing), dtype=float))
    sits, back = places.next_deal[box], places.numbers[BoardState(hole=172)]
    assert before[box] == pytest.approx((1 - OCCUPIED) * sits + OCCUPIED * back)
    after = places.after_deal(np.eye(len(places.landing))[box])
    assert {int(sits): 1 - OCCUPIED, int(back): OCCUPIED} == {
        int(place): pytest.approx(after[place]) for place in np.flatnonzero(after)
    }


def test_a_front_peg_on_a_trap_has_landed() -> None:
    """A request does not tell; a landing is by far the most frequent way to get there."""
    places = board_states_of(CRIB_WARS, HouseRules(), 2)
    assert places.numbers[BoardState(hole=131, landed=True)] == places.number(131)
    assert places.numbers[BoardState(hole="trap-1:2")] == places.number("trap-1:2")


@pytest.mark.parametrize("hole", [364, -1, "trap-9:1", "nowhere"])
def test_no_such_place(hole: int | str) -> None:
    """A hole that the board does not have is told in one line."""
    places = board_states_of(CRIB_WARS, HouseRules(), 2)
    with pytest.raises(BadInputError, match="no hole"):
        places.number(hole)


@cache
def shipped() -> Track:
    """The shipped track."""
    return load_board("crib-wars").track


def test_places_are_found_once() -> None:
    """The same board, rules and sides give the same object."""
    assert board_states_of(shipped(), HouseRules(), 2) is board_states_of(
        shipped(), HouseRules(), 2
    )
