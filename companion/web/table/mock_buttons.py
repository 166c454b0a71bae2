"""Presses on the mock panel: whatever goes down comes up again.

A button held by a page goes up when the page says so, when its stream ends (closed, hidden,
out of reach) and after `limit_s` at the latest: whichever comes first.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from hardware.mock import MockPanel

HOLD_LIMIT_S = 12.0
"""Longer than the 10 s after which a button counts as stuck, so that this can be tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    viewer: int | None
    timer: asyncio.TimerHandle


class MockButtons:
    """Buttons of a mock panel under the fingers of pages; for use in the event loop.

    Args:
        panel: drives the mock pins.
        rest_s: seconds that a contact takes to come to rest.
        closing: ends every press when it is set.
        limit_s: longest hold in seconds.
    """

    def __init__(
        self,
        panel: MockPanel,
        *,
        rest_s: float,
        closing: asyncio.Event,
        limit_s: float = HOLD_LIMIT_S,
    ) -> None:
        self._panel, self._rest_s, self._closing = panel, rest_s, closing
        self._limit_s = limit_s
        self._held: dict[str, _Held] = {}

    async def press(self, button: str, seconds: float) -> None:
        """Press a button and let it up after `seconds`, or at once when the server stops.

        Returns when its contact is at rest, so that presses one after the other are as many.

        Raises:
            ButtonError: it is down already.
        """
        self._panel.down(button)
        try:
            async with asyncio.timeout(seconds):
                await self._closing.wait()
        except TimeoutError:
            pass
        finally:
            self._panel.up(button)
        await asyncio.sleep(self._rest_s)

    def hold(self, button: str, viewer: int | None) -> None:
        """Press a button and keep it down; a ButtonError if it is down already."""
        self._panel.down(button)
        timer = asyncio.get_running_loop().call_later(self._limit_s, self._let_up, button)
        self._held[button] = _Held(viewer=viewer, timer=timer)

    def release(self, button: str, viewer: int | None) -> None:
        """Let up what this viewer holds; does nothing to a button that it does not hold."""
        held = self._held.get(button)
        if held and held.viewer == viewer:
            self._let_up(button)

    def leave(self, viewer: int) -> None:
        """Let up all that a viewer holds: its stream has ended."""
        for button in [button for button, held in self._held.items() if held.viewer == viewer]:
            self._let_up(button)

    def _let_up(self, button: str) -> None:
        self._held.pop(button).timer.cancel()
        self._panel.up(button)
