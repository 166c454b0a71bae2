"""Motion: pegs reach the places of the state, by the ways of the events, in time."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from companion.board import Hole, ZoneKind
from companion.lights import Motion, plan
from companion.lights.scene.motion import FADE_S, STEP_S
from companion.rules.game import (
    Command,
    Deal,
    Event,
    History,
    Kind,
    MoveInBox,
    NewGame,
    Peg,
    Pegs,
    Setup,
    State,
    Undo,
    apply,
    new_game,
)
from companion.rules.game.state import Boxed, LastCount
from tests.companion.lights.games import Draw, draws, setups, small_setup, steps

FAR = 1e6
SLIDE_S = ZoneKind.RED_SLIDE.facts.effect_s - ZoneKind.RED_SLIDE.facts.rest_s


def moved(
    *commands: Command, sides: tuple[int, ...] = (1, 2), calm: bool = False
) -> tuple[Motion, State]:
    """Return the motion of the last command from 100 s on, and the state after it."""
    history = History(new_game(small_setup(sides)))
    for command in commands[:-1]:
        history.do(command)
    before = history.state
    entry = history.do(commands[-1])
    return plan(before, entry, 100.0, calm=calm), entry.state


def path_of(motion: Motion, side: int) -> list[Hole]:
    """Return every hole that a peg is on, in order."""
    seen: list[Hole] = []
    for n in range(int((motion.end - 100) / 0.002) + 2):
        hole = motion.front_at(side, 100 + n * 0.002)
        if not seen or seen[-1] != hole:
            seen.append(hole)
    return seen


@settings(deadline=None)
@given(setup=setups(), tries=draws(), calm=st.booleans())
def test_every_motion_ends_where_the_state_says(
    setup: Setup, tries: list[Draw], *, calm: bool
) -> None:
    """After any command moved pegs are in place, and others have not moved."""
    for before, entry in steps(setup, tries):
        motion = plan(before, entry, 7.0, calm=calm)
        for side in entry.state.setup.sides:
            here = before.pegs(side) if side in before.setup.sides else entry.state.pegs(side)
            there = entry.state.pegs(side)
            if side in motion.sides:
                assert (here.front, here.back) == (
                    motion.front_at(side, 0.0),
                    motion.back_at(side, 0.0),
                )
                assert (there.front, there.back) == (
                    motion.front_at(side, FAR),
                    motion.back_at(side, FAR),
                )
            elif side in before.setup.sides:
                assert (here.front, here.back) == (there.front, there.back)


@settings(deadline=None)
@given(setup=setups(), tries=draws())
def test_segments_follow_one_another(setup: Setup, tries: list[Draw]) -> None:
    """A side's next segment begins at the end of the last one, in place and time."""
    for before, entry in steps(setup, tries):
        motion = plan(before, entry, 7.0)
        for side in motion.sides:
            own = [segment for segment in motion.segments if segment.side == side]
            for one, other in itertools.pairwise(own):
                assert one.route[-1] == other.route[0]
                assert one.end <= other.start
        ends = [segment.end for segment in motion.segments]
        assert max(ends, default=-math.inf) == motion.end


def test_a_count_walks_hole_by_hole() -> None:
    """The peg is on each hole in turn, for about 70 ms."""
    motion, _ = moved(Peg(side=1, points=5))
    assert [0, 1, 2, 3, 4, 5] == path_of(motion, 1)
    assert pytest.approx(100 + 5 * STEP_S) == motion.end


def test_a_slide_follows_a_pause_on_the_landing() -> None:
    """The peg rests, then accelerates to the second box (Z2)."""
    motion, _ = moved(Peg(side=1, points=6))
    landed = 100 + 6 * STEP_S
    rest = ZoneKind.RED_SLIDE.facts.rest_s
    assert 6 == motion.front_at(1, landed + rest / 2)
    assert 8 == motion.front_at(1, landed + rest + SLIDE_S / 2)
    assert 16 == motion.front_at(1, landed + rest + SLIDE_S)
    assert ["red-6"] == [landing.zone.id for landing in motion.landings]
    assert pytest.approx(landed) == motion.landings[0].start


def test_a_side_path_is_walked() -> None:
    """The count after a trap goes down its path, hole by hole (Z3)."""
    motion, _ = moved(Peg(side=1, points=26), Peg(side=1, points=5))
    assert [26, "trap-26:1", "trap-26:2", "trap-26:3", 15, 16] == path_of(motion, 1)


def test_sent_back_walks_backwards_then_the_other_goes_on() -> None:
    """Minus 20 hole by hole precedes plus 20 of the other side (Z6)."""
    motion, state = moved(Peg(side=1, points=15), Peg(side=1, points=25))
    assert [*range(15, 41), *range(39, 19, -1)] == path_of(motion, 1)
    assert list(range(21)) == path_of(motion, 2)
    back = next(s for s in motion.segments if s.side == 1 and s.route[-1] == 20)
    award = next(s for s in motion.segments if s.side == 2)
    assert back.end <= award.start
    assert 20 == state.pegs(2).front


