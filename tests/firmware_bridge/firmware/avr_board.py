"""Emulated AVR boards: single frames and replies, or the host's engine on the same clock."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.connection.discovery import BOOT_QUIET_S
from firmware_bridge.protocol.framing import Decoder, Frame
from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import BoardSetup
from firmware_bridge.protocol.states import Connected, Event, FrameShown, KeyEdge, State
from tests.support.bridge_line import Channel, Faults
from tests.support.simavr_harness import HERTZ, BootLoader, Kind, SimulatedBoard
from tests.support.slow_board import BYE, FILL, HELLO, INFO, PING, PIXELS, SETUP, frame, packed

# Decoder of a data line, with the tolerances of real LEDs.


LONGEST_ZERO: Final = 500
"""Nanoseconds: a 0 is high for less."""

SHORTEST_ONE: Final = 650
"""Nanoseconds: a 1 is high for more."""

LONGEST_LOW: Final = 5_000
"""Nanoseconds: within a frame the line is low for less."""

LATCH: Final = 280_000
"""Nanoseconds: between frames it is low for more."""

_NANOSECONDS: Final = 10**9 / HERTZ


class UnreadableError(Exception):
    """A signal that LEDs may not be able to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A frame on the line: its bytes, and the seconds of its beginning and its end."""

    data: bytes
    began: float
    ended: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulses:
    """Times of the line in nanoseconds: each rise, its high time, and the low time after it."""

    rises: NDArray[np.float64]
    high: NDArray[np.float64]
    low: NDArray[np.float64]

    @property
    def falls(self) -> NDArray[np.float64]:
        """The times at which it fell."""
        return self.rises + self.high


def pulses(edges: NDArray[np.uint64]) -> Pulses:
    """Read edges of a line that is low before and after; the last low has no end.

    Raises:
        UnreadableError: the line is high before or after.
    """
    times = (edges >> 1).astype(np.float64) * _NANOSECONDS
    alternating = np.arange(1, len(edges) + 1, dtype=np.uint64) & 1
    if len(edges) % 2 or (edges & 1 != alternating).any():
        raise UnreadableError("the line is not low before and after")
    rises, falls = times[::2], times[1::2]
    return Pulses(rises=rises, high=falls - rises, low=np.append(rises[1:], np.inf) - falls)


def decode(edges: NDArray[np.uint64], *, is_cut: bool = False) -> list[Shown]:
    """Return the frames in the edges; with `is_cut`, only whole bytes of the last frame.

    Raises:
        UnreadableError: there is something on the line outside the tolerances.
    """
    line = pulses(edges[: len(edges) // 2 * 2] if is_cut else edges)
    if not len(line.high):
        return []
    if ((line.high >= LONGEST_ZERO) & (line.high <= SHORTEST_ONE)).any():
        raise UnreadableError("a bit is neither 0 nor 1")
    if ((line.low >= LONGEST_LOW) & (line.low <= LATCH)).any():
        raise UnreadableError("the line is low for too long for a bit and too short for a latch")
    ends = np.flatnonzero(line.low > LATCH) + 1
    if is_cut:
        ends[-1] -= (ends[-1] - (ends[-2] if len(ends) > 1 else 0)) % 8
    starts = np.concatenate(([0], ends[:-1]))
    return [
        _frame(line, int(start), int(end))
        for start, end in zip(starts, ends, strict=True)
        if start < end
    ]


def _frame(line: Pulses, start: int, end: int) -> Shown:
    if (end - start) % 8:
        raise UnreadableError(f"{end - start} bits are no whole bytes")
    bits = line.high[start:end] > SHORTEST_ONE
    return Shown(
        data=np.packbits(bits).tobytes(),
        began=float(line.rises[start]) / 1e9,
        ended=float(line.falls[end - 1]) / 1e9,
    )


# Single frames and replies, without an engine in between


SESSION = 0x12345678
LATCH_BIT = 0x8000
SILENCE = Frame(type=0, sequence=0)
"""No reply."""
BEGUN = 0.1
"""Seconds after which a board is ready to listen."""


class Dialogue:
    """A board that has just begun to listen, and a writer of single bytes."""

    def __init__(
        self, kind: Kind, *, baud: int = 500_000, boot_loader: BootLoader | None = None
    ) -> None:
        self.board = SimulatedBoard(kind, baud=baud, boot_loader=boot_loader)
        self._decoder = Decoder()
        self.boot = 0
        self.hear(BEGUN)
        self.board.take_edges()

    def __enter__(self) -> Self:
        self.board.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self.board.__exit__(*exception)

    def hear(self, seconds: float) -> list[Frame]:
        """Return the frames from the board within some seconds."""
        until = self.board.now + seconds
        heard: list[Frame] = []
        while self.board.now < until:
            heard += self._frames(self.board.run(until))
        return heard

    def say(self, data: bytes, *, patience: float = 0.2) -> Frame:
        """Send bytes. Return the first frame that comes back in time, or SILENCE."""
        self.board.send(data)
        until = self.board.now + len(data) * 10 / self.board.baud + patience
        while self.board.now < until:
            heard = self._frames(self.board.run(until))
            if heard:
                return heard[0]
        return SILENCE

    def exchange(self, data: bytes) -> list[Frame]:
        """Send a message. Return all frames until the longest show would be over."""
        self.board.send(data)
        return self.hear(0.03)

    def greet(self, session: int = SESSION) -> Frame:
        """Send HELLO, and keep the boot nonce of the reply."""
        answer = self.say(frame(HELLO, 0, 0, packed(session, 4) + bytes([1, 1])))
        if answer.type == INFO:
            self.boot = int.from_bytes(answer.payload[10:14], "little")
        return answer

    def set_up(
        self, leds: int, *, colours: int = 3, watchdog: int = 0, safe: bytes = bytes(5)
    ) -> Frame:
        """Send SETUP; the time is milliseconds."""
        payload = packed(self.boot, 4) + packed(leds, 2) + bytes([colours, 3])
        return self.say(frame(SETUP, 0, 0, payload + packed(watchdog, 2) + safe))

    def pixels(
        self, data: bytes, *, sequence: int = 0, offset: int = 0, latch: bool = True
    ) -> Frame:
        """Send PIXELS."""
        return self.say(frame(PIXELS, sequence, offset | LATCH_BIT * latch, data))

    def fill(self, led: bytes, *, sequence: int = 0) -> Frame:
        """Send FILL."""
        return self.say(frame(FILL, sequence, 0, led))

    def ping(self) -> Frame:
        """Send PING."""
        return self.say(frame(PING, 0, 0, b""))

    def bye(self) -> Frame:
        """Send BYE."""
        return self.say(frame(BYE, 0, 0, b""))

    def shown(self) -> list[Shown]:
        """Return the frames on the strip's line since the last call."""
        return decode(self.board.take_edges())

    def lights(self) -> list[bytes]:
        """Return their bytes."""
        return [each.data for each in self.shown()]

    def _frames(self, data: bytes) -> list[Frame]:
        return [item for item in self._decoder.feed(data) if isinstance(item, Frame)]


