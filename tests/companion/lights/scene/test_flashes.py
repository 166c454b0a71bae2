"""Signals appear at their own lamps, and leave no trace."""

import dataclasses

import numpy as np
import pytest

from companion.lights import Flash, FlashKind, Scene
from companion.rules.game import HouseRules, Peg, SetPegs, Setup, new_game
from tests.companion.lights.games import SMALL, after, small_setup
from tests.companion.lights.seen import GROUND, PALETTE, POINTS, at, light_of, still
from tests.support.boards import make_board

# Signals


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
        flash = Flash(kind=kind, side=1, t0=50.0)
        view = dataclasses.replace(still(state), flashes=(flash,))
        assert np.any(light_of(view, 50.01) != quiet, axis=1)[POINTS.lamps[lamp]]
        light, until = Scene(SMALL, PALETTE).compose(view, flash.end)
        assert until is None
        assert np.array_equal(quiet, light)


def test_refused_blinks_twice_at_the_pegs_too() -> None:
    """It blinks twice at start lamp, front and back peg."""
    state = after(small_setup(), Peg(side=1, points=9), Peg(side=1, points=2))
    view = dataclasses.replace(
        still(state), flashes=(Flash(kind=FlashKind.REFUSED, side=1, t0=50.0),)
    )
    for hole in (0, 9, 11):
        seen = [at(light_of(view, 50.1 + n * 3 / 16), 1, hole)[0] for n in range(4)]
        assert [1.0, 0.0, 1.0, 0.0] == seen


@pytest.mark.parametrize("front", [0, 9])
def test_a_refused_press_is_seen_when_calm(front: int) -> None:
    """In one pulse start lamp and pegs change by more than a fifth, even bright ones."""
    state = after(small_setup(), SetPegs(side=1, front=front, back=0))
    flash = Flash(kind=FlashKind.REFUSED, side=1, t0=50.0)
    view = dataclasses.replace(still(state), flashes=(flash,))
    quiet = light_of(view, 49.9)
    middle = light_of(view, (flash.t0 + flash.end) / 2, calm=True)
    for hole in (0, front):
        assert 0.2 < np.abs(np.subtract(at(quiet, 1, hole), at(middle, 1, hole))).max()


def test_a_stuck_button_of_the_table_shows_at_the_dealers_lamp() -> None:
    """The table's own button is red at the dealer's lamp."""
    flash = Flash(kind=FlashKind.STUCK, side=None, t0=50.0)
    view = dataclasses.replace(still(new_game(small_setup())), flashes=(flash,))
    assert [1.0, 0.0, 0.0] == light_of(view, 50.1)[POINTS.lamps["dealer-1"]].tolist()


def test_a_side_that_does_not_play_is_refused_at_its_start_lamp() -> None:
    """A side without pegs has only this lamp."""
    flash = Flash(kind=FlashKind.REFUSED, side=3, t0=50.0)
    view = dataclasses.replace(still(new_game(small_setup((1, 2)))), flashes=(flash,))
    assert PALETTE.side(3).tolist() == at(light_of(view, 50.1), 3, 0)


def test_a_side_without_a_lane_has_no_lamp() -> None:
    """With two lanes the third side's buttons light nothing, without an error."""
    board = make_board(lanes=2)
    setup = Setup.make(board.track, HouseRules(), sides=(1, 2))
    quiet = still(new_game(setup))
    flash = Flash(kind=FlashKind.REFUSED, side=3, t0=50.0)
    scene = Scene(board, PALETTE)
    expected = scene.compose(quiet, 50.1)[0]
    shown = scene.compose(dataclasses.replace(quiet, flashes=(flash,)), 50.1)[0]
    assert np.array_equal(expected, shown)


def test_waking_comes_up_from_dark() -> None:
    """All light gains lightness within half a second."""
    flash = Flash(kind=FlashKind.WAKE, side=None, t0=50.0)
    view = dataclasses.replace(still(new_game(small_setup())), flashes=(flash,))
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
