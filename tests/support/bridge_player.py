"""Player of frames and presses on a bridge, which knows the expected result."""

from collections import deque
from random import Random

from firmware_bridge.protocol.events import KeyEdge
from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import BoardSetup
from firmware_bridge.protocol.states import State
from tests.support.bridge_line import Faults, Line
from tests.support.slow_board import SlowBoard

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
