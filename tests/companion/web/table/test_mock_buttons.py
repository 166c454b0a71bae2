"""Whatever goes down comes up again."""

from __future__ import annotations

import asyncio

import pytest

from companion.web.table.mock_buttons import Fingers
from hardware.errors import ButtonError
from tests.support.desk import FakeDesk


def test_a_press_goes_down_and_up() -> None:
    """A press ends by itself after its time."""
    desk = FakeDesk()
    asyncio.run(Fingers(desk).press("deal", 0.01))
    assert [("deal", True), ("deal", False)] == desk.presses


def test_a_long_press_ends_with_the_server() -> None:
    """A press of many seconds does not keep a closing server waiting."""

    async def run() -> list[tuple[str, bool]]:
        desk = FakeDesk()
        press = asyncio.create_task(Fingers(desk).press("mode", 15))
        await desk.until(lambda desk: desk.down["mode"])
        desk.closing.set()
        await press
        return desk.presses

    assert [("mode", True), ("mode", False)] == asyncio.run(run())


def test_a_cancelled_press_comes_up() -> None:
    """A press whose client is given up leaves no button down."""

    async def run() -> list[tuple[str, bool]]:
        desk = FakeDesk()
        press = asyncio.create_task(Fingers(desk).press("mode", 15))
        await desk.until(lambda desk: desk.down["mode"])
        press.cancel()
        await asyncio.gather(press, return_exceptions=True)
        return desk.presses

    assert [("mode", True), ("mode", False)] == asyncio.run(run())


def test_a_hold_ends_by_itself() -> None:
    """A button that nobody lets up goes up at the limit, and can be held again."""

    async def run() -> list[tuple[str, bool]]:
        desk = FakeDesk()
        fingers = Fingers(desk, limit_s=0.01)
        for _ in range(2):
            fingers.hold("deal", None)
            await desk.until(lambda desk: not desk.down["deal"])
        return desk.presses

    assert [("deal", True), ("deal", False)] * 2 == asyncio.run(run())


def test_a_viewer_that_leaves_lets_go_of_its_own_buttons_only() -> None:
    """The end of a page's stream lets up what that page holds, and nothing else."""

    async def run() -> list[str]:
        desk = FakeDesk()
        fingers = Fingers(desk)
        for button, viewer in (("1.enter", 1), ("1.undo", 1), ("2.enter", 2), ("deal", None)):
            fingers.hold(button, viewer)
        fingers.leave(1)
        fingers.leave(1)
        return [button for button, down in desk.down.items() if down]

    assert ["2.enter", "deal"] == asyncio.run(run())


def test_only_the_holder_lets_go() -> None:
    """A page cannot let up another page's button, and letting up twice does nothing."""

    async def run() -> list[tuple[str, bool]]:
        desk = FakeDesk()
        fingers = Fingers(desk)
        fingers.hold("deal", 1)
        fingers.release("deal", 2)
        fingers.release("deal", 1)
        fingers.release("deal", 1)
        return desk.presses

    assert [("deal", True), ("deal", False)] == asyncio.run(run())


def test_a_button_that_is_down_is_refused_and_stays_held() -> None:
    """Two fingers on a button: the second is refused, and the first keeps it down."""

    async def run() -> bool:
        desk = FakeDesk()
        fingers = Fingers(desk)
        fingers.hold("deal", 1)
        with pytest.raises(ButtonError):
            fingers.hold("deal", 2)
        with pytest.raises(ButtonError):
            await fingers.press("deal", 0.01)
        return desk.down["deal"]

    assert asyncio.run(run())
