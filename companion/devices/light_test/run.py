"""`cribwars lights test`: patterns on a strip, told to people and dumped for programs."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import IO, Final, TypeAlias

import click
import msgspec

from companion.board import load_board
from companion.devices.assembly import configured_strip, settings_faults
from companion.devices.light_test.steps import Bench, Trial, make_trial
from companion.errors import BadInputError, CompanionError, SettingsError
from companion.lights import Wiring
from companion.settings.load import Settings
from hardware.errors import HardwareError
from hardware.output import Light
from hardware.strips import Frame, Strip, read_options
from hardware.strips.drivers import WITHOUT_HARDWARE

FRAME_S: Final = 1 / 30
"""Seconds from one frame to the next, on strips that are fast enough."""

_ENDINGS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Given: TypeAlias = Callable[[float, Frame, float], None]
"""Is told each frame given to a strip: seconds since the first one, the bytes, milliamperes."""


def try_strip(
    settings: Settings,
    *,
    options: Mapping[str, str],
    leds: tuple[int, ...] | None,
    names: Sequence[str],
    frames: int | None,
    dump: str | None,
) -> None:
    """Show patterns until all are through or a signal asks to end; then the strip is dark.

    Args:
        settings: the strip, its supply, and the board that `zones` shows.
        options: what else the driver is told, as texts.
        leds: the LEDs of each channel; None for those of the settings' wiring.
        names: patterns, shown in turn.
        frames: how many of each pattern; None for as many as one can follow.
        dump: the file for a line of JSON a frame, `-` for stdout; None for none.

    Raises:
        CompanionError, HardwareError: it cannot be shown; the strip is dark.
    """
    wiring = _wiring(settings) if leds is None or "zones" in names else None
    if leds is None:
        assert wiring is not None  # noqa: S101  # see above
        leds = wiring.leds
    bench = _bench(settings, leds, options)
    trials = [make_trial(name, bench, wiring) for name in names]
    with _dump(dump) as given, _signals() as stopped:
        driver, player = settings.text("strip", "driver"), Player(bench, given=given)
        play(trials, player, driver=driver, frames=frames, stopped=stopped)


class Player:
    """Gives light to an open strip at an even pace, `FRAME_S` or the strip's own if slower."""

    def __init__(
        self,
        bench: Bench,
        *,
        given: Given,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.bench = bench
        self.interval = max(FRAME_S, bench.strip.wire_seconds)
        self._given, self._clock, self._sleep = given, clock, sleep
        self._begun: float | None = None
        self._frames = 0

    def give(self, light: Light) -> None:
        """Show this light when its time has come."""
        output = self.bench.output
        frame, milliamps = output.render(light), output.milliamps
        t = self.wait()
        self.bench.strip.show(frame)
        self._frames += 1
        self._given(t, frame, milliamps)

    def wait(self) -> float:
        """Wait until the next frame is due; the seconds since the first one."""
        now = self._clock()
        if self._begun is None:
            self._begun = now
        due = self._begun + self._frames * self.interval
        if due > now:
            self._sleep(due - now)
            now = self._clock()
        return now - self._begun


def play(
    trials: Sequence[Trial],
    player: Player,
    *,
    driver: str,
    frames: int | None,
    stopped: Callable[[], bool],
) -> None:
    """Open the strip of a driver, play the trials until they end or are stopped, turn it dark."""
    with closing(player.bench.strip) as strip:
        strip.open()
        _tell(f"{_described(driver, strip)}; Ctrl-C turns it dark and ends")
        if unlit := _unlit(driver):
            _tell(unlit)
        for trial in trials:
            count = frames or max(1, round(trial.seconds / player.interval))
            if not _played(trial, player, count, stopped):
                return
        player.wait()  # the last frame is to be seen as long as the others


def _played(trial: Trial, player: Player, frames: int, stopped: Callable[[], bool]) -> bool:
    """Play one trial; whether it came to its end."""
    for line in trial.preface:
        _tell(line)
    for k in range(frames):
        if stopped():
            return False
        light = trial.pattern(k, frames)
        player.give(light)
        if caption := trial.caption(k, frames):
            _tell(f"{caption}: {player.bench.current(light)}")
    return True


def _described(driver: str, strip: Strip) -> str:
    spec = strip.spec
    leds, pins = (" and ".join(map(str, numbers)) for numbers in (spec.leds, strip.pins))
    on = f" on GPIO {pins}" if pins else ""
    return f"{driver}{on}: {leds} LEDs, type {spec.type}, order {spec.order}"


def _unlit(driver: str) -> str:
    """Return the warning about a driver that lights no strip; "" for others."""
    kind, _, device = driver.partition(":")
    if kind in WITHOUT_HARDWARE:
        return "no strip is lit: set [strip] driver, or give --strip"
    if kind == "pio" and Path(device).is_file():
        return f"{device} is a file and no strip: it is written over"
    return ""


def _tell(text: str) -> None:
    click.echo(text, err=True)


def _wiring(settings: Settings) -> Wiring:
    with _located(settings, "board"):
        board = load_board(settings.board)
    with _located(settings, "wiring"):
        return Wiring.make(board, settings.tables["wiring"])


def _bench(settings: Settings, leds: tuple[int, ...], options: Mapping[str, str]) -> Bench:
    with _located(settings, "strip"):
        given = read_options(settings.text("strip", "driver"), options)
        strip = configured_strip(settings, leds, given)
        return Bench(strip, _budget(settings, leds))


def _budget(settings: Settings, leds: tuple[int, ...]) -> float | Sequence[float]:
    """Return the budget; the first of a list if the channels differ, as on a spare strip."""
    budget = settings.budget_ma
    if isinstance(budget, tuple) and len(budget) != len(leds):
        return budget[0]
    return budget


@contextmanager
def _located(settings: Settings, key: str) -> Iterator[None]:
    """Raise what goes wrong with a setting or a table as a fault of the settings."""
    try:
        yield
    except (CompanionError, HardwareError) as error:
        raise SettingsError(*settings_faults(settings, key, error)) from None


@contextmanager
def _dump(file: str | None) -> Iterator[Given]:
    """Write each frame to a file, stdout for `-`, at once; nowhere without a file."""
    with ExitStack() as opened:
        if file is None:
            yield lambda *_: None
        elif file == "-":
            yield _writer(sys.stdout.buffer)
        else:
            yield _writer(opened.enter_context(_writable(file)))


def _writable(file: str) -> IO[bytes]:
    try:
        return Path(file).open("wb")
    except OSError as error:
        text = f"--dump {file}: cannot be written ({error.strerror}): choose another place"
        raise BadInputError(text) from None


def _writer(lines: IO[bytes]) -> Given:
    def write(t: float, frame: Frame, milliamps: float) -> None:
        channels = [pixels.tolist() for pixels in frame]
        value = {"t": round(t, 6), "channels": channels, "milliamps": milliamps}
        lines.write(msgspec.json.encode(value) + b"\n")
        lines.flush()

    return write


@contextmanager
def _signals() -> Iterator[Callable[[], bool]]:
    """Catch signals: yield a function that returns True once one has come; a second one ends."""
    before = {number: signal.getsignal(number) for number in _ENDINGS}
    asked: list[int] = []

    def ask(number: int, _: object) -> None:
        asked.append(number)
        signal.signal(number, before[signal.Signals(number)])

    try:
        for number in _ENDINGS:
            signal.signal(number, ask)
        yield lambda: bool(asked)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
