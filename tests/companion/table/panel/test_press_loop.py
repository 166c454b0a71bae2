"""The loop of presses: edges that arrive late are still the same presses."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import pytest

from companion.table.panel.actions import Answer
from companion.table.panel.panel import Panel
from companion.table.panel.press_loop import MOST_LATE_S, PressLoop
from hardware.debounce import Change, Debouncer, Edge


@dataclass
class Presses:
    """A panel that only notes what is pressed."""

    seen: list[tuple[bool, float]] = field(default_factory=list)

    def tick(self, _now: float) -> list[Answer]:
        """Do nothing."""
        return []

    def press(self, change: Change) -> list[Answer]:
        """Note a press or release."""
        self.seen.append((change.down, change.t))
        return []

    def deadline(self, _now: float) -> None:
        """Wait for nothing."""


class Clock:
    """Seconds that only the test moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the current time."""
        return self.now


def seen(arrivals: Sequence[tuple[float, Edge]], *, until: float) -> list[tuple[bool, float]]:
    """Return the presses and releases of edges that arrive at these seconds, in order."""
    clock, panel = Clock(), Presses()
    loop = PressLoop(
        panel=cast("Panel", panel),
        debouncer=Debouncer(),
        clock=clock,
        act=lambda _: None,
        pressed=lambda: None,
        looked=lambda: None,
    )

    def wait(time: float) -> None:
        while clock.now < time:
            clock.now = min(time, clock.now + 0.001)
            loop.poll()

    async def play() -> None:
        loop.start()
        for arrival, edge in arrivals:
            wait(arrival)
            loop.edge(edge)
            await asyncio.sleep(0)
        wait(until)
        loop.stop()

    asyncio.run(play())
    return panel.seen


@pytest.mark.parametrize("step_ms", [0.1, 2, 6, 15])
def test_a_contact_that_bounces_is_one_press_however_late_its_edges_come(step_ms: float) -> None:
    """20 edges within 20 ms, each some milliseconds later than the last, are one press."""
    levels = [(ms, ms % 2 == 0) for ms in range(21)] + [(200, False)]
    arrivals = [
        (max(ms, n * step_ms) / 1000, Edge(button="deal", down=down, t=ms / 1000))
        for n, (ms, down) in enumerate(levels)
    ]
    assert [(True, 0.0), (False, 0.2)] == seen(arrivals, until=1.2)


def test_a_clock_that_is_slow_delays_a_press_by_half_a_second_at_most() -> None:
    """An edge that seems to be a minute old is decided soon after its arrival."""
    edge = Edge(button="deal", down=True, t=1.0)
    assert [(True, 1.0)] == seen([(61.0, edge)], until=61.0 + MOST_LATE_S + 0.01)
