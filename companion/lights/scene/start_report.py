"""Light while the machine starts: the progress, and then faults and the network address."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from companion.lights.compositor import over
from companion.lights.scene.canvas import FIVE_LEVEL, Canvas

STEPS: Final = 4  # steps of a start
STEP_HOLES: Final = 10  # holes of a lane that are lit for each step
FAULT_HOLES: Final = 5
FAULT_BEAT_S: Final = 1.0  # seconds that a fault's holes are lit, and then dark


class MachineFault(StrEnum):
    """Faults of a machine, in the order of their holes."""

    UNDERVOLTAGE = "undervoltage"
    DISK_FULL = "disk full"
    SAFE_START = "safe start"
    NO_NETWORK = "no network"


@dataclass(frozen=True, slots=True, kw_only=True)
class StartReport:
    """Report of a start: its step, the machine's faults, and the last number of its IP address."""

    step: int = 0
    faults: frozenset[MachineFault] = frozenset()
    address: int | None = None


def fault_holes(fault: MachineFault) -> range:
    """Return the holes that blink for a fault.

    >>> list(fault_holes(MachineFault.DISK_FULL))
    [11, 12, 13, 14, 15]
    """
    first = 2 * FAULT_HOLES * list(MachineFault).index(fault) + 1
    return range(first, first + FAULT_HOLES)


def address_holes(address: int, finish: int) -> list[int]:
    """Return the fewest holes whose numbers add up to `address`, the highest number first.

    >>> address_holes(57, 363), address_holes(200, 121), address_holes(254, 61)
    ([57], [121, 79], [61, 60, 59, 58, 16])
    """
    holes = []
    while address > finish:
        holes.append(finish)
        address, finish = address - finish, finish - 1
    return [*holes, address]


def paint_start_report(canvas: Canvas, report: StartReport) -> None:
    """Light ten holes of each lane for each step; after all steps show faults and address."""
    canvas.light[:] = 0
    finish = canvas.points.board.track.finish
    if report.step < STEPS:
        for lane in canvas.points.lanes:
            canvas.first_holes(lane, STEP_HOLES * report.step, FIVE_LEVEL)
        return
    address = [] if report.address is None else address_holes(report.address, finish)
    for fault in sorted(report.faults, key=list(MachineFault).index):
        points = canvas.points.across([hole for hole in fault_holes(fault) if hole not in address])
        colour = canvas.palette.warning
        canvas.beat(points, np.stack([colour, np.zeros_like(colour)]), FAULT_BEAT_S)
    over(canvas.light, canvas.points.across(address), canvas.palette.plain)
