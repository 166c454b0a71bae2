"""Fitting: what the settings ask for is checked whole, before any of it is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import Settings, load_settings
from companion.errors import SettingsError
from companion.fitting import fit


def settings(tmp_path: Path, text: str) -> Settings:
    """The settings of a file with this text."""
    file = tmp_path / "cribwars.toml"
    file.write_text(text, encoding="utf-8")
    return load_settings(file, {})


def faults(tmp_path: Path, text: str) -> str:
    """What is wrong with a file, a line each."""
    with pytest.raises(SettingsError) as refused:
        fit(settings(tmp_path, text))
    return str(refused.value)


def test_the_defaults_fit(tmp_path: Path) -> None:
    """Nothing set is a board, two sides and a virtual strip with an LED a hole, lane and lamp."""
    fitting = fit(settings(tmp_path, ""))
    assert ("crib-wars", (1, 2)) == (fitting.board.name, fitting.begun.setup.lanes)
    assert (1089 + 108 + 9,) == fitting.light.wiring.leds
    assert fitting.actions == {button: button for button in fitting.pins}


def test_all_faults_are_told_together_with_where_they_were_set(tmp_path: Path) -> None:
    """Wiring, strip, colours, actions and pins: a line each, with the file's name in front."""
    told = faults(
        tmp_path,
        """
        [wiring]
        bogus = 1
        [strip]
        driver = "rpi_ws281x:spj"
        [lights.colours]
        1 = "red"
        [panel.actions]
        dael = "deal"
        [panel.pins]
        "1.plus_one" = 5
        """,
    )
    lines = told.splitlines()
    assert all(line.startswith(f"{tmp_path / 'cribwars.toml'}: ") for line in lines)
    for words in ("wiring.bogus", "rpi_ws281x:spi", "'red'", "dael", "1.plus_five"):
        assert 1 == sum(words in line for line in lines), words


def test_a_budget_below_the_idle_current_is_refused(tmp_path: Path) -> None:
    """A supply that cannot feed the dark strip is refused before the first frame."""
    assert "1206 mA" in faults(tmp_path, "[strip]\nbudget_ma = 1000\n")


def test_a_button_cannot_have_a_pin_of_the_strip(tmp_path: Path) -> None:
    """The data pins of the driver that is set are not free for buttons."""
    text = '[strip]\ndriver = "rpi_ws281x:pcm"\n[panel.pins]\ndeal = 21\n'
    assert "pin 21 is in use for the strip" in faults(tmp_path, text)


def test_the_strips_pins_can_be_set(tmp_path: Path) -> None:
    """Another data pin frees the usual one."""
    text = '[strip]\ndriver = "rpi_ws281x:pwm"\npins = [12]\n[panel.pins]\ndeal = 18\n'
    assert (12,) == fit(settings(tmp_path, text)).light.strip.pins


def test_a_side_without_a_lane_is_refused(tmp_path: Path) -> None:
    """T1: a board of two lanes has no third side."""
    board = (Path(__file__).parents[2] / "companion/board/boards/classic.toml").read_text("utf-8")
    (tmp_path / "two.toml").write_text(board.replace("lanes = 3", "lanes = 2"), "utf-8")
    told = faults(tmp_path, f'board = "{tmp_path / "two.toml"}"\nteams = 3\n')
    assert "two.toml" in told or "2 lanes" in told
