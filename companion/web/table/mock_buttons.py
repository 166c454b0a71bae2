"""Presses on the mock panel: every button that goes down comes up again.

A button held by a page goes up when the page says so, when its stream ends (closed, hidden,
out of reach) and after `limit_s` at the latest: whichever comes first.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from hardware.mock import MockPanel

HOLD_LIMIT_S = 12.0
"""Longer than the 10 s after which a button counts as stuck, so that this can be tried."""
SHORTEST_PRESS_S = 0.06
"""Shortest time between a page's down and up, so that the debouncer takes it for no spike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    pad: str
    viewer: int | None
    since: float
    timer: asyncio.TimerHandle


class MockButtons:
    """Buttons of a mock panel under the fingers of pages; for use in the event loop.

    Args:
        panel: drives the mock pins.
        settle_s: the seconds that a contact takes to come to rest.
        closing: ends every press when it is set.
        limit_s: the longest hold in seconds.
    """

    def __init__(
        self,
        panel: MockPanel,
        *,
        settle_s: float,
        closing: asyncio.Event,
        limit_s: float = HOLD_LIMIT_S,
    ) -> None:
        self._panel, self._settle_s, self._closing = panel, settle_s, closing
        self._limit_s = limit_s
        self._held: dict[str, _Held] = {}
        self._at_rest: dict[str, float] = {}
        """By button, the time from which its contact is at rest."""
        self._turn = asyncio.Lock()

    async def press(self, button: str, seconds: float) -> None:
        """Press a button and let it up after `seconds`, or at once when the server stops.

        Returns when its contact is at rest, so that the next press counts as another.

        Raises:
            ButtonError: it is down already.
        """
        self._panel.down(button)
        try:
            await self._until(_now() + seconds)
        finally:
            self._panel.up(button)
        await asyncio.sleep(self._settle_s)

    async def hold(self, button: str, *, pad: str, viewer: int | None) -> None:
        """Press a button for a page and keep it down; one that is down already stays as it is.

        Holds and releases take place in the order of their calls, each once its contact is at rest.
        """
        async with self._turn:
            await self._until(self._at_rest.get(button, 0.0))
            if not self._panel.is_down(button):
                self._panel.down(button)
                timer = asyncio.get_running_loop().call_later(self._limit_s, self._let_up, button)
                self._held[button] = _Held(pad=pad, viewer=viewer, since=_now(), timer=timer)

    async def release(self, button: str, *, pad: str, held: float) -> None:
        """Let up a button that this page holds, once it has been down for `held` seconds."""
        async with self._turn:
            found = self._held.get(button)
            if found and found.pad == pad:
                await self._until(found.since + max(held, SHORTEST_PRESS_S))
                if self._held.get(button) is found:
                    self._let_up(button)

    def leave(self, viewer: int) -> None:
        """Let up all that a viewer holds: its stream has ended."""
        for button in [button for button, held in self._held.items() if held.viewer == viewer]:
            self._let_up(button)

    def _let_up(self, button: str) -> None:
        self._held.pop(button).timer.cancel()
        self._panel.up(button)
        self._at_rest[button] = _now() + self._settle_s

    async def _until(self, time: float) -> None:
        """Wait until a time of the loop's clock, or until the server stops."""
        with suppress(TimeoutError):
            async with asyncio.timeout_at(time):
                await self._closing.wait()


def _now() -> float:
    return asyncio.get_running_loop().time()
