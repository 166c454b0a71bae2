"""The settings in docs/building.md are valid."""

import re
from pathlib import Path

import pytest

from companion.devices.assembly import assemble
from companion.settings.load import load_settings

GUIDE = (Path(__file__).parents[2] / "docs" / "building.md").read_text(encoding="utf-8")
EXAMPLES = [
    text
    for text in re.findall(r"^```toml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    if "[wiring]" in text
]
LEDS = [(605, 601), (399 + 9,), (173, 230)]


@pytest.mark.parametrize(("text", "leds"), list(zip(EXAMPLES, LEDS, strict=True)))
def test_each_example_of_a_wiring_fits(tmp_path: Path, text: str, leds: tuple[int, ...]) -> None:
    """In a settings file each example is without a fault, and has the stated number of LEDs."""
    file = tmp_path / "cribwars.toml"
    file.write_text(text, encoding="utf-8")
    assert leds == assemble(load_settings(file, {})).light.wiring.leds
