"""A child process: one strip through Blinka, in one of the ways that its tests need.

Arguments: the name of a function below, the driver's name, and the function's further arguments.
The result is on stderr; the exit code is 0 if Python ends without a crash.
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
    """Write a line to stderr for the test, as stdout may be a terminal."""
    print(word, file=sys.stderr)  # noqa: T201 - how a child process speaks


def show_one(strip: Strip) -> None:
    """Show a frame as a table does: close the strip, and report a failure."""
    try:
        strip.open()
        strip.show(random_frames(strip.spec, 1, seed=1)[0])
    except StripError as error:
        say(error)
    finally:
        strip.close()


def without(name: str, module: str) -> None:
    """Show a frame as if a module were not installed."""
    # None is how Python itself is told that a module cannot be imported.
    sys.modules[module] = None  # type: ignore[assignment]
    show_one(make_strip(name, SPEC))


def again(name: str, setting: str) -> None:
    """Show frames twice with a faulty setting, then once without it."""
    strip = make_strip(name, SPEC)
    show_one(strip)
    show_one(strip)
    del os.environ[setting]
    show_one(strip)


def held(name: str) -> None:
    """Report the number of open devices while the strip is open, and once it is closed."""
    strip = make_strip(name, SPEC)
    strip.open()
    strip.show(random_frames(SPEC, 1, seed=1)[0])
    say(open_devices())
    strip.close()
    say(open_devices())


def open_devices() -> int:
    """Return the number of open devices; the machine keeps each opened device open once."""
    files = [file for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
    devices = [file.stat().st_ino for file in files if "memfd:fakepi" in str(file.readlink())]
    return len(devices) - len(set(devices))


def greys(name: str) -> None:
    """Show a frame of greys on a strip with white LEDs, without their white."""
    strip = make_strip(name, StripSpec(leds=(4,), type="sk6812w", order="GRBW"))
    strip.open()
    strip.show([np.array([[v, v, v, 0] for v in (1, 2, 128, 255)], np.uint8)])
    strip.close()


def pace(name: str, leds: str, type_of: str, order: str) -> None:
    """Report the microseconds of a frame, before Blinka knows the board and after."""
    strip = make_strip(name, StripSpec(leds=(int(leds),), type=type_of, order=order))
    say(round(strip.wire_seconds * 1e6))
    strip.open()
    say(round(strip.wire_seconds * 1e6))
    strip.close()


def terminal(name: str) -> None:
    """Show a frame at a terminal at which nobody answers."""
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
