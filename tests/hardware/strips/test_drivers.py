"""Drivers by name: built-in ones, and those that other distributions add."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

import pytest

from hardware.errors import StripError
from hardware.strips import StripSpec, VirtualStrip, driver_names, make_strip, read_options
from hardware.strips.drivers import DRIVERS, WITHOUT_HARDWARE
from hardware.strips.pio import PioStrip
from hardware.strips.protocol import CLOCKED, CODED, usual_order
from hardware.strips.rpi_ws281x import RpiStrip
from tests.hardware.strips.conformance import CHECKS, spec_for
from tests.support.fakepi import PI_5, FakePi, missing

SPEC = StripSpec(leds=(3,))

ADDED = """
from hardware.strips import Driver
from hardware.strips.protocol import NullStrip


class LoudStrip(NullStrip):
    def __init__(self, spec, host="", *, volume=1):
        super().__init__(spec)
        self.said = (host, volume)


loud = Driver(make=LoudStrip, options={"volume": int}, argument="host")
quiet = Driver(make=LoudStrip)
number = 7
"""
ENTRY_POINTS = """
[cribwars.strips]
loud = loud_strips:loud
quiet = loud_strips:quiet
number = loud_strips:number
absent = loud_strips:absent
raising = raising_strips:anything
"""

ON_A_PI: Final = {
    "rpi_ws281x:pwm": (("rpi_ws281x:pwm", FakePi()),),
    "rpi_ws281x:pcm": (("rpi_ws281x:pcm", FakePi()),),
    "rpi_ws281x:spi": (("rpi_ws281x:spi", FakePi()),),
    **{f"spi:{chip}": ((f"spi:{chip}", FakePi()),) for chip in CLOCKED},
    **{f"spi:{chip}": ((f"spi:{chip}", FakePi(board=PI_5)),) for chip in CODED},
    "neopixel": (("neopixel:18", FakePi()), ("neopixel:18", FakePi(board=PI_5))),
}
"""The drivers that need a Pi, each with how it is written and the machines it runs on."""
ANYWHERE: Final = {"virtual": "virtual", "null": "null", "pio": "pio:{directory}/leds0"}
"""Names of the other drivers; `directory` has a file called leds0."""


@pytest.fixture
def added_drivers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a distribution called loud-strips with some broken drivers."""
    info = tmp_path / "loud_strips-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: loud-strips\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "loud_strips.py").write_text(ADDED)
    (tmp_path / "raising_strips.py").write_text('raise OSError("libloud.so is missing")\n')
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for module in ("loud_strips", "raising_strips"):
        sys.modules.pop(module, None)


def refusal(name: str, **options: object) -> str:
    """Return the refusal of a name that makes no strip."""
    with pytest.raises(StripError) as refused:
        make_strip(name, SPEC, **options)
    return str(refused.value)


def test_a_name_makes_its_driver() -> None:
    """The name chooses the driver, the options go to it."""
    assert isinstance(make_strip("virtual", SPEC, keep=5), VirtualStrip)
    assert isinstance(make_strip("pio:/dev/leds0", SPEC), PioStrip)
    strip = make_strip("rpi_ws281x:pwm", SPEC, pins=(12,))
    assert isinstance(strip, RpiStrip)
    assert (12,) == strip.pins


def test_a_name_of_no_driver_is_refused_with_a_suggestion() -> None:
    """A misspelt name gets the nearest name, another one all names; an argument must fit."""
    refusals = {
        "vitrual": 'driver = "vitrual": there is no such driver; did you mean "virtual"?',
        "rpi_ws281x:pmw": 'did you mean "rpi_ws281x:pwm"?',
        "spi": 'did you mean "rpi_ws281x:spi"?',
        "spi:sk9282": 'did you mean "spi:sk9822"?',
        "poi:/dev/leds1": 'did you mean "pio"?',
        "neopixl": 'did you mean "neopixel"?',
        "": "set one of virtual, null,",
        "lamp:/dev/leds0": "neopixel:<pin>, pio:<device>",
        "pio": 'its device must follow after a colon; set driver = "pio:/dev/leds0"',
        "pio:": 'driver = "pio:": its device must',
        "neopixel": 'its pin must follow after a colon; set driver = "neopixel:18"',
        "virtual:x": 'nothing may follow "virtual"; set driver = "virtual"',
        "null:": 'nothing may follow "null"',
        "rpi_ws281x:pwm:18": 'nothing may follow "rpi_ws281x:pwm"',
    }
    assert {} == {name: text for name, text in refusals.items() if text not in refusal(name)}


def test_an_unknown_option_is_refused() -> None:
    """An option that the driver does not take is named, and those that it takes."""
    assert '"null" has no option pins; it has no options' in refusal("null", pins=(18,))
    text = refusal("rpi_ws281x:pwm", pin=18)
    assert "has no option pin; its options: pins" in text


def test_where_a_machines_files_lie_is_for_programs_alone(tmp_path: Path) -> None:
    """A program may examine a recorded machine, a command line may not."""
    for name in ("rpi_ws281x:spi", "neopixel:18", "pio:leds0"):
        make_strip(name, SPEC, root=tmp_path)
        with pytest.raises(StripError, match="has no option root"):
            read_options(name, {"root": str(tmp_path)})


