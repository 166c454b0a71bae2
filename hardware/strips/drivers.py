"""Registry of strip drivers by name, both built-in drivers and drivers of other Python packages.

A driver's name may end in an argument after a colon: "pio:/dev/leds0" is the driver "pio" with that
device. Another package adds a driver with an entry point in the group `cribwars.strips`. The entry
point has the driver's name and refers to a `Driver`. To keep the start fast, entry points are
read only for a name that is not built in. A driver's module is imported when a strip is made.

>>> make_strip("virtual", StripSpec(leds=(3,)), keep=2)  # doctest: +ELLIPSIS
<hardware.strips.protocol.VirtualStrip object at ...>
>>> read_options("rpi_ws281x:pwm", {"pins": "18+13"})
{'pins': (18, 13)}
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from hardware.errors import StripError, Text, driver_error, nearest_remedy
from hardware.strips.protocol import CLOCKED, CODED, COLOURS, ONE_WIRE, Pacer, Strip, StripSpec
from hardware.strips.scale import CURRENT_MAX

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "cribwars.strips"

WITHOUT_HARDWARE: Final = frozenset({"virtual", "null"})
USB_MA: Final = 500  # milliamperes for a strip that a USB port feeds through a microcontroller
_MAX_FRAMES_KEPT: Final = 1_000_000
_MAX_MHZ: Final = 40
_WITH_CURRENT: Final = ("apa102", "sk9822", "hd107s")
_MACHINE_OPTIONS: Final = frozenset({"root"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """Entry of the registry: makes the strips of one driver from an argument and options.

    Args:
        make: called with the `StripSpec`, the argument if there is one, and options by keyword.
        options: a parser for each option's text; a ValueError of a parser says what to write.
        argument: name of the part after the colon, such as "device"; "" if nothing follows.
        example: an example of the argument, for messages.
        default: the argument used if a name has none; "" if such a name is an error.
        internal: options that programs can set, but command lines cannot.
        types: types of strip that the driver drives.
        usb_ma: milliamperes for a strip that the driver's USB port feeds; None without a USB port.
    """

    make: Callable[..., Strip]
    options: Mapping[str, Callable[[str], object]] = field(default_factory=dict)
    argument: str = ""
    example: str = ""
    default: str = ""
    internal: frozenset[str] = frozenset()
    types: Sequence[str] = tuple(COLOURS)
    usb_ma: int | None = None


def make_strip(name: str, spec: StripSpec, **options: object) -> Strip:
    """Return a strip of the driver with this name; the strip is not open yet.

    Raises:
        StripError: the name or an option is unknown, or the driver cannot drive the strip.
    """
    driver, arguments = _find(name)
    _check_options(name, driver, options.keys() - driver.internal)
    if spec.type not in driver.types:
        text = 'strip driver "{name}" cannot drive type = "{type}"'
        remedy = _fitting(spec.type, driver)
        raise StripError(text, name=name, type=spec.type, remedy=remedy, key="strip.type")
    return driver.make(spec, *arguments, **options)


def read_options(name: str, texts: Mapping[str, str]) -> dict[str, object]:
    """Parse a driver's options, which a command line gives as texts.

    Raises:
        StripError: the name or an option is unknown, or a text cannot be parsed.
    """
    driver, _ = _find(name)
    _check_options(name, driver, texts)
    return {option: _read(driver, option, text) for option, text in texts.items()}


def find_driver(name: str) -> Driver:
    """Return the driver with this name.

    Raises:
        StripError: the name is unknown or lacks its argument.
    """
    return _find(name)[0]


def only_type(name: str) -> str:
    """Return the only type of strip that a driver drives; "" if it drives several or is unknown.

    >>> only_type("spi:apa102"), only_type("virtual")
    ('apa102', '')
    """
    driver = DRIVERS.get(name)
    types = driver.types if driver else ()
    return types[0] if len(types) == 1 else ""


def driver_names() -> tuple[str, ...]:
    """Return all names; a built-in driver's name shows its argument: "neopixel:<pin>"."""
    built_in = (_written(stem, driver, f"<{driver.argument}>") for stem, driver in DRIVERS.items())
    return (*built_in, *(entry.name for entry in _entry_points()))


