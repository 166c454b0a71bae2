"""State of a microcontroller board, known from its messages: facts, counters, buttons and clock.

A key event is a press or release of a button. The events are numbered, so that the host reads each
one once. A message repeats all unacknowledged events, and has a bitmap of the buttons that are down
after its last event. The host skips known events; if events are missing, it uses the bitmap.
Suppose event 7 is expected: a message with the events 6 and 7 yields event 7, but a message with
event 9 yields `Levels`, in place of the events 7 and 8, and then event 9.

To convert the board's time stamps, the host adds the smallest difference between arrival and stamp
that it has seen, because messages arrive late but never early. This difference may grow slowly,
because clocks drift. No message is assumed to take longer than `MAX_DELAY_S`.
"""

from dataclasses import dataclass
from math import inf
from typing import Final

from firmware_bridge.protocol.messages import BoardCounters, BoardInfo, KeyEvent, Keys, Pong
from firmware_bridge.protocol.states import BoardRestarted, KeyEdge, Resynchronised

_SEQUENCES: Final = 256
_EDGES: Final = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """Bitmap of the buttons that are down, in place of events that were lost.

    `lost` is the number of lost edges; `stamp` is in milliseconds of the board's clock.
    """

    down: int
    lost: int
    stamp: int


class KeyReader:
    """Reader of the key events of one board; `begin` must be called first for each boot.

    `expected` is the sequence number of the next event, as sent in KEYACK.
    """

    def __init__(self) -> None:
        self.expected = 0
        self._down = 0
        self._lost = 0

    @property
    def down(self) -> frozenset[int]:
        return buttons_of(self._down)

    def begin(self, info: BoardInfo) -> None:
        self.expected = info.key_sequence
        self._down = info.buttons_down
        self._lost = info.counters.lost_edges % _EDGES

    def resume(self, info: BoardInfo) -> None:
        """Continue after another INFO of the same boot; skip events that the board has dropped."""
        if self._is_ahead(info.key_sequence):
            self.expected = info.key_sequence
            self._down = info.buttons_down

    def read(self, keys: Keys) -> list[KeyEvent | Levels]:
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
    """Return the bitmap before the first event of a message: each event toggles one bit."""
    down = keys.down
    for event in keys.events:
        down ^= 1 << event.button
    return down


MAX_DRIFT: Final = 0.01
"""Largest relative error of a board's clock, twice the error of a ceramic resonator."""

MAX_DELAY_S: Final = 0.25  # if a delay seems longer, the estimate of the difference is wrong
_WRAP: Final = 1 << 32
_TICK_S: Final = 1e-3


class BoardClock:
    """Estimator of host times from the board's time stamps in milliseconds.

    >>> clock = BoardClock()
    >>> clock.synchronise(5_000, now=100.0)
    >>> clock.synchronise(5_500, now=100.75)  # a quarter of a second late
    >>> f"{clock.time_of(5_500):.1f}"
    '100.5'
    """

    def __init__(self) -> None:
        self._ticks = 0
        self._received_at = -inf
        self._ahead = inf

    def synchronise(self, stamp: int, *, now: float) -> None:
        self._ticks = self._unwrapped(stamp)
        ahead = now - self._ticks * _TICK_S
        drifted = self._ahead + MAX_DRIFT * (now - self._received_at)
        self._ahead = max(min(ahead, drifted), ahead - MAX_DELAY_S)
        self._received_at = now

    def time_of(self, stamp: int) -> float:
        """Return the host time of a stamp within 24 days of the latest message."""
        return self._unwrapped(stamp) * _TICK_S + self._ahead

    def _unwrapped(self, stamp: int) -> int:
        since = (stamp - self._ticks) % _WRAP
        return self._ticks + (since if since < _WRAP // 2 else since - _WRAP)


class SessionBoard:
    """The board during one session of a `Link`; each boot of the board begins with an empty state.

    `info` and `counters` are the latest received, or None. `keys` reads the key events; `clock`
    converts the times of these events.
    """

    def __init__(self) -> None:
        self.info: BoardInfo | None = None
        self.counters: BoardCounters | None = None
        self.keys = KeyReader()
        self.clock = BoardClock()
        self._edge_at = -inf

    @property
    def boot(self) -> int | None:
        return None if self.info is None else self.info.boot

    def handle_info(self, info: BoardInfo) -> list[BoardRestarted]:
        """Keep the state if the board has not restarted, or else reset it."""
        known, self.info, self.counters = self.boot, info, info.counters
        if known == info.boot:
            self.keys.resume(info)
            return []
        self.keys.begin(info)
        self.clock = BoardClock()
        return [] if known is None else [BoardRestarted(boot=info.boot)]

    def handle_pong(self, pong: Pong, *, session: int) -> bool:
        """Return True, and update the counters, if the board is READY in this session and boot."""
        is_ours = pong.ready and pong.session == session and pong.boot == self.boot
        if is_ours:
            self.counters = pong.counters
        return is_ours

    def handle_keys(self, keys: Keys, now: float) -> list[KeyEdge | Resynchronised]:
        events: list[KeyEdge | Resynchronised] = []
        for item in self.keys.read(keys):
            # Stamps are rounded to milliseconds; no event is later than its message.
            t = min(now, max(self._edge_at, self.clock.time_of(item.stamp)))
            self._edge_at = t
            if isinstance(item, Levels):
                events.append(Resynchronised(down=buttons_of(item.down), t=t, lost=item.lost))
            else:
                events.append(KeyEdge(button=item.button, down=item.down, t=t))
        return events
