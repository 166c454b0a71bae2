"""What all strips share: specifications, the life cycle, locks, scales, and the strip in memory."""

import fcntl
import subprocess
import sys
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hardware.errors import StripError
from hardware.output import Output
from hardware.power import POWER
from hardware.strips import Frame, Strip, StripSpec, VirtualStrip, make_strip
from hardware.strips.protocol import black, locked
from hardware.strips.scale import BYTES, LINEAR, WORDS, CurrentScale, Scale, TableScale
from tests.support.machines import SPI, record

SPEC = StripSpec(leds=(1,))

SCALES = {
    "bytes": BYTES,
    "words": WORDS,
    "currents": CurrentScale(),
    "currents from 4": CurrentScale(4),
}
scales = st.sampled_from([*SCALES.values(), TableScale(LINEAR**2.2)])
lights = st.lists(
    st.tuples(*[st.one_of(st.just(0.0), st.floats(1e-5, 0.05), st.floats(0.05, 1))] * 3),
    min_size=1,
    max_size=20,
)

TWO_STRIPS = StripSpec(leds=(2, 1))


class FailingStrip(Strip):
    """A strip whose start or frames fail as told; `done` has the actions that happened."""

    def __init__(self, *, starts: bool = True, sends: bool = True) -> None:
        super().__init__(SPEC)
        self.starts = starts
        self.sends = sends
        self.done: list[str] = []

    def _start(self) -> None:
        self.done.append("start")
        if not self.starts:
            raise StripError("no such device")

    def _send(self, frame: Frame) -> None:
        self.done.append(f"send {int(frame[0].max())}")
        if not self.sends:
            raise StripError("no answer")

    def _stop(self) -> None:
        self.done.append("stop")


def shown(
    scale: Scale, light: NDArray[np.float32], budget: float = 1e9, ceiling: float = 1
) -> NDArray[np.float64]:
    """Return the light of the LEDs of a strip with this scale."""
    output = Output(StripSpec(leds=(len(light),), type="apa102", order="BGR"), budget, scale)
    output.ceiling = ceiling
    return scale.light(output.render(light)[0])


def frame_of(level: int) -> Frame:
    """Return a frame with all bytes at one level."""
    return [np.full((leds, 3), level, np.uint8) for leds in TWO_STRIPS.leds]


def levels(frame: Frame) -> list[int]:
    """Return the first byte of each channel."""
    return [int(pixels[0, 0]) for pixels in frame]


def open_strip(keep: int = 1) -> VirtualStrip:
    """Return an open strip whose clock goes on by one with each frame."""
    ticks = count(1.0)
    strip = VirtualStrip(TWO_STRIPS, clock=lambda: next(ticks), keep=keep)
    strip.open()
    return strip


# Specifications, the life cycle that all drivers share, and the lock of a device


def test_the_longest_channel_decides_on_the_wire_time() -> None:
    """363 RGB LEDs take 30 us each and the reset; shorter channels are parallel."""
    assert StripSpec(leds=(363,)).wire_seconds == pytest.approx(363 * 30e-6 + 300e-6)
    assert StripSpec(leds=(100, 363)).wire_seconds == StripSpec(leds=(363,)).wire_seconds
    white = StripSpec(leds=(363,), type="sk6812w", order="GRBW")
    assert white.wire_seconds == pytest.approx(363 * 40e-6 + 300e-6)


def test_a_strip_that_cannot_be_is_refused() -> None:
    """Such are unknown types, orders that do not fit, and channels without LEDs."""
    rows: list[tuple[tuple[int, ...], str, str, str]] = [
        ((1,), "ws2812x", "GRB", r'type = "ws2812x" is not known; set one of apa102,'),
        ((1,), "ws2812b", "GRBW", r'order = "GRBW" does not fit type = "ws2812b"'),
        ((1,), "sk6812w", "GRB", r'set an order such as "GRBW"'),
        ((1,), "ws2812b", "GGB", r'set an order such as "GRB"'),
        ((1,), "ws2812b", "grb", r'order = "grb" does not fit'),
        ((), "ws2812b", "GRB", "each channel needs at least one LED"),
        ((5, 0), "ws2812b", "GRB", "each channel needs at least one LED"),
    ]
    for leds, kind, order, text in rows:
        with pytest.raises(StripError, match=text):
            StripSpec(leds=leds, type=kind, order=order)