def driver_stems() -> tuple[str, ...]:
    """Return each driver's name, with a colon if an argument follows, such as "pio:"."""
    return tuple(name.partition("<")[0] for name in driver_names())


def from_module(module: str, name: str, **fixed: object) -> Callable[..., Strip]:
    """Return a factory that imports the module, then calls its class `name`."""

    def make(spec: StripSpec, *arguments: str, **options: object) -> Strip:
        strip_class = getattr(import_module(module), name)
        return cast("Strip", strip_class(spec, *arguments, **fixed, **options))

    return make


def paced(module: str, name: str) -> Callable[..., Strip]:
    """Return a factory like that of `from_module`; it also passes a real-time `Pacer`."""

    def make(spec: StripSpec, *arguments: str, **options: object) -> Strip:
        pacer = Pacer(time.monotonic, time.sleep)
        return from_module(module, name, pacer=pacer)(spec, *arguments, **options)

    return make


def _pins(text: str) -> tuple[int, ...]:
    pins = text.split("+")
    if not all(re.fullmatch("[0-9]{1,2}", pin) for pin in pins):
        raise ValueError('write BCM numbers, such as "18", or "18+13" for two channels')
    return tuple(map(int, pins))


def _whole_number(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        # For thousands of digits int() would raise a ValueError with a text of its own.
        number = int(text) if text.isdecimal() and len(text) <= len(str(high)) else 0
        if not low <= number <= high:
            raise ValueError(Text("write a whole number from {low} to {high}", low=low, high=high))
        return number

    return parse


def _rpi(mode: str) -> Driver:
    return Driver(
        make=from_module("hardware.strips.rpi_ws281x", "RpiStrip", mode=mode),
        options={"pins": _pins},
        internal=_MACHINE_OPTIONS,
        types=ONE_WIRE,
    )


def _clocked(chip: str) -> Driver:
    options = {"mhz": _whole_number(1, _MAX_MHZ)}
    if chip in _WITH_CURRENT:
        options["lowest_current"] = _whole_number(1, CURRENT_MAX)
    return Driver(
        make=from_module("hardware.strips.spi", "ClockedStrip", chip=chip),
        options=options,
        internal=_MACHINE_OPTIONS,
        types=(chip,),
    )


def _coded(kind: str) -> Driver:
    return Driver(
        make=from_module("hardware.strips.spi", "CodedStrip"),
        internal=_MACHINE_OPTIONS,
        types=(kind,),
    )


DRIVERS: Final[Mapping[str, Driver]] = {
    "virtual": Driver(
        make=from_module("hardware.strips.protocol", "VirtualStrip", clock=time.monotonic),
        options={"keep": _whole_number(1, _MAX_FRAMES_KEPT)},
    ),
    "null": Driver(make=from_module("hardware.strips.protocol", "NullStrip")),
    "rpi_ws281x:pwm": _rpi("pwm"),
    "rpi_ws281x:pcm": _rpi("pcm"),
    "rpi_ws281x:spi": _rpi("spi"),
    "neopixel": Driver(
        make=paced("hardware.strips.neopixel", "NeopixelStrip"),
        internal=_MACHINE_OPTIONS,
        argument="pin",
        example="18",
        types=ONE_WIRE,
    ),
    "pio": Driver(
        make=paced("hardware.strips.pio", "PioStrip"),
        internal=_MACHINE_OPTIONS,
        argument="device",
        example="/dev/leds0",
        types=ONE_WIRE,
    ),
    **{f"spi:{chip}": _clocked(chip) for chip in CLOCKED},
    **{f"spi:{kind}": _coded(kind) for kind in CODED},
}
"""Built-in drivers by name, without the argument."""


def _find(name: str) -> tuple[Driver, tuple[str, ...]]:
    stem = _stem(name, DRIVERS)
    if stem is not None:
        return _with_argument(name, stem, DRIVERS[stem])
    added = {entry.name: entry for entry in _entry_points()}
    stem = _stem(name, added)
    if stem is None:
        raise driver_error(name, "there is no such driver", remedy=_suggestion(name))
    return _with_argument(name, stem, _load(added[stem]))


def _stem(name: str, known: Mapping[str, object]) -> str | None:
    stems = [stem for stem in known if f"{name}:".startswith(f"{stem}:")]
    return max(stems, key=len, default=None)


def _with_argument(name: str, stem: str, driver: Driver) -> tuple[Driver, tuple[str, ...]]:
    argument = name[len(stem) + 1 :] or driver.default
    if not driver.argument and name != stem:
        text, remedy = 'nothing may follow "{stem}"', Text('set driver = "{stem}"', stem=stem)
        raise driver_error(name, text, stem=stem, remedy=remedy)
    if driver.argument and not argument:
        written = _written(stem, driver, driver.example or f"<{driver.argument}>")
        text = "its {argument} must follow after a colon"
        remedy = Text('set driver = "{written}" or the like', written=written)
        raise driver_error(name, text, argument=driver.argument, remedy=remedy)
    return driver, (argument,) if driver.argument else ()


def _written(stem: str, driver: Driver, argument: str) -> str:
    return f"{stem}:{argument}" if driver.argument else stem


def _check_options(name: str, driver: Driver, options: Iterable[str]) -> None:
    for option in sorted(options):
        if option not in driver.options:
            taken = ", ".join(sorted(driver.options))
            remedy = (
                Text("its options: {taken}", taken=taken) if taken else Text("it has no options")
            )
            text = 'strip driver "{name}" has no option {option}'
            raise StripError(text, name=name, option=option, remedy=remedy, key=f"strip.{option}")


def _fitting(kind: str, driver: Driver) -> Text:
    if len(driver.types) == 1:
        return Text('set type = "{types}", or leave it out', types=driver.types[0])
    return Text(
        'set driver = "spi:{kind}", or set the type of a strip without a clock line', kind=kind
    )


def _read(driver: Driver, option: str, text: str) -> object:
    try:
        return driver.options[option](text)
    except ValueError as error:
        problem = 'strip option {option} = "{text}" cannot be read: {error}'
        raise StripError(problem, option=option, text=text, error=error) from error


def _suggestion(name: str) -> Text:
    kind = name.partition(":")[0]
    for stem in DRIVERS:
        if name and stem.endswith(f":{name}"):
            return Text('did you mean "{stem}"?', stem=stem)
    if alike := [stem for stem in DRIVERS if stem.startswith(f"{kind}:")]:
        return nearest_remedy(name, alike, Text("set one of {alike}", alike=", ".join(alike)))
    taking = [stem for stem, driver in DRIVERS.items() if driver.argument]
    everything = Text("set one of {names}", names=", ".join(driver_names()))
    return nearest_remedy(kind, taking, nearest_remedy(name, DRIVERS, everything))


def _entry_points() -> tuple[EntryPoint, ...]:
    # This import takes longer than the imports of all drivers together, and it is seldom needed.
    metadata = import_module("importlib.metadata")
    return tuple(metadata.entry_points(group=GROUP))


def _load(entry: EntryPoint) -> Driver:
    try:
        driver = entry.load()
    except Exception as error:  # foreign code may raise anything
        raise _broken(entry, Text("cannot be loaded ({error})", error=error)) from error
    if not isinstance(driver, Driver):
        text = "is broken: {object} is no hardware.strips.Driver"
        raise _broken(entry, Text(text, object=entry.value))
    return driver


def _broken(entry: EntryPoint, problem: Text) -> StripError:
    package = entry.dist.name if entry.dist else "no distribution"
    remedy = Text("install another version of {package}, or set another driver", package=package)
    text, values = 'driver "{name}" of {package} {fault}', {"package": package, "fault": problem}
    return StripError(text, remedy=remedy, key="strip.driver", name=entry.name, **values)
