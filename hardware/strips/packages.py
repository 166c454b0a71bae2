"""What must be installed for the drivers that others' packages do the work of, and how to get it.

The program is on no index: its extras come from the copy of the repository that it was made from.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from hardware.pi import Family


def modules_for(driver: str, family: Family | None) -> Sequence[str]:
    """Return the modules that a driver imports on such a machine; None is one that is no known Pi.

    >>> modules_for("neopixel:18", Family.FIVE)
    ('neopixel', 'gpiod', 'adafruit_raspberry_pi5_neopixel_write')
    """
    kind = driver.partition(":")[0]
    if kind == "rpi_ws281x":
        return ("_rpi_ws281x",)
    if kind != "neopixel":
        return ()
    if family is None:
        return ("neopixel",)
    writer = "adafruit_raspberry_pi5_neopixel_write" if family is Family.FIVE else "_rpi_ws281x"
    return ("neopixel", "gpiod", writer)


def missing_modules(driver: str, family: Family | None) -> Sequence[str]:
    """Return those of them that this Python does not have; none of them is imported for it."""
    return tuple(name for name in modules_for(driver, family) if find_spec(name) is None)


def how_to_install(driver: str, family: Family | None) -> str:
    """Return what to do so that they are there."""
    five = driver.startswith("neopixel") and family is Family.FIVE
    option, extra = (" --pi5", "pi5") if five else ("", "pi")
    return (
        f"run sudo deploy/install.sh{option}, or .venv/bin/pip install -e '.[{extra}]' in the "
        "copy of the repository"
    )
