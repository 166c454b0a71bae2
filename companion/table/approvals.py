"""Phones that wait until a press at the table lets them in."""

import asyncio
from collections.abc import Callable

from companion.table.hints import Hint, HintKind
from companion.table.panel import Panel


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


class PhoneApprovals:
    """Presses and holds at the panel of a table that let phones in, and do nothing else.

    `give` shows a hint, `changed` is called when the panel is to show something else.
    """

    def __init__(
        self, panel: Panel, *, give: Callable[[Hint], None], changed: Callable[[], None]
    ) -> None:
        self._panel, self._give, self._changed = panel, give, changed
        self._presses = Approvals(self._follow_presses)
        self._holds = Approvals(self._follow_holds, newest_first=True)

    async def press(self) -> None:
        """Wait until a button is pressed; the caller that has waited longest goes first."""
        await self._presses.wait()

    async def hold(self, action: str) -> None:
        """Wait until the button of an action is held; for Deal the lamps ask at once."""
        if action == "deal" and self._panel.joining != action:
            self._give(Hint(kind=HintKind.PHONE_WAITS_FOR_DEAL))
        self._panel.joining = action
        self._changed()
        await self._holds.wait()

    def approve(self, *, held: bool) -> None:
        """Let in the phone that waits for a press, or for one that was held."""
        if (self._holds if held else self._presses).approve():
            self._give(Hint(kind=HintKind.PHONE_LET_IN))

    def _follow_holds(self, waiting: bool) -> None:  # noqa: FBT001  # a callback's answer
        if not waiting:
            self._panel.joining = None
            self._changed()

    def _follow_presses(self, waiting: bool) -> None:  # noqa: FBT001  # a callback's answer
        if waiting and not self._panel.approving:
            self._give(Hint(kind=HintKind.PHONE_WAITS))
        self._panel.approving = waiting
        self._changed()
