"""`cribwars lights test`: patterns on a strip, with captions for people and a dump for programs.

A pattern is a function from a frame's number to light. `PatternPlayer` renders a frame, waits for
its time, shows it, and writes it to the dump. Times are counted from the first frame, so delays do
not add up. A frame for 1,206 LEDs takes 36 ms, so 10 seconds of a pattern have 274 frames; on a
short strip they have 300. The strip is turned dark at the end, after Ctrl-C and after an error.
"""

import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import IO, Final, TypeAlias

import msgspec
import numpy as np

from companion.board import load_board
from companion.devices.assembly import configured_strip, night_limit, settings_faults, strip_budget
from companion.devices.pattern_tests import PatternTest, StripUnderTest, pattern_test
from companion.errors import NO_TEXT, BadInputError, CompanionError, SettingsError, Text, joined
from companion.files import disk_errors
from companion.lights import Wiring
from companion.settings.schema import COMMAND_LINE, Settings
from hardware.errors import HardwareError
from hardware.output import Light
from hardware.strips import Frame, Strip, read_options
from hardware.strips.drivers import WITHOUT_HARDWARE
from hardware.strips.scale import CODE_MAX

FRAME_S: Final = 1 / 30  # seconds from one frame to the next on a strip that is fast enough
_ENDINGS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

FrameListener: TypeAlias = Callable[[float, Frame, float], None]
"""Function called for each frame, with the seconds since the first frame, this frame's light in
255ths, and its milliamperes."""


def try_strip(
    settings: Settings,
    *,
    names: Sequence[str],
    tell: Callable[[Text], None],
    clock: Callable[[], float],
    sleep: Callable[[float], None],
    now: Callable[[], datetime],
    options: Mapping[str, str] = MappingProxyType({}),
    leds: tuple[int, ...] | None = None,
    frames: int | None = None,
    dump: str | None = None,
) -> None:
    """Show patterns until all have been shown or a signal ends them; then turn the strip dark.

    Args:
        settings: settings for the strip and its supply, and the board for the pattern `zones`.
        names: names of the patterns in the order in which they are shown.
        tell: shows a caption or a note.
        clock: returns seconds, for the pace of the frames.
        sleep: waits for a number of seconds.
        now: returns the time of day, for the night limit.
        options: further options of the driver, as texts.
        leds: number of LEDs of each channel; None for the wiring of the settings.
        frames: number of frames of each pattern; None for a pace that people can follow.
        dump: the file that receives a line of JSON for each frame, `-` for stdout.

    Raises:
        CompanionError, HardwareError: the patterns cannot be shown; the strip is dark.
    """
    wiring = _wiring(settings) if leds is None or "zones" in names else None
    if leds is None:
        assert wiring is not None  # noqa: S101  # it was just made
        leds = wiring.leds
    tested = _strip_under_test(settings, leds, options, now)
    tests = [pattern_test(name, tested, wiring) for name in names]
    with _dump(dump) as listener, _signals() as stopped:
        driver = settings.strip.driver
        player = PatternPlayer(tested, listener=listener, clock=clock, sleep=sleep)
        play(tests, player, driver=driver, frames=frames, stopped=stopped, tell=tell)


