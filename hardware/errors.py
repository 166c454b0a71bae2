"""Errors of lights and buttons: each has a problem, a remedy and the setting to change."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from hardware.text import NO_TEXT, Text, filled, joined

END_OTHER: Final = Text("stop it first (if it is the game table: sudo systemctl stop cribwars)")
"""Remedy for a device that another program uses."""


def nearest_remedy(name: str, known: Iterable[str], otherwise: Text) -> Text:
    """Return the remedy for an unknown name: the nearest known name, or else `otherwise`."""
    close = get_close_matches(name, list(known), n=1)
    return Text('did you mean "{name}"?', name=close[0]) if close else otherwise


class HardwareError(Exception):
    """Root of the hardware's errors; its text is one line that a user can act on.

    Args:
        problem: description of the fault.
        remedy: the action that removes the fault, or an empty text.
        key: the setting to change, such as `strip.order`, or "".
        values: the values of the problem's placeholders, by name.
    """

    def __init__(
        self, problem: str | Text, /, *, remedy: Text = NO_TEXT, key: str = "", **values: object
    ) -> None:
        self.problem = filled(problem, values)
        self.remedy, self.key = remedy, key
        self.text = joined(": ", (key, joined("; ", (self.problem, remedy))))
        super().__init__(self.text)


class StripError(HardwareError, RuntimeError):
    """A strip that cannot be set up, started or lit; the text names the setting to change."""


def driver_error(
    driver: str, problem: str | Text, /, *, remedy: Text, **values: object
) -> StripError:
    """Return the error for a `driver` setting that cannot be used; `values` fill `problem`."""
    template = 'driver = "{driver}": {problem}'
    text = Text(template, driver=driver, problem=filled(problem, values))
    return StripError(text, remedy=remedy, key="strip.driver")


class ButtonError(HardwareError, ValueError):
    """A button that cannot be set up; the text names the pin or the setting to change."""


def button_fault(table: str, button: str, problem: str, /, **values: object) -> ButtonError:
    """Return the error for a button; `values` fill the problem's placeholders.

    `table` is the TOML table of the settings file that has the button, such as "panel.pins".
    """
    text = Text("button {button}: {problem}", button=button, problem=Text(problem, **values))
    remedy = Text('change "{button}" in [{table}]', button=button, table=table)
    return ButtonError(text, remedy=remedy, key=f"{table}.{button}")
