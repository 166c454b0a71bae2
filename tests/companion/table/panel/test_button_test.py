"""The test of buttons and lamps, which begins with Mode held at power-on."""

from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np

from companion.board import load_board
from companion.buttons import button_names
from companion.lights import Palette, Scene
from companion.table.panel.modes import BUTTON_TEST_IDLE_S
from hardware.debounce import Edge
from tests.companion.table.bench import Bench, at_table
from tests.support.scenes import run_by


def with_mode_down(play: Callable[[Bench], Coroutine[Any, Any, None]]) -> None:
    """Run a scene at a table whose Mode is down from the start."""
    bench = Bench()
    bench.table.presses.edge(Edge(button="mode", down=True, t=bench.now))
    at_table(bench, play)


async def begun(bench: Bench) -> None:
    """Release Mode; the test goes on."""
    await bench.settled()
    bench.table.presses.edge(Edge(button="mode", down=False, t=bench.now + 1))
    bench.now += 2
    await bench.settled()


@run_by(with_mode_down)
async def test_every_button_lights_its_own_part(bench: Bench) -> None:
    """A part is bright while its button is down, then dim. No press counts. Mode ends the test."""
    await begun(bench)
    seen = set()
    scene = Scene(load_board("crib-wars"), Palette.make(), calm=True)
    for action in button_names(3)[:-1]:
        await bench.move(action, down=True)
        view = bench.table.display.view.button_test
        assert view is not None
        assert {action} == view.down
        light = scene.compose(bench.table.display.view, 0.0)[0]
        seen.add(tuple(np.flatnonzero(light.max(axis=1) > 0.9)))
        await bench.move(action, down=False)
    assert len(button_names(3)) - 1 == len(seen)
    assert set(button_names(3)[:-1]) == bench.table.display.view.button_test.pressed  # type: ignore[union-attr]
    assert ({}, []) == (bench.table.panel.counts.by_side, bench.journal.commands)
    await bench.press("mode", "1.plus_one")
    assert bench.table.display.view.button_test is None
    assert {1} == set(bench.table.panel.counts.by_side)


@run_by(with_mode_down)
async def test_it_ends_after_a_while_without_a_press(bench: Bench) -> None:
    """The test ends by itself, so that a stuck Mode cannot block the game."""
    await begun(bench)
    await bench.press("2.enter")
    await bench.wait(BUTTON_TEST_IDLE_S - 1)
    assert bench.table.display.view.button_test
    await bench.wait(2)
    assert bench.table.display.view.button_test is None