def test_the_linear_response_is_everybodys() -> None:
    """A byte gives its part of 255, and no driver can change this shared table."""
    assert [byte / 255 for byte in range(256)] == LINEAR.tolist()
    with pytest.raises(ValueError, match="read-only"):
        LINEAR[1] = 0


def test_a_failed_start_leaves_the_strip_closed() -> None:
    """Then closing does nothing, showing is refused, and it may be opened again."""
    strip = FailingStrip(starts=False)
    with pytest.raises(StripError, match="no such device"):
        strip.open()
    strip.close()
    with pytest.raises(StripError, match="not open"):
        strip.show(black(SPEC))
    strip.starts = True
    strip.open()
    assert ["start", "start"] == strip.done


def test_a_strip_that_no_longer_answers_is_let_go(caplog: pytest.LogCaptureFixture) -> None:
    """Closing still stops it, logs the failure and raises nothing."""
    strip = FailingStrip()
    strip.open()
    strip.sends = False
    strip.close()
    assert ["start", "send 0", "stop"] == strip.done
    assert ["the strip may still be lit: no answer"] == caplog.messages


def test_a_frame_that_fails_leaves_the_strip_open() -> None:
    """The next frame may succeed, as the cause may be noise."""
    strip = FailingStrip(sends=False)
    strip.open()
    with pytest.raises(StripError, match="no answer"):
        strip.show(black(SPEC))
    strip.sends = True
    strip.show(black(SPEC))
    assert ["start", "send 0", "send 0"] == strip.done


# A strip belongs to one program: its device is locked while it is open


def test_a_strip_that_another_program_has(tmp_path: Path) -> None:
    """It is refused with device and remedy, before anything is written."""
    for driver, machine, device in (
        ("rpi_ws281x:pwm", "3b+", "dev/mem"),
        ("rpi_ws281x:pcm", "3b+", "dev/mem"),
        ("rpi_ws281x:spi", "3b+", SPI),
        ("neopixel:18", "3b+", "dev/mem"),
        ("neopixel:D10", "3b+", SPI),
        ("neopixel:18", "5", "dev/pio0"),
        ("pio:leds0", "5", "dev/leds0"),
    ):
        root = record(tmp_path / machine, machine)
        strip = make_strip(driver, StripSpec(leds=(3,)), root=root)
        said = f"{device} is in use by another program; stop it first"
        with (root / device).open("rb") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            with pytest.raises(StripError, match=said):
                strip.open()


def test_a_strip_with_a_clock_line_has_spi_alone() -> None:
    """Another program with a strip there would write between its bytes."""
    strip = make_strip("spi:apa102", StripSpec(leds=(3,), type="apa102", order="BGR"))
    assert (Path("/dev/spidev0.0"),) == strip.devices


HOLD = """
import sys
from pathlib import Path
from hardware.strips.protocol import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_ends_with_its_program(tmp_path: Path) -> None:
    """A kill leaves no lock behind."""
    device = tmp_path / "device"
    device.touch()
    command = [sys.executable, "-c", HOLD, str(device)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        assert b"held\n" == other.stdout.readline()
        with pytest.raises(StripError), locked(device):
            pass
        other.kill()
    with locked(device), pytest.raises(StripError), locked(device):
        pass
    with locked(device), locked(tmp_path / "missing"):
        pass


# Scales in the output stage give every possible light, and no other


DRIVES = np.linspace(0, 1, 65536, dtype=np.float32)

HUES = {
    "white": (1, 1, 1),
    "amber": (1, 0.434, 0),
    "magenta": (1, 0.117, 0.631),
    "trap": (0, 0.0144, 1),
    "box": (0.117, 0, 1),
    "green": (0, 0.352, 0.117),
    "red": (1, 0, 0),
}


def steps_of(scale: Scale, given: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest step of each LED at its light, shape (n, 1)."""
    peaks = given.max(axis=1, keepdims=True)
    of_current = np.ceil(peaks * 31 + 1e-6) / 7905 * scale.extra_columns
    return np.asarray(np.maximum(scale.floor, of_current))


