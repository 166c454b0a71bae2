"""Faults of the driver of the Pi 5's kernel: each error has its remedy."""

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.buttons import DEFAULT_PINS
from hardware.errors import StripError
from hardware.pi import Machine
from hardware.strips import StripSpec
from hardware.strips.pio import PINS
from tests.support.fakepi import OLD_KERNEL, RGB, RGBW, PioMachine, frame_of
from tests.support.machines import Files, overlay, record
from tests.support.program import as_nobody

DEPLOY = Path(__file__).parents[3] / "deploy"


@pytest.fixture
def pi(tmp_path: Path) -> PioMachine:
    """Return a machine without any facts."""
    return PioMachine(tmp_path)


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


def open_files() -> int:
    """Return the number of files that this process has open."""
    return len(list(Path("/dev/fd").iterdir()))


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Limit files to this number of bytes."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
