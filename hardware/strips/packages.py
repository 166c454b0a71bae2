"""Python packages of the drivers, and the commands that install them.

The program is not on a package index, so its extras are installed from a copy of the repository.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from hardware.pi import Family
from hardware.text import Text

_PIP: Final = ".venv/bin/pip install"
_FOR_THE_SERVICE: Final = "sudo python3 -m pip install --break-system-packages"
_IN_A_COPY: Final = Text("in a copy of the repository")


def modules_for(driver: str, family: Family | None) -> Sequence[str]:
    """Return the modules that a driver imports; `family` is None on an unknown machine.

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
    """Return the modules that this Python lacks, without importing any."""
    return tuple(name for name in modules_for(driver, family) if find_spec(name) is None)


def how_to_install(driver: str, family: Family | None) -> Text:
    """Return the command that installs the modules of a driver."""
    if not driver.startswith("neopixel"):
        return Text(
            "the Debian package has it; elsewhere {pip} -e '.[pi]' {in_a_copy}",
            pip=_PIP,
            in_a_copy=_IN_A_COPY,
        )
    extra = "pi5" if family is Family.FIVE else "pi"
    text = "{pip} -e '.[{extra}]' {in_a_copy}, for the service {for_the_service} '.[{extra}]'"
    return Text(text, pip=_PIP, extra=extra, in_a_copy=_IN_A_COPY, for_the_service=_FOR_THE_SERVICE)
