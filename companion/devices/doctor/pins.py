"""Findings about the pins of the buttons: each is opened for a moment."""

from collections.abc import Iterator, Mapping
from contextlib import closing

from companion.devices.doctor.finding import Finding
from companion.errors import Text
from hardware.buttons import BusyPinError, Buttons
from hardware.errors import ButtonError
from hardware.pi import Machine
from hardware.pins import (
    LGPIO_USER,
    are_mock_pins_requested,
    missing_pins_remedy,
    open_pin_factory,
)

_WHAT = "buttons"


def pin_findings(machine: Machine, pins: Mapping[str, int]) -> Iterator[Finding]:
    """Yield findings about the pins of this machine, and about each that cannot be had.

    Args:
        machine: the facts about it.
        pins: the BCM pin of each button to open; none in a process that has them open.
    """
    factory, missing = open_pin_factory(simulate=False)
    if missing:
        is_wanted = machine.model is not None and not are_mock_pins_requested()
        yield (
            Finding.fix(_WHAT, missing, missing_pins_remedy())
            if is_wanted
            else Finding.note(_WHAT, missing)
        )
        return
    held, refused = [], False
    tried = Buttons({}, lambda _: None, pin_factory=factory, clock=lambda: 0.0)
    with closing(tried) as buttons:
        for button, pin in pins.items():
            try:
                buttons.open(button, pin)
            except ButtonError as error:
                if isinstance(error, BusyPinError) and error.user == LGPIO_USER:
                    held.append(pin)
                else:
                    refused = True
                    yield Finding.of(_WHAT, error)
    if held:
        text = "the pins {pins} are in use by a program with lgpio, as by a table that runs"
        yield Finding.note(_WHAT, Text(text, pins=", ".join(map(str, held))))
    elif not refused:
        yield Finding.ok(_WHAT, "the pins of this machine can be used")
