"""Mock panel: presses and releases buttons on gpiozero's mock pins.

It changes only pin levels, so that a simulated press takes the same path as a real press.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hardware.buttons import unknown_button
from hardware.errors import ButtonError
from hardware.text import Text

if TYPE_CHECKING:
    from gpiozero.pins.mock import MockFactory


class MockPanel:
    """Simulated presses for a panel that is open on mock pins.

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
