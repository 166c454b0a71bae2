"""Signals: the flashes of a view, a start, and the tour of all."""

import dataclasses
import itertools
from itertools import product
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from companion.board import Hole, ZoneKind, load_board
from companion.commentary import languages, load_phrases
from companion.errors import RuleError
from companion.lights import Flash, FlashKind, Ghost, Palette, Scene, View, flashing, ghost
from companion.lights.scene.quiet_lights import (
    QUIET_LIGHTS,
    SLOT_S,
    SLOTS,
    LightArea,
    Sign,
    first_shown,
)
from companion.lights.scene.shows import address_holes, fault_holes
from companion.lights.scene.tour import SIGN_S, SIGNS, sign_duration, sign_views
from companion.lights.scene.view import MachineFault, StartReport
from companion.network import JoinFailure, NetworkStage
from companion.rules.game import (
    HouseRules,
    Kind,
    Peg,
    SetPegs,
    Setup,
    State,
    apply_all,
    decide,
    new_game,
)
from tests.companion.lights.games import (
    SMALL,
    Draw,
    after,
    draws,
    last_state,
    most_flashes,
    setups,
    small_setup,
)
from tests.companion.lights.views import GROUND, PALETTE, POINTS, at, light_of, still
from tests.support.boards import make_board

BOARD = make_board()
START = new_game(Setup.make(BOARD.track, HouseRules(skunk_at="off"), sides=(1, 2)))
T0 = 100.0


def flash(kind: FlashKind, t0: float, side: int | None = 1) -> Flash:
    """Return a flash, by default of side 1."""
    return Flash(kind=kind, side=side, t0=t0)


def flashing_view(state: State, kind: FlashKind, side: int | None = 1) -> View:
    """Return a view with a flash that begins at 50 s."""
    return dataclasses.replace(still(state), flashes=(flash(kind, 50.0, side),))


def standing(side: int, front: Hole, *, landed: bool = False, lanes: int = 2) -> State:
    """Return a game with one peg somewhere."""
    state = new_game(small_setup(tuple(range(1, lanes + 1))))
    sides = list(state.all_pegs)
    sides[side - 1] = structs.replace(sides[side - 1], front=front, landed=landed)
    return structs.replace(state, all_pegs=tuple(sides))


def lit(report: StartReport, t: float = 0.0) -> set[tuple[int, int]]:
    """Return lane and hole of each light of a report."""
    scene = Scene(BOARD, Palette.make())
    light, _ = scene.compose(View(state=START, ahead=START, start_report=report), t)
    holes = range(BOARD.track.finish + 1)
    lanes = scene.points.lanes
    bright = np.flatnonzero(light.any(axis=1))
    places = {scene.points.index(lane, hole): (lane, hole) for lane in lanes for hole in holes}
    return {places[point] for point in bright.tolist()}


def across(*holes: int) -> set[tuple[int, int]]:
    """Return these holes of all lanes."""
    return {(lane, hole) for lane in range(1, BOARD.track.lanes + 1) for hole in holes}


# Flashes appear at their own lamps, and leave no trace


def test_mode_steps_while_it_is_held() -> None:
    """Five more holes mean brightness, then from 2 s demo, 5 s new game, 8 s tour."""
    view = dataclasses.replace(still(new_game(small_setup())), mode_since=50.0)
    scene = Scene(SMALL, PALETTE)
    steps = ((50.5, 5, 52.0), (52.0, 10, 55.0), (56.0, 15, 58.0), (58.0, 20, None))
    for t, holes, change in steps:
        light, until = scene.compose(view, t)
        lit = [hole for hole in range(1, 61) if at(light, 1, hole) == [1.0, 1.0, 1.0]]
        assert list(range(1, holes + 1)) == lit
        assert change == until


