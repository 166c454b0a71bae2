"""The pins of the buttons, as the doctor finds them."""

from pathlib import Path

import pytest

from companion.buttons import DEFAULT_PINS
from companion.devices.doctor.finding import Finding, Level
from companion.devices.doctor.pins import pin_findings
from hardware.pi import read_machine
from tests.support.fake_lgpio import FakeChip, chip
from tests.support.machines import record

__all__ = ["chip"]


def findings(folder: Path, machine: str = "3b+") -> list[Finding]:
    """Return the findings about the default pins of a recorded machine."""
    return [*pin_findings(read_machine(record(folder, machine)), DEFAULT_PINS)]


def test_pins_that_can_be_used(tmp_path: Path, chip: FakeChip) -> None:
    """Each is opened and released again."""
    (found,) = findings(tmp_path)
    assert (Level.OK, {}) == (found.level, chip.watched)


def test_pins_that_something_else_has(tmp_path: Path, chip: FakeChip) -> None:
    """One is to be mended; those of another program with lgpio may be those of a table."""
    chip.users |= {4: "onewire@4", 5: "lg", 27: "lg"}
    busy, held = findings(tmp_path)
    assert (Level.FIX, "button 1.plus_one: pin 4 is in use by onewire@4") == (busy.level, busy.why)
    assert (Level.NOTE, True) == (held.level, held.why.startswith("the pins 5, 27 are in use by"))


def test_a_pi_without_gpio_is_to_be_mended(
    tmp_path: Path, chip: FakeChip, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a Pi mock pins are dead buttons, unless they were asked for; elsewhere all there is."""
    chip.is_there = False
    (found,) = findings(tmp_path / "pi")
    none = "mock panel: no GPIO here (can not open gpiochip)"
    assert (Level.FIX, none) == (found.level, found.why)
    assert "/dev/gpiochip0" in found.remedy
    assert [Level.NOTE] == [each.level for each in findings(tmp_path / "pc", "pc")]
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert [Level.NOTE] == [each.level for each in findings(tmp_path / "pi")]
