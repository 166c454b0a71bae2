"""The seam: what the page asks of the running table, and all that it asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.board.layout import Board


class Desk(Protocol):
    """The running table as the page sees it; every method is called in the event loop."""

    @property
    def board(self) -> Board:
        """The board that lies on the table."""
        ...

    @property
    def closing(self) -> asyncio.Event:
        """Set when the server stops: every stream then says goodbye and ends."""
        ...

    def table(self) -> dict[str, object]:
        """What `GET /api/table` answers."""
        ...

    def news(self) -> dict[str, object]:
        """The table and what is to be said about it.

        `seq`; `table`; `match`, the series so far; `events` of the last accepted command;
        `notices`, lines to show; `saved`, whether the journal has it all; `feedback`, a line about
        the last press, or None.
        """
        ...

    def about(self) -> dict[str, object]:
        """What stays as it is while the server runs.

        `teams`, each with `name` and `colour`; `buttons`, names in panel order; `mock`, whether
        they can be pressed from here; `leds`, in frame order the place in millimetres of each or
        None; `strip`; `width_mm` and `height_mm` of the sheet.
        """
        ...

    def frame(self) -> tuple[int, NDArray[np.uint8]]:
        """The number of the newest frame and its (leds, 3) bytes, as the strip gets them.

        A frame, once given, is never written to again.
        """
        ...

    def watch(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Have `wake` called whenever news or frame changed; what is returned ends that."""
        ...

    def press(self, button: str, *, down: bool) -> None:
        """Drive a mock pin.

        Raises:
            ButtonError: the button is down already, or there is none of that name.
            LookupError: there is no mock panel.
        """
        ...

    async def at_rest(self) -> None:
        """Wait until a contact just let up has come to rest: a press from then on is another."""
        ...

    def rulings(self) -> list[dict[str, object]]:
        """What `GET /api/rulings` answers: all that can go wrong, and what follows (N1 to N17)."""
        ...

    def advice(self) -> dict[str, object]:
        """What `GET /api/advice` answers: by team, what each count would do from here."""
        ...

    async def command(self, body: bytes) -> dict[str, object]:
        """Carry out a referee's command in JSON; the table as it stands when it is acknowledged.

        Raises:
            BadInputError: it is no such command.
            RuleError: the rules refuse it; nothing is changed.
        """
        ...
