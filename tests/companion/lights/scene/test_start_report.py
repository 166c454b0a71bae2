"""The light of a start: steps, faults by their holes, the address as a hole."""

import numpy as np
import pytest

from companion.lights import Palette, Scene, View
from companion.lights.scene.start_report import (
    MachineFault,
    StartReport,
    address_holes,
    fault_holes,
)
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


@pytest.mark.parametrize("address", [1, 7, 27])
def test_the_address_is_a_hole(address: int) -> None:
    """Its last number is the only lit hole, in every lane."""
    assert across(address) == lit(StartReport(step=4, address=address))


def test_a_number_beyond_the_finish_is_a_sum() -> None:
    """It is the finish plus the other hole; 0 is the start lamps."""
    finish = BOARD.track.finish
    assert across(3, finish) == lit(StartReport(step=4, address=finish + 3))
    assert across(0) == lit(StartReport(step=4, address=0))


@pytest.mark.parametrize("finish", [61, 121, 363])
def test_every_address_can_be_read(finish: int) -> None:
    """Even on the shortest board different holes add up to the number."""
    for address in range(256):
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