@pytest.mark.parametrize("name", SCALES)
def test_a_ramp_never_falls(name: str) -> None:
    """Over all 65,536 drives the brightest colour, and every colour of white, only rises.

    The others are the nearest: they fall by no more than a step at the LED's current.
    """
    scale = SCALES[name]
    for hue, colour in HUES.items():
        light = DRIVES[:, None] * np.array(colour, np.float32)
        ramp = shown(scale, light)
        falls, steps = np.diff(ramp, axis=0), steps_of(scale, ramp)
        assert 0 <= falls[:, int(np.argmax(colour))].min(), hue
        assert 0 <= falls.min() or hue != "white"
        assert (falls >= -steps[1:] - 1e-9).all(), hue
        lit = light.max(axis=1) >= scale.floor
        assert (np.abs(ramp - light)[lit] <= steps[lit] / 2 + 1e-6).all(), hue


@pytest.mark.parametrize("name", SCALES)
def test_a_dimmed_ramp_never_falls(name: str) -> None:
    """With less and less light no LED of an even field becomes brighter."""
    field = np.full((30, 3), 0.7, np.float32)
    budgets = np.linspace(30, 1500, 400)
    levels = [shown(SCALES[name], field, budget).sum() for budget in budgets]
    assert 0 <= np.diff(levels).min()
    spare = (budgets - 30) / POWER["apa102"].colour
    assert (levels <= spare + 1e-9).all()


@given(scale=scales, rows=lights, spare=st.floats(1e-3, 200))
def test_the_budget_holds_on_every_scale(
    scale: Scale, rows: list[tuple[float, float, float]], spare: float
) -> None:
    """The limit acts on code times current, in the step that finds both."""
    light = np.array(rows, np.float32)
    given = shown(scale, light, len(light) + spare)
    assert given.sum() * POWER["apa102"].colour <= spare


@given(scale=scales, rows=lights, ceiling=st.floats(0.005, 1))
def test_no_led_exceeds_the_ceiling(
    scale: Scale, rows: list[tuple[float, float, float]], ceiling: float
) -> None:
    """Even rounding stays below it, except for the lowest possible step."""
    given = shown(scale, np.array(rows, np.float32), ceiling=ceiling)
    assert given.max() <= max(ceiling, scale.floor) + 1e-9


def test_the_least_light_is_not_dark() -> None:
    """The brightest colour of an LED with any light has one step, also for watchers."""
    light = np.array([[1e-6, 0, 0]], np.float32)
    spec = StripSpec(leds=(1,), type="apa102", order="BGR")
    for scale in SCALES.values():
        (pixels,) = Output(spec, 1e6, scale).render(light)
        assert [[scale.floor, 0, 0]] == scale.light(pixels).tolist()
        assert [[1, 0, 0]] == scale.bytes(pixels).tolist()


def test_a_pixel_at_full_current_is_read_as_its_codes() -> None:
    """Light is the part of the codes at their current."""
    pixels = np.array([[255, 51, 0, 31], [255, 255, 255, 1]], np.uint8)
    expected = [[1, 0.2, 0], [1 / 31] * 3]
    assert expected == [pytest.approx(led) for led in CurrentScale().light(pixels).tolist()]


# The strip in memory: its frames, their times, and its listeners


def test_only_the_last_frame_is_kept() -> None:
    """By default memory has one frame."""
    strip = open_strip()
    assert strip.last is None
    for level in (1, 2, 3):
        strip.show(frame_of(level))
    assert strip.last is not None
    assert [3, 3] == levels(strip.last)
    assert [3.0] == [time for time, _ in strip.frames]


def test_as_many_frames_are_kept_as_asked_for() -> None:
    """The record has the latest frames with their times."""
    strip = open_strip(keep=2)
    for level in (1, 2, 3):
        strip.show(frame_of(level))
    assert [(2.0, [2, 2]), (3.0, [3, 3])] == [(time, levels(each)) for time, each in strip.frames]


def test_a_frame_shown_is_not_touched_any_more() -> None:
    """Later changes of the arrays change no LED, as on a real strip."""
    strip = open_strip()
    frame = frame_of(7)
    strip.show(frame)
    frame[0][:] = 9
    assert strip.last is not None
    assert [7, 7] == levels(strip.last)


def test_listeners_get_every_frame() -> None:
    """Each listener gets time and frame, also of the dark one at the end."""
    strip = open_strip()
    heard: list[tuple[float, list[int]]] = []
    strip.show(frame_of(1))
    strip.listen(lambda time, frame: heard.append((time, levels(frame))))
    strip.show(frame_of(2))
    strip.close()
    assert [(2.0, [2, 2]), (3.0, [0, 0])] == heard
