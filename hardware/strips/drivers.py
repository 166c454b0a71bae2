"""The drivers by name, as settings and commands write them; others may add theirs.

A distribution adds a driver by an entry point of the group `cribwars.strips`: its name is the
driver's, and it loads to a `Driver`. Only a name that is not built in makes us look for one, and
a built-in driver's module is loaded when the driver is made: the first light waits for neither.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from hardware.errors import StripError
from hardware.strips.protocol import Strip, StripSpec

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "cribwars.strips"

WITHOUT_HARDWARE: Final = frozenset({"virtual", "null"})
"""The drivers that light no strip."""

_MOST_KEPT: Final = 1_000_000
_OF_MACHINES: Final = frozenset({"root"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """How a driver is made, and what may be said to it.

    `make` is called with the `StripSpec`, then with what follows the colon of the name if there
    is an `argument`, and with the options by keyword. `options` are the names of these, each with
    the reader of its text form, which raises ValueError with a text that says what to write.
    `argument` says what must follow the colon, such as "device" ("": nothing may); `example` is
    one of them, `usual` stands for it where nothing follows ("": something must). `internal` are
    options of programs alone: no command line can say them.
    """

    make: Callable[..., Strip]
    options: Mapping[str, Callable[[str], object]] = field(default_factory=dict)
    argument: str = ""
    example: str = ""
    usual: str = ""
    internal: frozenset[str] = frozenset()


def make_strip(name: str, spec: StripSpec, **options: object) -> Strip:
    """Return the driver of that name, still closed.

    Raises:
        StripError: an unknown name or option, or a strip that the driver cannot drive.
    """
    driver, arguments = _find(name)
    _check_options(name, driver, options.keys() - driver.internal)
    return driver.make(spec, *arguments, **options)


def read_options(name: str, texts: Mapping[str, str]) -> dict[str, object]:
    """Return the options of the driver of that name, read from what a command line says.

    Raises:
        StripError: an unknown name or option, or a text that cannot be read.
    """
    driver, _ = _find(name)
    _check_options(name, driver, texts)
    return {option: _read(driver, option, text) for option, text in texts.items()}


def driver_names() -> tuple[str, ...]:
    """Return how each driver is written, such as "neopixel:<pin>"; added ones by name alone."""
    built_in = (_written(stem, driver, f"<{driver.argument}>") for stem, driver in DRIVERS.items())
    return (*built_in, *(entry.name for entry in _entry_points()))


def _from_module(module: str, name: str, **fixed: object) -> Callable[..., Strip]:
    """Return what makes a strip of a class in `hardware.strips`, loading its module then."""

    def make(spec: StripSpec, *arguments: str, **options: object) -> Strip:
        strip_class = getattr(import_module(f"hardware.strips.{module}"), name)
        return cast("Strip", strip_class(spec, *arguments, **fixed, **options))

    return make


def _kept(text: str) -> int:
    # int() refuses thousands of digits with an error of its own.
    frames = int(text) if text.isdecimal() and len(text) <= len(str(_MOST_KEPT)) else 0
    if not 1 <= frames <= _MOST_KEPT:
        raise ValueError(f"write a whole number from 1 to {_MOST_KEPT}")
    return frames


def _pins(text: str) -> tuple[int, ...]:
    pins = text.split("+")
    if not all(re.fullmatch("[0-9]{1,2}", pin) for pin in pins):
        raise ValueError('write BCM numbers, such as "18", or "18+13" for two channels')
    return tuple(map(int, pins))


def _rpi(mode: str) -> Driver:
    return Driver(
        make=_from_module("rpi_ws281x", "RpiStrip", mode=mode),
        options={"pins": _pins},
        internal=_OF_MACHINES,
    )


DRIVERS: Final[Mapping[str, Driver]] = {
    "virtual": Driver(make=_from_module("virtual", "VirtualStrip"), options={"keep": _kept}),
    "null": Driver(make=_from_module("null", "NullStrip")),
    "rpi_ws281x:pwm": _rpi("pwm"),
    "rpi_ws281x:pcm": _rpi("pcm"),
    "rpi_ws281x:spi": _rpi("spi"),
    "neopixel": Driver(
        make=_from_module("neopixel", "NeopixelStrip"),
        internal=_OF_MACHINES,
        argument="pin",
        example="18",
    ),
    "pio": Driver(
        make=_from_module("pio", "PioStrip"),
        internal=_OF_MACHINES,
        argument="device",
        example="/dev/leds0",
    ),
}
"""The built-in drivers; of those that take an argument the name without it."""


def _find(name: str) -> tuple[Driver, tuple[str, ...]]:
    """Return the driver of that name, and its argument if it takes one."""
    stem = _stem(name, DRIVERS)
    if stem is not None:
        return _with_argument(name, stem, DRIVERS[stem])
    added = {entry.name: entry for entry in _entry_points()}
    stem = _stem(name, added)
    if stem is None:
        raise StripError(
            f'driver = "{name}" is not known', remedy=_suggestion(name), key="strip.driver"
        )
    return _with_argument(name, stem, _load(added[stem]))


def _stem(name: str, known: Mapping[str, object]) -> str | None:
    stems = [stem for stem in known if f"{name}:".startswith(f"{stem}:")]
    return max(stems, key=len, default=None)


def _with_argument(name: str, stem: str, driver: Driver) -> tuple[Driver, tuple[str, ...]]:
    argument = name[len(stem) + 1 :] or driver.usual
    if not driver.argument and name != stem:
        raise StripError(
            f'driver = "{name}": nothing may follow "{stem}"',
            remedy=f'set driver = "{stem}"',
            key="strip.driver",
        )
    if driver.argument and not argument:
        written = _written(stem, driver, driver.example or f"<{driver.argument}>")
        raise StripError(
            f'driver = "{name}" lacks its {driver.argument} after a colon',
            remedy=f'set driver = "{written}" or the like',
            key="strip.driver",
        )
    return driver, (argument,) if driver.argument else ()


def _written(stem: str, driver: Driver, argument: str) -> str:
    return f"{stem}:{argument}" if driver.argument else stem


def _check_options(name: str, driver: Driver, options: Iterable[str]) -> None:
    for option in sorted(options):
        if option not in driver.options:
            taken = ", ".join(sorted(driver.options)) or "none"
            raise StripError(
                f'strip driver "{name}" has no option {option}', remedy=f"it takes: {taken}"
            )


def _read(driver: Driver, option: str, text: str) -> object:
    try:
        return driver.options[option](text)
    except ValueError as error:
        raise StripError(f'strip option {option} = "{text}" cannot be read: {error}') from error


def _suggestion(name: str) -> str:
    head, _, rest = name.partition(":")
    with_argument = [stem for stem, driver in DRIVERS.items() if driver.argument]
    close = (
        [stem for stem in DRIVERS if name and stem.endswith(f":{name}")]
        or get_close_matches(head, with_argument, n=1)
        or get_close_matches(name, DRIVERS, n=1)
    )
    if not close:
        return f"set one of {', '.join(driver_names())}"
    driver = DRIVERS[close[0]]
    return f'did you mean "{_written(close[0], driver, rest or driver.example)}"?'


def _entry_points() -> "tuple[EntryPoint, ...]":
    # Imported here: it takes longer than all drivers together, and few tables have added ones.
    metadata = import_module("importlib.metadata")
    return tuple(metadata.entry_points(group=GROUP))


def _load(entry: "EntryPoint") -> Driver:
    try:
        driver = entry.load()
    except Exception as error:  # what others wrote may raise anything
        raise _broken(entry, f"cannot be loaded ({error})") from error
    if not isinstance(driver, Driver):
        raise _broken(entry, f"is broken: {entry.value} is no hardware.strips.Driver")
    return driver


def _broken(entry: "EntryPoint", problem: str) -> StripError:
    package = entry.dist.name if entry.dist else "no distribution"
    return StripError(
        f'driver "{entry.name}" of {package} {problem}',
        remedy=f"get {package} of another version, or set another driver",
        key="strip.driver",
    )
