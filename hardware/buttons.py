"""Buttons of the panel: every edge of a contact becomes an `Edge` with its time.

The time is that of the kernel's interrupt, if the pins report it. It is not the time at which the
edge arrives here: on a busy machine the edges of a contact that bounces for 20 ms can arrive over
100 ms, and would be several presses. Edges are not filtered here but in `hardware.debounce`.

gpiozero calls the callbacks of all pins in
one thread. An exception would end this thread, so callbacks never raise: they read the clock, pass
the edge to the caller's `sink`, and log the exceptions of `sink`.

A button that is pressed at 10.0 s and bounces gives several edges, such as down at 10.000, up at
10.001, down at 10.002. A button that is already down when it is opened gives an edge at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from gpiozero import InputDevice

from hardware.debounce import Edge
from hardware.errors import ButtonError, Text, button_fault, nearest_remedy
from hardware.pins import LGPIO_USER, has_edge_times, reason, user_of_pin

if TYPE_CHECKING:
    from gpiozero import Factory
    from gpiozero.pins.mock import MockFactory

LATEST_S: Final = 10.0
"""An edge that seems to be older than these seconds has the time of another clock."""

HEADER_PINS = range(28)  # BCM numbers on the 40-pin header of a Raspberry Pi
_TABLE = "panel.pins"
_FREE_PIN: Final = {
    "onewire": Text("take dtoverlay=w1-gpio out of config.txt and restart the Pi"),
    LGPIO_USER: Text("end the other program that uses lgpio"),
}
"""Remedies for a pin in use, by the first letters of the kernel's name for the pin's user."""

_log = logging.getLogger(__name__)


def unknown_button(button: str, known: Collection[str], table: str = "") -> ButtonError:
    """Return the error for an unknown button, with the nearest known name.

    Args:
        button: the unknown name.
        known: the names of the panel's buttons.
        table: the TOML table of the settings file that contains the name, or "".
    """
    remedy = nearest_remedy(button, known, Text("the buttons are {known}", known=", ".join(known)))
    key = f"{table}.{button}" if table else ""
    return ButtonError("there is no button {button}", button=button, remedy=remedy, key=key)


def pin_faults(
    pins: Mapping[str, int], reserved: Mapping[int, Text], known: Collection[str]
) -> list[ButtonError]:
    """Return every fault of a panel's pins, each with the setting to change.

    Args:
        pins: the BCM pin of each button; not every button needs a pin.
        reserved: the pins that no button may have, with their use, such as `{10: "SPI data"}`.
        known: the names of the panel's buttons.
    """
    faults = []
    taken: dict[int, str] = {}
    for button, pin in pins.items():
        if button not in known:
            faults.append(unknown_button(button, known, _TABLE))
        elif pin not in HEADER_PINS:
            text = "pin {pin} is not on the header, which has the pins 0 to 27"
            faults.append(button_fault(_TABLE, button, text, pin=pin))
        elif pin in reserved:
            text = "pin {pin} is in use for {reserved}"
            faults.append(button_fault(_TABLE, button, text, pin=pin, reserved=reserved[pin]))
        elif pin in taken:
            text = "pin {pin} is in use for button {taken}"
            faults.append(button_fault(_TABLE, button, text, pin=pin, taken=taken[pin]))
        else:
            taken[pin] = button
    return faults


class BusyPinError(ButtonError):
    """A pin in use; `user` is the kernel's name for the program or driver that uses the pin."""

    def __init__(self, button: str, pin: int, user: str) -> None:
        known = (each for name, each in _FREE_PIN.items() if user.startswith(name))
        free = next(
            known, Text("end the program that uses the pin, or switch that use off in config.txt")
        )
        text = '{free}, or give "{button}" another pin in [{table}]'
        remedy = Text(text, free=free, button=button, table=_TABLE)
        text, key = "button {button}: pin {pin} is in use by {user}", f"{_TABLE}.{button}"
        super().__init__(Text(text, button=button, pin=pin, user=user), remedy=remedy, key=key)
        self.user = user


