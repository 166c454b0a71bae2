"""The driver of the Pi 5's kernel: its bytes, their times, the resulting light, and its faults."""

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from companion.buttons import DEFAULT_PINS
from hardware.errors import StripError
from hardware.output import Output
from hardware.pi import Machine
from hardware.strips import Strip, StripSpec
from hardware.strips.pio import PINS
from hardware.strips.scale import BYTES
from tests.support.fakepi import OLD_KERNEL, RGB, RGBW, PioMachine, frame_of, seen
from tests.support.machines import Files, overlay, record
from tests.support.program import as_nobody

DEPLOY = Path(__file__).parents[3] / "deploy"


@pytest.fixture
def pi(tmp_path: Path) -> PioMachine:
    """Return a machine without any facts."""
    return PioMachine(tmp_path)


def kernel_gamma(byte: int) -> int:
    """Return the kernel's value of a byte: the power of 20/9, rounded down in integers."""
    return max(step for step in range(256) if step**9 * 255**11 <= byte**20)


def open_files() -> int:
    """Return the number of files that this process has open."""
    return len(list(Path("/dev/fd").iterdir()))


ORDERS = [StripSpec(leds=(5,), order="".join(order)) for order in permutations("RGB")] + [
    StripSpec(leds=(5,), type="sk6812w", order="".join(order)) for order in permutations("RGBW")
]


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


# Faults: each error has its remedy


@pytest.mark.parametrize(
    ("leds", "device", "text"),
    [
        (
            (1,) * 5,
            "leds0",
            'driver = "pio:leds0": the driver has 4 channels, but the wiring has 5',
        ),
        (
            (1, 1),
            "/dev/strip",
            'driver = "pio:/dev/strip": this device is one channel, but the wiring has 2',
        ),
    ],
)
def test_too_many_channels_are_refused(
    pi: PioMachine, leds: tuple[int, ...], device: str, text: str
) -> None:
    """The kernel drives four strips; a device without a number has no next one."""
    with pytest.raises(StripError, match=text):
        pi.strip(StripSpec(leds=leds), device)


@pytest.mark.parametrize(
    ("loaded", "spec", "fault", "options"),
    [
        (overlay(4), RGB, "has num_leds=4, but the longest channel has 5 LEDs", ""),
        (overlay(5), RGBW, 'lacks rgbw, which type = "sk6812w" needs', ",rgbw"),
        (overlay(5, rgbw=True), RGB, "has rgbw, but LEDs", ""),
        (overlay(5, brightness=40), RGB, "has brightness=40; leave that out", ""),
    ],
)
def test_an_overlay_that_does_not_fit_is_refused(
    pi: PioMachine, loaded: Files, spec: StripSpec, fault: str, options: str
) -> None:
    """The error has the line to write, before the first frame."""
    (device,) = pi.plug()
    pi.record(loaded)
    text = pi.refusal(spec)
    assert f"the ws2812-pio overlay {fault}" in text
    line = f"dtoverlay=ws2812-pio,gpio=10,num_leds=5{options},brightness=0"
    assert f"; put {line} into /boot/firmware/config.txt and restart the Pi" in text
    assert b"" == device.read_bytes()


def test_overlays_that_differ_are_refused(pi: PioMachine) -> None:
    """The kernel does not map devices to them, so each must fit all."""
    pi.plug(2)
    pi.record(overlay(5), overlay(4, gpio=13))
    text = pi.refusal(StripSpec(leds=(5, 4)))
    assert "overlay is loaded several times with options that differ in more than" in text
    lines = (f"dtoverlay=ws2812-pio,gpio={pin},num_leds=5,brightness=0" for pin in (10, 13))
    assert f"; put {' and '.join(lines)} into" in text


def test_overlays_that_are_alike_serve_channels_of_any_length(pi: PioMachine) -> None:
    """Each device gets as many LEDs as the overlays have."""
    first, second = pi.plug(2)
    pi.record(overlay(5), overlay(5, gpio=18))
    strip = pi.strip(StripSpec(leds=(5, 2)))
    assert {10, 18} == set(strip.pins)
    strip.open()
    strip.close()
    assert [20, 20] == [first.stat().st_size, second.stat().st_size]


def test_a_kernel_that_takes_brightness_0_for_dark_is_refused(pi: PioMachine) -> None:
    """Kernels before 6.12.56 would be dark; their line is without it."""
    pi.plug()
    pi.record(overlay(5, brightness=0), kernel=OLD_KERNEL)
    text = pi.refusal()
    assert "has brightness=0, which keeps the strip dark with kernels before 6.12.56" in text
    assert "put dtoverlay=ws2812-pio,gpio=10,num_leds=5 into /boot/firmware/config.txt" in text


