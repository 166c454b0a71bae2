"""Findings about the strip's packages and supplies."""

import re
import sys
from importlib import invalidate_caches
from pathlib import Path

import pytest

from companion.devices.doctor.finding import Level
from companion.devices.doctor.strip import driver_findings, package_findings, supply_findings
from hardware.pi import Machine, read_machine
from hardware.strips import StripSpec
from tests.support.machines import record
from tests.support.program import ROOT

FIVES = "adafruit_raspberry_pi5_neopixel_write"


@pytest.mark.parametrize(
    ("here", "modules", "remedy"),
    [
        (
            ("4b", "rpi_ws281x:spi"),
            ["_rpi_ws281x"],
            "the Debian package contains it; otherwise run .venv/bin/pip install -e '.[pi]",
        ),
        (("zero-w", "neopixel:18"), ["neopixel", "gpiod", "_rpi_ws281x"], "install -e '.[pi]'"),
        (("5", "neopixel:18"), ["neopixel", "gpiod", FIVES], "install -e '.[pi5]' in a copy"),
        (("pc", "neopixel:18"), ["neopixel"], "install -e '.[pi]'"),
    ],
)
def test_a_package_that_is_not_installed(
    here: tuple[str, str],
    modules: list[str],
    remedy: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """The board's driver needs its modules, which are looked up but not imported."""
    for module in modules:
        monkeypatch.delitem(sys.modules, module, raising=False)
    machine = read_machine(record(tmp_path / "machine", here[0]))
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    (found,) = package_findings(machine, here[1])
    assert (Level.FIX, True) == (found.level, remedy in str(found.remedy))
    assert str(found.why).endswith(f" {', '.join(modules)}")
    for module in modules:
        (tmp_path / f"{module}.py").write_text("raise RuntimeError('imported')\n")
    invalidate_caches()
    assert [] == list(package_findings(machine, here[1]))


def test_drivers_that_need_no_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """They are not looked up, nor are packages for a driver that cannot run here."""
    others = [read_machine(record(tmp_path / name, name)) for name in ("pc", "5")]
    monkeypatch.setattr("sys.path", [])
    monkeypatch.delitem(sys.modules, "_rpi_ws281x", raising=False)
    for driver in ("virtual", "null", "pio:/dev/leds0", "serial:auto"):
        assert [] == list(package_findings(Machine(), driver))
    assert [[], []] == [list(package_findings(here, "rpi_ws281x:spi")) for here in others]


def test_the_share_of_full_white() -> None:
    """It is the current above 1 mA an LED in parts of 54.9 mA, at most all of it."""
    shares = {363: 0, 363 + 363 * 54.9 / 4: 25, 363 * 55.9: 100, 100_000: 100}
    for budget, share in shares.items():
        (found,) = supply_findings(StripSpec(leds=(363,)), budget)
        assert (Level.OK if share else Level.NOTE) == found.level
        assert f"allows {share}% of full white" in str(found.why)
        assert "would draw 20.3 A" in str(found.why)


def test_a_supply_that_leaves_little_light_is_a_note() -> None:
    """The remedy is a sufficient supply from the wiring guide's table."""
    guide = (ROOT / "deploy/wiring.md").read_text(encoding="utf-8")
    rows = ((1206, 2000, 4000), (402, 1000, 2000), (372, 1000, 2000), (124, 300, 1000))
    for leds, usual, enough in rows:
        (found,) = supply_findings(StripSpec(leds=(leds,)), usual)
        assert Level.NOTE is found.level
        assert f"set budget_ma = {enough}: " in str(found.remedy)
        (found,) = supply_findings(StripSpec(leds=(leds,)), enough)
        assert (Level.OK, "") == (found.level, str(found.remedy))
        assert re.search(rf"^\| .* \| about [0-9,]+ \|.*\| {enough} \|", guide, re.MULTILINE)


def test_a_supply_a_channel() -> None:
    """Each channel's LEDs have their own budget; white counts if they have it."""
    spec = StripSpec(leds=(100, 10), type="sk6812w", order="GRBW")
    one, other = supply_findings(spec, (100.0, 742.0))
    assert "for the 100 LEDs of channel 0" in str(one.what)
    assert "allows 0% of full white" in str(one.why)
    assert "for the 10 LEDs of channel 1" in str(other.what)
    assert "allows 100% of full white" in str(other.why)


def test_a_driver_behind_a_cable_is_no_matter_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A strip on no pin of the machine is in order on any machine."""
    info = tmp_path / "far_strips-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: far-strips\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[cribwars.strips]\nfar = far_strips:driver\n")
    (tmp_path / "far_strips.py").write_text(
        "from hardware.strips.drivers import DRIVERS\ndriver = DRIVERS['null']\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("pc", "5"):
        machine = read_machine(record(tmp_path / name, name))
        assert Level.OK is next(driver_findings(machine, "far", None)).level


def test_nothing_good_is_said_of_a_driver_that_is_none(tmp_path: Path) -> None:
    """The settings' finding has the fault; this one names a possible driver."""
    better = "spi:ws2812b"
    for name in ("5", "4b"):
        machine = read_machine(record(tmp_path / name, name))
        for driver in ("rpi_ws281x:spj", "pio", "virtual:x", "rpi"):
            found = next(driver_findings(machine, driver, None))
            assert (Level.NOTE, True) == (found.level, f'driver = "{better}"' in str(found.remedy))


def test_no_paragraph_comes_twice(tmp_path: Path) -> None:
    """A cause for several drivers is named once."""
    machine = read_machine(record(tmp_path, "5"))
    for driver in ("rpi_ws281x:spi", "pio:/dev/leds0", "virtual"):
        reported = [found.why for found in driver_findings(machine, driver, None)]
        assert len(set(reported)) == len(reported)


def test_a_file_that_stands_in_for_a_strip(tmp_path: Path) -> None:
    """It is a note on any machine; a missing path or a folder needs a fix."""
    (tmp_path / "strips").mkdir()
    (tmp_path / "strips/file").touch()
    levels = {"/strips/file": "note", "/strips/none": "fix", "/strips": "fix"}
    for name in ("pc", "4b", "5"):
        here = read_machine(record(tmp_path / name, name))
        for path, level in levels.items():
            found = next(driver_findings(here, f"pio:{path}", None, tmp_path))
            assert level == found.level
            assert "overlay" not in str(found.remedy)