class _Contact:
    """Contact between one pin and ground, watched from its construction on.

    gpiozero's Button is not used. Each Button runs a thread that wakes ten times a second, and an
    edge during the construction of a Button raises an exception in the thread of the callbacks.
    """

    def __init__(
        self, pin: int, changed: Callable[[float, bool], None], factory: Factory | None
    ) -> None:
        self._changed = changed
        self._device = InputDevice(pin, pull_up=True, pin_factory=factory)
        try:
            self._device.pin.bounce = None
            self._device.pin.edges = "both"
            # The pin keeps only a weak reference, so the callback must be a method of this object.
            self._device.pin.when_changed = self._on_edge
        except BaseException:
            self._device.close()
            raise

    @property
    def down(self) -> bool:
        return bool(self._device.is_active)

    def close(self) -> None:
        if not self._device.closed:
            # lgpio's pins call back even after a close.
            self._device.pin.when_changed = None
        self._device.close()

    def _on_edge(self, ticks: float, level: int) -> None:
        self._changed(ticks, not level)


class Buttons:
    """Buttons of a panel; `open` opens one more, `close` closes all.

    Args:
        pins: the BCM pin of each button to open at once, already checked by `pin_faults`.
        sink: called with each edge, by one thread at a time. It should put the edge into a queue
            and return; its exceptions are only logged.
        clock: returns the seconds of the monotonic clock, which is also that of the kernel's edges.
        pin_factory: the factory from `open_pin_factory`; None uses gpiozero's default.

    Raises:
        ButtonError: a pin cannot be opened; all pins are closed again.
    """

    def __init__(
        self,
        pins: Mapping[str, int],
        sink: Callable[[Edge], None],
        *,
        clock: Callable[[], float],
        pin_factory: Factory | None = None,
    ) -> None:
        self._sink = sink
        self._factory = pin_factory
        self._clock = clock
        self._sink_lock = Lock()
        self._contacts: dict[str, _Contact] = {}
        try:
            for button, pin in pins.items():
                self.open(button, pin)
        except ButtonError:
            self.close()
            raise

    def open(self, button: str, pin: int) -> None:
        """Open one more button; do nothing if it is open already.

        Raises:
            ButtonError: the button's pin cannot be opened; the other buttons stay open.
        """
        if button in self._contacts:
            return

        def changed(ticks: float, down: bool) -> None:  # noqa: FBT001  # gpiozero's callback
            now = self._clock()
            is_known = has_edge_times(self._factory) and 0 <= now - ticks <= LATEST_S
            with self._sink_lock:
                self._emit(button, ticks if is_known else now, down=down)

        try:
            self._contacts[button] = contact = _Contact(pin, changed, self._factory)
        except Exception as error:  # noqa: BLE001  # lgpio.error is a bare Exception
            fault = _pin_fault(button, pin, error, self._factory)
        else:
            # The lock delays the callbacks, so that a release is reported after this press.
            with self._sink_lock:
                if contact.down:
                    self._emit(button, self._clock(), down=True)
            return
        # Raised outside `except`, because a reference to gpiozero's error keeps the pin reserved.
        raise fault

    def close(self) -> None:
        """Release the pins. An edge that is being handled may still reach `sink`. Idempotent."""
        for contact in self._contacts.values():
            contact.close()

    def _emit(self, button: str, t: float, *, down: bool) -> None:
        try:
            self._sink(Edge(button=button, down=down, t=t))
        except Exception:  # noqa: BLE001  # the thread must survive any error
            _log.exception("The edge of button %s is lost: its sink failed.", button)


def _pin_fault(button: str, pin: int, error: Exception, factory: Factory | None) -> ButtonError:
    user = user_of_pin(pin, factory)
    if not user:
        text = "pin {pin} cannot be opened ({error})"
        return button_fault(_TABLE, button, text, pin=pin, error=reason(error))
    return BusyPinError(button, pin, user)


class MockPanel:
    """Simulated presses for a panel that is open on mock pins.

    It changes only pin levels, so that a simulated press takes the same path as a real press.

    Args:
        pins: the BCM pin of each button, as given to `Buttons`, which must be open.
        factory: the mock pin factory that was given to `Buttons`.

    Every method raises ButtonError for a button that the panel does not have.
    """

    def __init__(self, pins: Mapping[str, int], factory: MockFactory) -> None:
        self._pins = {button: factory.pin(pin) for button, pin in pins.items()}

    def down(self, button: str) -> None:
        """Press a button and keep it down; raise ButtonError if it is down already."""
        if self.is_down(button):
            text = "button {button} is down already"
            raise ButtonError(text, button=button, remedy=Text("release it before pressing it"))
        self._pin(button).drive_low()

    def up(self, button: str) -> None:
        self._pin(button).drive_high()

    def is_down(self, button: str) -> bool:
        return not self._pin(button).state

    def _pin(self, button: str) -> Any:  # noqa: ANN401  # gpiozero carries no types
        try:
            return self._pins[button]
        except KeyError:
            raise unknown_button(button, self._pins) from None
