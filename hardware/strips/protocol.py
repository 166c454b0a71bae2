"""Interface of all strips: a strip has a specification and shows frames while it is open.

A frame has one array for each channel (data line), with one row for each LED. The columns are red,
green, blue and, on strips with a white LED, white. The strip's scale (`hardware.strips.scale`) says
what the values mean and may add a column. The driver arranges the colours in the order of the wire.
`Strip` validates each frame and locks the device files; a driver implements only `_start`, `_send`
and `_stop`:

>>> class Printer(Strip):
...     def _start(self): print("start")
...     def _send(self, frame): print(frame[0].tolist())
...     def _stop(self): print("stop")
>>> strip = Printer(StripSpec(leds=(1,)))
>>> strip.open(); strip.show([np.array([[255, 0, 0]], np.uint8)]); strip.close()
start
[[255, 0, 0]]
[[0, 0, 0]]
stop
"""

import fcntl
import logging
import math
import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from hardware.errors import END_OTHER, StripError, Text, driver_error
from hardware.strips.scale import BYTES, Pixels, Scale

Frame: TypeAlias = Sequence[Pixels]

CLOCKED: Final = ("apa102", "sk9822", "hd107s", "hd108")
"""Types of strip with a clock line beside the data line."""

ONE_WIRE: Final = ("sk6812", "sk6812w", "ws2811", "ws2812", "ws2812b", "ws2813", "ws2815")
"""Types of strip with a data line alone."""

CODED: Final = ("ws2812b", "sk6812w")
"""Types of `ONE_WIRE` whose codes the drivers `spi:<type>` write to SPI."""

COLOURS: Final = dict.fromkeys(sorted((*CLOCKED, *ONE_WIRE)), 3) | {"sk6812w": 4}
"""Number of colours of an LED, by the type of the strip."""

_ORDERS: Final = {**dict.fromkeys(CLOCKED, "BGR"), "hd108": "RGB"}

BIT_SECONDS: Final = 1.25e-6
RESET_SECONDS: Final = 300e-6  # WS2812B since 2017 and WS2813 latch after 280 us, others sooner

_log = logging.getLogger(__name__)