def test_signals_have_their_lamps_and_end() -> None:
    """A signal blinks in its place at once, and leaves no trace."""
    state = after(small_setup(), Peg(side=1, points=9))
    quiet = light_of(still(state))
    lamps = {
        FlashKind.REFUSED: "start-1",
        FlashKind.STUCK: "start-1",
        FlashKind.DEAL_HINT: "dealer-1",
        FlashKind.DEAL_HELD: "dealer-1",
    }
    for kind, lamp in lamps.items():
        view = flashing_view(state, kind)
        assert np.any(light_of(view, 50.01) != quiet, axis=1)[POINTS.lamps[lamp]]
        light, until = Scene(SMALL, PALETTE).compose(view, view.flashes[0].end)
        assert until is None
        assert np.array_equal(quiet, light)


def test_refused_blinks_twice_at_the_pegs_too() -> None:
    """It blinks twice at start lamp, front and back peg."""
    state = after(small_setup(), Peg(side=1, points=9), Peg(side=1, points=2))
    view = flashing_view(state, FlashKind.REFUSED)
    for hole in (0, 9, 11):
        seen = [at(light_of(view, 50.1 + n * 3 / 16), 1, hole)[0] for n in range(4)]
        assert [1.0, 0.0, 1.0, 0.0] == seen


@pytest.mark.parametrize("front", [0, 9])
def test_a_refused_press_is_seen_when_calm(front: int) -> None:
    """In one pulse start lamp and pegs change by more than a fifth, even bright ones."""
    state = after(small_setup(), SetPegs(side=1, front=front, back=0))
    view = flashing_view(state, FlashKind.REFUSED)
    quiet = light_of(view, 49.9)
    middle = light_of(view, (50.0 + view.flashes[0].end) / 2, calm=True)
    for hole in (0, front):
        assert 0.2 < np.abs(np.subtract(at(quiet, 1, hole), at(middle, 1, hole))).max()


def test_a_stuck_button_of_the_table_shows_at_the_dealers_lamp() -> None:
    """The table's own button is red at the dealer's lamp."""
    view = flashing_view(new_game(small_setup()), FlashKind.STUCK, None)
    assert [1.0, 0.0, 0.0] == light_of(view, 50.1)[POINTS.lamps["dealer-1"]].tolist()


def test_a_side_that_does_not_play_is_refused_at_its_start_lamp() -> None:
    """A side without pegs has only this lamp."""
    view = flashing_view(new_game(small_setup((1, 2))), FlashKind.REFUSED, 3)
    assert PALETTE.side(3).tolist() == at(light_of(view, 50.1), 3, 0)


def test_a_side_without_a_lane_has_no_lamp() -> None:
    """With two lanes the third side's buttons light nothing, without an error."""
    board = make_board(lanes=2)
    setup = Setup.make(board.track, HouseRules(), sides=(1, 2))
    state, scene = new_game(setup), Scene(board, PALETTE)
    expected = scene.compose(still(state), 50.1)[0]
    shown = scene.compose(flashing_view(state, FlashKind.REFUSED, 3), 50.1)[0]
    assert np.array_equal(expected, shown)


def test_waking_comes_up_from_dark() -> None:
    """All light gains lightness within half a second."""
    view = flashing_view(new_game(small_setup()), FlashKind.WAKE, None)
    levels = [float(light_of(view, t).max()) for t in (50.0, 50.25, 50.5)]
    assert [0.0, 0.125, 1.0] == pytest.approx(levels)


def test_an_alert_pulses_amber_at_the_dealers_lamp() -> None:
    """Unsaved commands pulse slowly in amber, also on a sleeping board."""
    state = new_game(small_setup())
    for asleep in (False, True):
        view = dataclasses.replace(still(state), alert=True, asleep=asleep)
        levels = [light_of(view, t)[POINTS.lamps["dealer-1"]].tolist() for t in (50.0, 51.0, 52.0)]
        assert [0.0, 1.0, 0.0] == [level[0] for level in levels]
        assert levels[1][0] > levels[1][1] > levels[1][2]


def test_zones_beyond_the_games_end_stay_dark() -> None:
    """G3: a game that ends at 30 lights no later zone."""
    setup = Setup.make(SMALL.track, HouseRules(game_to=30), sides=(1, 2))
    light = light_of(still(new_game(setup)))
    assert at(GROUND, 1, 27) == at(light, 1, 27)
    assert [0.0, 0.0, 0.0] == at(light, 1, 41)


