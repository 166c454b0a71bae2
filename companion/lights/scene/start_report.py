"""Light of a start: how far it is, what is wrong with the machine, and where its page is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from companion.lights.compositor import over
from companion.lights.scene.canvas import FIVE_LEVEL, Canvas

STEPS: Final = 4
"""Steps of a start."""
STEP_HOLES: Final = 10
"""Holes of a lane that are lit for each step."""
FAULT_HOLES: Final = 5
FAULT_BEAT_S: Final = 1.0
"""Seconds that a fault's holes are lit, and then dark."""


class MachineFault(StrEnum):
    """Faults of a machine, in the order of their holes."""

    UNDERVOLTAGE = "undervoltage"
    DISK_FULL = "disk full"
    SAFE_START = "safe start"
    NO_NETWORK = "no network"


@dataclass(frozen=True, slots=True, kw_only=True)
class StartReport:
    """Report of a start: its step, the machine's faults, the last number of its address."""

    step: int = 0
    faults: frozenset[MachineFault] = frozenset()
    address: int | None = None


def fault_holes(fault: MachineFault) -> range:
    """Return the holes that beat for a fault.

    >>> list(fault_holes(MachineFault.DISK_FULL))
    [11, 12, 13, 14, 15]
    """
    first = 2 * FAULT_HOLES * list(MachineFault).index(fault) + 1
    return range(first, first + FAULT_HOLES)


def address_hole(address: int, finish: int) -> tuple[int, int]:
    """Return the hole of a number, and how often the finish was passed on the way to it.

    >>> address_hole(57, 363), address_hole(200, 121), address_hole(121, 121)
    ((57, 0), (79, 1), (121, 0))
    """
    rounds, rest = divmod(address - 1, finish)
    return rest + 1, rounds


def paint_start_report(canvas: Canvas, report: StartReport) -> None:
    """Light ten holes a step in each lane; then the faults beat and the address stands still.

    The start lamp of as many lanes is lit as times the finish was passed.
    """
    canvas.light[:] = 0
    finish = canvas.points.board.track.finish
    if report.step < STEPS:
        for lane in canvas.points.lanes:
            canvas.first_holes(lane, STEP_HOLES * report.step, FIVE_LEVEL)
        return
    for holes in _lit_holes(report, finish):
        points = canvas.points.across(holes)
        colour = canvas.palette.warning
        canvas.beat(points, np.stack([colour, np.zeros_like(colour)]), FAULT_BEAT_S)
    if report.address:
        hole, rounds = address_hole(report.address, finish)
        over(canvas.light, canvas.points.across([hole]), canvas.palette.plain)
        for lane in canvas.points.lanes[:rounds]:
            over(canvas.light, canvas.points.of(lane, [0]), canvas.palette.plain)


def _lit_holes(report: StartReport, finish: int) -> Iterator[list[int]]:
    """Yield the holes of each fault, without that of the address."""
    taken = address_hole(report.address, finish)[0] if report.address else None
    for fault in MachineFault:
        if fault in report.faults:
            yield [hole for hole in fault_holes(fault) if hole != taken]
