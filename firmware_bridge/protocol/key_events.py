"""Key events from a board, delivered once and in order by their sequence numbers. No clock.

A board repeats all unacknowledged events with the bitmap of buttons down after them. Known events
are skipped; if events are missing, the bitmap decides.
"""

from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocol.replies import BoardInfo, KeyEvent, Keys

_SEQUENCES: Final = 256
_EDGES: Final = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """Bitmap of the buttons that are down, in place of events that were lost.

    `lost` is the number of lost edges; `stamp` is in milliseconds of the board.
    """

    down: int
    lost: int
    stamp: int


class KeyReader:
    """Reader of the key events of one board; `begin` is called first, for each boot.

    `expected` is the sequence number of the next event, as sent in KEYACK.
    """

    def __init__(self) -> None:
        self.expected = 0
        self._down = 0
        self._lost = 0

    @property
    def down(self) -> frozenset[int]:
        """The buttons that are down after all events so far."""
        return buttons_of(self._down)

    def begin(self, info: BoardInfo) -> None:
        """Start from the state in the INFO of a new boot."""
        self.expected = info.key_sequence
        self._down = info.buttons_down
        self._lost = info.counters.lost_edges % _EDGES

    def resume(self, info: BoardInfo) -> None:
        """Continue with the same boot; events that the board dropped are skipped."""
        if self._is_ahead(info.key_sequence):
            self.expected = info.key_sequence
            self._down = info.buttons_down

    def read(self, keys: Keys) -> list[KeyEvent | Levels]:
        """Return the new events of a message, in order."""
        news: list[KeyEvent | Levels] = []
        if self._is_ahead(keys.sequence):
            self.expected = keys.sequence
            self._down = _before(keys)
            stamp = keys.events[0].stamp if keys.events else keys.clock
            news.append(Levels(down=self._down, lost=0, stamp=stamp))
        known = (self.expected - keys.sequence) % _SEQUENCES
        if known > len(keys.events):
            return news  # an older message with an older bitmap
        for event in keys.events[known:]:
            self._step(event)
            news.append(event)
        lost = (keys.lost_edges - self._lost) % _EDGES
        if lost or self._down != keys.down:
            self._lost, self._down = keys.lost_edges, keys.down
            news.append(Levels(down=self._down, lost=lost, stamp=keys.clock))
        return news

    def _is_ahead(self, sequence: int) -> bool:
        return 0 < (sequence - self.expected) % _SEQUENCES < _SEQUENCES // 2

    def _step(self, event: KeyEvent) -> None:
        bit = 1 << event.button
        self._down = self._down | bit if event.down else self._down & ~bit
        self.expected = (self.expected + 1) % _SEQUENCES


def buttons_of(bitmap: int) -> frozenset[int]:
    """Return the buttons whose bits are set.

    >>> sorted(buttons_of(0b1001))
    [0, 3]
    """
    return frozenset(button for button in range(bitmap.bit_length()) if bitmap >> button & 1)


def _before(keys: Keys) -> int:
    """Return the bitmap before the first event listed: each event toggles one bit."""
    down = keys.down
    for event in keys.events:
        down ^= 1 << event.button
    return down
