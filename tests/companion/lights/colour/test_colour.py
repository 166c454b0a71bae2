"""Colours: conversion, difference and colour-blind eyes, compared with published numbers."""

import pytest

from companion.lights.colour.colour import EYES, Lab, ciede2000, lab, linear

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
