"""The buttons of the panel: every edge of a contact becomes an `Edge`, stamped as it arrives.

Nothing is filtered here; `hardware.debounce` decides what counts. The pins' callbacks run in
gpiozero's only notification thread, which dies for all buttons with the first exception: they
stamp, hand over and never raise.
"""

from __future__ import annotations

import logging
import sys
import time
import warnings
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack, redirect_stdout
from threading import Lock
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Self

from gpiozero import Device, InputDevice
from gpiozero.pins.mock import MockFactory

from hardware.debounce import Edge
from hardware.errors import ButtonError, suggest

if TYPE_CHECKING:
    from gpiozero import Factory

DEFAULT_PINS: Mapping[str, int] = MappingProxyType(
    {
        "1.plus_one": 4,
        "1.plus_five": 5,
        "1.enter": 6,
        "1.undo": 16,
        "2.plus_one": 17,
        "2.plus_five": 19,
        "2.enter": 20,
        "2.undo": 22,
        "3.plus_one": 23,
        "3.plus_five": 24,
        "3.enter": 25,
        "3.undo": 26,
        "deal": 27,
        "mode": 3,  # has a pull-up of its own, and wakes a halted Pi
    }
)
"""The BCM pin of each button, clear of SPI0, PWM, the PCM data pin, UART and the ID pins."""

HEADER_PINS = range(28)
"""The BCM numbers that a Raspberry Pi has on its 40-pin header."""

_log = logging.getLogger(__name__)


def unknown_button(button: str, known: Collection[str], table: str = "") -> ButtonError:
    """Return the error for a button that is not there, with the nearest that is.

    Args:
        button: the unknown name.
        known: the buttons that there are.
        table: the table of the settings that names it, "" for none.
    """
    remedy = suggest(button, known, otherwise=f"there are {', '.join(known)}")
    key = f"{table}.{button}" if table else ""
    return ButtonError(f"there is no button {button}", remedy=remedy, key=key)


def pin_faults(pins: Mapping[str, int], reserved: Mapping[int, str]) -> list[ButtonError]:
    """Return every fault of a panel's pins, each with the setting to change.

    Args:
        pins: the BCM pin of each button; buttons may be left out.
        reserved: pins that something else uses, with what does: `{10: "SPI data"}`.
    """
    faults = []
    taken: dict[int, str] = {}
    for button, pin in pins.items():
        if button not in DEFAULT_PINS:
            faults.append(unknown_button(button, DEFAULT_PINS, "panel.pins"))
        elif pin not in HEADER_PINS:
            faults.append(_fault(button, f"pin {pin} is not on the header, which has 0 to 27"))
        elif pin in reserved:
            faults.append(_fault(button, f"pin {pin} is in use for {reserved[pin]}"))
        elif pin in taken:
            faults.append(_fault(button, f"pin {pin} is in use for button {taken[pin]}"))
        else:
            taken[pin] = button
    return faults


def _fault(button: str, problem: str) -> ButtonError:
    remedy = f'change "{button}" in [panel.pins]'
    return ButtonError(f"button {button}: {problem}", remedy=remedy, key=f"panel.pins.{button}")


def open_pin_factory(*, simulate: bool) -> tuple[Factory, str | None]:
    """The pins of this machine, or mock pins and the reason for them.

    The reason is None with real pins and a line for the user with mock ones, which are taken when
    `simulate` asks for them, when GPIOZERO_PIN_FACTORY=mock does, and when there is no GPIO.
    """
    if simulate:
        return MockFactory(), "mock panel: simulated, as asked"
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            # The pigpio client prints what it misses, and stdout is not ours to write on.
            with redirect_stdout(sys.stderr):
                Device.ensure_pin_factory()
        except Exception as error:  # noqa: BLE001  # lgpio.error is a bare Exception
            # What gpiozero tried first says more than the sum of it all.
            why = " ".join(str(said[0].message if said else error).split())
            return MockFactory(), f"mock panel: no GPIO here ({why})"
    if isinstance(Device.pin_factory, MockFactory):
        return Device.pin_factory, "mock panel: GPIOZERO_PIN_FACTORY asks for it"
    return Device.pin_factory, None


def close_pins() -> None:
    """Let go of this machine's pins, if `open_pin_factory` has taken hold of them."""
    if Device.pin_factory is not None:
        Device.pin_factory.close()
        Device.pin_factory = None


class _Contact:
    """A button between one pin and ground, watched from when it is made.

    gpiozero's own Button would run a thread each, which wakes ten times a second, and an edge
    that comes while one is being made raises in the notification thread.
    """

    def __init__(self, pin: int, changed: Callable[[bool], None], factory: Factory | None) -> None:
        self._changed = changed
        self._device = InputDevice(pin, pull_up=True, pin_factory=factory)
        try:
            self._device.pin.bounce = None
            self._device.pin.edges = "both"
            # The pin holds this weakly: it works for as long as the contact is kept.
            self._device.pin.when_changed = self._on_edge
        except BaseException:
            self._device.close()
            raise

    @property
    def down(self) -> bool:
        return bool(self._device.is_active)

    def close(self) -> None:
        if not self._device.closed:
            # lgpio's pins go on calling after a close alone.
            self._device.pin.when_changed = None
        self._device.close()

    def _on_edge(self, _ticks: object, level: int) -> None:
        self._changed(not level)


class Buttons:
    """The open buttons of a panel; a context manager.

    Args:
        pins: the BCM pin of each button, some or all of `DEFAULT_PINS`'s.
        sink: is given each edge, in gpiozero's thread and never by two threads at once. What it
            raises is logged and goes no further; it should put the edge into a queue and return.
        reserved: pins that something else uses, with what does: `{10: "SPI data"}`.
        pin_factory: the first of `open_pin_factory`; gpiozero's default if None.
        clock: monotonic seconds; read on entry to the callback.

    A button that is down when it is opened gives an edge then, so that a stuck one is seen.

    Raises:
        ButtonError: pins that cannot be used; with all faults of the settings at once.
    """

    def __init__(
        self,
        pins: Mapping[str, int],
        sink: Callable[[Edge], None],
        *,
        reserved: Mapping[int, str] = MappingProxyType({}),
        pin_factory: Factory | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        faults = pin_faults(pins, reserved)
        if faults:
            raise ButtonError("; ".join(map(str, faults)))
        self._sink = sink
        self._clock = clock
        self._one_at_a_time = Lock()
        with ExitStack() as opened:
            for button, pin in pins.items():
                # The stack is also what keeps the contacts alive.
                opened.callback(self._open(button, pin, pin_factory).close)
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the pins back; only an edge already on its way may still come. Idempotent."""
        self._opened.close()

    def _open(self, button: str, pin: int, factory: Factory | None) -> _Contact:
        def changed(down: bool) -> None:  # noqa: FBT001  # the level is all that it is told
            t = self._clock()
            with self._one_at_a_time:
                self._hand_over(button, t, down=down)

        try:
            contact = _Contact(pin, changed, factory)
        except Exception as error:
            raise _fault(button, f"pin {pin} cannot be opened ({error})") from error
        # Edges wait meanwhile: a release between the look and its report must come after it.
        with self._one_at_a_time:
            if contact.down:
                self._hand_over(button, self._clock(), down=True)
        return contact

    def _hand_over(self, button: str, t: float, *, down: bool) -> None:
        try:
            self._sink(Edge(button=button, down=down, t=t))
        except Exception:  # noqa: BLE001  # whatever it is, the thread must live
            _log.exception("The edge of button %s is lost: its sink failed.", button)
