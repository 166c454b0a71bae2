"""The loop of presses: edges that arrive late are still the same presses."""

import asyncio
from dataclasses import dataclass, field
from typing import cast

import pytest

from companion.table.panel.actions import Answer
from companion.table.panel.panel import Panel
from companion.table.panel.press_loop import PressLoop
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


@pytest.mark.parametrize("step_ms", [0.1, 2, 6, 15])
def test_a_contact_that_bounces_is_one_press_however_late_its_edges_come(step_ms: float) -> None:
    """20 edges within 20 ms, each some milliseconds later than the last, are one press."""
    now, panel = [0.0], Presses()
    loop = PressLoop(
        panel=cast("Panel", panel),
        debouncer=Debouncer(),
        clock=lambda: now[0],
        act=lambda _: None,
        pressed=lambda: None,
        looked=lambda: None,
    )

    async def play() -> None:
        loop.start()
        edges = [(ms, ms % 2 == 0) for ms in range(21)] + [(200, False)]
        for number, (ms, down) in enumerate(edges):
            arrival = max(ms, number * step_ms) / 1000
            while now[0] < arrival:
                now[0] = min(arrival, now[0] + 0.001)
                loop.poll()
            loop.edge(Edge(button="deal", down=down, t=ms / 1000))
            await asyncio.sleep(0)
        for _ in range(1000):
            now[0] += 0.001
            loop.poll()
        loop.stop()

    asyncio.run(play())
    assert [(True, 0.0), (False, 0.2)] == panel.seen
