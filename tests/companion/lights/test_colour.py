"""Colours and the palette: conversion, difference, colour-blind eyes, and colours from settings."""

from itertools import pairwise, product

import numpy as np
import pytest

from companion.board.zone_kinds import ZoneKind
from companion.errors import CompanionError, SettingsError
from companion.lights import Palette, look_alikes
from companion.lights.colour import (
    CANDIDATES,
    EYES,
    ROUNDS,
    Lab,
    White,
    candidates,
    chosen,
    ciede2000,
    lab,
    linear,
    patches,
)

# Conversion, difference and colour-blind eyes, compared with published numbers


SHARMA: list[tuple[Lab, Lab, float]] = [
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
    ((50.0, 3.1571, -77.2803), (50.0, 0.0, -82.7485), 2.8615),
    ((50.0, 2.8361, -74.0200), (50.0, 0.0, -82.7485), 3.4412),
    ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0000),
    ((50.0, -1.1848, -84.8006), (50.0, 0.0, -82.7485), 1.0000),
    ((50.0, -0.9009, -85.5211), (50.0, 0.0, -82.7485), 1.0000),
    ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ((50.0, -1.0, 2.0), (50.0, 0.0, 0.0), 2.3669),
    ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0009), 7.1792),
    ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0010), 7.1792),
    ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0011), 7.2195),
    ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0012), 7.2195),
    ((50.0, -0.0010, 2.4900), (50.0, 0.0009, -2.4900), 4.8045),
    ((50.0, -0.0010, 2.4900), (50.0, 0.0011, -2.4900), 4.7461),
    ((50.0, 2.5000, 0.0), (50.0, 0.0, -2.5000), 4.3065),
    ((50.0, 2.5000, 0.0), (73.0, 25.0, -18.0), 27.1492),
    ((50.0, 2.5000, 0.0), (61.0, -5.0, 29.0), 22.8977),
    ((50.0, 2.5000, 0.0), (56.0, -27.0, -3.0), 31.9030),
    ((50.0, 2.5000, 0.0), (58.0, 24.0, 15.0), 19.4535),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((63.0109, -31.0961, -5.8663), (62.8187, -29.7946, -4.0864), 1.2630),
    ((61.2901, 3.7196, -5.3901), (61.4292, 2.2480, -4.9620), 1.8731),
    ((35.0831, -44.1164, 3.7933), (35.0232, -40.0716, 1.5901), 1.8645),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((36.4612, 47.8580, 18.3852), (36.2715, 50.5065, 21.2231), 1.4146),
    ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ((90.9257, -0.5406, -0.9208), (88.6381, -0.8985, -0.7239), 1.5381),
    ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]


def test_ciede2000_agrees_with_the_published_pairs() -> None:
    """The data of Sharma, Wu and Dalal agree to four places, in both directions."""
    expected = pytest.approx([apart for *_, apart in SHARMA], abs=5e-5)
    assert expected == [ciede2000(one, other) for one, other, _ in SHARMA]
    assert expected == [ciede2000(other, one) for one, other, _ in SHARMA]


def test_hex_is_srgb() -> None:
    """It has the curve of IEC 61966-2-1: a linear part and a power."""
    greys = {"#ffffff": 1.0, "#000000": 0.0, "#808080": 0.2158605, "#0a0a0a": 0.0030353}
    expected = {text: pytest.approx([light] * 3, abs=1e-6) for text, light in greys.items()}
    assert expected == {text: linear(text).tolist() for text in greys}


def test_anything_else_is_no_colour() -> None:
    """A colour is # and six hexadecimal digits."""
    for text in ("", "amber", "#fff", "#gggggg", "ffb000", "#ffb000 ", "#ffb00"):
        with pytest.raises(ValueError, match="six hexadecimal digits"):
            linear(text)


def test_lab_of_known_colours() -> None:
    """White is L* 100 without colour; sRGB red has its published value (D65)."""
    for text, expected in (("#ffffff", (100.0, 0.0, 0.0)), ("#ff0000", (53.24, 80.09, 67.20))):
        assert expected == pytest.approx(lab(linear(text).astype(float)), abs=0.02)


def test_every_eye_sees_grey_as_grey() -> None:
    """Machado's matrices keep greys: each row has the sum 1."""
    sums = {eye: matrix.sum(axis=1).tolist() for eye, matrix in EYES.items()}
    assert dict.fromkeys(EYES, pytest.approx([1.0] * 3, abs=2e-6)) == sums


def test_the_middle_each_time_changes_nothing() -> None:
    """Red, green and blue stay as they are."""
    assert (1.0, 1.0, 1.0) == chosen([2] * ROUNDS)


def test_every_white_can_be_set() -> None:
    """The largest part is 1, and the least is within the setting's limits."""
    for choices in product(range(CANDIDATES), repeat=ROUNDS):
        white = chosen(choices)
        assert 1.0 == max(white)
        assert 0.2 <= min(white)


def distance(one: White, other: White) -> float:
    """Return the largest difference of two whites, in doublings."""
    ratios = np.log2(np.array(one) / np.array(other))
    return float(np.ptp(ratios))


def test_somebody_with_good_eyes_finds_the_white_of_a_strip() -> None:
    """The nearest choices end within a tenth of a doubling either way."""
    for strip in ((1.0, 0.69, 0.94), (1.0, 0.8, 0.6), (0.7, 0.85, 1.0)):
        choices: list[int] = []
        for _ in range(ROUNDS):
            apart = [distance(offered, strip) for offered in candidates(choices)]
            choices.append(apart.index(min(apart)))
        assert distance(chosen(choices), strip) <= 0.25


def test_the_patches_are_apart() -> None:
    """Each white has an LED, in the order of the wire."""
    expected = [pytest.approx(row) for row in (np.array(candidates([])) * 0.25).tolist()]
    for leds in (5, 9, 60, 1206):
        light = patches(candidates([]), leds)
        assert (leds, 3) == light.shape
        lit = light[light.any(axis=1)]
        firsts = [lit[0], *(other for one, other in pairwise(lit) if (one != other).any())]
        assert expected == [each.tolist() for each in firsts]
        assert leds < 15 or not light.any(axis=1).all()


# The palette: colours from settings, and the warning about two that look alike


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
