"""The guides docs/bridge.md and docs/building.md have valid settings and the firmware's pins."""

import re
from pathlib import Path
from textwrap import dedent

import pytest

from companion.buttons import BUTTONS, DEFAULT_PLACES
from companion.devices.assembly import assemble
from companion.settings.load import load_settings
from tests.support.simavr_harness import MEGA, UNO

GUIDE = (Path(__file__).parents[2] / "docs" / "bridge.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^ *```toml\n(.*?)^ *```", GUIDE, re.MULTILINE | re.DOTALL)
UNO_PINS = {f"D{n}": str(n) for n in range(2, 8)}
UNO_PINS |= {f"B{n}": str(n + 8) for n in range(1, 5)} | {f"C{n}": f"A{n}" for n in range(6)}
MEGA_PINS = {f"A{n}": str(22 + n) for n in range(8)} | {f"C{n}": str(37 - n) for n in range(8)}


@pytest.mark.parametrize("text", EXAMPLES)
def test_each_example_fits(tmp_path: Path, text: str) -> None:
    """In a settings file each example is without a fault."""
    file = tmp_path / "cribwars.toml"
    file.write_text(dedent(text), encoding="utf-8")
    assert assemble(load_settings(file, {})).board_port == "auto"


def test_the_pins_are_those_of_the_firmware() -> None:
    """Each number is the button's pin on an Uno and a Mega, as the emulators have it."""
    rows = re.findall(
        r"^\| ((?:Side|Deal).*?) \| ([\d to,]+) \| (.*?) \| (.*?) \|", GUIDE, re.MULTILINE
    )
    numbers = [number for row in rows for number in _listed(row[1])]
    labels = [label for row in rows for label in row[0].rpartition(": ")[2].split(", ")]
    buttons = [(BUTTONS[name].action.label, str(n)) for name, n in DEFAULT_PLACES.items()]
    assert buttons == list(zip(labels, numbers, strict=True))
    for column, kind, names in ((2, UNO, UNO_PINS), (3, MEGA, MEGA_PINS)):
        reported = [pin for row in rows for pin in _listed(row[column])]
        assert [names[pin] for pin in kind.pins[:14]] == reported


def _listed(text: str) -> list[str]:
    """Parse the numbers of "0 to 3" or "4, 5"."""
    first, to, last = text.partition(" to ")
    return [str(n) for n in range(int(first), int(last) + 1)] if to else text.split(", ")


# docs/building.md


BUILDING = (Path(__file__).parents[2] / "docs" / "building.md").read_text(encoding="utf-8")
STRIPS = [
    text
    for text in re.findall(r"^```toml\n(.*?)^```", BUILDING, re.MULTILINE | re.DOTALL)
    if "[wiring]" in text
]
LEDS = [(605, 601), (399 + 9,), (173, 230)]


@pytest.mark.parametrize(("text", "leds"), list(zip(STRIPS, LEDS, strict=True)))
def test_each_example_of_a_wiring_fits(tmp_path: Path, text: str, leds: tuple[int, ...]) -> None:
    """In a settings file each example is without a fault, and has the stated number of LEDs."""
    file = tmp_path / "cribwars.toml"
    file.write_text(text, encoding="utf-8")
    assert leds == assemble(load_settings(file, {})).light.wiring.leds
