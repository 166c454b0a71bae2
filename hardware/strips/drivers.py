"""The drivers by name, as settings and commands write them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Final

from hardware.errors import StripError
from hardware.strips.null import NullStrip
from hardware.strips.protocol import Strip, StripSpec
from hardware.strips.rpi_ws281x import RpiStrip
from hardware.strips.virtual import VirtualStrip


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """How a driver is made, and the options that it takes."""

    make: Callable[..., Strip]
    options: frozenset[str] = frozenset()


_RPI_OPTIONS: Final = frozenset({"pins", "bufsiz_path"})

DRIVERS: Final[Mapping[str, Driver]] = {
    "virtual": Driver(make=VirtualStrip, options=frozenset({"clock", "keep"})),
    "null": Driver(make=NullStrip),
    "rpi_ws281x:pwm": Driver(make=partial(RpiStrip, mode="pwm"), options=_RPI_OPTIONS),
    "rpi_ws281x:pcm": Driver(make=partial(RpiStrip, mode="pcm"), options=_RPI_OPTIONS),
    "rpi_ws281x:spi": Driver(make=partial(RpiStrip, mode="spi"), options=_RPI_OPTIONS),
}


def make_strip(name: str, spec: StripSpec, **options: object) -> Strip:
    """Return the driver of that name, still closed.

    Raises:
        StripError: an unknown name or option, or a strip that the driver cannot drive.
    """
    driver = DRIVERS.get(name)
    if driver is None:
        raise StripError(f'[strip] driver = "{name}" is not known; {_suggestion(name)}')
    for option in options:
        if option not in driver.options:
            taken = ", ".join(sorted(driver.options)) or "none"
            raise StripError(f'strip driver "{name}" has no option {option}; it takes: {taken}')
    return driver.make(spec, **options)


def _suggestion(name: str) -> str:
    close = get_close_matches(name, DRIVERS, n=1)
    return f'did you mean "{close[0]}"?' if close else f"set one of {', '.join(DRIVERS)}"
