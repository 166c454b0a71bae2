"""Idle time of a table: after long without a press the board shows itself off, or sleeps."""

from math import inf


class Idle:
    """Idle time of a table.

    `asleep` is True from `sleep_after` seconds after the last press on. From `show_after` seconds
    on the board shows itself off instead, and `show` is True.
    """

    def __init__(
        self, *, sleep_after: float = inf, show_after: float = inf, now: float = 0.0
    ) -> None:
        self._sleep_after, self.show_after = sleep_after, show_after
        self._active = now
        self.asleep = False
        self.show = False

    def note_press(self, now: float) -> None:
        """Restart the idle time, without waking the board."""
        self._active = now

    def note(self, now: float, *, show: bool) -> None:
        """Wake the board and restart the idle time; begin or end the show."""
        self.show, self.asleep, self._active = show, False, now

    def wake(self) -> None:
        """Wake the board, and end the show."""
        self.asleep = self.show = False

    def deadlines(self) -> tuple[float, float]:
        """Return the times at which the board sleeps or shows itself off."""
        return self._active + self._sleep_after, self._active + self.show_after

    def tick(self, now: float) -> None:
        """Show the board off, or put it to sleep, when it is time."""
        idle = now - self._active
        self.show = self.show or idle >= self.show_after
        self.asleep = not self.show and idle >= self._sleep_after
