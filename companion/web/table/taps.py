"""Taps on buttons, sent by pages: each one counts once, however often it is sent.

A page makes up a name for itself (`pad`) and numbers its taps. The server remembers the number of
the last tap of each page. If the answer to taps 1 to 3 is lost, for example, the page sends 1 to 4,
and the server takes only 4. After a restart the server refuses the taps of a page that has not
reconnected, since it cannot tell which of them counted before.

A score pad (the buttons on a phone) sends each tap when the tap is over. The board page sends one
message when a mock (simulated) button goes down and one when it goes up, so that the board shows
the hold. Every mock button that goes down comes up again: when the page releases it, when the
page's stream ends (the page is closed, hidden or out of reach), or after `limit_s`.
"""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Final, TypeGuard

import msgspec
from msgspec import Meta, field
from starlette.responses import Response

from companion.buttons import BUTTONS, button_names
from companion.errors import BadInputError
from companion.table.panel.actions import Hint
from companion.table.panel.presses import Doubt
from companion.web.http.endpoint import Button, Call, Caller, Right, endpoint
from companion.web.http.security import refuse
from companion.web.table.table_responses import HintResponse, TableResponse
from companion.web.table.table_service import TableService
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
        page made up for itself (see above), `viewer` the number of its stream.
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


class TapsResponse(msgspec.Struct, frozen=True, kw_only=True):
    """State of the table after a page's taps.

    Attributes:
        taken: the number of the last tap that was taken from this page.
        revision: the number of changes of the table so far, as in `TableNews`.
        doubt: the reason why a press of Enter was ignored, or None.
    """

    taken: int
    revision: int
    doubt: Doubt | None
    table: TableResponse
    feedback: str | None
    hint: HintResponse | None
    saved: bool


class Tap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tap on a button of the panel.

    Attributes:
        held: the seconds that the button was held.
        if_alone: true to ignore a press of Enter, with a `doubt` in the response, if another device
            may have entered the same hand for this side.
        down: true if a mock button goes down, false if it goes up; None for a tap that has ended.
    """

    button: Button
    held: Annotated[float, Meta(ge=0, le=9)] = 0.0
    if_alone: bool = False
    down: bool | None = None


class TapsRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/taps`.

    Attributes:
        pad: the name that the page made up for itself.
        instance_id: the id of the server's run, as the page knows it.
        first: the number of the first of these taps.
        viewer: the number of the page's stream; when it ends, the page's mock buttons go up.
    """

    pad: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22}$")]
    instance_id: Annotated[str, Meta(max_length=64)] = field(name="run")
    first: Annotated[int, Meta(ge=1, le=2**53)]
    taps: Annotated[tuple[Tap, ...], Meta(min_length=1, max_length=64)]
    viewer: int | None = None


PAD_LIMIT: Final = 64
"""Number of pages remembered for one device; the one whose last tap is oldest is forgotten."""


def check_button(button: str, buttons: Collection[str]) -> None:
    """Raise a BadInputError if a button is not one of `buttons`."""
    if button not in buttons:
        text = "there is no button {button}: choose one of {buttons}"
        raise BadInputError(text, button=repr(button), buttons=", ".join(buttons))


class TapEndpoints:
    """Endpoint for the taps of score pads and of the board page.

    `mock` is None if the buttons are real. `is_open` returns True while a viewer's stream is open.
    """

    def __init__(
        self, table: TableService, mock: MockButtons | None, *, is_open: Callable[[int], bool]
    ) -> None:
        self._table, self._mock, self._is_open = table, mock, is_open
        self._buttons = button_names(table.board.track.lanes)
        self._taken: defaultdict[str, OrderedDict[str, int]] = defaultdict(OrderedDict)
        """The number of the last tap taken, by device and page."""

    @endpoint("POST", "/api/taps", Right.SCORE, error_statuses=(404, 409, 503))
    async def _tap(self, call: Call[TapsRequest]) -> TapsResponse | Response:
        """Press buttons for a page; answer when the journal has the effects."""
        body = call.body
        refusal = self._refusal(body, call.caller)
        if refusal:
            return refusal
        device = "near" if call.caller.is_local else call.caller.phone or ""
        taken = self._known(device, body.pad)
        hint, doubt = await self._press(body, taken, device)
        await self._table.table.queue.settled()
        feedback, told = self._table.hint(hint, call.language)
        return TapsResponse(
            taken=taken[body.pad],
            revision=self._table.revision,
            doubt=doubt,
            table=self._table.snapshot(),
            feedback=feedback,
            hint=told,
            saved=self._table.table.queue.saved,
        )

    async def _press(
        self, body: TapsRequest, taken: OrderedDict[str, int], device: str
    ) -> tuple[Hint | None, Doubt | None]:
        """Carry out the taps that are new. Return the last hint and the last doubt, if any.

        The number of a tap is stored first, so that no tap can be carried out twice. If a tap only
        wakes the board or gets a `doubt`, the rest of the request is dropped, since its taps were
        meant as one count.
        """
        hint, doubt = None, None
        for number, tap in enumerate(body.taps, start=body.first):
            if number <= taken[body.pad]:
                continue
            taken[body.pad] = number
            if tap.down is not None:
                await self._move(tap, body)
                continue
            tapped = self._table.table.tap(
                tap.button, held=tap.held, device=device, is_sure=not tap.if_alone
            )
            hint, doubt = tapped.hint or hint, tapped.doubt or doubt
            if not tapped.counted:
                taken[body.pad] = body.first + len(body.taps) - 1
        return hint, doubt

    async def _move(self, tap: Tap, body: TapsRequest) -> None:
        """Press a mock button down, or let it up."""
        assert self._mock is not None  # noqa: S101  # otherwise `_refusal` has refused
        if tap.down:
            await self._mock.hold(tap.button, pad=body.pad, viewer=body.viewer)
            if self._has_left(body.viewer):  # the stream can end during the wait
                self._mock.leave(body.viewer)
        else:
            await self._mock.release(tap.button, pad=body.pad, held=tap.held)

    def _known(self, device: str, pad: str) -> OrderedDict[str, int]:
        """Return the numbers of the last taps of a device's pages, 0 for this page if it is new."""
        pads = self._taken[device]
        pads.setdefault(pad, 0)
        pads.move_to_end(pad)
        if len(pads) > PAD_LIMIT:
            pads.popitem(last=False)
        return pads

    def _refusal(self, body: TapsRequest, caller: Caller) -> Response | None:
        """Return a refusal of the whole request, or None if all its taps may be carried out."""
        if body.instance_id != self._table.instance_id:
            return refuse(409, "the table was restarted: check whether it has your last count")
        moves = any(tap.down is not None for tap in body.taps)
        if moves and not caller.is_local:
            return refuse(403, "mock buttons can be pressed only at the table's own machine")
        if moves and not self._mock:
            return refuse(404, "there is no mock panel here: press the real buttons")
        if self._has_left(body.viewer):
            text = "stream {viewer} has ended: open another, and send the taps again"
            return refuse(503, text, viewer=body.viewer)
        there = self._table.facts["buttons"] if moves else self._buttons
        for tap in body.taps:
            check_button(tap.button, there)
        runs = any(BUTTONS[tap.button].action.runs_table for tap in body.taps)
        if runs and caller.right < Right.RUN:
            return refuse(403, "this phone keeps score only: Mode needs the right to run the table")
        return None

    def _has_left(self, viewer: int | None) -> TypeGuard[int]:
        return viewer is not None and not self._is_open(viewer)
