"""Specifications of strips, the life cycle that all drivers share, and the lock of a device."""

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.errors import StripError
from hardware.strips import Frame, Strip, StripSpec, make_strip
from hardware.strips.protocol import black, locked
from hardware.strips.scale import LINEAR
from tests.support.machines import SPI, record


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


SPEC = StripSpec(leds=(1,))


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


HOLD = """
import sys
from pathlib import Path
from hardware.strips.protocol import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


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