def test_options_are_read_from_a_command_line() -> None:
    """The parsed options are accepted by `make_strip`."""
    rows: list[tuple[str, dict[str, str], dict[str, object], int]] = [
        ("rpi_ws281x:spi", {}, {}, 1),
        ("rpi_ws281x:pwm", {"pins": "18"}, {"pins": (18,)}, 1),
        ("rpi_ws281x:pwm", {"pins": "18+13"}, {"pins": (18, 13)}, 2),
        ("virtual", {"keep": "1"}, {"keep": 1}, 1),
        ("virtual", {"keep": "1000000"}, {"keep": 1_000_000}, 1),
    ]
    for name, texts, options, channels in rows:
        assert options == read_options(name, texts)
        make_strip(name, StripSpec(leds=(3,) * channels), **options)


def test_options_that_cannot_be_read_are_refused() -> None:
    """A text that is no value, and an option or a driver that does not exist."""
    rows: list[tuple[str, dict[str, str], str]] = [
        ("rpi_ws281x:pwm", {"pins": "GPIO18"}, 'option pins = "GPIO18" cannot be read: write BCM'),
        ("rpi_ws281x:pwm", {"pins": "18,13"}, 'such as "18", or "18\\+13" for two channels'),
        ("rpi_ws281x:pwm", {"pins": "9" * 5000}, "write BCM numbers"),
        ("virtual", {"keep": "-1"}, "write a whole number from 1 to 1000000"),
        ("virtual", {"keep": "0"}, "write a whole number from 1 to 1000000"),
        ("virtual", {"keep": "1000001"}, "write a whole number from 1 to 1000000"),
        ("virtual", {"keep": "9" * 5000}, "write a whole number from 1 to 1000000"),
        ("virtual", {"pins": "18"}, '"virtual" has no option pins; its options: keep'),
        ("vitrual", {}, 'did you mean "virtual"'),
    ]
    for name, texts, text in rows:
        with pytest.raises(StripError, match=text):
            read_options(name, texts)


@pytest.mark.usefixtures("added_drivers")
def test_a_distribution_adds_a_driver() -> None:
    """Its entry point makes the strip, with argument and options as for a built-in one."""
    options = read_options("loud:stage:7", {"volume": "11"})
    strip = make_strip("loud:stage:7", SPEC, **options)
    assert ("stage:7", 11) == getattr(strip, "said", None)
    assert {"loud", "quiet"} <= set(driver_names())
    assert 'its host must follow after a colon; set driver = "loud:<host>"' in refusal("loud")
    assert 'nothing may follow "quiet"' in refusal("quiet:stage")
    assert '"quiet" has no option volume' in refusal("quiet", volume=1)


@pytest.mark.usefixtures("added_drivers")
def test_a_broken_added_driver_names_its_distribution() -> None:
    """The error names the package to install."""
    for name, text in (
        ("absent", "cannot be loaded (module 'loud_strips' has no attribute 'absent')"),
        ("raising", "cannot be loaded (libloud.so is missing)"),
        ("number", "is broken: loud_strips:number is no hardware.strips.Driver"),
    ):
        assert f'strip.driver: driver "{name}" of loud-strips {text}; ' in refusal(name)


def test_a_built_in_driver_costs_the_start_nothing_of_the_others() -> None:
    """Neither the import nor a strip made loads another driver or looks for distributions."""
    program = """
import sys
from hardware.strips import StripSpec, make_strip
make_strip("virtual", StripSpec(leds=(1,)))
heavy = {"board", "neopixel", "importlib.metadata", "_rpi_ws281x"}
heavy |= {f"hardware.strips.{name}" for name in ("neopixel", "pio", "rpi_ws281x")}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ("[]\n", "") == (done.stdout, done.stderr)


def test_the_drivers_without_hardware_are_those_that_open_where_there_is_none(
    tmp_path: Path,
) -> None:
    """In an empty tree of files only `WITHOUT_HARDWARE` can show light."""
    opened = set()
    for name, driver in DRIVERS.items():
        options = {"root": tmp_path} if "root" in driver.internal else {}
        argument = f":{driver.example}" if driver.argument else ""
        kind = driver.types[0]
        spec = StripSpec(leds=(3,), type=kind, order=usual_order(kind))
        with suppress(StripError), ExitStack() as stack:
            strip = make_strip(name + argument, spec, **options)
            stack.callback(strip.close)
            strip.open()
            opened.add(name)
    assert WITHOUT_HARDWARE == opened


# Every driver is a strip like the others; those of a Pi's pins show it on a fake Pi.
#
# The tests run over the registry: a driver that nothing here knows how to run fails them.


@pytest.mark.parametrize("name", [name for name in DRIVERS if name not in ON_A_PI])
def test_a_driver_without_hardware_conforms(name: str, tmp_path: Path) -> None:
    """A fake is as strict as the real driver, and a device may be a file."""
    (tmp_path / "leds0").touch()
    written = ANYWHERE[name].format(directory=tmp_path)
    for check in CHECKS:
        check(lambda: make_strip(written, spec_for(name)))


@pytest.mark.emulator(lacks=missing())
@pytest.mark.parametrize(
    ("name", "pi"),
    [
        pytest.param(written, pi, id=f"{written}-pi-{pi.board}")
        for name in DRIVERS
        for written, pi in ON_A_PI.get(name, ())
    ],
)
def test_a_driver_of_a_pi_conforms(name: str, pi: FakePi) -> None:
    """The real library's driver keeps the same rules, and its process ends well."""
    outcome = pi.run("tests.hardware.strips.conformance", name)
    assert (0, f"{len(CHECKS)} checks\n") == (outcome.code, outcome.out), outcome.err