class PatternPlayer:
    """Player of frames on an open strip: one each `FRAME_S`, or slower if the strip is slower."""

    def __init__(
        self,
        tested: StripUnderTest,
        *,
        listener: FrameListener,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        self.tested = tested
        self.interval = max(FRAME_S, tested.strip.wire_seconds)
        self._listener, self._clock, self._sleep = listener, clock, sleep
        self._started_at: float | None = None
        self._frames = 0

    def show(self, light: Light) -> None:
        output = self.tested.output
        frame, milliamps = output.render(light), output.milliamps
        t = self.wait()
        self.tested.strip.show(frame)
        self._frames += 1
        self._listener(t, self._in_255ths(frame), milliamps)

    def _in_255ths(self, frame: Frame) -> Frame:
        """Return a frame in 255ths of full light, with fractions if the LEDs have finer steps."""
        scale = self.tested.strip.scale
        if scale.is_bytes:
            return frame
        return tuple(np.round(scale.light(pixels) * CODE_MAX, 4) for pixels in frame)

    def wait(self) -> float:
        now = self._clock()
        if self._started_at is None:
            self._started_at = now
        due = self._started_at + self._frames * self.interval
        if due > now:
            self._sleep(due - now)
            now = self._clock()
        return now - self._started_at


def play(
    tests: Sequence[PatternTest],
    player: PatternPlayer,
    *,
    driver: str,
    frames: int | None,
    stopped: Callable[[], bool],
    tell: Callable[[Text], None],
) -> None:
    """Open the strip, play the tests, and turn the strip dark.

    Args:
        tests: the patterns in order.
        player: shows the frames on its strip, which must not be open yet.
        driver: name of the driver, which is shown at the beginning.
        frames: number of frames of each pattern; None for its usual duration.
        stopped: returns True once the test must end.
        tell: shows a line.
    """
    with closing(player.tested.strip) as strip:
        strip.open()
        tell(Text("{described}; Ctrl-C ends the test", described=_described(driver, strip)))
        if unlit := _unlit(driver):
            tell(unlit)
        for test in tests:
            count = frames or max(1, round(test.seconds / player.interval))
            if not _play_one(test, player, count, stopped, tell):
                return
        player.wait()  # the last frame stays as long as the others


def _play_one(
    test: PatternTest,
    player: PatternPlayer,
    frames: int,
    stopped: Callable[[], bool],
    tell: Callable[[Text], None],
) -> bool:
    for note in test.notes:
        tell(joined(": ", (test.name, note)))
    for k in range(frames):
        if stopped():
            return False
        light = test.pattern(k, frames)
        player.show(light)
        if caption := test.caption(k, frames):
            current = player.tested.current(light)
            tell(
                Text(
                    "{pattern}: {caption}: {current}",
                    pattern=test.name,
                    caption=caption,
                    current=current,
                )
            )
    return True


def _described(driver: str, strip: Strip) -> Text:
    spec = strip.spec
    on = Text(" on GPIO {pins}", pins=joined(" and ", strip.pins)) if strip.pins else NO_TEXT
    text, leds = "{driver}{on}: {leds} LEDs, type {type}, order {order}", joined(" and ", spec.leds)
    return Text(text, driver=driver, on=on, leds=leds, type=spec.type, order=spec.order)


def _unlit(driver: str) -> Text:
    """Return the warning that the driver lights no strip, or an empty text if it lights one."""
    kind, _, device = driver.partition(":")
    if kind in WITHOUT_HARDWARE:
        return Text("no strip is lit: set [strip] driver, or give --strip")
    if kind == "pio" and Path(device).is_file():
        return Text("{device} is a file, not a strip: it is overwritten", device=device)
    return NO_TEXT


def _wiring(settings: Settings) -> Wiring:
    with _located(settings, "board"):
        board = load_board(settings.board)
    with _located(settings, "wiring"):
        return Wiring.make(board, settings.wiring)


def _strip_under_test(
    settings: Settings,
    leds: tuple[int, ...],
    options: Mapping[str, str],
    now: Callable[[], datetime],
) -> StripUnderTest:
    with _located(settings, "strip", file=COMMAND_LINE):
        parsed = read_options(settings.strip.driver, options)
    with _located(settings, "strip"):
        strip = configured_strip(settings, leds, parsed)
        tested = StripUnderTest(strip, _budget(settings, leds))
        if night := night_limit(settings):
            tested.output.ceiling = night.at(now())
        return tested


def _budget(settings: Settings, leds: tuple[int, ...]) -> float | Sequence[float]:
    """Return one current limit, or one for each channel; a list of wrong length gives its first."""
    budget = strip_budget(settings)
    if isinstance(budget, tuple) and len(budget) != len(leds):
        return budget[0]
    return budget


@contextmanager
def _located(settings: Settings, key: str, *, file: str = "") -> Iterator[None]:
    """Raise errors as faults of the setting `key` in `file`; "" means the file that set it."""
    try:
        yield
    except (CompanionError, HardwareError) as error:
        faults = settings_faults(settings, key, error)
        raise SettingsError(*(replace(each, file=file or each.file) for each in faults)) from None


@contextmanager
def _dump(file: str | None) -> Iterator[FrameListener]:
    """Yield a listener that writes each frame to a file, or to stdout for `-`."""
    with ExitStack() as opened:
        if file is None:
            yield lambda *_: None
        elif file == "-":
            yield _writer(sys.stdout.buffer)
        else:
            text = "--dump {file}: cannot be written ({reason}): choose another place"
            with disk_errors(BadInputError, text, file=file):
                lines = opened.enter_context(Path(file).open("wb"))
            yield _writer(lines)


def _writer(lines: IO[bytes]) -> FrameListener:
    def write(t: float, frame: Frame, milliamps: float) -> None:
        channels = [pixels.tolist() for pixels in frame]
        value = {"t": round(t, 6), "channels": channels, "milliamps": milliamps}
        lines.write(msgspec.json.encode(value) + b"\n")
        lines.flush()

    return write


@contextmanager
def _signals() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns True after a signal; a second signal ends the program."""
    before = {number: signal.getsignal(number) for number in _ENDINGS}
    received: list[int] = []

    def receive(number: int, _: object) -> None:
        received.append(number)
        signal.signal(number, before[signal.Signals(number)])

    try:
        for number in _ENDINGS:
            signal.signal(number, receive)
        yield lambda: bool(received)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
