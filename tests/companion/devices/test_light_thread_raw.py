"""Raw light: another strip replaces the board's, which is lit again afterwards."""

import queue

import numpy as np
import pytest

from companion.devices.light_thread import RawFrame
from companion.lights.compositor import Light
from hardware.errors import HardwareError
from hardware.output import Output
from hardware.strips import StripSpec
from tests.companion.devices.test_light_thread import MOVED, WIRING, Bench, Unplugged, bench
from tests.support.limits import TIMEOUT_S

__all__ = ["bench"]


class Longer:
    """A strip longer than the board's, with one LED lit."""

    def __init__(self, *, leds: int = sum(WIRING.leds) + 9) -> None:
        spec = StripSpec(leds=(leds,))
        self.strip = Unplugged(spec)
        self.opened: queue.SimpleQueue[HardwareError | None] = queue.SimpleQueue()
        self.sent: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.strip.listen(lambda _t, frame: self.sent.put(int(np.argmax(frame[0].sum(axis=1)))))
        self._output = Output(spec, budget_ma=100_000)
        self._leds = leds

    def raw(self, led: int) -> RawFrame:
        """Return this strip with one LED lit."""
        light: Light = np.zeros((self._leds, 3), np.float32)
        light[led] = 1.0
        return RawFrame(
            strip=self.strip,
            output=self._output,
            light=lambda _t: (light, None),
            opened=self.opened.put,
        )


class Dead(Unplugged):
    """A strip that cannot be opened."""

    def _start(self) -> None:
        raise HardwareError("no such device")


def test_another_strip_is_lit_and_then_the_boards_again(bench: Bench) -> None:
    """Only one is open at a time; later the board shows the last view."""
    bench.start()
    longer = Longer()
    bench.lamps.show_raw(longer.raw(led=sum(WIRING.leds) + 3))
    assert longer.opened.get(timeout=TIMEOUT_S) is None
    assert sum(WIRING.leds) + 3 == longer.sent.get(timeout=TIMEOUT_S)
    assert (True, False, True) == (longer.strip.held, bench.strip.held, bench.is_dark)
    bench.lamps.show_raw(longer.raw(led=1))
    assert 1 == longer.sent.get(timeout=TIMEOUT_S)
    assert longer.opened.empty()
    assert bench.now == bench.sent()  # dark, as it was let go of
    bench.lamps.show_raw(None)
    bench.lamps.show(MOVED)
    assert bench.now == bench.sent()
    assert (False, True, False) == (longer.strip.held, bench.strip.held, bench.is_dark)


@pytest.mark.parametrize(("more", "lit"), [(9, 0), (0, 1)])
def test_those_who_watch_see_leds_of_the_board_alone(bench: Bench, more: int, lit: int) -> None:
    """A page draws no LEDs of a strip with another number of them."""
    bench.start()
    longer = Longer(leds=sum(WIRING.leds) + more)
    bench.lamps.show_raw(longer.raw(led=2))
    assert 2 == longer.sent.get(timeout=TIMEOUT_S)
    bench.lamps.stop()
    first, last = bench.seen
    assert first[0].shape == last[0].shape
    assert lit == np.count_nonzero(last[0].any(axis=1))


def test_a_strip_that_cannot_be_opened_is_told_to_who_asked(bench: Bench) -> None:
    """Only the caller gets the error, and the board is lit again at the end."""
    bench.start()
    longer = Longer()
    longer.strip = Dead(StripSpec(leds=(sum(WIRING.leds) + 9,)))
    bench.lamps.show_raw(longer.raw(led=1))
    assert "no such device" in str(longer.opened.get(timeout=TIMEOUT_S))
    bench.lamps.show_raw(None)
    bench.lamps.stop()
    assert bench.lamps.error is None


def test_stopping_leaves_raw_light_black(bench: Bench) -> None:
    """At the end all light is dark, and the strip is released."""
    bench.start()
    longer = Longer()
    bench.lamps.show_raw(longer.raw(led=4))
    assert 4 == longer.sent.get(timeout=TIMEOUT_S)
    bench.lamps.stop()
    assert 0 == longer.sent.get(timeout=TIMEOUT_S)
    assert (False, False) == (longer.strip.held, bench.strip.held)


@pytest.mark.parametrize("brightness", [0.1, 0.5])
def test_raw_light_is_as_bright_as_it_is_given(bench: Bench, brightness: float) -> None:
    """Mode dims the board, but not a test of a strip."""
    bench.start()
    bench.lamps.brightness = brightness
    longer = Longer()
    bench.lamps.show_raw(longer.raw(led=4))
    assert 4 == longer.sent.get(timeout=TIMEOUT_S)
    assert longer.strip.last is not None
    assert 255 == longer.strip.last[0].max()
