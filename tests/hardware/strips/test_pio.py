"""The driver of the Pi 5's kernel: its bytes, their times, and the resulting light."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from hardware.output import Output
from hardware.strips import Strip, StripSpec
from hardware.strips.scale import BYTES
from tests.support.fakepi import RGB, RGBW, PioMachine, frame_of, seen
from tests.support.machines import overlay

ORDERS = [StripSpec(leds=(5,), order="".join(order)) for order in permutations("RGB")] + [
    StripSpec(leds=(5,), type="sk6812w", order="".join(order)) for order in permutations("RGBW")
]


@pytest.fixture
def pi(tmp_path: Path) -> PioMachine:
    """Return a machine without any facts."""
    return PioMachine(tmp_path)


def kernel_gamma(byte: int) -> int:
    """Return the kernel's value of a byte: the power of 20/9, rounded down in integers."""
    return max(step for step in range(256) if step**9 * 255**11 <= byte**20)


def test_every_order_of_colours(pi: PioMachine) -> None:
    """All orders of three and four colours arrive, though the kernel has one of each."""
    (device,) = pi.plug()
    for spec in ORDERS:
        strip = pi.strip(spec)
        strip.open()
        for seed in range(3):
            frame = frame_of(spec, seed)
            strip.show(frame)
            assert frame[0].tolist() == seen(device, spec), spec
        strip.close()


def test_the_bytes_of_a_pixel(pi: PioMachine) -> None:
    """Each LED has red, green, blue and white; without white the fourth byte is 0."""
    (device,) = pi.plug()
    for spec, pixel in ((RGB, [1, 2, 3]), (RGBW, [1, 2, 3, 4])):
        strip = pi.strip(spec)
        strip.open()
        strip.show([np.array([pixel] * 5, np.uint8)])
        assert bytes([*pixel, 0][:4]) * 5 == device.read_bytes()
        strip.close()


def test_a_channel_a_device(pi: PioMachine) -> None:
    """Channels go to the devices with consecutive numbers from the named one."""
    spec = StripSpec(leds=(3, 1, 4))
    devices = pi.plug(4)
    frame = frame_of(spec)
    strip = pi.strip(spec, "leds1")
    strip.open()
    strip.show(frame)
    assert b"" == devices[0].read_bytes()
    for device, pixels in zip(devices[1:], frame, strict=True):
        assert pixels.tolist() == seen(device, spec)


@pytest.mark.parametrize("device", ["leds0", "{root}/dev/leds0"])
def test_a_bare_name_is_one_below_dev(pi: PioMachine, device: str) -> None:
    """A device has its full path, or its name in /dev."""
    (file,) = pi.plug()
    strip = pi.strip(device=device.format(root=pi.root))
    strip.open()
    strip.show(frame_of(RGB))
    assert 20 == file.stat().st_size


def test_the_whole_of_the_overlays_strip_is_written(pi: PioMachine) -> None:
    """LEDs of the overlay that the wiring lacks get dark bytes, as all would be late."""
    (device,) = pi.plug(content=b"\xff" * 40)
    pi.record(overlay(10))
    strip = pi.strip()
    frame = frame_of(RGB)
    strip.open()
    strip.show(frame)
    assert [*frame[0].tolist(), *[[0, 0, 0]] * 5] == seen(device, RGB)
    assert strip.wire_seconds == pytest.approx(10 * 30e-6 + 300e-6)


def test_opening_touches_no_led_and_closing_darkens_all(pi: PioMachine) -> None:
    """The device is unchanged until the first frame, and black after the last."""
    devices = pi.plug(2, content=b"before")
    spec = StripSpec(leds=(2, 3))
    strip = pi.strip(spec)
    strip.open()
    assert [b"before"] * 2 == [device.read_bytes() for device in devices]
    strip.show(frame_of(spec))
    assert all(any(device.read_bytes()) for device in devices)
    strip.close()
    assert [bytes(8), bytes(12)] == [device.read_bytes() for device in devices]


def test_a_frame_waits_until_the_one_before_is_on_the_leds(pi: PioMachine) -> None:
    """The kernel sends late: 30 us an LED and 300 us pass between frames."""
    pi.plug()
    strip = pi.strip()
    strip.open()
    strip.show(frame_of(RGB))
    assert [] == pi.clock.slept
    pi.clock.now += 100e-6
    strip.show(frame_of(RGB))
    assert pi.clock.slept == pytest.approx([5 * 30e-6 + 200e-6])
    pi.clock.now += 1
    strip.show(frame_of(RGB))
    assert 1 == len(pi.clock.slept)


def test_the_longest_channel_decides_on_the_wire_time(pi: PioMachine) -> None:
    """All channels go at once: 30 us an LED, 40 with white, and the reset."""
    assert pi.strip(StripSpec(leds=(363, 1))).wire_seconds == pytest.approx(363 * 30e-6 + 300e-6)
    white = StripSpec(leds=(1, 363), type="sk6812w", order="GRBW")
    assert pi.strip(white).wire_seconds == pytest.approx(363 * 40e-6 + 300e-6)


def every_light(strip: Strip) -> list[float]:
    """Return the light of each byte."""
    return [*map(float, strip.scale.light(np.arange(256, dtype=np.uint8)))]


def test_the_response_is_the_kernels_table(pi: PioMachine) -> None:
    """Each byte follows the kernel's rule, also on a machine without facts."""
    table = [kernel_gamma(byte) / 255 for byte in range(256)]
    assert table == every_light(pi.strip())
    pi.record(overlay(5, brightness=None))
    assert table == every_light(pi.strip())


def test_the_response_is_straight_where_the_overlay_says_so(pi: PioMachine) -> None:
    """With brightness=0 the kernel passes the bytes on unchanged."""
    pi.record(overlay(5, brightness=0))
    assert BYTES is pi.strip().scale


def test_light_comes_through_the_kernels_gamma(pi: PioMachine) -> None:
    """The LEDs give the light asked for within half a step of the kernel's table.

    Light that the table has no step for glows at the lowest one instead of going out.
    """
    light = np.linspace(0, 1, 3000, dtype=np.float32).reshape(-1, 3)
    spec = StripSpec(leds=(1000,))
    (shown,) = Output(spec, budget_ma=1e6, scale=pi.strip(spec).scale).render(light)
    given = np.array([kernel_gamma(byte) for byte in range(256)])[shown] / 255
    assert float(np.abs(given - light).max()) <= 1.5 / 255
    assert (given.max(axis=1)[1:] >= 1 / 255).all()
    assert 0 == given[0, 0]
