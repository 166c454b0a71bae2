"""The palette: colours from settings, and the warning about two that look alike."""

import numpy as np
import pytest

from companion.board.zone_kinds import ZoneKind
from companion.errors import CompanionError, SettingsError
from companion.lights import Palette, look_alikes
from companion.lights.colour import linear


def test_the_default_colours_are_distinguished_by_every_eye() -> None:
    """Three sides, red, blue and green all differ, bright or dim."""
    assert [] == look_alikes(Palette.make())


def test_settings_change_single_sides() -> None:
    """Other sides keep their colours; keys may be texts, as in TOML."""
    palette = Palette.make({"2": "#00ffff"})
    assert linear("#00ffff").tolist() == palette.side(2).tolist()
    assert Palette.make().side(1).tolist() == palette.side(1).tolist()
    assert Palette.make({2: "#00ffff"}).sides == palette.sides


def test_all_bad_colours_are_reported_at_once() -> None:
    """One error has all faults, each with key and remedy."""
    with pytest.raises(SettingsError) as caught:
        Palette.make({"1": "amber", "4": "#ffffff", "3": "#12345"})
    assert 3 == len(caught.value.faults)
    assert "lights.colours.1: 'amber' is no colour" in str(caught.value.faults[0])
    assert "lights.colours.4: no such side" in str(caught.value.faults[1])
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, CompanionError)


def test_two_colours_that_look_alike() -> None:
    """Each warning names both colours and the eyes that confuse them."""
    rows: list[tuple[dict[int, str], tuple[str, str], str]] = [
        ({1: "#ff1800"}, ("side 1", "the red zones"), ""),
        ({3: "#a000ff"}, ("Anna", "the blue zones"), "to protan eyes"),
        ({2: "#f8f8ff", 3: "#ffffff"}, ("side 2", "Anna"), ""),
        ({1: "#90a000"}, ("side 1", "the red zones"), "to deutan eyes"),
        ({1: "#30a000"}, ("side 1", "the green zones"), "to tritan eyes"),
    ]
    for sides, two, eyes in rows:
        found = map(str, look_alikes(Palette.make(sides), {3: "Anna"}))
        (warning,) = [text for text in found if all(name in text for name in two)]
        assert eyes in warning


def test_no_two_default_colours_share_a_pixel_while_they_keep_their_steps() -> None:
    """Five steps distinguish all seven on every strip; with four trap and box are equal."""
    palette = Palette.make()
    assert 5 == palette.distinct_steps()
    trap, box = palette.zone(ZoneKind.TIME_TRAP), palette.zone(ZoneKind.PENALTY_BOX)
    assert np.array_equal(np.rint(trap * 4), np.rint(box * 4))
    colours = [*map(palette.side, (1, 2, 3)), *map(palette.zone, ZoneKind)]
    for steps in range(5, 256):
        pixels = {tuple(np.rint(colour * steps)) for colour in colours}
        assert len(colours) == len(pixels), steps


def test_dim_amber_turns_red() -> None:
    """A colour is also judged by its whole steps at the lowest brightness."""
    warnings = look_alikes(Palette.make({1: "#ff3300"}))
    assert any("side 1" in text and "red zones" in text for text in map(str, warnings))
    assert any("at 5% brightness" in str(text) for text in warnings)


def test_zone_colours_are_red_blue_green_and_violet_blue() -> None:
    """Each kind of zone is brightest in its printed colour."""
    palette = Palette.make()
    printed = {
        ZoneKind.RED_SLIDE: 0,
        ZoneKind.TIME_TRAP: 2,
        ZoneKind.GREEN_ADVANCE: 1,
        ZoneKind.PENALTY_BOX: 2,
    }
    assert printed == {kind: int(palette.zone(kind).argmax()) for kind in printed}
