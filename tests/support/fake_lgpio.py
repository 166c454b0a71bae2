"""The module lgpio as gpiozero and `hardware.pins` use it, with a chip that a test plugs in.

It refuses a line that something else uses, and names that user, as the kernel does.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest
from gpiozero import Device

from hardware.pins import close_pins

PI_3 = 0xA02082
"""Revision of a Raspberry Pi 3."""

_Call = Callable[[int, int, int, int], None]


class Error(Exception):
    """An error of lgpio, whose text is between quotes."""

    def __str__(self) -> str:
        """Return the text as lgpio has it."""
        return repr(self.args[0])


@dataclass(slots=True)
class FakeChip:
    """A chip of pins; `users` names the user of each pin that something else uses.

    `is_there` is False while it cannot be opened. `watched` has the callback of each line.
    """

    users: dict[int, str] = field(default_factory=dict)
    is_there: bool = True
    watched: dict[int, _Call] = field(default_factory=dict)

    def press(self, line: int) -> None:
        """Call the callback of a line with a falling edge."""
        self.watched[line](0, line, 0, 1)


class _Callback:
    def __init__(self, chip: FakeChip, line: int) -> None:
        self._chip, self._line = chip, line

    def cancel(self) -> None:
        self._chip.watched.pop(self._line, None)


class _Module(ModuleType):
    """The module lgpio, with a chip."""

    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
    error = Error

    def __init__(self, chip: FakeChip) -> None:
        super().__init__("lgpio")
        self.__spec__ = ModuleSpec("lgpio", None)
        self._chip = chip

    def gpiochip_open(self, _number: int) -> int:
        if not self._chip.is_there:
            raise Error("can not open gpiochip")
        return 0

    def gpiochip_close(self, _handle: int) -> None:
        self._chip.watched.clear()

    def gpio_claim_input(self, _handle: int, line: int, _flags: int = 0) -> None:
        if line in self._chip.users:
            raise Error("GPIO busy")

    gpio_claim_output = gpio_claim_input

    def gpio_claim_alert(self, handle: int, line: int, _edges: int, flags: int) -> None:
        self.gpio_claim_input(handle, line, flags)

    def gpio_get_line_info(self, _handle: int, line: int) -> tuple[int, int, int, str, str]:
        return 0, line, 0, f"GPIO{line}", self._chip.users.get(line, "")

    def callback(self, _handle: int, line: int, _edges: int, call: _Call) -> _Callback:
        self._chip.watched[line] = call
        return _Callback(self._chip, line)

    def gpio_free(self, _handle: int, _line: int) -> None: ...

    def gpio_set_debounce_micros(self, _handle: int, _line: int, _micros: int) -> None: ...

    def gpio_get_mode(self, _handle: int, _line: int) -> int:
        return 0

    def gpio_read(self, _handle: int, _line: int) -> int:
        return 1


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeChip]:
    """Install this chip: gpiozero sees a Raspberry Pi 3 with lgpio."""
    chip = FakeChip()
    monkeypatch.setitem(sys.modules, "lgpio", _Module(chip))
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: PI_3)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    yield chip
    chip.users.clear()
    close_pins()
    sys.modules.pop("gpiozero.pins.lgpio", None)  # it has this module of lgpio
