"""Phones that wait until a press at the table lets them in."""

import asyncio
from collections.abc import Callable


class Approvals:
    """Requests of phones to be let in, the one that has waited longest first.

    Args:
        changed: is called with True when one begins to wait, False when none waits.
        newest_first: all are of one phone, whose older requests may have lost their connection.
    """

    def __init__(self, changed: Callable[[bool], None], *, newest_first: bool = False) -> None:
        self._changed = changed
        self._step = -1 if newest_first else 1
        self._waiting: list[asyncio.Future[None]] = []

    async def wait(self) -> None:
        """Wait to be let in."""
        approval: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(approval)
        self._changed(True)  # noqa: FBT003  # a callback's answer
        try:
            await approval
        finally:
            self._waiting.remove(approval)
            self._changed(bool(self._waiting))

    def approve(self) -> bool:
        """Let in the phone whose turn it is; return False if none waits."""
        waiting = next((each for each in self._waiting[:: self._step] if not each.done()), None)
        if waiting:
            waiting.set_result(None)
        return waiting is not None
