"""The lights thread: it alone owns the strip, and shows the newest view of the table.

An unchanged frame is sent only once a second, against noise on the wire.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.lights import Palette, Scene, View, Wiring
from hardware.errors import HardwareError
from hardware.output import Output
from hardware.strips import Frame, Strip

REFRESH: Final = 1.0
"""Seconds after which a frame is sent again, changed or not."""

RETRY: Final = 5.0
"""Seconds after which a strip that failed is opened again."""

FRAME: Final = 1 / 60
"""Seconds between two frames of something that moves; a new view is shown at once."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """All that turns a view into a frame on a strip."""

    palette: Palette
    scene: Scene
    wiring: Wiring
    output: Output
    strip: Strip


class Lamps:
    """Runs a strip from views of the table.

    Args:
        seen: is told each new frame, in the lights thread.

    `brightness`, 0 to 1, may be set at any time, with a `show` after it. `on_failure` is told, in
    the lights thread, when the strip has failed or works again; frames are composed all the same.
    """

    def __init__(
        self,
        light: Light,
        *,
        seen: Callable[[Frame], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._scene, self._wiring = light.scene, light.wiring
        self._output, self._strip = light.output, light.strip
        self._seen, self._clock = seen, clock
        self.on_failure: Callable[[str], None] = _log.error
        self._changed = threading.Condition()
        self._view: View | None = None
        self.brightness = light.output.brightness
        self._stopped = False
        self._shown: Frame | None = None
        self._sent = -REFRESH
        self._works = True
        self._retry = -math.inf
        self._thread = threading.Thread(target=self._run, name="lights", daemon=True)

    def start(self, view: View) -> None:
        """Open the strip, light the first frame, and go on in a thread of its own.

        Raises:
            HardwareError: the strip cannot be started; nothing was lit.
        """
        self._strip.open()
        self._view = view
        self._frame(view, self._clock(), send=self._strip.show)
        self._thread.start()

    def show(self, view: View) -> None:
        """Show this view, at the brightness set, from the next frame on; returns at once."""
        with self._changed:
            self._view = view
            self._changed.notify()

    def stop(self) -> None:
        """Turn the lights black and let go of the strip. Idempotent."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join()
        else:
            self._strip.close()

    def _run(self) -> None:
        try:
            self._loop()
        except Exception:  # noqa: BLE001  # the game goes on in the dark
            _log.exception("the lights have stopped")
            self.on_failure("the lights have stopped: the log says why; start the table again")
        finally:
            self._close()

    def _close(self) -> None:
        try:
            self._strip.close()
        except HardwareError as error:
            self.on_failure(f"the strip could not be turned dark: {error}")

    def _loop(self) -> None:
        view, until = self._view, self._clock()
        while True:
            with self._changed:
                dimmed = self._output.brightness != self.brightness
                if self._view is view and not dimmed and not self._stopped:
                    self._changed.wait(max(0.0, until - self._clock()))
                if self._stopped:
                    return
                view, self._output.brightness = self._view, self.brightness
            assert view is not None  # noqa: S101  # there is one from the start on
            t = self._clock()
            until = max(self._frame(view, t, send=self._send), t + FRAME)

    def _frame(self, view: View, t: float, *, send: Callable[[Frame], None]) -> float:
        """Compose a view and send it if it must be sent; the time at which to look again."""
        light, until = self._scene.compose(view, t)
        frame = self._output.render(self._wiring.spread(light))
        changed = self._shown is None or not _same(frame, self._shown)
        if changed or t >= self._sent + REFRESH:
            send(frame)
            self._sent = self._clock()
        if changed:
            self._shown = frame
            self._seen(frame)
        refresh = self._sent + REFRESH
        return refresh if until is None else min(until, refresh)

    def _send(self, frame: Frame) -> None:
        """Give a frame to the strip; one that fails is told of once, and tried again later."""
        if self._clock() < self._retry:
            return
        try:
            if not self._works:
                self._strip.open()
            self._strip.show(frame)
        except HardwareError as error:
            self._lose(error)
        else:
            if not self._works:
                self.on_failure("the strip works again")
            self._works = True

    def _lose(self, error: HardwareError) -> None:
        if self._works:
            self.on_failure(f"the strip failed: {error}; it is tried again")
        self._works, self._retry = False, self._clock() + RETRY
        self._close()


def _same(one: Frame, other: Frame) -> bool:
    return all(map(_same_channel, one, other))


def _same_channel(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
    return one.tobytes() == other.tobytes()
