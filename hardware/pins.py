"""Pins of this machine through gpiozero and lgpio, or mock pins and the reason for them.

gpiozero reaches pins through a pin factory, here that of lgpio. The environment can name another in
GPIOZERO_PIN_FACTORY, but not "native": the native factory writes the registers of the chip, so it
takes pins from other programs and the kernel. Without pins in sysfs it also sees no edges.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from hardware.errors import ButtonError, Text
from hardware.timers import timer_slack

if TYPE_CHECKING:
    from gpiozero import Factory

LGPIO_USER: Final = "lg"
"""Name under which the kernel lists a program that has opened a pin through lgpio."""

_SLACK_NS: Final = 1_000_000
"""How late the thread of lgpio may be. It wakes every half millisecond for ever, so this makes it a
third as often; it tells of an edge after 1.5 ms at the latest, half the debouncer's hold."""

_VARIABLE: Final = "GPIOZERO_PIN_FACTORY"
_NO_LIBRARY: Final = Text(
    "install lgpio: the Debian package cribwars contains it; for a copy of the repository install "
    "python3-lgpio (sudo apt install), and make the venv with --system-site-packages"
)
_NO_CHIP: Final = Text(
    "put the user into the group gpio (sudo usermod -aG gpio $USER), log out and in, and see that "
    "there is a /dev/gpiochip0"
)


def open_pin_factory(*, simulate: bool) -> tuple[Factory, Text | None]:
    """Return the pin factory of this machine and None, or a mock factory and the reason for it.

    The mock factory is used with `simulate`, with GPIOZERO_PIN_FACTORY=mock, and on a machine
    without GPIO. The reason is a line for the user.
    """
    if simulate:
        return MockFactory(), Text("mock panel: simulated, as asked")
    try:
        # The pigpio client prints its errors, but stdout is for the output of commands.
        with redirect_stdout(sys.stderr):
            _ensure_factory()
    except Exception as error:  # noqa: BLE001  # lgpio.error is a bare Exception
        why = reason(error)
        return MockFactory(), Text("mock panel: no GPIO here ({why})", why=why)
    if isinstance(Device.pin_factory, MockFactory):
        return Device.pin_factory, Text("mock panel: GPIOZERO_PIN_FACTORY asks for it")
    return Device.pin_factory, None


def are_mock_pins_requested() -> bool:
    """Return True if the environment asks for mock pins."""
    return os.environ.get(_VARIABLE, "").lower() == "mock"


def missing_pins_remedy() -> Text:
    """Return the remedy for a Raspberry Pi whose real pins could not be opened."""
    return _NO_CHIP if "lgpio" in sys.modules or find_spec("lgpio") else _NO_LIBRARY


def has_edge_times(factory: Factory | None) -> bool:
    """Return True if the pins report their edges with the kernel's monotonic times, as lgpio's do.

    >>> has_edge_times(MockFactory())
    False
    """
    return type(factory or Device.pin_factory).__name__ == "LGPIOFactory"


def user_of_pin(pin: int, factory: Factory | None) -> str:
    """Return the kernel's name for what uses a pin (BCM), or "" if the pin is free or unknown.

    >>> user_of_pin(4, MockFactory())
    ''
    """
    handle, lgpio = getattr(factory, "_handle", None), sys.modules.get("lgpio")
    if handle is None or lgpio is None:
        return ""
    try:
        *_, user = lgpio.gpio_get_line_info(handle, pin)
    except lgpio.error:
        return ""
    return str(user)


def reason(error: Exception) -> str:
    """Return an error's text on one line, without the quotes that lgpio puts around a text.

    >>> reason(Exception("'GPIO busy'")), reason(Exception("no 'x'"))
    ('GPIO busy', "no 'x'")
    """
    return re.sub("^'([^']*)'$", r"\1", " ".join(str(error).split()))


def close_pins() -> None:
    """Release this machine's pins, if `open_pin_factory` has opened them."""
    if Device.pin_factory is not None:
        Device.pin_factory.close()
        Device.pin_factory = None


def _ensure_factory() -> None:
    name = os.environ.get(_VARIABLE, "lgpio").lower()
    if name == "native":
        raise ButtonError(
            "gpiozero's native pins are not used", remedy=Text("unset GPIOZERO_PIN_FACTORY")
        )
    if name == "lgpio":
        _import_lgpio()
    with timer_slack(_SLACK_NS):
        if Device.pin_factory is None and _VARIABLE not in os.environ:
            from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415  # imports lgpio

            Device.pin_factory = LGPIOFactory()
        Device.ensure_pin_factory()


def _import_lgpio() -> None:
    """Import lgpio with its pipe in a temporary folder, which is removed at once.

    By default lgpio makes a pipe in the current folder, which may be read-only or may hold another
    program's pipe of the same name. If the variable LG_WD names a folder, lgpio changes to that
    folder and makes the pipe there; so this function changes back.
    """
    if "lgpio" in sys.modules or find_spec("lgpio") is None:
        return
    here = os.open(".", os.O_PATH)
    try:
        with TemporaryDirectory(prefix="cribwars-lgpio-") as folder:
            os.environ["LG_WD"] = folder
            import_module("lgpio")
    finally:
        os.environ.pop("LG_WD", None)
        os.fchdir(here)
        os.close(here)
