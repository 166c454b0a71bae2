"""The scene: pegs, pending counts with their ghosts, motion, shows, and its changes in time."""

import dataclasses
from dataclasses import replace
from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from companion.board import Hole, ZoneKind, load_board
from companion.lights import Motion, Per, Points, Scene, SignUpView, View
from companion.lights.compositor import dark
from companion.lights.scene.canvas import FIVE_LEVEL
from companion.lights.scene.scene import GHOST_LEVEL, ROUTE_LEVEL, TRAIL_LEVEL, ground
from companion.lights.scene.shows import BACK_PEG_LEVEL, WIN_SHOW_S, PegsInMotion
from companion.rules.game import (
    Command,
    Deal,
    HouseRules,
    Match,
    MoveInBox,
    Peg,
    SetPegs,
    Setup,
    State,
    Undo,
    apply_all,
    decide,
    new_game,
)
from tests.companion.lights.games import (
    CROWDED_BOARD,
    SMALL,
    Draw,
    after,
    draws,
    setups,
    small_setup,
    steps,
)
from tests.companion.lights.views import (
    GROUND,
    PALETTE,
    POINTS,
    at,
    boards,
    greatest_jump,
    light_of,
    moved,
    part,
    still,
    views,
)
from tests.support.limits import share

# Pegs


def test_a_new_game_lights_start_lamps_and_the_dealer() -> None:
    """Both pegs are at the start lamp, the dealer's lamp shines, the rest is ground."""
    light = light_of(still(new_game(small_setup())))
    lit = np.flatnonzero(np.any(light != GROUND, axis=1))
    lamps = ("start-1", "start-2", "start-3", "dealer-1")
    assert sorted(POINTS.lamps[name] for name in lamps) == lit.tolist()
    assert PALETTE.side(3).tolist() == at(light, 3, 0)


def test_marks_and_the_finish_glow() -> None:
    """G3: lines up to the finish and its hole glow in every lane."""
    lit = {
        ("classic-61", None): [31, 61],
        ("classic", 61): [60, 61],
        ("classic", None): [60, 90, 121],
    }
    for (name, game_to), holes in lit.items():
        points = Points(load_board(name), Per.HOLE_AND_LANE)
        setup = Setup.make(points.board.track, HouseRules(game_to=game_to), sides=(1, 2, 3))
        light = ground(points, PALETTE, setup.track)
        marked = {points.index(lane, hole) for lane in (1, 2, 3) for hole in holes}
        assert marked == {*np.flatnonzero(light.any(axis=1)).tolist()}


def test_front_peg_over_dim_back_peg() -> None:
    """The front peg has its side's full colour, the back peg a part of it."""
    light = light_of(still(after(small_setup(), Peg(side=1, points=3), Peg(side=1, points=2))))
    assert part(PALETTE.side(1), 1.0) == at(light, 1, 5)
    assert part(PALETTE.side(1), BACK_PEG_LEVEL) == at(light, 1, 3)


def test_a_boxed_peg_is_bright_and_dim_in_turn() -> None:
    """Z7: a peg in the box beats slowly, unlike one that plays."""
    state = after(small_setup(), Peg(side=1, points=20), Peg(side=1, points=20))
    colour = PALETTE.side(1)
    for t, level in ((48.5, 1.0), (49.5, FIVE_LEVEL), (50.5, 1.0)):
        assert part(colour, level) == at(light_of(still(state), t), 1, 40)


def test_the_hands_left_in_a_box_are_counted_from_its_lights() -> None:
    """Z7: each lit hole of the box is a hand to sit; the start lamp asks."""
    boxed = (Peg(side=1, points=20), Peg(side=1, points=20), Peg(side=2, points=1))
    serve = (Deal(), MoveInBox(side=1), Peg(side=2, points=1))

    def lit(*more: Command) -> tuple[int, bool]:
        light = light_of(still(after(small_setup(), *boxed, *more)))
        zone = small_setup().track.zone_at(40)
        assert zone
        holes = [max(at(light, 1, hole)) > 0.05 for hole in zone.box]
        return sum(holes), max(at(light, 1, 0)) > BACK_PEG_LEVEL

    assert [(3, False), (3, True)] == [lit(), lit(Deal())]
    assert [(2, False), (2, True)] == [lit(*serve), lit(*serve, Deal())]
    assert [(1, False), (1, True)] == [lit(*serve * 2), lit(*serve * 2, Deal())]
    free = after(small_setup(), *boxed, *serve * 3)
    assert part(PALETTE.side(1), 0.5) == at(light_of(still(free)), 1, free.pegs(1).front)


