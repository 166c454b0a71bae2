"""Both ends of a bridge, joined by a line with any faults, in steps of a millisecond."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import BoardSetup
from firmware_bridge.protocol.states import (
    BoardRestarted,
    Connected,
    Event,
    KeyEdge,
    Resynchronised,
    State,
)
from tests.support.slow_board import SlowBoard

T = TypeVar("T")

START = 1000.0
"""The host's time when a line begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """Rates of the faults that may happen to a byte on its way."""

    drop: float = 0.0
    flip: float = 0.0
    insert: float = 0.0
    double: float = 0.0
    cut: float = 0.0
    delay: float = 0.0


@dataclass(slots=True, kw_only=True)
class Channel:
    """One direction of a line, which delivers bytes in order."""

    random: Random
    faults: Faults = field(default_factory=Faults)
    bytes_a_tick: float = 50.0
    is_cut: bool = False
    _flying: deque[tuple[float, int]] = field(default_factory=deque)
    _free_at: float = 0.0
    _to_cut: int = 0
    _latest: deque[int] = field(default_factory=lambda: deque(maxlen=60))

    def send(self, data: bytes, tick: int) -> None:
        """Put bytes on the line."""
        for byte in data:
            for changed in self._changed(byte):
                self._fly(changed, tick)

    def arrived(self, tick: int) -> bytes:
        """Return the bytes that have come out by now."""
        data = bytearray()
        while self._flying and self._flying[0][0] <= tick:
            data.append(self._flying.popleft()[1])
        return bytes(data)

    def _changed(self, byte: int) -> list[int]:
        """Return the bytes that arrive for one byte."""
        random, faults = self.random, self.faults
        if random.random() < faults.cut:
            self._to_cut = random.randrange(1, 500)
        if self._to_cut or self.is_cut or random.random() < faults.drop:
            self._to_cut = max(0, self._to_cut - 1)
            return []
        if random.random() < faults.flip:
            byte ^= 1 << random.randrange(8)
        self._latest.append(byte)
        out = [byte]
        if random.random() < faults.insert:
            out.insert(0, random.randrange(256))
        if random.random() < faults.double:
            out += list(self._latest)[-random.randrange(1, 60) :]
        return out

    def _fly(self, byte: int, tick: int) -> None:
        late = self.random.uniform(0, 200) if self.random.random() < self.faults.delay else 0.0
        self._free_at = max(self._free_at, tick) + 1 / self.bytes_a_tick + late
        self._flying.append((self._free_at, byte))


class Line:
    """A link and a board, with the link's events; `is_kept_open` opens a lost link again."""

    def __init__(
        self, link: Link, board: SlowBoard, *, seed: int = 0, is_kept_open: bool = False
    ) -> None:
        random = Random(seed)
        self.link = link
        self.board = board
        self.to_board = Channel(random=random)
        self.to_host = Channel(random=random)
        self.reported: list[tuple[float, Event]] = []
        self._is_kept_open = is_kept_open

    @property
    def now(self) -> float:
        """The host's time."""
        return START + self.board.ticks / 1000

    def host_time(self, tick: int) -> float:
        """Return the host's time at a tick of the board."""
        return START + tick / 1000

    def fail(self, faults: Faults) -> None:
        """Give both directions these faults from now on."""
        self.to_board.faults = self.to_host.faults = faults

    def open(self) -> None:
        """Open the port."""
        self.link.open(self.now)
        self._write()

    def show(self, pixels: bytes) -> int:
        """Show a frame."""
        ticket = self.link.show(pixels)
        self._write()
        return ticket

    def run(self, ticks: int) -> None:
        """Let this number of milliseconds pass."""
        for _ in range(ticks):
            self._tick()

    def run_until(self, done: Callable[[], object], *, ticks: int = 20_000) -> None:
        """Let time pass until a condition is true; an AssertionError if it never is."""
        for _ in range(ticks):
            if done():
                return
            self._tick()
        raise AssertionError(f"not within {ticks} ms")

    def _tick(self) -> None:
        self.board.tick()
        tick = self.board.ticks
        self.board.receive(self.to_board.arrived(tick))
        self.to_host.send(self.board.sent(), tick)
        data = self.to_host.arrived(tick)
        if data:
            self._tell(self.link.receive_bytes(data, self.now))
        if self.link.next_deadline <= self.now:
            self._tell(self.link.on_time(self.now))
        elif not data:
            # Nothing may happen before its deadline, as the owners sleep until then.
            assert not self.link.on_time(self.now)
            assert not self.link.bytes_to_send(self.now)
        self._write()

    def _tell(self, events: list[Event]) -> None:
        self.reported += ((self.now, event) for event in events)
        if self._is_kept_open and self.link.state is State.LOST:
            self.link.open(self.now)

    def _write(self) -> None:
        self.to_board.send(self.link.bytes_to_send(self.now), self.board.ticks)

    def of(self, kind: type[T]) -> list[T]:
        """Return the events of a kind, in order."""
        return [event for _, event in self.reported if isinstance(event, kind)]

    def edges(self) -> list[tuple[int, bool]]:
        """Return the reported edges, in order."""
        return [(edge.button, edge.down) for edge in self.of(KeyEdge)]

    def reported_by_boot(self) -> dict[int, list[KeyEdge]]:
        """Return the reported edges, apart for each boot of the board that was noticed."""
        boots: dict[int, list[KeyEdge]] = {}
        boot = 0
        for _, event in self.reported:
            if isinstance(event, Connected):
                boot = event.info.boot
            elif isinstance(event, KeyEdge):
                boots.setdefault(boot, []).append(event)
        return boots

    def happened_by_boot(self) -> dict[int, list[KeyEdge]]:
        """Return the edges that the board saw in each of its boots, at their true host times."""
        return {
            boot: [
                KeyEdge(button=button, down=down, t=self.host_time(started + stamp))
                for button, down, stamp in keys.events
            ]
            for boot, (started, keys) in self.board.lives.items()
        }

    def levels(self) -> frozenset[int]:
        """Return the buttons that are down according to the reported edges."""
        down: frozenset[int] = frozenset()
        for _, event in self.reported:
            match event:
                case KeyEdge(button=button, down=True):
                    down |= {button}
                case KeyEdge(button=button):
                    down -= {button}
                case Resynchronised():
                    down = event.down
                case BoardRestarted():
                    down = frozenset()
                case _:
                    pass
        return down


