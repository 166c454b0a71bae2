"""Thread that owns the strip and shows the newest `View` (all facts to show) on it.

In each round the thread composes the light of the view, limits its flashes, turns it into a frame,
and sends the frame if it has changed. Then the thread sleeps until there is a new view, or until
the view's light changes. An unchanged frame is sent again after one second, because noise on the
wire may have changed some LEDs. A strip that fails is closed, and opened again after five seconds.
The game goes on in the dark.

There are at most 60 rounds a second while pegs move, and one a second while they rest. Dithered
light is a cycle of frames (`hardware.dither`), which are sent as fast as the wire allows.
"""

import logging
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from companion.errors import Text
from companion.lights import FlashLimiter, Palette, Scene, View, Wiring
from companion.lights.limits import NightLimit
from hardware.dither import DitherPace, FrameCycle
from hardware.errors import HardwareError
from hardware.output import Light as LedLight
from hardware.output import Output
from hardware.strips import Frame, Strip
from hardware.strips.protocol import black

REFRESH_S: Final = 1.0
RETRY_S: Final = 5.0
FRAME_S: Final = 1 / 60
"""Shortest time between two rounds for the same view; a new view is shown at once."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LightSource:
    """Parts that turn a view into frames on a strip; `dithers` is True if dither is allowed."""

    palette: Palette
    scene: Scene
    wiring: Wiring
    output: Output
    strip: Strip
    dithers: bool = False
    night: NightLimit | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawFrame:
    """Light for LEDs in the order of the wire, shown instead of the board's light.

    Attributes:
        light: returns the light at time t, shape (LEDs, 3), and when it next changes or None.
        opened: called once in the lights thread, after the first attempt, with its error or None.
    """

    strip: Strip
    output: Output
    light: Callable[[float], tuple[LedLight, float | None]]
    opened: Callable[[HardwareError | None], None]


class LightThread:
    """Thread that shows views of the table on a strip.

    After setting `brightness`, 0 to 1, call `show` to wake the thread. While the strip fails,
    `error` has the reason, and frames are still composed; while it works, `error` is None.

    Args:
        light: the parts of the table's own light.
        seen: receives each new frame as bytes, in the lights thread. When a `RawFrame` for a strip
            with other LEDs is shown, `seen` receives one dark frame.
        clock: returns seconds, for all motion.
        now: returns the time of day, for the night limit.
    """

    def __init__(
        self,
        light: LightSource,
        *,
        seen: Callable[[Frame], None],
        clock: Callable[[], float],
        now: Callable[[], datetime],
    ) -> None:
        self._wiring = light.wiring
        self._board_strip = self._strip = light.strip
        self._limiter = FlashLimiter(sum(light.strip.spec.leds))
        self._seen, self._clock, self._now = seen, clock, now
        self._wanted = light
        self._take(light)
        self._output = light.output
        self._cycle: FrameCycle | None = None
        self._turn = 0
        self.error: HardwareError | None = None
        self._changed = threading.Condition()
        self._view: View | None = None
        self._raw: RawFrame | None = None
        self.brightness = light.output.brightness
        self._stopped = False
        self._last_round = clock()
        self._shown: Frame | None = None
        self._sent = -REFRESH_S
        self._works = False
        self._retry = -math.inf
        self._thread = threading.Thread(target=self._run, name="lights", daemon=True)

    def start(self, view: View) -> None:
        """Open the strip, show the first frame, and start the thread.

        If the strip cannot be opened, `error` has the reason, and the thread tries again.
        """
        self._view = view
        t = self._clock()
        self._show_light(*self._composed(view, t), t, send=self._send)
        self._last_round = self._clock()
        self._thread.start()

    @property
    def frozen_s(self) -> float:
        """Seconds since the last round began; about one at most while the thread works."""
        return self._clock() - self._last_round

    def show(self, view: View) -> None:
        """Show this view from the next frame on, at `brightness`; return at once."""
        with self._changed:
            self._view = view
            self._changed.notify()

    def relight(self, light: LightSource) -> None:
        """Compose the light with other parts from the next frame on; return at once.

        The wiring must be the same. The open strip stays in use; the strip of `light` is ignored.
        """
        with self._changed:
            self._wanted = light
            self._changed.notify()

    def show_raw(self, raw: RawFrame | None) -> None:
        """Show `raw` at full brightness until this is called with None; return at once.

        While `raw` is for another strip, the board's own strip is closed.
        """
        with self._changed:
            self._raw = raw
            self._changed.notify()

    def stop(self) -> None:
        """Turn the lights black and close the strip. Idempotent."""
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
            remedy = Text("start the table again; the log has the reason")
            self.error = HardwareError("the lights have stopped", remedy=remedy)
        finally:
            self._close()

    def _close(self) -> None:
        try:
            self._strip.close()
        except HardwareError as error:
            _log.warning("the strip could not be turned dark: %s", error)

    def _loop(self) -> None:
        view, due, until = self._view, self._clock(), self._clock()
        raw: RawFrame | None = None
        while True:
            with self._changed:
                if self._is_shown(view, raw) and not self._stopped:
                    self._changed.wait(max(0.0, until - self._clock()))
                if self._stopped:
                    return
                same = self._is_shown(view, raw)
                view, raw = self._view, self._raw
                wanted = self._wanted
            self._last_round = self._clock()
            if wanted is not self._light:
                self._take(wanted)
            assert view is not None  # noqa: S101  # `start` has set it
            self._change_strip(raw)
            t = self._clock()
            if self._cycle and same and t < due:
                self._send_turn(t)
            else:
                light, again = raw.light(t) if raw else self._composed(view, t)
                due = max(self._show_light(light, again, t, send=self._send), t + FRAME_S)
            until = due if self._cycle is None else min(due, t + self._pace.interval)

    def _is_shown(self, view: View | None, raw: RawFrame | None) -> bool:
        """Return True if the newest view, raw frame, brightness and light source are on show."""
        dimmed = raw is None and self._output.brightness != self.brightness
        relit = self._light is not self._wanted
        return self._view is view and self._raw is raw and not (dimmed or relit)

    def _take(self, light: LightSource) -> None:
        self._light, self._scene, self._night = light, light.scene, light.night
        self._pace = _pace(light, self._board_strip)

    def _change_strip(self, raw: RawFrame | None) -> None:
        own = self._board_strip, self._light.output
        strip, self._output = (raw.strip, raw.output) if raw else own
        self._output.brightness = 1.0 if raw else self.brightness
        if strip is not self._strip:
            self._close()
            self._strip = strip
            self._shown, self._sent, self._retry = None, -REFRESH_S, -math.inf
            self._limiter = FlashLimiter(sum(strip.spec.leds))
            self._open_strip(raw)
            if strip.spec.leds != self._wiring.leds:
                self._seen(black(self._board_strip.spec))

    def _open_strip(self, raw: RawFrame | None) -> None:
        trouble: HardwareError | None = None
        self._works = True
        try:
            self._strip.open()
            if raw:
                t = self._clock()
                self._show_light(*raw.light(t), t, send=self._strip.show)
        except HardwareError as error:
            self._note_failure(error)
            trouble = error
        if raw:
            raw.opened(trouble)

    def _composed(self, view: View, t: float) -> tuple[LedLight, float | None]:
        light, until = self._scene.compose(view, t)
        return self._wiring.spread(light), until

    def _show_light(
        self, light: LedLight, until: float | None, t: float, *, send: Callable[[Frame], None]
    ) -> float:
        """Send light that has changed or must be refreshed; return the time of the next round."""
        light, free = self._limiter.limit(light, t)
        self._output.ceiling = self._night.at(self._now()) if self._night else 1.0
        cycle = self._output.cycle(light, self._bits(t))
        frame = cycle.still()
        changed = self._shown is None or not _same(frame, self._shown)
        self._cycle = cycle if cycle.moves else None
        if self._cycle:
            self._send_turn(t)
        elif changed or t >= self._sent + REFRESH_S:
            self._pace.pause()
            send(frame)
            self._sent = self._clock()
        if changed:
            self._shown = frame
            if self._strip.spec.leds == self._wiring.leds:
                self._seen(tuple(map(self._strip.scale.bytes, frame)))
        refresh = self._sent + REFRESH_S
        return min(at for at in (refresh, until, free) if at is not None)

    def _bits(self, t: float) -> int:
        """Return the bits of dither for the next light; only the board's strip is dithered."""
        self._pace.retry(t)
        return self._pace.bits if self._strip is self._board_strip else 0

    def _send_turn(self, t: float) -> None:
        assert self._cycle is not None  # noqa: S101  # callers have checked it
        self._turn += 1
        self._send(self._cycle.frame(self._turn))
        self._sent = self._clock()
        self._pace.note_frame(t)

    def _send(self, frame: Frame) -> None:
        """Show a frame on the strip; a strip that has failed is opened again after `RETRY_S`."""
        if self._clock() < self._retry:
            return
        try:
            if not self._works:
                self._strip.open()
            self._strip.show(frame)
        except HardwareError as error:
            self._note_failure(error)
        else:
            self._works = True
            if self._strip is self._board_strip:
                self.error = None

    def _note_failure(self, error: HardwareError) -> None:
        self._works, self._retry = False, self._clock() + RETRY_S
        self._close()
        if self._strip is self._board_strip:
            self.error = error


def _pace(light: LightSource, strip: Strip) -> DitherPace:
    can = light.dithers and strip.is_quick and light.output.can_dither
    return DitherPace(strip.wire_seconds if can else math.inf)


def _same(one: Frame, other: Frame) -> bool:
    channels = zip(one, other, strict=True)
    return all(pixels.tobytes() == others.tobytes() for pixels, others in channels)
