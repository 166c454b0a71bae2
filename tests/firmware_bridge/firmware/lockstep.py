"""The host's engine and an emulated board on one clock: no threads, no sleep, no luck.

Each hears what the other says, through a cable that may damage it.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Final, Self, TypeAlias

from firmware_bridge.connection.discovery import BOOT_QUIET_S
from firmware_bridge.protocol.events import Connected, Event, FrameShown, KeyEdge
from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import BoardSetup
from firmware_bridge.protocol.states import State
from tests.firmware_bridge.firmware.ws281x import Shown, decode
from tests.support.bridge_line import Channel, Faults
from tests.support.simavr_harness import BootLoader, Kind, SimulatedBoard

SESSION: Final = 0x12345678

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
