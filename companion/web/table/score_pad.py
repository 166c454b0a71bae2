"""Score pads: taps from phones, each taken once and in order, however often it is sent.

A pad numbers its taps. What has been taken is remembered for each pad until the server stops; a
pad that remembers another run of it is told so, and looks at the table instead of sending again.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from starlette.responses import Response

from companion.errors import BadInputError
from companion.table import all_actions
from companion.table.hints import Hint
from companion.web.http.endpoint import Call, Caller, Right, endpoint
from companion.web.http.security import refuse
from companion.web.table.responses import HintFields, TableResponse
from companion.web.table.service import TableService


class Taken(HintFields):
    """The number of the last tap of this pad that was taken, and how the table stands then.

    `feedback` and `hint` are about these taps; `saved`, whether the journal has all that was
    accepted.
    """

    taken: int
    table: TableResponse
    saved: bool


class Tap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One tap on a pad: a button of the panel, and how long it was held."""

    button: Annotated[str, Meta(max_length=20)]
    held: Annotated[float, Meta(ge=0, le=9)] = 0.0


class Taps(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/taps`: the taps of a pad from number `first` on, in this run of the server.

    Each tap counts once however often it is sent: its number is its idempotency key.
    """

    pad: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22}$")]
    run: Annotated[str, Meta(max_length=64)]
    first: Annotated[int, Meta(ge=1, le=2**53)]
    taps: Annotated[tuple[Tap, ...], Meta(min_length=1, max_length=64)]


PAD_LIMIT: Final = 64
"""Pads of one phone whose taps are told apart; the one that has been quiet longest is forgotten."""
RUNS_THE_TABLE: Final = frozenset({"mode"})
"""Buttons that do more than score: the demo, a new game."""


class ScorePads:
    """Score pads of phones; `run` names this run of the server."""

    def __init__(self, table: TableService, *, run: str) -> None:
        self._table, self._run = table, run
        self._buttons = all_actions(table.board.track.lanes)
        self._taken: defaultdict[str, OrderedDict[str, int]] = defaultdict(OrderedDict)
        """By phone and pad, the number of the last tap taken."""

    @endpoint("POST", "/api/taps", Right.SCORE, error_statuses=(409,))
    async def _tap(self, call: Call[Taps]) -> Taken | Response:
        """Press buttons from a pad; answers when the journal has taken what they did."""
        asked = call.asked
        if asked.run != self._run:
            return refuse(409, "the table was started anew: look whether your count is there")
        self._check(asked)
        if call.caller.right < Right.RUN and any(t.button in RUNS_THE_TABLE for t in asked.taps):
            return refuse(403, "this phone scores: Mode is for phones that may run the table")
        taken = self._known(call.caller, asked.pad)
        hint = self._press(asked, taken)
        await self._table.table.settled()
        return {
            "taken": taken[asked.pad],
            "table": self._table.snapshot(),
            **self._table.hint(hint),
            "saved": self._table.table.news.saved,
        }

    def _press(self, asked: Taps, taken: OrderedDict[str, int]) -> Hint | None:
        """Press what has not been pressed. Return the last hint about it, if there is one.

        Each number is taken before its tap, so that nothing can be pressed twice. A tap that only
        wakes the board takes those with it that were sent together: they were meant as one count.
        """
        hint = None
        for number, tap in enumerate(asked.taps, start=asked.first):
            if number > taken[asked.pad]:
                taken[asked.pad] = number
                tapped = self._table.table.tap(tap.button, held=tap.held)
                hint = tapped.hint or hint
                if not tapped.counted:
                    taken[asked.pad] = asked.first + len(asked.taps) - 1
        return hint

    def _known(self, caller: Caller, pad: str) -> OrderedDict[str, int]:
        """Return the numbers taken last of the pads of a phone, this one's included."""
        pads = self._taken["" if caller.near else caller.phone or ""]
        pads.setdefault(pad, 0)
        pads.move_to_end(pad)
        if len(pads) > PAD_LIMIT:
            pads.popitem(last=False)
        return pads

    def _check(self, asked: Taps) -> None:
        """Check all buttons before the first is pressed, so that nothing is half done."""
        for tap in asked.taps:
            if tap.button not in self._buttons:
                there = ", ".join(self._buttons)
                raise BadInputError(f"there is no button {tap.button!r}; there are {there}")
