"""The view's flashes: one signal at a time at each lamp. The ghost: what a count would cause."""

from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from companion.board import Hole, ZoneKind
from companion.errors import RuleError
from companion.lights import Flash, FlashKind, Ghost, flashing, ghost
from companion.rules.game import HouseRules, Kind, Peg, Setup, State, apply_all, decide, new_game
from tests.companion.lights.games import SMALL, Draw, draws, last_state, setups, small_setup


def flash(kind: FlashKind, t0: float, side: int | None = 1) -> Flash:
    """Return a flash, by default of side 1."""
    return Flash(kind=kind, side=side, t0=t0)


def test_a_running_signal_is_not_begun_again() -> None:
    """Repeated presses get the same two blinks."""
    running = flashing((), flash(FlashKind.REFUSED, 1.0))
    assert running == flashing(running, flash(FlashKind.REFUSED, 1.2))


def test_another_signal_at_the_same_lamp_waits() -> None:
    """The dealer's lamp ends one signal before the next, for any sides."""
    running = flashing((), flash(FlashKind.DEAL_HINT, 1.0, side=2))
    both = flashing(running, flash(FlashKind.DEAL_HELD, 1.5, side=None))
    assert [1.0, 3.0] == [each.t0 for each in both]


def test_other_lamps_do_not_wait() -> None:
    """Two sides' signals run in parallel."""
    running = flashing((), flash(FlashKind.REFUSED, 1.0))
    both = flashing(running, flash(FlashKind.REFUSED, 1.1, side=2))
    assert [1.0, 1.1] == [each.t0 for each in both]


def test_what_is_over_goes() -> None:
    """The list has only signals that may still be seen."""
    running = flashing((), flash(FlashKind.STUCK, 1.0))
    assert [9.0] == [each.t0 for each in flashing(running, flash(FlashKind.REFUSED, 9.0))]


LANDINGS = (Kind.SLID, Kind.TRAPPED, Kind.ADVANCED, Kind.FOLDED)


def standing(side: int, front: Hole, *, landed: bool = False, lanes: int = 2) -> State:
    """Return a game with one peg somewhere."""
    state = new_game(small_setup(tuple(range(1, lanes + 1))))
    sides = list(state.all_pegs)
    sides[side - 1] = structs.replace(sides[side - 1], front=front, landed=landed)
    return structs.replace(state, all_pegs=tuple(sides))


@settings(deadline=None)
@given(setup=setups(), tries=draws(), side=st.integers(1, 3), points=st.integers(1, 29))
def test_a_ghost_stands_where_the_game_would_put_the_peg(
    setup: Setup, tries: list[Draw], side: int, points: int
) -> None:
    """In any state landing, zone and route are the game's; a refused count has none."""
    state = last_state(setup, tries)
    found = ghost(state, side, points)
    try:
        events = decide(state, Peg(side=side, points=points))
    except RuleError:
        assert found is None
        return
    assert found is not None
    assert events[0].to == found.landing
    landings = [event.kind for event in events if event.side == side and event.kind in LANDINGS]
    assert bool(landings) == (found.kind is not None)
    if found.kind:
        zone = setup.track.zone_at(found.landing)
        assert zone is not None
        assert zone.kind is found.kind
    if landings and landings[-1] not in (Kind.TRAPPED, Kind.ADVANCED):
        front = apply_all(state, events).pegs(side).front
        assert front == (*found.walked, *found.route)[-1]


def test_the_way_a_zone_would_send_it() -> None:
    """Each kind of zone shows its own route (Z2 to Z6)."""
    trap = ("trap-26:1", "trap-26:2", "trap-26:3", 15)
    green = ("green-34:1", "green-34:2", "green-34:3", 46)
    rows: list[tuple[Hole, int, tuple[Hole, ZoneKind | None, tuple[Hole, ...]]]] = [
        (0, 5, (5, None, ())),
        (0, 6, (6, ZoneKind.RED_SLIDE, tuple(range(7, 17)))),  # to its second box
        (20, 7, (27, ZoneKind.TIME_TRAP, trap)),  # by its path to where it rejoins
        (30, 4, (34, ZoneKind.GREEN_ADVANCE, green)),
        (39, 1, (40, ZoneKind.PENALTY_BOX, tuple(range(39, 19, -1)))),
        (59, 9, (60, None, ())),  # over the finish
    ]
    for front, points, expected in rows:
        found = ghost(standing(1, front), 1, points)
        assert found is not None
        assert expected == (found.landing, found.kind, found.route)


def test_three_sides_go_to_the_first_hole_of_the_box() -> None:
    """With three sides the box keeps the peg, on its first hole (Z7)."""
    found = ghost(standing(1, 40, lanes=3), 1, 2)
    assert found == Ghost(walked=(41, 42), landing=42, kind=ZoneKind.PENALTY_BOX, route=(41, 40))


def test_a_peg_that_landed_in_a_trap_walks_its_path() -> None:
    """The trail goes down the side path that the next count takes (Z3)."""
    found = ghost(standing(1, 26, landed=True), 1, 5)
    assert found is not None
    assert ("trap-26:1", "trap-26:2", "trap-26:3", 15, 16) == found.walked


@pytest.mark.parametrize(("finish", "landing"), [("overshoot", 60), ("exact", 58)])
def test_points_beyond_the_finish_are_reported(
    finish: Literal["overshoot", "exact"], landing: int
) -> None:
    """A count too long goes on from hole 1; a forfeited peg stays (G2)."""
    setup = Setup.make(SMALL.track, HouseRules(finish=finish), sides=(1, 2))
    state = structs.replace(standing(1, 58), setup=setup)
    expected = Ghost(walked=(59, 60), beyond=(1, 2, 3), landing=landing, kind=None, route=())
    assert expected == ghost(state, 1, 5)
