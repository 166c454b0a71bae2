"""Every pressed button is released again."""

import asyncio
from itertools import pairwise
from typing import cast

import pytest

from companion.web.table.mock_buttons import SHORTEST_PRESS_S, MockButtons
from hardware.buttons import MockPanel
from hardware.errors import ButtonError
from tests.support.real_table import RealTable, at_table


def buttons_of(table: RealTable, **how: float) -> MockButtons:
    """Return the mock buttons of a table."""
    return MockButtons(cast("MockPanel", table.panel), settle_s=0.0, closing=table.closing, **how)


def down(table: RealTable) -> list[str]:
    """The buttons that are down."""
    return [name for name in table.about["buttons"] if table.panel and table.panel.is_down(name)]


def test_a_press_goes_down_and_up() -> None:
    """A press ends by itself after its time."""

    async def run(table: RealTable) -> list[tuple[str, bool]]:
        await buttons_of(table).press("deal", 0.01)
        return table.presses

    assert [("deal", True), ("deal", False)] == at_table(run)


def test_a_long_press_ends_with_the_server() -> None:
    """A press of many seconds does not keep a closing server waiting."""

    async def run(table: RealTable) -> list[tuple[str, bool]]:
        press = asyncio.create_task(buttons_of(table).press("mode", 15))
        await table.until(lambda table: ["mode"] == down(table))
        table.closing.set()
        await press
        return table.presses

    assert [("mode", True), ("mode", False)] == at_table(run)


def test_a_cancelled_press_comes_up() -> None:
    """A press whose client has gone is released."""

    async def run(table: RealTable) -> list[tuple[str, bool]]:
        press = asyncio.create_task(buttons_of(table).press("mode", 15))
        await table.until(lambda table: ["mode"] == down(table))
        press.cancel()
        await asyncio.gather(press, return_exceptions=True)
        return table.presses

    assert [("mode", True), ("mode", False)] == at_table(run)


def test_a_hold_ends_by_itself() -> None:
    """A held button is released at the limit, and can be held again."""

    async def run(table: RealTable) -> list[tuple[str, bool]]:
        buttons = buttons_of(table, limit_s=0.01)
        for _ in range(2):
            await buttons.hold("deal", pad="a", viewer=None)
            await table.until(lambda table: [] == down(table))
        return table.presses

    assert [("deal", True), ("deal", False)] * 2 == at_table(run)


def test_a_viewer_that_leaves_lets_go_of_its_own_buttons_only() -> None:
    """The end of a page's stream releases only the buttons that the page holds."""

    async def run(table: RealTable) -> list[str]:
        buttons = buttons_of(table)
        for button, viewer in (("1.enter", 1), ("1.undo", 1), ("2.enter", 2), ("deal", None)):
            await buttons.hold(button, pad="a", viewer=viewer)
        buttons.leave(1)
        buttons.leave(1)
        return down(table)

    assert ["2.enter", "deal"] == at_table(run)


def test_only_the_holder_lets_go() -> None:
    """A page cannot release another page's button, and a second release does nothing."""

    async def run(table: RealTable) -> list[tuple[str, bool]]:
        buttons = buttons_of(table)
        await buttons.hold("deal", pad="a", viewer=1)
        await buttons.release("deal", pad="b", held=0)
        assert ["deal"] == down(table)
        await buttons.release("deal", pad="a", held=0)
        await buttons.release("deal", pad="a", held=0)
        return table.presses

    assert [("deal", True), ("deal", False)] == at_table(run)


def test_a_button_that_is_down_stays_as_it_is() -> None:
    """Two fingers press a button once, and the first releases it; a script is refused."""

    async def run(table: RealTable) -> list[tuple[str, bool]]:
        buttons = buttons_of(table)
        for pad in "ab":
            await buttons.hold("deal", pad=pad, viewer=None)
        with pytest.raises(ButtonError):
            await buttons.press("deal", 0.01)
        for pad in "ba":
            await buttons.release("deal", pad=pad, held=0)
        return table.presses

    assert [("deal", True), ("deal", False)] == at_table(run)


class TimedPanel:
    """A panel of one button, which keeps the times of its edges."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def is_down(self, _button: str) -> bool:
        """Return True if the button is down."""
        return len(self.times) % 2 == 1

    def down(self, _button: str) -> None:
        """Press it."""
        self.times.append(asyncio.get_running_loop().time())

    up = down


def test_late_halves_are_a_whole_press() -> None:
    """Halves that arrive at once are kept apart for the page's time, at least for a press."""

    async def run() -> list[float]:
        panel = TimedPanel()
        buttons = MockButtons(cast("MockPanel", panel), settle_s=0.05, closing=asyncio.Event())
        for held in (0, 0.2):
            down = buttons.hold("deal", pad="a", viewer=None)
            await asyncio.gather(down, buttons.release("deal", pad="a", held=held))
        return [after - before for before, after in pairwise(panel.times)]

    assert all(
        longer >= wanted
        for longer, wanted in zip(asyncio.run(run()), (SHORTEST_PRESS_S, 0.05, 0.2), strict=True)
    )