def test_a_missing_device_is_not_made(pi: PioMachine) -> None:
    """The error has the line with which the kernel offers it."""
    line = "dtoverlay=ws2812-pio,gpio=10,num_leds=7"
    text = pi.refusal(StripSpec(leds=(3, 7)))
    assert f"there is no {pi.root}/dev/leds0; put {line} into /boot/firmware/config.txt" in text
    assert "and restart the Pi; if the line is there already" in text
    pi.record()
    text = pi.refusal(RGBW)
    assert f"there is no /dev/leds0; add {line[:-1]}5,rgbw,brightness=0 to /boot/firmware" in text
    assert not (pi.root / "dev/leds0").exists()


def test_a_missing_second_device_has_a_pin_of_its_own(pi: PioMachine) -> None:
    """Each channel's line has another pin and the common length."""
    pi.plug()
    pi.record()
    text = pi.refusal(StripSpec(leds=(3, 7)))
    line = "dtoverlay=ws2812-pio,gpio=18,num_leds=7,brightness=0"
    assert f"there is no {pi.root}/dev/leds1; put {line} into /boot/firmware/config.txt" in text


def test_the_guide_and_the_boot_lines_have_the_same_line() -> None:
    """The line in an error is that of deploy/, without pins of buttons."""
    line = Machine(kernel=(6, 12, 56)).pio_line(StripSpec(leds=(1200,)))
    assert f"\n{line}\n" in (DEPLOY / "wiring.md").read_text()
    assert f"\n[pi5]\n#{line}\n" in (DEPLOY / "boot/config.txt").read_text()
    assert f"gpio={PINS[0]}," in line
    assert not set(PINS) & set(DEFAULT_PINS.values())


def test_a_start_that_fails_holds_nothing(pi: PioMachine) -> None:
    """Without the second device the first is closed; later both open."""
    spec = StripSpec(leds=(1, 1))
    strip = pi.strip(spec)
    pi.plug(1)
    held = open_files()
    with pytest.raises(StripError, match="there is no"):
        strip.open()
    assert held == open_files()
    pi.plug(2)
    strip.open()
    strip.close()
    assert held == open_files()


def test_a_device_of_somebody_else_names_the_rule(pi: PioMachine) -> None:
    """The error names the file that grants the permission."""
    (device,) = pi.plug()
    device.chmod(0)
    strip = pi.strip()
    with as_nobody(), pytest.raises(StripError, match="may not be opened by this user; copy depl"):
        strip.open()
    assert (DEPLOY / "90-cribwars.rules").exists()


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_what_is_neither_device_nor_file(pi: PioMachine, make: Callable[[Path], None]) -> None:
    """A folder, and a pipe without a reader, are refused at once."""
    held = open_files()
    make(pi.root / "dev/leds0")
    text = pi.refusal()
    assert "dev/leds0 is neither the device of a strip nor a file; give another path" in text
    assert held == open_files()


@pytest.mark.parametrize("name", ["4b", "5"])
def test_another_path_is_a_matter_of_its_own(pi: PioMachine, name: str) -> None:
    """For other paths the overlay is neither a remedy nor checked."""
    record(pi.root, name, overlay(2) if name == "5" else {})
    file = pi.root / "strip"
    text = pi.refusal(device=str(file))
    assert f"there is no {file}; create the file first, or give another path" == text
    file.touch()
    strip = pi.strip(device=str(file))
    strip.open()
    strip.close()
    assert 20 == file.stat().st_size


def test_another_file_of_somebody_else(pi: PioMachine) -> None:
    """The rule of the kernel's devices would not help here."""
    file = pi.root / "strip"
    file.touch(0)
    strip = pi.strip(device=str(file))
    with as_nobody(), pytest.raises(StripError, match="by this user; create the file"):
        strip.open()


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Limit files to this number of bytes."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_device_that_takes_less_is_too_short(pi: PioMachine) -> None:
    """Without a length in the device tree, the first frame finds the fault."""
    (device,) = pi.plug()
    strip = pi.strip()
    strip.open()
    with room_for(0), pytest.raises(StripError, match="leds0 has fewer than 5 LEDs; put dtov"):
        strip.show(frame_of(RGB))
    with room_for(8), pytest.raises(StripError, match="leds0 took 8 of 20 bytes; restart the Pi"):
        strip.show(frame_of(RGB))
    strip.show(frame_of(RGB))
    assert 20 == device.stat().st_size


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which Linux has")
def test_a_device_that_is_full_is_too_short(pi: PioMachine) -> None:
    """Both errors of the kernel for too long a strip are known."""
    (pi.root / "dev/leds0").symlink_to("/dev/full")
    strip = pi.strip()
    strip.open()
    with pytest.raises(StripError, match="leds0 has fewer than 5 LEDs"):
        strip.show(frame_of(RGB))


def test_a_device_that_fails_is_an_error_with_a_remedy(pi: PioMachine) -> None:
    """The kernel's error is passed on, and closing works."""
    terminal, line = os.openpty()  # a device that can be written to, but at no place in it
    (pi.root / "dev/leds0").symlink_to(os.ttyname(line))
    strip = pi.strip()
    strip.open()
    with pytest.raises(StripError, match=r"leds0 failed \(.+\); see that ws2812-pio is still load"):
        strip.show(frame_of(RGB))
    strip.close()
    os.close(line)
    os.close(terminal)
