"""The light of a start: steps, faults by their holes, the address as a hole."""

from itertools import product

import numpy as np

from companion.lights import Palette, Scene, View
from companion.lights.scene.shows import address_holes, fault_holes
from companion.lights.scene.view import MachineFault, StartReport
from companion.rules.game import HouseRules, Setup, new_game
from tests.support.boards import make_board

BOARD = make_board()
START = new_game(Setup.make(BOARD.track, HouseRules(skunk_at="off"), sides=(1, 2)))


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


def test_the_address_stands_still_among_faults() -> None:
    """A hole of both belongs to the address."""
    report = StartReport(step=4, faults=frozenset({MachineFault.UNDERVOLTAGE}), address=2)
    assert across(2) == lit(report, 1.5)
