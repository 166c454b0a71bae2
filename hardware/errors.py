"""Errors of lights and switches: each tells the problem, the remedy and the setting to change."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest_remedy(name: str, known: Iterable[str], *, otherwise: str) -> str:
    """Return the remedy for an unknown name: the nearest known one, or else another remedy."""
    close = get_close_matches(name, list(known), n=1)
    return f'did you mean "{close[0]}"?' if close else otherwise


class HardwareError(Exception):
    """Root of the hardware's errors; its text is one line that a user can act on.

    Args:
        problem: a description of what is wrong.
        remedy: the thing to do about it; "" if nothing can be said.
        key: the setting to change, such as `strip.order`; "" if it is none.
    """

    def __init__(self, problem: str, *, remedy: str = "", key: str = "") -> None:
        place = f"{key}: " if key else ""
        super().__init__(f"{place}{problem}; {remedy}" if remedy else f"{place}{problem}")
        self.problem, self.remedy, self.key = problem, remedy, key


class StripError(HardwareError, RuntimeError):
    """A strip that cannot be set up, started or shown; the text names the setting to change."""


def driver_error(driver: str, problem: str, remedy: str) -> StripError:
    """Return the error of a strip driver that cannot be used as it is set."""
    return StripError(f'driver = "{driver}": {problem}', remedy=remedy, key="strip.driver")


class ButtonError(HardwareError, ValueError):
    """A button that cannot be set up; the text names the pin or the setting to change."""