@contextmanager
def ready(
    kind: Kind,
    leds: int,
    *,
    baud: int = 500_000,
    colours: int = 3,
    watchdog: int = 0,
    safe: bytes = bytes(5),
) -> Iterator[Dialogue]:
    """Yield a board that is READY; the time is milliseconds."""
    with Dialogue(kind, baud=baud) as talk:
        talk.greet()
        talk.set_up(leds, colours=colours, watchdog=watchdog, safe=safe)
        yield talk


# The host's engine and an emulated board on one clock: no threads, no sleep, no luck.
#
# Each hears what the other says, through a cable that may damage it.


_STEP: Final = 10e-6

Harm: TypeAlias = Callable[[bytes], bytes]


def unharmed(data: bytes) -> bytes:
    """Return the data unchanged, as a good cable does."""
    return data


def harmed(faults: Faults, seed: int) -> Harm:
    """Return a cable that drops and flips bytes."""
    channel = Channel(random=Random(seed), faults=faults, bytes_a_tick=1e9)

    def pass_through(data: bytes) -> bytes:
        channel.send(data, 0)
        return channel.arrived(1)

    return pass_through


class Bench:
    """A board that has just got power, and its host; a lost link is opened again."""

    def __init__(
        self,
        kind: Kind,
        *,
        baud: int = 500_000,
        wanted: BoardSetup,
        boot_loader: BootLoader | None = None,
    ) -> None:
        self.board = SimulatedBoard(kind, baud=baud, boot_loader=boot_loader)
        self._has_boot_loader = boot_loader is not None
        self.link = Link(session=SESSION, wanted=wanted, byte_seconds=10 / baud)
        self.reported: list[tuple[float, Event]] = []
        self.to_board: Harm = unharmed
        self.to_host: Harm = unharmed
        self._script: list[tuple[float, int, Callable[[], object]]] = []
        self._order = count()

    def __enter__(self) -> Self:
        self.board.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self.board.__exit__(*exception)

    @property
    def now(self) -> float:
        """The time of both."""
        return self.board.now

    def open(self) -> None:
        """Open the port; DTR resets a board with a boot loader."""
        if self._has_boot_loader:
            self.board.reset()
        self.link.open(self.now, quiet_s=BOOT_QUIET_S if self._has_boot_loader else 0.0)

    def connect(self) -> Connected:
        """Open the port, set the board up, and drop the frames that were shown."""
        self.open()
        self.run_until(lambda event: isinstance(event, Connected))
        self.shown()
        return next(event for _, event in self.reported if isinstance(event, Connected))

    def show(self, pixels: bytes) -> Shown:
        """Show a frame. Return the last frame on the line once the board has acknowledged."""
        ticket = self.link.show(pixels)
        self.run_until(lambda event: event == FrameShown(ticket=ticket))
        return self.shown()[-1]

    def shown(self) -> list[Shown]:
        """Return the frames on the strip's line since the last call."""
        return decode(self.board.take_edges())

    def shown_so_far(self) -> list[Shown]:
        """Return the same during a frame, with the part of it that was sent."""
        return decode(self.board.take_edges(), is_cut=True)

    def at(self, time: float, action: Callable[[], object]) -> None:
        """Call something at a time."""
        heappush(self._script, (time, next(self._order), action))

    def press(self, time: float, button: int, *, down: bool) -> None:
        """Press or release a button at a time."""
        self.at(time, lambda: self.board.press(button, down=down))

    def edges(self) -> list[tuple[int, bool]]:
        """Return the reported edges of buttons, in order."""
        return [(edge.button, edge.down) for _, edge in self.reported_edges()]

    def reported_edges(self) -> list[tuple[float, KeyEdge]]:
        """Return the reported edges with the times of the reports."""
        return [(now, event) for now, event in self.reported if isinstance(event, KeyEdge)]

    def run(self, seconds: float) -> list[Event]:
        """Let some seconds pass."""
        return self._run(self.now + seconds, lambda _: False)

    def run_until(self, is_it: Callable[[Event], bool], *, patience: float = 8.0) -> list[Event]:
        """Let time pass until an event.

        Raises:
            AssertionError: it does not come in time.
        """
        events = self._run(self.now + patience, is_it)
        if not any(map(is_it, events)):
            raise AssertionError(f"not within {patience:g} s; there were {events[-5:]}")
        return events

    def _run(self, until: float, is_it: Callable[[Event], bool]) -> list[Event]:
        start = len(self.reported)
        while self.now < until and not any(is_it(event) for event in self._step(until)):
            pass
        return [event for _, event in self.reported[start:]]

    def _step(self, until: float) -> list[Event]:
        """Go on to the next byte from the board, deadline, or line of the script."""
        self.board.send(self.to_board(self.link.bytes_to_send(self.now)))
        next_line = self._script[0][0] if self._script else until
        deadline = max(self.link.next_deadline, self.now + _STEP)
        data = self.to_host(self.board.run(min(until, next_line, deadline)))
        while self._script and self._script[0][0] <= self.now:
            heappop(self._script)[2]()
        events = self.link.receive_bytes(data, self.now) if data else []
        events += self.link.on_time(self.now)
        self.reported += ((self.now, event) for event in events)
        if self.link.state is State.LOST:
            self.open()
        return events


@contextmanager
def connected(kind: Kind, *, baud: int = 500_000, wanted: BoardSetup) -> Iterator[Bench]:
    """Yield a board that has been set up, without the frames that were shown before."""
    with Bench(kind, baud=baud, wanted=wanted) as bench:
        bench.connect()
        yield bench


class Stream:
    """Frames shown one after the other, as fast as they are acknowledged."""

    def __init__(self, bench: Bench, *, pixel_bytes: int, seed: int = 0) -> None:
        self.frames: list[bytes] = []
        self._bench = bench
        self._bytes = pixel_bytes
        self._random = Random(seed)

    def run(self, seconds: float) -> int:
        """Let some seconds pass; return the number of frames shown."""
        until, shown = self._bench.now + seconds, 0
        self._show()
        while self._bench.now < until:
            for event in self._bench._step(until):
                if isinstance(event, FrameShown):
                    shown += 1
                    self._show()
        return shown

    def _show(self) -> None:
        frame = self._random.randbytes(self._bytes)
        self.frames.append(frame)
        self._bench.link.show(frame)
