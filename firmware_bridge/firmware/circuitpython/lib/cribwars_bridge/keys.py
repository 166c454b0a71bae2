"""The buttons: edges that have held long enough, queued until the host has them.

PROTOCOL.md, section 3, "Buttons". What the scanner tells may come late, several edges at once, and
is judged as of the times that it happened.
"""

from struct import pack_into

from .counters import Counters

PLACES = 32
"""Events that the queue holds: as many as one message."""

EVENT_BYTES = 5

_WENT_DOWN = 0x80
_RESEND_MS = 50
_SEQUENCES = 256


class Keys:
    """The buttons of a board; the times are its clock's, in milliseconds.

    `first` is the sequence of the oldest event queued; `hold` is how long a level must hold.

    Args:
        down: the buttons that are down, one truth a button.
        counters: where lost edges are counted.
    """

    def __init__(self, down: list[bool], counters: Counters) -> None:
        self.first = 0
        self.hold = 5
        self._counters = counters
        self._level = list(down)
        self._reported = list(down)
        self._since = [0] * len(down)
        self._is_missed = [False] * len(down)
        # Buttons whose level has not held long enough yet, by the times of their edges.
        self._unsettled: list[int] = []
        # Those that the queue had no place for.
        self._waiting: list[int] = []
        self._queue: list[tuple[int, int]] = []
        self._is_new = False
        self._sent_at = 0

    @property
    def buttons(self) -> int:
        """How many there are."""
        return len(self._level)

    @property
    def queued(self) -> int:
        """How many events are queued."""
        return len(self._queue)

    def edge(self, button: int, when: int, *, is_down: bool) -> None:
        """Take an edge, in the order of their times; a level that is known already is none."""
        if self._level[button] == is_down:
            return
        # The levels of before were last seen one look ago.
        self.settle(when - 1)
        for buttons in (self._unsettled, self._waiting):
            if button in buttons:
                buttons.remove(button)
        self._level[button] = is_down
        self._since[button] = when
        self._unsettled.append(button)

    def settle(self, until: int) -> None:
        """Judge all levels that have held long enough: no edge before `until` is still to come."""
        unsettled = self._unsettled
        while unsettled and until - self._since[unsettled[0]] >= self.hold:
            self._judge(unsettled.pop(0))

    def forget(self) -> None:
        """Begin a new session: as if all that has happened so far had been told."""
        self._take_off(len(self._queue))
        self._waiting.clear()
        for button in range(len(self._level)):
            self._reported[button] = self._level[button]
            self._is_missed[button] = False

    def acknowledge(self, sequence: int) -> None:
        """Take off the queue what the host has; it expects `sequence` next."""
        count = (sequence - self.first) % _SEQUENCES
        if count <= len(self._queue):
            self._take_off(count)
            waiting, self._waiting = self._waiting, []
            for button in waiting:
                self._judge(button)

    def are_due(self, now: int) -> bool:
        """Whether the queue is to be sent: at once, and again until the host has it."""
        return bool(self._queue) and (self._is_new or now - self._sent_at >= _RESEND_MS)

    def put(self, buffer: bytearray, offset: int, now: int) -> int:
        """Write the queue as it is sent, behind the buttons that are down after it; the end."""
        pack_into("<I", buffer, offset, self._bitmap())
        offset += 4
        for what, when in self._queue:
            pack_into("<BI", buffer, offset, what, when & 0xFFFFFFFF)
            offset += EVENT_BYTES
        self._is_new = False
        self._sent_at = now
        return offset

    def down_before(self) -> int:
        """The bitmap of the buttons down before the oldest event: each has turned one bit."""
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

    def _judge(self, button: int) -> None:
        """Queue the edge to a level that has held, if it is one."""
        level = self._level[button]
        if level == self._reported[button]:
            if self._is_missed[button]:
                self._counters.lost_edges += 2
        elif len(self._queue) < PLACES:
            what = button | _WENT_DOWN if level else button
            self._queue.append((what, self._since[button]))
            self._reported[button] = level
            self._is_new = True
        else:
            self._is_missed[button] = True
            self._waiting.append(button)
            return
        self._is_missed[button] = False

    def _take_off(self, count: int) -> None:
        self._queue = self._queue[count:]
        self.first = (self.first + count) % _SEQUENCES
