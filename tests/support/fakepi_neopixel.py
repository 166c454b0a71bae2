"""A child process: one strip through Blinka, in one of the ways that its tests need.

Arguments: the way, one of the functions below, the driver's name, and what the way takes. It
speaks on stderr what it was asked for; exit code 0 if Python comes down in one piece.
"""

import os
import sys
from pathlib import Path

import numpy as np

from hardware.errors import StripError
from hardware.strips import Strip, StripSpec, make_strip
from tests.support.fakepi import random_frames

SPEC = StripSpec(leds=(5,))


def say(word: object) -> None:
    """Tell the test; stdout may be a terminal that the test does not read."""
    print(word, file=sys.stderr)  # noqa: T201 - how a child process speaks


def show_one(strip: Strip) -> None:
    """Show a frame as a table does, which closes and says so if it fails."""
    try:
        strip.open()
        strip.show(random_frames(strip.spec, 1, seed=1)[0])
    except StripError as error:
        say(error)
    finally:
        strip.close()


def without(name: str, module: str) -> None:
    """Show a frame as if that module were not installed."""
    # None is how Python itself is told that a module cannot be imported.
    sys.modules[module] = None  # type: ignore[assignment]
    show_one(make_strip(name, SPEC))


def again(name: str, setting: str) -> None:
    """Show frames on a machine with a fault twice, then once the setting that made it is gone."""
    strip = make_strip(name, SPEC)
    show_one(strip)
    show_one(strip)
    del os.environ[setting]
    show_one(strip)


def held(name: str) -> None:
    """Say how many of the machine's devices are open while the strip is, and once it is closed."""
    strip = make_strip(name, SPEC)
    strip.open()
    strip.show(random_frames(SPEC, 1, seed=1)[0])
    say(open_devices())
    strip.close()
    say(open_devices())


def open_devices() -> int:
    """Return how many devices are open; the machine itself keeps each that ever was open once."""
    files = [file for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
    devices = [file.stat().st_ino for file in files if "memfd:fakepi" in str(file.readlink())]
    return len(devices) - len(set(devices))


def greys(name: str) -> None:
    """Show a frame of greys and no white on a strip that has white."""
    strip = make_strip(name, StripSpec(leds=(4,), type="sk6812w", order="GRBW"))
    strip.open()
    strip.show([np.array([[v, v, v, 0] for v in (1, 2, 128, 255)], np.uint8)])
    strip.close()


def pace(name: str, leds: str, type_of: str, order: str) -> None:
    """Say the seconds of a frame in microseconds, before Blinka knows the board and after."""
    strip = make_strip(name, StripSpec(leds=(int(leds),), type=type_of, order=order))
    say(round(strip.wire_seconds * 1e6))
    strip.open()
    say(round(strip.wire_seconds * 1e6))
    strip.close()


def terminal(name: str) -> None:
    """Show a frame with a terminal before and behind it, nobody sitting there to answer."""
    master, slave = os.openpty()
    os.dup2(slave, 0)
    os.dup2(slave, 1)
    show_one(make_strip(name, SPEC))
    os.set_blocking(master, False)
    try:
        say(os.read(master, 10_000).decode())
    except BlockingIOError:
        say("silent")


if __name__ == "__main__":
    ways = {way.__name__: way for way in (without, again, held, greys, pace, terminal)}
    ways[sys.argv[1]](*sys.argv[2:])