def lamp_of(state: State, *awaited: int) -> list[bool]:
    """Return the quarters of four seconds in which the first start lamp is bright."""
    view = dataclasses.replace(still(state), awaited=frozenset(awaited))
    return [max(at(light_of(view, 48.1 + n / 4), 1, 0)) > 0.5 for n in range(16)]


@pytest.mark.parametrize("before", [0, 15])
def test_the_start_lamp_of_a_folded_side_shows_it(before: int) -> None:
    """Z5: it changes for one of four seconds until the next deal."""
    placed = SetPegs(side=1, front=before, back=0)
    state = after(small_setup((1, 2)), Peg(side=2, points=1), placed)
    sides = tuple(structs.replace(pegs, folded=True) for pegs in state.all_pegs)
    peg = before == 0
    assert [not peg] * 4 + [peg] * 12 == lamp_of(structs.replace(state, all_pegs=sides))
    assert [peg] * 16 == lamp_of(state)


def test_the_start_lamp_shows_whose_count_is_awaited() -> None:
    """M1: it has two short lights every two seconds."""
    state = after(small_setup((1, 2)), Peg(side=1, points=9), Peg(side=1, points=1))
    assert [True, False, True, *[False] * 5] * 2 == lamp_of(state, 1)
    assert [False] * 16 == lamp_of(state, 2)


@pytest.mark.parametrize(("worth", "dark"), [(2, [5]), (4, [5, 7])])
def test_a_skunked_peg_winks(worth: int, dark: list[int]) -> None:
    """G4: it winks once for a skunk, twice for a double one, every four seconds."""
    state = after(small_setup((1, 2)), Peg(side=1, points=9))
    view = still(structs.replace(state, skunked=((1, worth),)))
    seen = [max(at(light_of(view, 48.1 + n / 4), 1, 9)) for n in range(16)]
    assert [float(n not in dark) for n in range(16)] == seen


def test_the_dealers_lamp_shows_that_there_are_no_heels() -> None:
    """T7: it is dark twice in four seconds if the dealer is just before the finish."""
    state = after(small_setup((1, 2)), SetPegs(side=1, front=58, back=0))
    lamp = POINTS.lamps["dealer-1"]
    seen = [light_of(still(state), 48.1 + n / 4)[lamp, 0] > 0 for n in range(16)]
    assert [n not in {5, 7} for n in range(16)] == seen


def test_the_dealers_lamp_moves_on() -> None:
    """Only the seat that deals is lit."""
    light = light_of(still(after(small_setup(), Peg(side=1, points=1), Deal())))
    assert [0.0, 0.0, 0.0] == light[POINTS.lamps["dealer-1"]].tolist()
    assert 0.3 < light[POINTS.lamps["dealer-2"], 0]


def test_two_sides_on_one_led_take_turns() -> None:
    """The side that counted last shows, the other every second beat."""
    points = Points(SMALL, Per.HOLE)
    state = after(small_setup(), Peg(side=1, points=4), Peg(side=3, points=4))
    scene, view = Scene(SMALL, PALETTE, points=points), still(state)
    shown = [scene.compose(view, t)[0][points.index(1, 4)].tolist() for t in (50.0, 51.0, 52.5)]
    assert [PALETTE.side(side).tolist() for side in (3, 1, 3)] == shown
    assert 51.0 == scene.compose(view, 50.25)[1]


def test_three_sides_on_one_led() -> None:
    """The two others share every second beat in turn."""
    points = Points(SMALL, Per.HOLE)
    state = after(small_setup(), *[Peg(side=side, points=4) for side in (1, 3, 2)])
    scene, view = Scene(SMALL, PALETTE, points=points), still(state)
    shown = [scene.compose(view, 40.0 + n)[0][points.index(1, 4)].tolist() for n in range(4)]
    assert [PALETTE.side(side).tolist() for side in (2, 1, 2, 3)] == shown


# Pending counts


def pending(state: State, side: int, points: int) -> View:
    """Return a view with one pending count."""
    return View(state=state, ahead=state, pending=((side, points),))


def test_a_trail_is_marked_in_fives() -> None:
    """Every fifth hole of the count is brighter, and the ghost brighter than those."""
    light = light_of(pending(new_game(small_setup()), 1, 13))
    levels = [FIVE_LEVEL if hole in (5, 10) else TRAIL_LEVEL for hole in range(1, 13)]
    assert [part(PALETTE.side(1), level) for level in [*levels, GHOST_LEVEL]] == [
        at(light, 1, hole) for hole in range(1, 14)
    ]


