"""The lights thread with a test's clock: frames, times, and failures."""

import dataclasses
import queue
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

import numpy as np
import pytest

from companion.devices.light_thread import RETRY_S, LightSource, LightThread
from companion.lights import Palette, Scene, View, Wiring
from companion.lights.compositor import Light as Linear
from companion.lights.limits import NightLimit
from companion.rules.game import HouseRules, Peg, Setup, apply_all, decide, new_game
from hardware.errors import StripError
from hardware.output import Output
from hardware.strips import Frame, StripSpec, VirtualStrip
from tests.support.boards import make_board
from tests.support.limits import TIMEOUT_S

BOARD = make_board()
WIRING = Wiring.make(BOARD)
START = new_game(Setup.make(BOARD.track, HouseRules(skunk_at="off"), sides=(1, 2)))
STILL = View(state=START, ahead=START)
AFTER = apply_all(START, decide(START, Peg(side=1, points=2)))
MOVED = View(state=AFTER, ahead=AFTER)


class Watched(Scene):
    """A scene that reports each time at which it was asked for light."""

    def __init__(self) -> None:
        super().__init__(BOARD, Palette.make(), points=WIRING.points)
        self.requested: queue.SimpleQueue[float] = queue.SimpleQueue()
        self.broken = False

    def compose(self, view: View, t: float) -> tuple[Linear, float | None]:
        """Return the light, unless the scene is broken."""
        self.requested.put(t)
        if self.broken:
            raise ZeroDivisionError("a fault in an effect")
        return super().compose(view, t)


class Unplugged(VirtualStrip):
    """A strip that can be pulled out."""

    def __init__(self, spec: StripSpec) -> None:
        super().__init__(spec, keep=100, clock=time.monotonic)
        self.plugged = True
        self.held = False
        self.unblocked = threading.Event()
        self.unblocked.set()

    def _start(self) -> None:
        self.held = True

    def _send(self, frame: Frame) -> None:
        self.unblocked.wait(TIMEOUT_S)
        if not self.plugged:
            raise StripError("the strip does not answer: look at its plug")
        super()._send(frame)

    def _stop(self) -> None:
        self.held = False


class Bench:
    """Lamps over a small board, on a clock that only the test moves."""

    def __init__(
        self,
        strip_class: type[Unplugged] = Unplugged,
        *,
        brightness: float = 1.0,
        dithers: bool = False,
        night: NightLimit | None = None,
        hour: int = 12,
    ) -> None:
        self.now = 50.0
        self.scene = Watched()
        spec = StripSpec(leds=WIRING.leds)
        self.strip = strip_class(spec)
        self.seen: list[Frame] = []
        self._sent: queue.SimpleQueue[float] = queue.SimpleQueue()
        self.strip.listen(lambda _t, _frame: self._sent.put(self.now))
        output = Output(spec, budget_ma=100_000)
        output.brightness = brightness
        light = LightSource(
            palette=Palette.make(),
            scene=self.scene,
            wiring=WIRING,
            output=output,
            strip=self.strip,
            dithers=dithers,
            night=night,
        )
        today = datetime(2026, 11, 22, hour)  # noqa: DTZ001  # the clock on the wall
        self.lamps = LightThread(
            light, seen=self.seen.append, clock=lambda: self.now, now=lambda: today
        )

    def start(self, *, plugged: bool = True) -> None:
        """Light the first frame, and wait until the thread has rendered it, too."""
        self.strip.plugged = plugged
        self.lamps.start(STILL)
        for _ in range(2):
            self.scene.requested.get(timeout=TIMEOUT_S)
        assert not plugged or 50.0 == self.sent()

    def show(self, view: View, *, at: float) -> None:
        """Show a view at a time, and wait until its light has been composed."""
        self.now = at
        self.lamps.show(dataclasses.replace(view))
        assert at == self.scene.requested.get(timeout=TIMEOUT_S)

    def sent(self) -> float:
        """Wait for the next frame. Return its time."""
        return self._sent.get(timeout=TIMEOUT_S)

    @property
    def is_dark(self) -> bool:
        """True if the last frame is black."""
        return not any(channel.any() for channel in self.strip.last or ())


@pytest.fixture
def bench() -> Iterator[Bench]:
    """Return a bench whose thread ends with the test."""
    bench = Bench()
    yield bench
    bench.lamps.stop()


def test_the_first_frame_is_lit_before_start_returns(bench: Bench) -> None:
    """First light does not wait for a thread."""
    bench.lamps.start(STILL)
    assert not bench.is_dark
    assert 1 == len(bench.seen)


def test_an_unchanged_frame_is_sent_once_a_second_only(bench: Bench) -> None:
    """Equal views send nothing until the wire needs a refresh."""
    bench.start()
    bench.show(STILL, at=50.5)
    bench.show(STILL, at=50.99)
    bench.show(STILL, at=51.0)
    assert 51.0 == bench.sent()
    bench.show(STILL, at=51.9)
    bench.show(MOVED, at=51.95)
    assert 51.95 == bench.sent()