# The view's flashes: one signal at a time at each lamp. The ghost: what a count would cause


@pytest.mark.parametrize(
    ("first", "second", "begins"),
    [
        pytest.param(("REFUSED", 1), ("REFUSED", 1.2, 1), [1.0], id="one goes on"),
        pytest.param(("DEAL_HINT", 2), ("DEAL_HELD", 1.5, None), [1.0, 3.0], id="a lamp waits"),
        pytest.param(("REFUSED", 1), ("REFUSED", 1.1, 2), [1.0, 1.1], id="two lamps"),
        pytest.param(("STUCK", 1), ("REFUSED", 9.0, 1), [9.0], id="what is over goes"),
    ],
)
def test_a_lamp_has_one_signal_at_a_time(
    first: tuple[str, int], second: tuple[str, float, int | None], begins: list[float]
) -> None:
    """Repeated presses change nothing, and the dealer's lamp ends a signal before the next."""
    (kind, side), (other, t0, by) = first, second
    running = flashing((), flash(FlashKind[kind], 1.0, side))
    both = flashing(running, flash(FlashKind[other], t0, by))
    assert begins == [each.t0 for each in both]
    assert both[:1] == running or begins[0] != 1.0


LANDINGS = (Kind.SLID, Kind.TRAPPED, Kind.ADVANCED, Kind.FOLDED)


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


# The light of a start: steps, faults by their holes, the address as a hole


def test_each_step_is_ten_holes_more() -> None:
    """They are lit in every lane, from the start on."""
    assert across(*range(1, 11)) == lit(StartReport(step=1))
    assert across(*range(1, 31)) == lit(StartReport(step=3))


def test_the_address_is_a_hole() -> None:
    """Its last number is lit in every lane: 0 as start lamps, beyond the finish as a sum."""
    finish = BOARD.track.finish
    holes = {1: {1}, 7: {7}, 27: {27}, finish + 3: {3, finish}, 0: {0}}
    for address, expected in holes.items():
        assert across(*expected) == lit(StartReport(step=4, address=address))


def test_every_address_can_be_read() -> None:
    """Even on the shortest board different holes add up to the number."""
    for finish, address in product((61, 121, 363), range(256)):
        holes = address_holes(address, finish)
        assert address == sum(holes)
        assert len(holes) == len(set(holes)) <= 5
        assert set(holes) <= set(range(finish + 1))


def test_each_fault_has_its_holes() -> None:
    """They are lit and dark for a second each, and differ for all faults."""
    for fault in MachineFault:
        report = StartReport(step=4, faults=frozenset({fault}))
        shown = across(*(hole for hole in fault_holes(fault) if hole <= BOARD.track.finish))
        assert (shown, set()) == (lit(report, 0.5), lit(report, 1.5))
    every = [hole for fault in MachineFault for hole in fault_holes(fault)]
    assert len(every) == len(set(every))


def test_the_way_into_a_network_has_its_holes() -> None:
    """The hotspot is steady, a join blinks; the number of blinking holes is the failure."""
    shown: dict[NetworkStage | JoinFailure, int]
    shown = {NetworkStage.HOTSPOT: 5, NetworkStage.JOINING: 5}
    shown |= {failure: min(n, 4) for n, failure in enumerate(JoinFailure, start=1)}
    for network, holes in shown.items():
        report = StartReport(step=4, network=network)
        expected = across(*range(36, 36 + holes))
        assert expected == lit(report, 0.5)
        assert (expected if network is NetworkStage.HOTSPOT else set()) == lit(report, 1.5)


def test_the_address_stands_still_among_faults() -> None:
    """A hole of both belongs to the address."""
    report = StartReport(step=4, faults=frozenset({MachineFault.UNDERVOLTAGE}), address=2)
    assert across(2) == lit(report, 1.5)


# Signs: the table of quiet lights, and the tour, in which each has its own light and words