def test_moves_in_the_box_and_the_release() -> None:
    """A boxed peg goes on by single holes; a release moves nothing (Z7)."""
    entered = [Peg(side=1, points=20), Peg(side=1, points=20)]
    into, _ = moved(*entered, sides=(1, 2, 3))
    assert 40 == into.front_at(1, FAR)
    step, _ = moved(*entered, Deal(), MoveInBox(side=1), sides=(1, 2, 3))
    assert [40, 41] == path_of(step, 1)
    served: list[Command] = [Deal(), MoveInBox(side=1)]
    out, _ = moved(*entered, *served, *served, *served, Deal(), sides=(1, 2, 3))
    assert Motion() == out


def test_undo_is_a_quick_retreat() -> None:
    """All moved pegs go back together in less than half a second."""
    motion, _ = moved(Peg(side=1, points=15), Peg(side=1, points=25), Undo())
    assert list(range(20, 14, -1)) == path_of(motion, 1)
    assert list(range(20, -1, -1)) == path_of(motion, 2)
    assert 100.5 > motion.end


def test_a_win_is_reported() -> None:
    """The show may begin at the end of the winner's walk (G2)."""
    counts = [Peg(side=1, points=20), Peg(side=1, points=19), Peg(side=1, points=29)]
    motion, state = moved(*counts)
    assert motion.won
    assert 1 == state.winner
    assert 60 == motion.front_at(1, motion.end)
    assert not moved(*counts, Undo())[0].won


def test_a_new_game_takes_the_pegs_home() -> None:
    """Sides that play on walk to the start; one that leaves is not moved."""
    motion, _ = moved(
        Peg(side=1, points=5), Peg(side=3, points=4), NewGame(sides=(1, 2)), sides=(1, 2, 3)
    )
    assert [1] == list(motion.sides)
    assert 0 == motion.front_at(1, FAR)


def test_calm_fades_in_place_of_walking() -> None:
    """A calm move has two places without a way."""
    motion, _ = moved(Peg(side=1, points=20), calm=True)
    assert [(0, 20)] == [segment.route for segment in motion.segments]
    assert pytest.approx(100 + FADE_S) == motion.end


def test_two_motions_run_at_once() -> None:
    """Two sides move in parallel; the same side's motion is replaced."""
    history = History(new_game(small_setup((1, 2))))
    start = history.state
    one = plan(start, history.do(Peg(side=1, points=20)), 100.0)
    middle = history.state
    two = plan(middle, history.do(Peg(side=2, points=4)), 100.2)
    both = one.joined(two)
    assert one.front_at(1, 100.5) == both.front_at(1, 100.5)
    assert two.front_at(2, 100.3) == both.front_at(2, 100.3)
    assert one.end == both.end
    again = plan(history.state, history.do(Peg(side=1, points=2)), 100.4)
    assert again.front_at(1, 100.4) == both.joined(again).front_at(1, 100.4)
    assert both == both.joined(Motion())


def test_a_table_full_of_counts_keeps_no_old_motion() -> None:
    """Parts that have ended are dropped."""
    history = History(new_game(small_setup((1, 2))))
    motion = Motion()
    for n in range(40):
        before, side = history.state, n % 2 + 1
        motion = motion.joined(plan(before, history.do(Peg(side=side, points=1)), 10.0 * n))
        history.do(Deal())
    assert 1 == len(motion.segments)
    assert not motion.landings


def test_a_landing_takes_two_to_three_seconds() -> None:
    """Slide, trap, advance and box can all be followed."""
    assert all(2 <= kind.facts.effect_s <= 3 for kind in ZoneKind)
    assert 2 <= SLIDE_S <= 3


def test_speed_scales_all_of_a_motion() -> None:
    """At twice the speed walks, rests, slides and effects take half the time."""
    before = new_game(small_setup((1, 2)))
    for points in (6, 26, 25):
        entry = History(before).do(Peg(side=1, points=points))
        one, two = (plan(before, entry, 0.0, speed=speed) for speed in (1.0, 2.0))
        assert one.end == pytest.approx(2 * two.end)
        for slow, fast in zip(one.landings, two.landings, strict=True):
            assert (slow.start, slow.end) == pytest.approx((2 * fast.start, 2 * fast.end))


@settings(deadline=None)
@given(setup=setups(), tries=draws(), share=st.floats(0, 1))
def test_a_skipped_motion_is_at_its_end(setup: Setup, tries: list[Draw], share: float) -> None:
    """Nothing moves or acts any more; a win is celebrated from then on."""
    for before, entry in steps(setup, tries):
        motion = plan(before, entry, 7.0)
        t = 7.0 + share * max(0.0, motion.end - 7.0)
        skipped = motion.skipped(t)
        if skipped is not motion:
            assert (skipped.segments, skipped.landings) == ((), ())
            assert skipped.end <= t
            assert motion.won == skipped.won


def test_an_event_that_moves_a_peg_has_a_movement() -> None:
    """The move is shown with the event, unless its kind gives the game away."""
    start = new_game(small_setup())
    pegs = Pegs(front=20, back=10, boxed=Boxed(hands=3))
    last = LastCount(side=1, points=3, rule="P7", before=start)
    before = structs.replace(start, all_pegs=(pegs, pegs), last_count=last)
    moving = {
        kind
        for kind in set(Kind) - {Kind.UNDONE, Kind.CORRECTED, Kind.CLAIMED}
        for event in [Event(kind=kind, side=1, origin=20, to=2, points=3, rule="P7")]
        if apply(before, event).pegs(1).front != 20
    }
    assert set() == {kind for kind in moving if kind.facts.movement is None}