def test_a_refresh_is_no_new_frame_to_those_who_watch(bench: Bench) -> None:
    """Pages get only changed frames."""
    bench.start()
    bench.show(STILL, at=51.0)
    assert 51.0 == bench.sent()
    bench.show(MOVED, at=51.1)
    assert 51.1 == bench.sent()
    bench.lamps.stop()
    assert 2 == len(bench.seen)
    assert not np.array_equal(bench.seen[0][0], bench.seen[1][0])


def test_the_brightness_set_is_that_of_the_next_frame(bench: Bench) -> None:
    """A step of Mode dims what stands still, too."""
    bench.start()
    bench.lamps.brightness = 0.25
    bench.show(STILL, at=50.1)
    assert 50.1 == bench.sent()
    bench.lamps.stop()
    bright, dim = (int(frame[0].max()) for frame in bench.seen)
    assert round(bright / 4) == dim


def test_no_view_makes_the_strip_flash_too_often(bench: Bench) -> None:
    """With a count and its undo ten times a second the peg flashes only three times."""
    bench.start()
    for n in range(16):
        bench.show(STILL if n % 2 else MOVED, at=50.1 + n / 20)
    bench.lamps.stop()
    peg = WIRING.points.index(1, 2)
    mark = np.zeros((WIRING.points.size, 3), dtype=np.float32)
    mark[peg] = 1
    led = int(np.flatnonzero(WIRING.spread(mark).any(axis=1))[0])
    levels = [int(np.concatenate(frame)[led].max()) for frame in bench.seen]
    rises = sum(one < 128 <= other for one, other in pairwise(levels))
    assert 1 + 3 == rises  # the first is no flash: nothing has fallen before it


def test_stopping_leaves_it_black(bench: Bench) -> None:
    """The last frame is dark, the strip is released; a second stop does nothing."""
    bench.start()
    bench.lamps.stop()
    assert (True, False) == (bench.is_dark, bench.strip.held)
    bench.lamps.stop()


def test_a_strip_that_fails_is_let_go_of(bench: Bench) -> None:
    """Its error is kept; viewers still get every frame."""
    bench.start()
    bench.strip.plugged = False
    bench.show(MOVED, at=50.1)
    bench.lamps.stop()
    assert "the strip does not answer: look at its plug" == str(bench.lamps.error)
    assert (2, False) == (len(bench.seen), bench.strip.held)


@pytest.mark.parametrize("plugged", [True, False])
def test_a_strip_that_works_again_is_lit_again(bench: Bench, *, plugged: bool) -> None:
    """A strip that fails, at any time, is opened again some seconds later."""
    bench.start(plugged=plugged)
    bench.strip.plugged = False
    bench.show(MOVED, at=50.1)
    bench.show(STILL, at=50.2)
    assert bench.lamps.error
    bench.strip.plugged = True
    bench.show(STILL, at=50.2 + RETRY_S)
    assert 50.2 + RETRY_S == bench.sent()
    bench.lamps.stop()
    assert bench.lamps.error is None


def test_a_strip_that_blocks_is_noticed(bench: Bench) -> None:
    """While its driver hangs, the time since the last round grows."""
    bench.start()
    bench.strip.unblocked.clear()
    bench.show(MOVED, at=50.1)
    bench.now = 70.0
    assert 70.0 - 50.1 == pytest.approx(bench.lamps.frozen_s)
    bench.strip.unblocked.set()
    bench.show(STILL, at=70.5)
    assert 0.0 == bench.lamps.frozen_s


def test_a_fault_of_ours_ends_the_light_and_not_the_game(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """A scene's error is logged and kept as the lamps' error; the strip goes dark."""
    bench.start()
    bench.scene.broken = True
    bench.show(MOVED, at=50.1)
    bench.lamps.stop()
    assert "the lights have stopped" in str(bench.lamps.error)
    assert (True, False) == (bench.is_dark, bench.strip.held)
    assert "a fault in an effect" in caplog.text


def test_other_colours_and_limits_act_at_once(bench: Bench) -> None:
    """Another light on the same strip needs no new view."""
    bench.start()
    before = bench.strip.last
    spec = StripSpec(leds=WIRING.leds)
    scene = Scene(BOARD, Palette.make({"1": "#00ffff"}), points=WIRING.points)
    output = Output(spec, budget_ma=100_000)
    other = LightSource(
        palette=Palette.make(), scene=scene, wiring=WIRING, output=output, strip=bench.strip
    )
    bench.now = 50.5
    bench.lamps.relight(other)
    assert 50.5 == bench.sent()
    after = bench.strip.last
    assert before
    assert after
    assert any((old != new).any() for old, new in zip(before, after, strict=True))
    bench.lamps.stop()
    assert bench.is_dark