def test_the_language_has_every_sign_once() -> None:
    """Each sign has a view, and each language words for exactly the signs."""
    assert {*Sign, *ZoneKind} == set(SIGNS)
    for language in languages():
        phrases = load_phrases(language).phrases
        assert set(SIGNS) == {key[6:] for key in phrases if key.startswith("signs.")}


def test_a_board_shows_the_signs_that_are_possible_on_it() -> None:
    """All zones show all signs, even in a game of two; without zones theirs are left out."""
    for lanes in ((1, 2), (2, 3), (1, 2, 3)):
        assert tuple(SIGNS) == tuple(sign_views(small_setup(lanes), T0))
    zones = {"aimed", "boxed", "box-move", "free-next", "folded", *ZoneKind}
    for name in ("classic", "classic-61"):
        setup = Setup.make(load_board(name).track, HouseRules(), sides=(1, 2))
        assert zones == set(SIGNS) - set(sign_views(setup, T0))


@pytest.mark.parametrize("calm", [False, True])
def test_no_two_signs_look_alike(*, calm: bool) -> None:
    """Each sign has light of its own at some time of a rhythm."""
    scene = Scene(SMALL, PALETTE, calm=calm)
    seen = {
        sign: np.array([scene.compose(view, T0 + n / 8)[0] for n in range(72)])
        for sign, view in sign_views(small_setup(), T0, calm=calm).items()
    }
    pairs = itertools.combinations(seen, 2)
    assert [] == [pair for pair in pairs if np.ptp([seen[s] for s in pair], axis=0).max() <= 0.03]


def test_the_whole_tour_takes_two_minutes() -> None:
    """This holds for the shipped boards, to a few seconds."""
    setup = Setup.make(load_board("crib-wars").track, HouseRules(), sides=(1, 2, 3))
    assert 125 >= len(sign_views(setup, T0)) * SIGN_S


def test_each_sign_lasts_as_long_as_its_light() -> None:
    """Its rhythm is shown whole, at half speed when calm, and its pegs arrive."""
    for calm, speed in itertools.product((False, True), (0.25, 1.0, 4.0)):
        seconds = sign_duration(calm=calm, speed=speed)
        views = sign_views(small_setup(), T0, calm=calm, speed=speed).values()
        ends = [view.motion.end - T0 for view in views]
        assert seconds >= max(SLOTS * SLOT_S * (2 if calm else 1), *ends)


def test_no_sign_flashes_too_fast() -> None:
    """There are at most three flashes a second, before any limiter."""
    scene = Scene(SMALL, PALETTE)
    flashes = {
        sign: most_flashes(lambda t, view=view: scene.compose(view, t)[0], T0, SIGN_S)  # type: ignore[misc]
        for sign, view in sign_views(small_setup(), T0).items()
    }
    assert {} == {sign: count for sign, count in flashes.items() if count > 3}


# The table of quiet lights


def test_an_area_shows_the_first_light_that_is_due() -> None:
    """A due move in the box precedes the side's fold; nothing due shows nothing."""
    due = {Sign.FOLDED: True, Sign.BOX_MOVE: True, Sign.TURN: False}
    shown = first_shown(LightArea.START_LAMP, due)
    assert shown
    assert Sign.BOX_MOVE is shown.sign
    assert first_shown(LightArea.START_LAMP, {Sign.SKUNK: True}) is None


def test_rhythms_of_an_area_differ_and_are_slow() -> None:
    """All rhythms of an area differ, with at most three rises a second."""
    rhythms = [(each.area, each.slots) for each in QUIET_LIGHTS if len(each.slots) < SLOTS]
    assert len(rhythms) == len(set(rhythms))
    second = int(1 / SLOT_S)
    for _, slots in rhythms:
        lit = [n % SLOTS in slots for n in range(2 * SLOTS)]
        rises = [later and not earlier for earlier, later in itertools.pairwise(lit)]
        assert all(sum(rises[n : n + second]) <= 3 for n in range(len(rises) - second))
