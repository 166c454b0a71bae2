"""A strip belongs to one program: its device is locked while it is open."""

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.errors import StripError
from hardware.strips import StripSpec, make_strip
from hardware.strips.protocol import locked
from tests.support.machines import SPI, record

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
