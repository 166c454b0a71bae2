"""Key events from a board: each one once and in order, by their sequence. No clock.

A board lists all events that are not acknowledged, again and again, and the buttons that are down
after them. Events seen before are passed over; where events are missing, the bitmap counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocol.replies import BoardInfo, KeyEvent, Keys

_SEQUENCES: Final = 256
_EDGES: Final = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """The buttons that are down, a bitmap, where the events told so far do not lead to it.

    `lost` edges came and went unseen; `stamp` is in the board's milliseconds.
    """

    down: int
    lost: int
    stamp: int


class KeyReader:
    """Follows one board's events; `begin` comes first, with each boot."""

    def __init__(self) -> None:
        self._expected = 0
        self._down = 0
        self._lost = 0

    @property
    def expected(self) -> int:
        """The sequence of the next event: what KEYACK says."""
        return self._expected

    @property
    def down(self) -> frozenset[int]:
        """The buttons that are down after all that has been told."""
        return buttons_of(self._down)

    def begin(self, info: BoardInfo) -> None:
        """Start where the board stands: another boot, or the first."""
        self._expected = info.key_sequence
        self._down = info.buttons_down
        self._lost = info.counters.lost_edges % _EDGES

    def resume(self, info: BoardInfo) -> None:
        """Go on with the same boot; events that the board has dropped are passed over."""
        if self._is_ahead(info.key_sequence):
            self._expected = info.key_sequence
            self._down = info.buttons_down

    def take(self, keys: Keys) -> list[KeyEvent | Levels]:
        """What is new in a message, in order."""
        told: list[KeyEvent | Levels] = []
        if self._is_ahead(keys.sequence):
            self._expected = keys.sequence
            self._down = _before(keys)
            stamp = keys.events[0].stamp if keys.events else keys.clock
            told.append(Levels(down=self._down, lost=0, stamp=stamp))
        known = (self._expected - keys.sequence) % _SEQUENCES
        if known > len(keys.events):
            return told  # older than what has been told: its bitmap is, too
        for event in keys.events[known:]:
            self._step(event)
            told.append(event)
        lost = (keys.lost_edges - self._lost) % _EDGES
        if lost or self._down != keys.down:
            self._lost, self._down = keys.lost_edges, keys.down
            told.append(Levels(down=self._down, lost=lost, stamp=keys.clock))
        return told

    def _is_ahead(self, sequence: int) -> bool:
        return 0 < (sequence - self._expected) % _SEQUENCES < _SEQUENCES // 2

    def _step(self, event: KeyEvent) -> None:
        bit = 1 << event.button
        self._down = self._down | bit if event.down else self._down & ~bit
        self._expected = (self._expected + 1) % _SEQUENCES


def buttons_of(bitmap: int) -> frozenset[int]:
    """The buttons whose bits are set.

    >>> sorted(buttons_of(0b1001))
    [0, 3]
    """
    return frozenset(button for button in range(bitmap.bit_length()) if bitmap >> button & 1)


def _before(keys: Keys) -> int:
    """The bitmap before the first event listed: each event has turned one bit."""
    down = keys.down
    for event in keys.events:
        down ^= 1 << event.button
    return down
