"""Score pads: taps from phones, each taken once and in order, however often it is sent.

A pad numbers its taps. What has been taken is remembered for each pad until the server stops; a
pad that remembers another run of it is told so, and looks at the table instead of sending again.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, cast

from starlette.responses import Response

from companion.errors import BadInputError
from companion.web import answers, border
from companion.web.desk import Desk
from companion.web.guard import refuse
from companion.web.operations import Call, Operation, Right

MOST_PADS: Final = 256
"""Pads whose taps are told apart; who has been quiet longest is forgotten."""


class Pads:
    """The pads at a desk in this run of the server, which is called `run`."""

    def __init__(self, desk: Desk, *, run: str) -> None:
        self._desk, self._run = desk, run
        self._taken: OrderedDict[str, int] = OrderedDict()

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What can be asked."""
        return (
            Operation(
                method="POST",
                path="/api/taps",
                name="tap",
                says="Press buttons from a pad; answers when what they did is on disk.",
                needs=Right.SCORE,
                asks=border.Taps,
                answers=answers.Taken,
                does=self._tap,
                refuses=frozenset({409}),
            ),
        )

    async def _tap(self, call: Call[border.Taps]) -> answers.Taken | Response:
        asked = call.asked
        if asked.run != self._run:
            return refuse(409, "the table was started anew: look whether your count is there")
        self._check(asked)
        last = self._taken.pop(asked.pad, 0)
        for number, tap in enumerate(asked.taps, start=asked.first):
            if number > last:
                last = number
                self._desk.tap(tap.button, held=tap.held)
        self._taken[asked.pad] = last
        if len(self._taken) > MOST_PADS:
            self._taken.popitem(last=False)
        await self._desk.settled()
        feedback = cast("str | None", self._desk.news()["feedback"])
        return {"taken": last, "table": self._desk.table(), "feedback": feedback}

    def _check(self, asked: border.Taps) -> None:
        """All buttons before the first is pressed, so that nothing is half done."""
        known = self._desk.pad_buttons
        for tap in asked.taps:
            if tap.button not in known:
                there = ", ".join(known)
                raise BadInputError(f"there is no button {tap.button!r}; there are {there}")
