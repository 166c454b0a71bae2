"""A strip of no hardware that is as strict as a real one; the page and the tests look at it."""

import time
from collections import deque
from collections.abc import Callable, Sequence

from hardware.strips.base import StripBase
from hardware.strips.protocol import Frame, StripSpec

Listener = Callable[[float, Frame], None]


class VirtualStrip(StripBase):
    """A strip in memory: it keeps the latest frames with their times and tells its listeners.

    `clock` gives the time of a frame, `keep` says how many frames are kept, the oldest going first.
    """

    def __init__(
        self, spec: StripSpec, *, clock: Callable[[], float] = time.monotonic, keep: int = 1
    ) -> None:
        super().__init__(spec)
        self._clock = clock
        self._record: deque[tuple[float, Frame]] = deque(maxlen=keep)
        self._listeners: tuple[Listener, ...] = ()

    @property
    def frames(self) -> Sequence[tuple[float, Frame]]:
        """The frames kept, each with its time, the latest last."""
        return tuple(self._record)

    @property
    def last(self) -> Frame | None:
        """The frame that the strip shows, or None before the first."""
        record = self.frames
        return record[-1][1] if record else None

    def listen(self, listener: Listener) -> None:
        """Call `listener(time, frame)` with each frame from now on, in the thread that shows it."""
        self._listeners = (*self._listeners, listener)

    def _start(self) -> None:
        """There is nothing to take hold of."""

    def _send(self, frame: Frame) -> None:
        shown = self._clock(), tuple(pixels.copy() for pixels in frame)
        self._record.append(shown)
        for listener in self._listeners:
            listener(*shown)

    def _stop(self) -> None:
        """There is nothing to let go of."""