# Player of frames and presses, which knows the expected result


LEDS = 40
BAD = Faults(
    drop=1 / 600, flip=1 / 600, insert=1 / 600, double=1 / 900, cut=1 / 3000, delay=1 / 2000
)
WORSE = Faults(drop=0.02, flip=0.02, insert=0.02, double=0.02, cut=0.002, delay=0.001)
DIM = bytes([4, 4, 4])
SAFE = b"".join(DIM if led % 10 == 0 else bytes(3) for led in range(LEDS))


def make_line(*, seed: int = 0, credit: int = 1, places: int = 8, session: int = 7) -> Line:
    """Return a link and a board with 40 LEDs and 6 buttons, kept open."""
    link = Link(session=session, wanted=BoardSetup(leds=LEDS, buttons=6))
    board = SlowBoard(pixel_bytes=120, buttons=6, credit=credit, places=places)
    line = Line(link, board, seed=seed, is_kept_open=True)
    line.open()
    return line


class Player:
    """Player of frames and presses on a line, which remembers what it has done."""

    def __init__(self, line: Line, seed: int) -> None:
        self.line = line
        self.random = Random(seed)
        self.frames = {bytes(LEDS * 3), SAFE}
        self.newest = b""
        self.recent = deque([bytes(LEDS * 3)], maxlen=3)

    def show(self) -> None:
        """Show a frame: a new one, one changed in places, an earlier one, or the same one."""
        random = self.random
        pixels = bytearray(self.newest or bytes(LEDS * 3))
        match random.randrange(5):
            case 0:
                pixels[:] = random.randbytes(LEDS * 3)
            case 1:
                pixels[:] = random.randbytes(3) * LEDS
            case 2:
                for _ in range(random.randrange(1, 4)):
                    pixels[random.randrange(LEDS * 3)] = random.randrange(256)
            case 3:
                pixels[:] = random.choice(self.recent)
            case _:
                pass
        self.newest = bytes(pixels)
        self.frames.add(self.newest)
        self.recent.append(self.newest)
        self.line.show(self.newest)

    def press(self, button: int) -> None:
        """Press or release a button."""
        self.line.board.levels[button] ^= True

    def settle(self) -> None:
        """Make the line good again, and wait until both ends are idle."""
        self.line.to_board.is_cut = self.line.to_host.is_cut = False
        self.line.fail(Faults())
        self.line.run_until(self.is_settled)

    def is_settled(self) -> bool:
        """Return True if nothing is left to report or to show."""
        line = self.line
        return (
            line.link.state is State.RUNNING
            and (not self.newest or line.board.strip.light == self.newest)
            and not line.board.keys.queue
            and line.levels() == {i for i, down in enumerate(line.board.levels) if down}
        )

    def check(self) -> None:
        """Check that no wrong frame was lit, and each edge was reported once, in order."""
        line = self.line
        assert set(line.board.strip.shown) <= self.frames
        happened, reported = line.happened_by_boot(), line.reported_by_boot()
        for boot, edges in reported.items():
            # Edges that a board had not reported when it restarted are lost.
            begun = happened[boot][: len(edges)]
            assert plain(begun) == plain(edges)
            assert all(was.t - 0.002 < edge.t for was, edge in zip(begun, edges, strict=True))
        assert plain(happened[line.board.boot]) == plain(reported.get(line.board.boot, []))
        times = [edge.t for edge in line.of(KeyEdge)]
        assert sorted(times) == times


def plain(edges: list[KeyEdge]) -> list[tuple[int, bool]]:
    """Return edges without their times."""
    return [(edge.button, edge.down) for edge in edges]
