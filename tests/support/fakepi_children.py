"""Child processes on a machine that exists only for them: a strip, in the way that a test needs.

Arguments: the name of a function below and its own arguments. The result is on stdout, or on stderr
where stdout may be a terminal; the exit code is 0 if Python ends without a crash.
"""

import fcntl
import json
import os
import struct
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np

from hardware.errors import StripError
from hardware.output import Output
from hardware.strips import Strip, StripSpec, make_strip
from hardware.strips.drivers import only_type
from hardware.strips.protocol import usual_order
from tests.support.fakepi import RGB, random_frames

_READ_MODE = 0x80016B01


def say(word: object) -> None:
    """Write a line to stderr for the test, as stdout may be a terminal."""
    print(word, file=sys.stderr)  # noqa: T201 - how a child process speaks


def random(cases: str) -> None:
    """Show random frames on strips, one case after the other; a refused strip ends it."""
    try:
        for case in json.loads(cases):
            show_case(case)
    except StripError as error:
        print(error)  # noqa: T201 - stdout is how a child process speaks


def show_case(case: dict[str, Any]) -> None:
    """Open a strip, show its frames and close it."""
    spec = StripSpec(leds=tuple(case["leds"]), type=case["type"], order=case["order"])
    options = dict(case["options"])
    if "root" in options:
        options["root"] = Path(options["root"])
    strip = make_strip(case["name"], spec, **options)
    try:
        strip.open()
        for frame in random_frames(spec, case["frames"], case["seed"]):
            strip.show(frame)
    finally:
        strip.close()


def clocked(cases: str) -> None:
    """Show light on clocked strips, and report their SPI modes; a refused strip ends it."""
    try:
        modes = {show_clocked(case) for case in json.loads(cases)}
        print(json.dumps(sorted(modes)))  # noqa: T201 - stdout is how a child process speaks
    except StripError as error:
        print(error)  # noqa: T201 - the same


def show_clocked(case: dict[str, Any]) -> int:
    """Open a strip, show its light and close it; return the mode that its SPI was in."""
    light = np.array(case["light"], np.float32)
    spec = StripSpec(leds=(len(light),), type=case["chip"], order=case["order"])
    strip = make_strip(f"spi:{case['chip']}", spec, **case["options"])
    strip.open()
    try:
        strip.show(Output(spec, 1e6, strip.scale).render(light))
        spi = os.open("/dev/spidev0.0", os.O_RDWR)
        (mode,) = struct.unpack("B", fcntl.ioctl(spi, _READ_MODE, b"\0"))
        os.close(spi)
    finally:
        strip.close()
    return int(mode)


def gate(name: str) -> None:
    """Show two frames whose transfers wait until another thread lets them pass.

    It ends only if that thread can run while a frame is being sent.
    """
    Thread(target=let_pass, args=(os.environ["FAKEPI_GATE"],), daemon=True).start()
    kind = only_type(name) or "ws2812b"
    spec = StripSpec(leds=(30,), type=kind, order=usual_order(kind))
    strip = make_strip(name, spec)
    strip.open()
    light = np.random.default_rng(1).random((2, 30, 3), dtype=np.float32)
    for frame in map(Output(spec, 1e6, strip.scale).render, light):
        strip.show(frame)
    strip.close()


def let_pass(folder: str) -> None:
    """Let every waiting transfer pass, as long as the process lives."""
    ask = os.open(f"{folder}/ask", os.O_RDWR)
    grant = os.open(f"{folder}/grant", os.O_RDWR)
    while os.read(ask, 1):
        os.write(grant, b"!")


# One strip through Blinka


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
    show_one(make_strip(name, RGB))


def again(name: str, setting: str) -> None:
    """Show frames twice with a faulty setting, then once without it."""
    strip = make_strip(name, RGB)
    show_one(strip)
    show_one(strip)
    del os.environ[setting]
    show_one(strip)


def held(name: str) -> None:
    """Report the number of open devices while the strip is open, and once it is closed."""
    strip = make_strip(name, RGB)
    strip.open()
    strip.show(random_frames(RGB, 1, seed=1)[0])
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
    show_one(make_strip(name, RGB))
    os.set_blocking(master, False)
    try:
        say(os.read(master, 10_000).decode())
    except BlockingIOError:
        say("silent")


if __name__ == "__main__":
    ways = (random, clocked, gate, without, again, held, greys, pace, terminal)
    {way.__name__: way for way in ways}[sys.argv[1]](*sys.argv[2:])
