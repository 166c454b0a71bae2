"""Presses of mock (simulated) buttons, sent by pages: every button that goes down comes up again.

A button held by a page goes up when the page releases it, when the page's stream ends (the page is
closed, hidden or out of reach), or after `limit_s`.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from hardware.buttons import MockPanel

HOLD_LIMIT_S = 12.0
"""Longer than the 10 s after which a button counts as stuck, so that a page can get one stuck."""
SHORTEST_PRESS_S = 0.06
"""A shorter press is made this long, so that the debouncer accepts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    pad: str
    viewer: int | None
    since: float
    timer: asyncio.TimerHandle


class MockButtons:
    """Buttons of a mock panel that pages press; for use in the event loop.

    Args:
        panel: drives the mock pins.
        settle_s: the seconds that a contact takes to come to rest.
        closing: is set when the server stops, which ends every press.
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
        """For each button, the time from which its contact is at rest."""
        self._turn = asyncio.Lock()

    async def press(self, button: str, seconds: float) -> None:
        """Press a button and let it up after `seconds`, or at once when the server stops.

        The contact is at rest on return, so that the next press is not taken for a bounce.

        Raises:
            ButtonError: the button is down already.
        """
        self._panel.down(button)
        try:
            await self._until(_now() + seconds)
        finally:
            self._panel.up(button)
        await asyncio.sleep(self._settle_s)

    async def hold(self, button: str, *, pad: str, viewer: int | None) -> None:
        """Press a button for a page and keep it down; do nothing if it is down already.

        Holds and releases are carried out in the order of their calls. `pad` is the name that the
        page made up for itself (see `taps`), `viewer` the number of its stream.
        """
        async with self._turn:
            await self._until(self._at_rest.get(button, 0.0))
            if not self._panel.is_down(button):
                self._panel.down(button)
                timer = asyncio.get_running_loop().call_later(self._limit_s, self._let_up, button)
                self._held[button] = _Held(pad=pad, viewer=viewer, since=_now(), timer=timer)

    async def release(self, button: str, *, pad: str, held: float) -> None:
        """Let up a button that the page `pad` holds, once it has been down for `held` seconds."""
        async with self._turn:
            found = self._held.get(button)
            if found and found.pad == pad:
                await self._until(found.since + max(held, SHORTEST_PRESS_S))
                if self._held.get(button) is found:
                    self._let_up(button)

    def leave(self, viewer: int) -> None:
        """Let up all buttons that a viewer holds, since its stream has ended."""
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