def test_an_ordinary_ghost_stands_still() -> None:
    """The trail waits for Enter without any frame."""
    scene = Scene(SMALL, PALETTE)
    assert scene.compose(pending(new_game(small_setup()), 1, 4), 50.0)[1] is None


def test_a_ghost_in_a_zone_beats_and_its_route_glows() -> None:
    """The landing hole beats in the colours of side and zone; the route glows."""
    rows: list[tuple[int, int, ZoneKind, Hole]] = [
        (0, 6, ZoneKind.RED_SLIDE, 16),
        (20, 6, ZoneKind.TIME_TRAP, "trap-26:2"),
        (20, 15, ZoneKind.GREEN_ADVANCE, "green-34:3"),
        (20, 21, ZoneKind.PENALTY_BOX, 25),
    ]
    for start, points, kind, on_route in rows:
        before = [Peg(side=1, points=start)] if start else []
        view = pending(after(small_setup((1, 2)), *before), 1, points)
        landing, zone = start + points, PALETTE.zone(kind)
        assert part(PALETTE.side(1), 1.0) == at(light_of(view, 50.0), 1, landing)
        assert part(zone, FIVE_LEVEL) == at(light_of(view, 50.5), 1, landing)
        assert part(zone, ROUTE_LEVEL) == at(light_of(view), 1, on_route)


def test_a_zone_moves_only_while_somebody_meets_it() -> None:
    """Under a ghost a trap chases inward in every lane, else it is dim and still."""
    view = pending(after(small_setup(), Peg(side=1, points=20)), 1, 6)
    scene = Scene(SMALL, PALETTE)
    frames = [scene.compose(view, 51 + n / 4)[0] for n in range(12)]
    lit = [{hole for hole in (26, 27, 28) if at(f, 2, hole)[2] > 0.5} for f in frames]
    turn = next(n for n in range(3) if lit[n] == {26, 28})
    assert [{26, 28}, {27}, set(), {26, 28}] == lit[turn : turn + 4]
    idle = light_of(still(view.state))
    assert [at(GROUND, 2, hole) for hole in (26, 27, 28)] == [at(idle, 2, h) for h in (26, 27, 28)]


def test_a_refused_count_has_no_trail() -> None:
    """Z5: a folded side has no ghost."""
    state = after(small_setup((1, 2)), Peg(side=1, points=20), Peg(side=1, points=20))
    assert np.array_equal(light_of(still(state)), light_of(pending(state, 1, 5)))


def test_a_trail_about_to_expire_warns() -> None:
    """Its holes are dimmer every second beat; the ghost stays."""
    view = dataclasses.replace(pending(new_game(small_setup()), 1, 5), warned=frozenset({1}))
    levels = [at(light_of(view, t), 1, 2)[0] for t in (50.0, 50.5, 51.0)]
    assert levels[0] == levels[2] > 2 * levels[1] > 0
    assert at(light_of(view, 50.0), 1, 5) == at(light_of(view, 50.5), 1, 5)


def test_ghosts_start_from_what_is_decided() -> None:
    """A decided count that is not on disk moves the ghost, not the peg."""
    state = new_game(small_setup())
    view = View(state=state, ahead=after(small_setup(), Peg(side=1, points=10)), pending=((1, 2),))
    light = light_of(view)
    assert part(PALETTE.side(1), 1.0) == at(light, 1, 0)
    assert part(PALETTE.side(1), GHOST_LEVEL) == at(light, 1, 12)


# Motion and shows


def test_a_walking_peg_has_a_bright_head_and_a_short_tail() -> None:
    """Three holes fade behind the head; nothing is at the end yet."""
    view = moved(Peg(side=1, points=20))
    light = light_of(view, 100.75)
    hole = view.motion.front_at(1, 100.75)
    assert isinstance(hole, int)
    assert part(PALETTE.side(1), 1.0) == at(light, 1, hole)
    tail = [at(light, 1, hole - n)[0] for n in range(5)]
    assert tail == sorted(tail, reverse=True)
    assert tail[3] > tail[4] == at(GROUND, 1, hole - 4)[0]
    assert at(GROUND, 1, 20) == at(light, 1, 20)


def test_after_its_motion_a_table_is_idle() -> None:
    """A finished motion leaves the light of an idle table."""
    view = moved(Peg(side=1, points=20))
    light, until = Scene(SMALL, PALETTE).compose(view, view.motion.end + 10)
    assert until is None
    assert np.array_equal(light_of(still(view.state)), light)


