"""Presses and releases of the buttons, debounced and queued until the host acknowledges them.

PROTOCOL.md, section 3, "Buttons", has the rules. CircuitPython's `keypad` may deliver edges late,
so they are debounced by their time stamps.
"""

from struct import pack_into

from .frames import Counters

QUEUE_SIZE = 32
"""Capacity of the queue; a message has at most this number of events."""

EVENT_BYTES = 5

_WENT_DOWN = 0x80
_RESEND_MS = 50
_SEQUENCES = 256


class KeyQueue:
    """Debouncer and event queue; times are milliseconds of the board's clock.

    `first` is the sequence number of the oldest queued event; `hold` is the debounce time.

    Args:
        down: the initial state of each button.
        counters: counts lost edges.
    """

    def __init__(self, down: list[bool], counters: Counters) -> None:
        self.first = 0
        self.hold = 5
        self._counters = counters
        self._level = list(down)
        self._reported = list(down)
        self._since = [0] * len(down)
        self._is_missed = [False] * len(down)
        # Buttons with a level younger than the debounce time, in order of their edges.
        self._unsettled: list[int] = []
        self._waiting: list[int] = []  # buttons whose edge found the queue full
        self._queue: list[tuple[int, int]] = []
        self._is_new = False
        self._sent_at = 0

    @property
    def buttons(self) -> int:
        return len(self._level)

    @property
    def queued(self) -> int:
        return len(self._queue)

    def edge(self, button: int, when: int, *, is_down: bool) -> None:
        """Handle an edge, in order of time; a repeated level is ignored."""
        if self._level[button] == is_down:
            return
        # At the scan 1 ms before this edge the old level was still there.
        self.settle(when - 1)
        for buttons in (self._unsettled, self._waiting):
            if button in buttons:
                buttons.remove(button)
        self._level[button] = is_down
        self._since[button] = when
        self._unsettled.append(button)

    def settle(self, until: int) -> None:
        """Report levels older than `hold`. Call `edge` first for all edges before `until`."""
        unsettled = self._unsettled
        while unsettled and until - self._since[unsettled[0]] >= self.hold:
            self._report(unsettled.pop(0))

    def forget(self) -> None:
        """Begin a new session: drop the queue and treat the present levels as reported."""
        self._remove(len(self._queue))
        self._waiting.clear()
        for button in range(len(self._level)):
            self._reported[button] = self._level[button]
            self._is_missed[button] = False

    def acknowledge(self, sequence: int) -> None:
        """Remove the events before `sequence` from the queue."""
        count = (sequence - self.first) % _SEQUENCES
        if count <= len(self._queue):
            self._remove(count)
            waiting, self._waiting = self._waiting, []
            for button in waiting:
                self._report(button)

    def are_due(self, now: int) -> bool:
        """Return True if KEYS must be sent: for a new event, or again for an unacknowledged one."""
        return bool(self._queue) and (self._is_new or now - self._sent_at >= _RESEND_MS)

    def put(self, buffer: bytearray, offset: int, now: int) -> int:
        """Write the queue after a bitmap of the buttons that are down; return the next offset."""
        pack_into("<I", buffer, offset, self._bitmap())
        offset += 4
        for what, when in self._queue:
            pack_into("<BI", buffer, offset, what, when & 0xFFFFFFFF)
            offset += EVENT_BYTES
        self._is_new = False
        self._sent_at = now
        return offset

    def down_before(self) -> int:
        """Return the bitmap of buttons that were down before the oldest event in the queue."""
        down = self._bitmap()
        for what, _ in self._queue:
            down ^= 1 << (what & ~_WENT_DOWN)
        return down

    def _bitmap(self) -> int:
        down = 0
        for button, is_down in enumerate(self._reported):
            if is_down:
                down |= 1 << button
        return down

    def _report(self, button: int) -> None:
        """Queue an edge if the button's level, now debounced, differs from the reported level."""
        level = self._level[button]
        if level == self._reported[button]:
            if self._is_missed[button]:
                self._counters.lost_edges += 2
        elif len(self._queue) < QUEUE_SIZE:
            what = button | _WENT_DOWN if level else button
            self._queue.append((what, self._since[button]))
            self._reported[button] = level
            self._is_new = True
        else:
            self._is_missed[button] = True
            self._waiting.append(button)
            return
        self._is_missed[button] = False

    def _remove(self, count: int) -> None:
        self._queue = self._queue[count:]
        self.first = (self.first + count) % _SEQUENCES
