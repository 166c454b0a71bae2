"""A board that runs boot.py and code.py in virtual time, in lock-step with a test.

The program has a thread of its own, and goes on only while the test waits in `run`. Each call into
a module of CircuitPython takes the time that it takes on a Pico, more or less, and while it passes
buttons are scanned and bytes arrive, as they are there by interrupts. A program may import what
`modules` makes and the protocol module, and nothing else.
"""

import __future__

import builtins
import threading
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Final, Self

from tests.support.circuitpython import Keypads, Modules, Pins, Restart, Usb

FIRMWARE: Final = Path(__file__).parents[2] / "firmware_bridge" / "firmware" / "circuitpython"
PROTOCOL: Final = "firmware_bridge.firmware.circuitpython.lib.cribwars_bridge"

PICO: Final = tuple(f"GP{number}" for number in (*range(23), 26, 27, 28))
"""The pins of a Raspberry Pi Pico."""

ROUND_AFTER: Final = 3
"""Seconds after which the chip's count of milliseconds goes round; on a real board they are 65."""

_TICK: Final = 1_000_000 / 1024
"""Microseconds of the tick in which keypads are scanned."""

_TIMEOUT_S: Final = 60.0
_MICROSECONDS: Final = 1_000_000
_ANNOTATIONS_UNREAD: Final = __future__.annotations.compiler_flag


class PowerCutError(BaseException):
    """The program ends here: there is no power."""


class Machine:
    """A board; times are seconds since it got power.

    `lights` are all the bytes that its strip was given, and when; `console` is what it prints;
    each so manieth look at the clock takes a pause as long as a collection of garbage.

    Args:
        settings: the values of settings.toml.
        pins: the names of its pins.
        has_boot: whether there is a boot.py on its drive.
        release: of CircuitPython.
    """

    def __init__(
        self,
        settings: Mapping[str, str] | None = None,
        *,
        pins: tuple[str, ...] = PICO,
        has_boot: bool = True,
        release: str = "10.2.1",
    ) -> None:
        self.settings = dict(settings or {})
        self.release = release
        self.has_boot = has_boot
        self.pins = Pins(pins)
        self.usb = Usb()
        self.keypads = Keypads(self.pins)
        self.lights: list[tuple[float, bytes]] = []
        self.console: list[str] = []
        self.boots = 0
        self.pause_every = 0
        self.watchdog_ends: float | None = None
        self._microseconds = 0.0
        self._until = 0.0
        self._next_tick = _TICK
        self._is_hung = False
        self._end: type[BaseException] | None = None
        self._may_run = threading.Semaphore(0)
        self._has_run = threading.Semaphore(0)
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end = PowerCutError
        self._is_hung = False
        self._may_run.release()
        self._thread.join(_TIMEOUT_S)

    @property
    def now(self) -> float:
        """Seconds since it got power."""
        return self._microseconds / _MICROSECONDS

    def run(self, seconds: float) -> None:
        """Let so much time pass.

        Raises:
            AssertionError: the program has ended, which nothing on a board may do.
        """
        self._until += seconds * _MICROSECONDS
        self._may_run.release()
        assert self._has_run.acquire(timeout=_TIMEOUT_S)
        if self._fault is not None:
            raise AssertionError("the program has ended") from self._fault

    def reset(self) -> None:
        """Press the reset button."""
        self._end = Restart

    def hang(self) -> None:
        """Let the program be stuck until something restarts it."""
        self._is_hung = True

    def spend(self, microseconds: float) -> None:
        """Let time pass in the program, with all that happens meanwhile."""
        end = self._microseconds + microseconds
        while self._is_hung or self._microseconds < end:
            stop = min(self._next_tick, self._until)
            self._microseconds = max(self._microseconds, stop if self._is_hung else min(stop, end))
            self.usb.go_on(self._microseconds)
            if self._microseconds >= self._next_tick:
                self._next_tick += _TICK
                self.keypads.scan(self.ticks_ms())
            self._bite()
            if self._microseconds >= self._until:
                self._hand_over()

    def ticks_ms(self) -> int:
        """Return the chip's count of milliseconds, which goes round soon after the start."""
        return (int(self._microseconds / 1000) - 1000 * ROUND_AFTER) % (1 << 29)

    def _bite(self) -> None:
        if self.watchdog_ends is not None and self._microseconds > self.watchdog_ends:
            self._is_hung = False
            raise Restart

    def _hand_over(self) -> None:
        """Let the test go on, and wait until it wants time to pass."""
        self._has_run.release()
        assert self._may_run.acquire(timeout=_TIMEOUT_S)
        if self._end is not None:
            end, self._end = self._end, None
            raise end

    def _live(self) -> None:
        self._may_run.acquire()
        try:
            while self._end is None:
                self._start()
        except PowerCutError:
            pass
        except BaseException as fault:  # noqa: BLE001  # the test raises it in its own thread
            self._fault = fault
        self._has_run.release()

    def _start(self) -> None:
        """One life, from power or reset to the next."""
        self.boots += 1
        self.watchdog_ends = None
        self.usb.restart()
        self.pins.release_all()
        self.keypads.stop_all()
        try:
            if self.has_boot:
                self._execute("boot.py", Modules(self).of_boot())
            self.usb.is_started = True
            self._execute("code.py", Modules(self).of_code())
            raise AssertionError("code.py has come to its end")
        except Restart:
            pass

    def _execute(self, name: str, modules: Mapping[str, object]) -> None:
        path = FIRMWARE / name
        names = {**vars(builtins), "__import__": _importer(modules)}
        # As on the board, no annotation is evaluated.
        program = compile(path.read_text(encoding="utf-8"), str(path), "exec", _ANNOTATIONS_UNREAD)
        exec(program, {"__name__": "__main__", "__builtins__": names})  # noqa: S102  # it is ours


def _importer(modules: Mapping[str, object]) -> Callable[..., object]:
    """Import a module as the board does."""

    def load(name: str, *_: object) -> object:
        if name == "cribwars_bridge":
            return import_module(PROTOCOL)
        if name in modules:
            return modules[name]
        raise ImportError(f"no module named '{name}' on the board")

    return load