def test_a_resting_peg_asks_for_no_frames() -> None:
    """In the pause before a slide the next change is the slide's start."""
    motion = moved(Peg(side=1, points=6)).motion
    pegs = PegsInMotion(motion, POINTS, PALETTE)
    assert motion.next_start(100.5) == pegs.show(dark(POINTS.size), 100.5)
    assert 100.5 < (motion.next_start(100.5) or 0)


def test_the_win_runs_along_the_lane_and_then_stands() -> None:
    """Light runs eight seconds along the winner's lane, which then glows."""
    counts = [Peg(side=1, points=20), Peg(side=1, points=19), Peg(side=1, points=29)]
    view = moved(*counts)
    scene, end = Scene(SMALL, PALETTE), view.motion.end
    show = [scene.compose(view, end + n) for n in range(int(WIN_SHOW_S))]
    assert all(until is not None for _, until in show)
    assert 1 < len({light.tobytes() for light, _ in show})
    light = scene.compose(view, end + WIN_SHOW_S)[0]
    assert np.array_equal(light, scene.compose(view, end + WIN_SHOW_S + 4)[0])
    assert at(light, 1, 3)[0] > at(GROUND, 1, 3)[0]
    assert at(GROUND, 2, 3) == at(light, 2, 3)


def test_attract_lights_all_lanes() -> None:
    """Light wanders along every lane, without pegs."""
    view = dataclasses.replace(still(new_game(small_setup((1, 2)))), attract=True)
    frames = [light_of(view, 50 + n / 8) for n in range(16)]
    for lane in (1, 2, 3):
        assert 0.9 < max(float(light[POINTS.track(lane)].max()) for light in frames)
    assert at(GROUND, 1, 0) == at(frames[0], 1, 0)


def test_a_sleeping_board_shows_where_the_pegs_are() -> None:
    """The front pegs glow, and all else is dark."""
    state = after(small_setup(), Peg(side=1, points=3))
    light = light_of(dataclasses.replace(still(state), asleep=True))
    lit = np.flatnonzero(light.max(axis=1)).tolist()
    assert sorted(POINTS.index(side, hole) for side, hole in ((1, 3), (2, 0), (3, 0))) == lit
    assert 0.1 > light.max()


def test_lanes_that_join_shine() -> None:
    """They are lit, with a hole and a dealer's lamp for each person; others wait."""
    sign_up = SignUpView(people=((1, 1), (3, 2)), choices=4, chosen=2)
    view = dataclasses.replace(still(new_game(small_setup())), sign_up=sign_up)
    light = np.maximum(light_of(view, 48.0), light_of(view, 50.0))
    assert [True, False, True] == [at(light, lane, 9)[0] > 0 for lane in (1, 2, 3)]
    bright = [[max(at(light, lane, hole)) > 0.5 for hole in (1, 2, 3)] for lane in (1, 2, 3)]
    assert [[True, False, False], [False] * 3, [True, True, False]] == bright
    assert 0 < at(light, 2, 0)[0] < at(light, 1, 0)[0]
    lamps = [float(light[POINTS.lamps[f"dealer-{seat}"]].max()) for seat in range(1, 5)]
    assert [True, True, True, False] == [lamp > 0 for lamp in lamps]


def test_the_chosen_rules_are_seen_at_the_sign_up() -> None:
    """G7: each choice has every fifth hole; the chosen one is bright."""
    sign_up = SignUpView(choices=3, chosen=2)
    light = light_of(dataclasses.replace(still(new_game(small_setup())), sign_up=sign_up))
    for lane in (1, 2, 3):
        seen = {n: max(at(light, lane, n)) for n in range(1, 61) if max(at(light, lane, n))}
        assert [5, 10, 15] == list(seen)
        assert seen[5] == seen[15] < 0.5 < seen[10]


@pytest.mark.parametrize("per", list(Per))
def test_lanes_that_share_leds_show_their_numbers_in_turn(per: Per) -> None:
    """G6: each lane's points have a second of their own."""
    begun = new_game(small_setup(), Match(games=((1, 3), (2, 1), (3, 2))))
    points = Points(SMALL, per)
    scene = Scene(SMALL, PALETTE, points=points)
    for second, (lane, won) in zip((0, 2, 3), begun.match.games, strict=True):
        light = scene.compose(still(begun), 48.0 + second)[0]
        lit = [float(light[points.index(lane, n)].max()) > 0.2 for n in range(1, 5)]
        assert [n <= won for n in range(1, 5)] == lit


