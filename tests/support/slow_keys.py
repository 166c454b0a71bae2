"""The buttons of the slow board: levels become events, as firmware/PROTOCOL.md says."""

from tests.support.slow_frames import packed


def bitmap(levels: list[bool]) -> bytes:
    """Return the four bytes of a bitmap."""
    return packed(sum(1 << button for button, down in enumerate(levels) if down), 4)


class SlowKeys:
    """One life of the buttons `levels`, with a queue of `places`.

    `events` are all events that were ever put into the queue and not dropped by a new session.
    """

    def __init__(self, levels: list[bool], places: int) -> None:
        self.levels = levels
        self.places = places
        self.hold = 5
        self.reported = list(levels)
        self.first_look: list[int | None] = [None] * len(levels)
        self.is_pending = [False] * len(levels)
        self.queue: list[tuple[int, bool, int]] = []
        self.events: list[tuple[int, bool, int]] = []
        self.oldest = 0
        self.lost = 0
        self.is_new = False

    def look(self, clock: int) -> None:
        """Look at all buttons after a millisecond."""
        for button, level in enumerate(self.levels):
            if level != self.reported[button]:
                self.see_other_level(button, clock)
                continue
            if self.is_pending[button]:
                self.lost += 2
            self.is_pending[button] = False
            self.first_look[button] = None

    def see_other_level(self, button: int, clock: int) -> None:
        """Queue the edge of a button whose new level has held, if there is room."""
        first = self.first_look[button]
        if first is None:
            first = self.first_look[button] = clock
        if clock - first < self.hold:
            return
        if len(self.queue) == self.places:
            self.is_pending[button] = True
            return
        event = button, self.levels[button], first
        self.queue.append(event)
        self.events.append(event)
        self.reported[button] = self.levels[button]
        self.is_pending[button] = False
        self.first_look[button] = None
        self.is_new = True

    def acknowledge(self, sequence: int) -> None:
        """Take KEYACK: drop the acknowledged events."""
        count = (sequence - self.oldest) % 256
        if count <= len(self.queue):
            del self.queue[:count]
            self.oldest = sequence

    def drop_all(self) -> None:
        """Drop all events for a new session."""
        del self.events[len(self.events) - len(self.queue) :]
        self.oldest = (self.oldest + len(self.queue)) % 256
        self.queue = []
        self.reported = list(self.levels)

    def before(self) -> bytes:
        """Return the bitmap before the oldest event."""
        levels = list(self.reported)
        for button, down, _ in reversed(self.queue):
            levels[button] = not down
        return bitmap(levels)

    def listed(self) -> bytes:
        """Return the bitmap after the newest event, and all events."""
        events = (
            bytes([button + (0x80 if down else 0)]) + packed(stamp, 4)
            for button, down, stamp in self.queue
        )
        return bitmap(self.reported) + b"".join(events)
