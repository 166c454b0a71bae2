"""Soak test of a microcontroller board: frames are sent as fast as possible.

Board and host count frames and errors. Frames of new colours alternate with frames that change
three LEDs, so that both whole and partial frames are sent.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from firmware_bridge.connection.connection import Connection
from firmware_bridge.protocol.compatibility import LinkCounters, counts_since
from firmware_bridge.protocol.messages import BoardCounters, BoardInfo
from firmware_bridge.protocol.states import Connected, Event, FrameShown

_CHANGED_LEDS: Final = 3
_HOST_FAULTS: Final = (
    *("bad_headers", "damaged", "broken_off", "echoes", "unknown"),
    *("refused", "unanswered", "restarts", "losses"),
)
_BOARD_FAULTS: Final = ("bad_headers", "damaged", "broken_off", "overruns", "lost_edges")


@dataclass(frozen=True, slots=True, kw_only=True)
class SoakResult:
    """Counters of both ends since the start of a soak test."""

    seconds: float
    leds: int
    host: LinkCounters
    board: BoardCounters

    @property
    def frames_per_second(self) -> float:
        return self.host.shown / self.seconds if self.seconds else 0.0

    @property
    def faults(self) -> dict[str, int]:
        host = {f"host {name}": getattr(self.host, name) for name in _HOST_FAULTS}
        board = {f"board {name}": getattr(self.board, name) for name in _BOARD_FAULTS}
        return {name: count for name, count in (host | board).items() if count}


class Soak:
    """A running soak test: until `end`, the next frame is sent when the last one is shown.

    Args:
        connection: connection to a board, set up for the longest strip that the board can drive.
        info: the board's INFO message, with its name and counters.
        now: monotonic seconds.
    """

    def __init__(self, connection: Connection, info: BoardInfo, now: float) -> None:
        self._connection = connection
        self._started_at = now
        self._host = replace(connection.link.counters)
        self._board = connection.link.board.counters or info.counters
        self._random = np.random.default_rng(0)
        self._colours = connection.wanted.colours
        self._pixels = np.zeros(connection.wanted.pixel_bytes, np.uint8)
        self._is_whole = False
        connection.subscribe(self._handle)
        self._show_next()

    def result(self, now: float) -> SoakResult:
        link = self._connection.link
        return SoakResult(
            seconds=now - self._started_at,
            leds=self._connection.wanted.leds,
            host=counts_since(self._host, link.counters),
            board=counts_since(self._board, link.board.counters or self._board),
        )

    def end(self) -> None:
        self._connection.unsubscribe(self._handle)

    def _handle(self, event: Event) -> None:
        if isinstance(event, Connected | FrameShown):
            self._show_next()

    def _show_next(self) -> None:
        if not len(self._pixels):
            return
        self._is_whole = not self._is_whole
        if self._is_whole:
            self._pixels = self._random.integers(0, 32, len(self._pixels), np.uint8)
        else:
            leds = self._random.integers(0, len(self._pixels) // self._colours, _CHANGED_LEDS)
            self._pixels[leds * self._colours] ^= 0x10
        self._connection.show(self._pixels.tobytes())
