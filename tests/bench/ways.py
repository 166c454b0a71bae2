"""The ways to a strip that are compared, each as its own documentation drives it.

`python -m tests.bench.ways show WAY MODE CHANNELS` runs one of them as fast as it goes and prints
how it went for each number of LEDs; `push` in place of `show` only fills its buffers. It is meant
for a fake Pi (see `tests.support.fakepi`), where a transfer takes the time of the wire.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from importlib import import_module
from itertools import cycle
from pathlib import Path
from statistics import median
from threading import Event, Thread, get_native_id
from timeit import repeat
from typing import Any, Final, TypeAlias

from hardware.strips import Frame, StripSpec, make_strip
from hardware.strips.protocol import check_frame
from tests.support.fakepi import random_frames

SIZES: Final = (121, 363, 400, 1000, 1200)
PINS: Final = {"spi": 10, "pwm": 18, "pcm": 21, "pio": 18}
"""A pin (BCM) for each mode."""

_SECONDS: Final = 0.2
_FEWEST: Final = 5
_ASKED: Final = 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A frame as an array, and its colours one by one."""

    frame: Frame
    colours: list[tuple[int, int, int]]


Show: TypeAlias = Callable[[Picture], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Result of one way.

    `rate` are the frames a second of the median frame, `overall` of all frames. `longest` is the
    longest time for which another thread waited beyond its requested millisecond, `wait` is that
    without its waits for a processor; `still_longest` and `still` are the same without frames. All
    times are in ms.
    """

    leds: int
    rate: float
    overall: float
    longest: float
    wait: float
    still_longest: float
    still: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A wait of another thread beyond the requested time, and its part without a processor."""

    waited: float
    queued: float


@contextmanager
def _ours(mode: str, spec: StripSpec) -> Iterator[Show]:
    with tempfile.NamedTemporaryFile() as device:
        # The kernel sends in the background: a file takes each frame as quickly as its device does.
        others = {"pio": f"pio:{device.name}", "spidev": "spi:ws2812b"}
        name = others.get(mode, f"rpi_ws281x:{mode}")
        with _strip(name, spec) as way:
            yield way


@contextmanager
def _strip(name: str, spec: StripSpec) -> Iterator[Show]:
    strip = make_strip(name, spec)
    strip.open()
    yield lambda picture: strip.show(picture.frame)
    strip.close()


@contextmanager
def _stock(mode: str, spec: StripSpec) -> Iterator[Show]:
    strip = _stock_strip(mode, spec)

    def show(picture: Picture) -> None:
        _fill_stock(strip, picture)
        strip.show()

    yield show
    strip._cleanup()  # its own way out, which otherwise waits for the end of the process


def _stock_strip(mode: str, spec: StripSpec) -> Any:  # noqa: ANN401  # the package has no types
    strip = import_module("rpi_ws281x").PixelStrip(spec.leds[0], PINS[mode])
    strip.begin()
    return strip


def _fill_stock(strip: Any, picture: Picture) -> None:  # noqa: ANN401  # the package has no types
    colour = import_module("rpi_ws281x").Color
    for led, (red, green, blue) in enumerate(picture.colours):
        strip.setPixelColor(led, colour(red, green, blue))


@contextmanager
def _blinka(mode: str, spec: StripSpec) -> Iterator[Show]:
    pin = getattr(import_module("board"), f"D{PINS[mode]}")
    pixels = import_module("neopixel").NeoPixel(pin, spec.leds[0], auto_write=False)

    def show(picture: Picture) -> None:
        for led, colour in enumerate(picture.colours):
            pixels[led] = colour
        pixels.show()

    yield show
    pixels.deinit()


@contextmanager
def _pi5neo(spec: StripSpec, **sleep: None) -> Iterator[Show]:
    strip = import_module("pi5neo").Pi5Neo(num_leds=spec.leds[0], quiet_mode=True)

    def show(picture: Picture) -> None:
        for led, colour in enumerate(picture.colours):
            strip.set_led_color(led, *colour)
        strip.update_strip(**sleep)

    yield show
    strip.close()


WAYS: Final[Mapping[str, Callable[[str, StripSpec], AbstractContextManager[Show]]]] = {
    "ours": _ours,
    "ours-by-blinka": lambda mode, spec: _strip(f"neopixel:{PINS[mode]}", spec),
    "stock": _stock,
    "blinka": _blinka,
    "pi5neo": lambda _mode, spec: _pi5neo(spec),
    "pi5neo-sleepless": lambda _mode, spec: _pi5neo(spec, sleep_duration=None),
}
"""Each opens a strip, and gives what shows a picture."""


def _run(way: str, mode: str, spec: StripSpec) -> Run:
    pictures = _pictures(spec)
    with WAYS[way](mode, spec) as show:
        with _another_thread() as still:
            time.sleep(_SECONDS / 2)
        show(pictures[0])
        with _another_thread() as turns:
            times = _times(show, pictures)
    return Run(
        leds=sum(spec.leds),
        rate=1 / median(times),
        overall=len(times) / sum(times),
        longest=max(turn.waited for turn in turns) * 1e3,
        wait=max(turn.waited - turn.queued for turn in turns) * 1e3,
        still_longest=max(turn.waited for turn in still) * 1e3,
        still=max(turn.waited - turn.queued for turn in still) * 1e3,
    )


def _pictures(spec: StripSpec) -> list[Picture]:
    frames = random_frames(spec, 4, seed=1)
    return [Picture(frame=frame, colours=[*map(tuple, frame[0].tolist())]) for frame in frames]


def _times(show: Show, pictures: list[Picture]) -> list[float]:
    """Return the seconds of each frame. At the end a frame is on the wire, as at the beginning."""
    times: list[float] = []
    start = last = time.perf_counter()
    for picture in cycle(pictures):
        show(picture)
        before, last = last, time.perf_counter()
        times.append(last - before)
        if len(times) >= _FEWEST and last - start >= _SECONDS:
            break
    return times


@contextmanager
def _another_thread() -> Iterator[list[Turn]]:
    """Run a thread that sleeps a millisecond again and again. Return its turns."""
    turns: list[Turn] = []
    stop = Event()

    def work() -> None:
        queued = _queued()
        while not stop.is_set():
            requested = time.perf_counter()
            time.sleep(_ASKED)
            waited = time.perf_counter() - requested - _ASKED
            before, queued = queued, _queued()
            turns.append(Turn(waited=waited, queued=queued - before))

    thread = Thread(target=work)
    thread.start()
    yield turns
    stop.set()
    thread.join()


def _queued() -> float:
    """Seconds that this thread and the main one were ready and had no processor.

    The main thread counts too: while it waits with the interpreter locked, no other thread runs.
    The result is 0 if the kernel does not report it.
    """
    tasks = [Path(f"/proc/self/task/{thread}") for thread in (get_native_id(), os.getpid())]
    try:
        reported = [(task / "schedstat").read_text(encoding="ascii") for task in tasks]
    except OSError:
        return 0.0
    return sum(int(times.split()[1]) for times in reported) / 1e9


def _push(mode: str, spec: StripSpec) -> dict[str, float]:
    """Return the microseconds to fill the buffers with a frame, ours and stock, without sending."""
    picture = _pictures(spec)[0]
    strip = make_strip(f"rpi_ws281x:{mode}", spec)
    strip.open()

    def ours() -> None:
        check_frame(spec, picture.frame)
        strip._fill(picture.frame)  # type: ignore[attr-defined]  # without the sending

    pushed = {"leds": sum(spec.leds), "ours": _microseconds(ours, 200)}
    strip.close()
    stock = _stock_strip(mode, spec)
    pushed["stock"] = _microseconds(lambda: _fill_stock(stock, picture), 10)
    stock._cleanup()
    return pushed


def _microseconds(act: Callable[[], object], rounds: int) -> float:
    return min(repeat(act, number=rounds, repeat=5)) / rounds * 1e6


def _spec(leds: int, channels: int) -> StripSpec:
    share = leds // channels
    return StripSpec(leds=(leds - share, share)[-channels:])


def main() -> None:
    """Measure the named way for each of `SIZES`."""
    os.environ.pop("FAKEPI_CAPTURE", None)  # keeping what was sent takes time that no wire takes
    what, way, mode, channels = sys.argv[1:]
    specs = [_spec(leds, int(channels)) for leds in SIZES]
    if what == "push":
        print(json.dumps([_push(mode, spec) for spec in specs]))
    else:
        print(json.dumps([asdict(_run(way, mode, spec)) for spec in specs]))


if __name__ == "__main__":
    main()