def test_the_match_is_seen_between_games() -> None:
    """Before the first count and after the win each point has a hole, with the goal."""
    rules = dataclasses.replace(small_setup().rules, match_to=5)
    setup = dataclasses.replace(small_setup(), rules=rules)
    begun = new_game(setup, Match(games=((1, 3), (2, 0), (3, 1))))

    def lit(state: State) -> list[int]:
        lights = [light_of(still(state), 48.0 + second) for second in range(4)]
        return [
            sum(any(max(at(light, lane, n)) > 0.2 for light in lights) for n in range(1, 5))
            for lane in (1, 2, 3)
        ]

    assert [3, 0, 1] == lit(begun)
    counted = apply_all(begun, decide(begun, Peg(side=2, points=8)))
    assert [0, 0, 0] == lit(counted)


@settings(deadline=None)
@given(setups(), draws(), st.booleans(), st.floats(0, 1e6))
def test_an_idle_table_stands_still(setup: Setup, tries: list[Draw], calm: bool, t: float) -> None:
    """Without counts, motion and signs no frame is ever sent."""
    state = reduce(lambda _, step: step[1].state, steps(setup, tries), new_game(setup))
    sides = tuple(structs.replace(pegs, folded=False, boxed=None) for pegs in state.all_pegs)
    plain = replace(state.setup, rules=HouseRules(heels_ban=0))
    state = structs.replace(state, all_pegs=sides, skunked=(), match=Match(), setup=plain)
    scene, view = Scene(CROWDED_BOARD, PALETTE, calm=calm), still(state)
    light, until = scene.compose(view, t)
    assert until is None
    assert light is scene.compose(view, t + 1e5)[0]


@settings(max_examples=share(1))
@given(views(), boards, st.floats(9, 20), st.booleans())
def test_nothing_changes_before_it_is_reported(
    view: View, points: Points, t: float, calm: bool
) -> None:
    """The light is the same until the time from `compose`; None means for ever."""
    scene = Scene(CROWDED_BOARD, PALETTE, points=points, calm=calm)
    light, until = scene.compose(view, t)
    end = until if until is not None else t + 100
    for share_of_time in (0.01, 0.5, 0.99):
        between = t + (end - t) * share_of_time
        if t < between < end:
            assert np.array_equal(light, scene.compose(view, between)[0])


@settings(max_examples=share(0.5))
@given(views(), views(), boards, st.lists(st.floats(9, 20), min_size=1, max_size=5))
def test_light_depends_on_view_and_time_alone(
    one: View, other: View, points: Points, times: list[float]
) -> None:
    """Earlier calls have no effect, as a scene has only caches."""
    used = Scene(CROWDED_BOARD, PALETTE, points=points)
    for t in times:
        used.compose(other, t)
        fresh = Scene(CROWDED_BOARD, PALETTE, points=points)
        assert np.array_equal(fresh.compose(one, t)[0], used.compose(one, t)[0])
        assert fresh.compose(one, t)[1] == used.compose(one, t)[1]


@settings(max_examples=share(0.5))
@given(views(), boards)
def test_light_is_light(view: View, points: Points) -> None:
    """Each point has three float32 values from 0 to 1."""
    light, _ = Scene(CROWDED_BOARD, PALETTE, points=points).compose(view, 10.4)
    assert (points.size, 3) == light.shape
    assert np.float32 == light.dtype
    assert 0 <= light.min()
    assert light.max() <= 1 + 1e-6


@settings(max_examples=share(0.5))
@given(views(), boards)
def test_calm_knows_no_jumps(view: View, points: Points) -> None:
    """No continuing light changes by a fifth of full light in 1/64 s."""
    view = dataclasses.replace(view, flashes=(), mode_since=None, motion=Motion())
    scene = Scene(CROWDED_BOARD, PALETTE, points=points, calm=True)
    assert 0.2 > greatest_jump(scene, view, 10.0, 4.0)


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param([Peg(side=1, points=20)], id="count"),
        pytest.param([Peg(side=1, points=6)], id="slide"),
        pytest.param([Peg(side=1, points=20), Peg(side=1, points=6)], id="trap"),
        pytest.param([Peg(side=1, points=20), Peg(side=1, points=20)], id="sent back, awarded"),
        pytest.param([Peg(side=1, points=20), Undo()], id="undo"),
        pytest.param([Peg(side=1, points=n) for n in (20, 19, 29)], id="win"),
    ],
)
def test_calm_motion_fades(commands: list[Peg | Undo]) -> None:
    """Moves, zones and the win come and go softly, too."""
    view = moved(*commands, calm=True)
    assert 0.2 > greatest_jump(Scene(SMALL, PALETTE, calm=True), view, 99.5, 16.0)