@contextmanager
def locked(device: Path) -> Iterator[None]:
    """Lock a device file. A file that cannot be opened is not locked: its driver reports why.

    The lock is on the device file itself, so it works between users, leaves no lock file behind and
    ends with the process. pyserial locks serial ports in the same way.

    Raises:
        StripError: another program has locked it.
    """
    try:
        file = os.open(device, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        yield
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        text = "{device} is in use by another program"
        raise StripError(text, device=device, remedy=END_OTHER) from None
    try:
        yield
    finally:
        os.close(file)


def usual_order(kind: str) -> str:
    """Return the order of colours that most strips of a type have.

    >>> usual_order("ws2812b"), usual_order("sk6812w"), usual_order("apa102")
    ('GRB', 'GRBW', 'BGR')
    """
    return _ORDERS.get(kind, "GRBW" if COLOURS.get(kind) == len("GRBW") else "GRB")


@dataclass(frozen=True, slots=True, kw_only=True)
class StripSpec:
    """Specification of the LEDs on the data lines, validated on construction.

    Args:
        leds: the number of LEDs of each channel, which is one data line.
        type: one of `COLOURS`.
        order: the order of the colours on the wire, such as "GRB" or "GRBW".

    Raises:
        StripError: an unknown type, an order that does not fit the type, or a channel without LEDs.
    """

    leds: tuple[int, ...]
    type: str = "ws2812b"
    order: str = "GRB"

    def __post_init__(self) -> None:
        if self.type not in COLOURS:
            text, known = 'type = "{type}" is not known', ", ".join(sorted(COLOURS))
            remedy = Text("set one of {known}", known=known)
            raise StripError(text, type=self.type, remedy=remedy, key="strip.type")
        if sorted(self.order) != sorted("RGBW"[: self.colours]):
            usual = usual_order(self.type)
            remedy = Text(
                'set an order such as "{usual_order}", or another type', usual_order=usual
            )
            text = 'order = "{order}" does not fit type = "{type}", which has {colours} colours'
            values = {"order": self.order, "type": self.type, "colours": self.colours}
            raise StripError(text, remedy=remedy, key="strip.order", **values)
        if not self.leds or min(self.leds) < 1:
            raise StripError(
                "each channel needs at least one LED, but leds = {leds}", leds=self.leds
            )

    @property
    def colours(self) -> int:
        return COLOURS[self.type]

    @property
    def has_white(self) -> bool:
        return self.colours == len("RGBW")

    @property
    def wire_seconds(self) -> float:
        """Seconds that a frame takes on an ideal wire: 1.25 us per bit and the reset."""
        return max(self.leds) * self.colours * 8 * BIT_SECONDS + RESET_SECONDS


class Strip(ABC):
    """Driver of one strip of one or more channels. One thread at a time may use it."""

    scale: Scale = BYTES
    """Steps in which the strip shows light. They set the shape and type of its frames."""

    is_quick = False
    """True if frames go out evenly and at the full speed of the wire, as dithering needs."""

    def __init__(self, spec: StripSpec) -> None:
        self.spec = spec
        self._is_open = False
        self._locks = ExitStack()

    @property
    def wire_seconds(self) -> float:
        """Seconds that this driver needs for a frame, by default the time on an ideal wire."""
        return self.spec.wire_seconds

    @property
    def pins(self) -> tuple[int, ...]:
        """BCM pins that the strip uses and no button may use."""
        return ()

    @property
    def devices(self) -> tuple[Path, ...]:
        """Device files to lock against other programs."""
        return ()

    def open(self) -> None:
        """Open the hardware without touching the LEDs.

        Raises:
            StripError: the strip is open, another program has its device, or the start fails.
        """
        if self._is_open:
            raise StripError("the strip is open already")
        with ExitStack() as locks:
            for device in self.devices:
                locks.enter_context(locked(device))
            self._start()
            self._locks = locks.pop_all()
        self._is_open = True

    def show(self, frame: Frame) -> None:
        """Send a frame; the arrays may be changed as soon as this returns.

        Raises:
            StripError: the strip is not open, the frame does not fit, or the hardware failed.
        """
        if not self._is_open:
            raise StripError("the strip is not open", remedy=Text("open() comes before show()"))
        check_frame(self.spec, frame, self.scale)
        self._send(frame)

    def close(self) -> None:
        """Turn all LEDs dark and release the hardware. Idempotent."""
        if not self._is_open:
            return
        self._is_open = False
        try:
            self._send(black(self.spec, self.scale))
        except StripError as error:
            # A strip that does not answer must not prevent the end of the program.
            _log.warning("the strip may still be lit: %s", error)
        finally:
            with self._locks:
                self._stop()

    @abstractmethod
    def _start(self) -> None:
        """Open the hardware; if this raises StripError, nothing stays open."""

    @abstractmethod
    def _send(self, frame: Frame) -> None:
        """Send a valid frame."""

    @abstractmethod
    def _stop(self) -> None:
        """Release the hardware after the last frame is out."""


def check_frame(spec: StripSpec, frame: Frame, scale: Scale = BYTES) -> None:
    """Refuse a frame that does not fit the strip.

    Raises:
        StripError: the number of channels, a shape or a type of values is wrong.
    """
    if len(frame) != len(spec.leds):
        text = "the frame has {frame} channels, but the strip has {leds}"
        raise StripError(text, leds=len(spec.leds), frame=len(frame))
    for channel, (leds, pixels) in enumerate(zip(spec.leds, frame, strict=True)):
        shape = leds, spec.colours + scale.extra_columns
        if pixels.shape != shape:
            text = "channel {channel} takes pixels of shape {shape}, not {given}"
            raise StripError(text, channel=channel, shape=shape, given=pixels.shape)
        if pixels.dtype != scale.dtype:
            text = "channel {channel} takes values of {taken}, not {dtype}"
            raise StripError(text, channel=channel, taken=np.dtype(scale.dtype), dtype=pixels.dtype)


def black(spec: StripSpec, scale: Scale = BYTES) -> Frame:
    """Return a frame with every LED dark.

    >>> [pixels.shape for pixels in black(StripSpec(leds=(2, 3)))]
    [(2, 3), (3, 3)]
    """
    columns = spec.colours + scale.extra_columns
    return tuple(np.zeros((leds, columns), scale.dtype) for leds in spec.leds)


FEWER_CHANNELS: Final = Text("put the strips on fewer channels, and set [wiring] accordingly")


def check_channels(spec: StripSpec, driver: str, most: int, remedy: Text = FEWER_CHANNELS) -> None:
    """Refuse a strip with more than `most` channels; `driver` is the driver's name, for the error.

    Raises:
        StripError: the strip has more channels than `most`.
    """
    if len(spec.leds) > most:
        has = Text("one channel") if most == 1 else Text("{most} channels", most=most)
        text = "the driver has {has}, but the wiring has {leds}"
        raise driver_error(driver, text, has=has, leds=len(spec.leds), remedy=remedy)


class Pacer:
    """Pacer of frames for hardware that does not report when it is ready for a frame."""

    def __init__(self, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._clock = clock
        self._sleep = sleep
        self._free_at = -math.inf

    def wait(self) -> None:
        pause = self._free_at - self._clock()
        if pause > 0:
            self._sleep(pause)

    def busy_for(self, seconds: float) -> None:
        """Make the next `wait` last until this number of seconds from now."""
        self._free_at = self._clock() + seconds


class NullStrip(Strip):
    """Strip that validates frames and drops them."""

    def _start(self) -> None:
        """Do nothing."""

    def _send(self, frame: Frame) -> None:
        """Drop the frame."""

    def _stop(self) -> None:
        """Do nothing."""


class VirtualStrip(NullStrip):
    """Strip in memory: it records its last `keep` frames with their times, and calls listeners."""

    def __init__(self, spec: StripSpec, *, clock: Callable[[], float], keep: int = 1) -> None:
        super().__init__(spec)
        self._clock = clock
        self._record: deque[tuple[float, Frame]] = deque(maxlen=keep)
        self._listeners: tuple[Callable[[float, Frame], None], ...] = ()

    @property
    def frames(self) -> Sequence[tuple[float, Frame]]:
        return tuple(self._record)

    @property
    def last(self) -> Frame | None:
        record = self.frames
        return record[-1][1] if record else None

    def listen(self, listener: Callable[[float, Frame], None]) -> None:
        self._listeners = (*self._listeners, listener)

    def _send(self, frame: Frame) -> None:
        shown = self._clock(), tuple(pixels.copy() for pixels in frame)
        self._record.append(shown)
        for listener in self._listeners:
            listener(*shown)
