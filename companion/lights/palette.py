"""Palette: colours of three sides and of the kinds of zone, distinct for every kind of vision.

`look_alikes` compares each side's colour with all others for each kind of vision, at full and at
the lowest brightness of a strip. It warns of a difference below 10 (CIEDE2000):

>>> look_alikes(Palette.make()), len(look_alikes(Palette.make({"1": "#ff0000"})))
([], 1)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.board.drawing.finish import LANE_COLOURS
from companion.board.zone_kinds import ZoneKind
from companion.errors import Fault, SettingsError, Text
from companion.lights.colour import EYES, ciede2000, lab, linear

Colour = NDArray[np.float32]  # linear red, green and blue, 0 to 1
SIDE_COLOURS = dict(enumerate(LANE_COLOURS, start=1))  # amber, white and magenta

COLOUR_NAMES: Final = {"#ffb000": "Amber", "#ffffff": "White", "#ff60d0": "Magenta"}
"""Names of sides by colour; a side of another colour is called by its number."""

LOWEST_BRIGHTNESS = 0.05
TOO_CLOSE = 10.0  # CIEDE2000 difference below which colours are confused across a table
_FULL = 255
_MOST_STEPS = 12  # highest result of `distinct_steps`: with more, zones would look like pegs


class Palette:
    """Colours in use, as linear light; `sides` has the sRGB hex of each side by its number.

    `plain` is the colour of marks and lamps, and `warning` is the colour of an alert.
    """

    def __init__(self, sides: Mapping[int, str]) -> None:
        self.sides = dict(sides)
        self.plain = linear("#ffffff")
        self.warning = linear(SIDE_COLOURS[1])
        self._sides = {side: linear(text) for side, text in self.sides.items()}
        self._zones = {kind: linear(kind.facts.lamp_colour) for kind in ZoneKind}

    @classmethod
    def make(cls, sides: Mapping[int, str] | Mapping[str, str] | None = None) -> Palette:
        """Return the default palette, with other colours for some sides.

        `sides` is the table `[lights.colours]` of the settings, with numbers or texts as keys.

        Raises:
            SettingsError: the table has faults; the error lists all of them.
        """
        colours, faults = dict(SIDE_COLOURS), []
        for key, text in (sides or {}).items():
            fault = _fault(str(key), text)
            if fault:
                faults.append(fault)
            else:
                colours[int(key)] = text
        if faults:
            raise SettingsError(*faults)
        return cls(colours)

    def distinct_steps(self, white: Sequence[float] = (1.0, 1.0, 1.0)) -> int:
        """Return the lowest brightness at and above which any two colours differ in an LED's bytes.

        The brightness is in 255ths of full light, at most 12; `look_alikes` warns of colours that
        need more. `white` is the strip's white balance: a factor each for red, green and blue.
        """
        colours = [*self._sides.values(), *self._zones.values()]
        shown = (colour * np.array(white, np.float32) for colour in colours)
        return 1 + max(_same_pixels(one, other) for one, other in itertools.combinations(shown, 2))

    def side(self, side: int) -> Colour:
        return self._sides[side]

    def zone(self, kind: ZoneKind) -> Colour:
        return self._zones[kind]


def side_names(names: Mapping[str, str], palette: Palette) -> dict[int, str]:
    """Return the sides' names by number: the name in `names`, or else the name of the colour.

    >>> side_names({"2": "Anna"}, Palette.make({"3": "#123456"}))
    {1: 'Amber', 2: 'Anna'}
    """
    sides = palette.sides.items()
    named = ((side, names.get(str(side)) or COLOUR_NAMES.get(colour)) for side, colour in sides)
    return {side: name for side, name in named if name}


def _same_pixels(one: Colour, other: Colour) -> int:
    """Return the highest brightness, 0 to 11 of 255, at which both give an LED the same bytes."""
    steps = np.arange(_MOST_STEPS)[:, None]
    alike = (np.rint(one * steps) == np.rint(other * steps)).all(axis=1)
    return int(np.flatnonzero(alike)[-1])


def look_alikes(palette: Palette, names: Mapping[int, str] = MappingProxyType({})) -> list[Text]:
    """Return a warning for each colour of a side that some people confuse with another colour.

    Rounding to bytes changes the hue of dim light: amber turns red. Sides without a name in
    `names` are called by their number.
    """
    sides = [
        (_named(names.get(side) or Text("side {side}", side=side), text), palette.side(side))
        for side, text in palette.sides.items()
    ]
    zones = [
        (_named(kind.facts.zones_name, kind.facts.lamp_colour), palette.zone(kind))
        for kind in ZoneKind
    ]
    pairs = (*itertools.combinations(sides, 2), *itertools.product(sides, zones))
    return [warning for one, other in pairs for warning in _warning(one, other)]


def _fault(side: str, text: str) -> Fault | None:
    key = f"lights.colours.{side}"
    if side not in map(str, SIDE_COLOURS):
        return Fault(key=key, problem=Text("no such side"), remedy=Text("write 1, 2 or 3"))
    try:
        linear(text)
    except (TypeError, ValueError):
        remedy = Text(
            "write # and six hexadecimal digits, such as {colour}", colour=SIDE_COLOURS[1]
        )
        return Fault(key=key, problem=Text("{text} is no colour", text=repr(text)), remedy=remedy)
    return None


def _named(name: str | Text, colour: str) -> Text:
    return Text("{name} ({colour})", name=name, colour=colour)


def _warning(one: tuple[Text, Colour], other: tuple[Text, Colour]) -> Iterator[Text]:
    """Yield a warning if two colours are too close for some vision at some brightness."""
    apart, brightness, eye = min(
        (_apart(one[1], other[1], brightness, matrix), brightness, eye)
        for brightness in (1.0, LOWEST_BRIGHTNESS)
        for eye, matrix in EYES.items()
    )
    if apart < TOO_CLOSE:
        text = (
            "{one} and {other} look alike to {eye} eyes at {percent}% brightness: their "
            "difference is {apart}, and should be {wanted} or more; choose another colour"
        )
        percent, wanted = round(100 * brightness), f"{TOO_CLOSE:g}"
        yield Text(
            text,
            one=one[0],
            other=other[0],
            eye=eye,
            percent=percent,
            apart=f"{apart:.1f}",
            wanted=wanted,
        )


def _apart(one: Colour, other: Colour, brightness: float, eye: NDArray[np.float64]) -> float:
    seen = (np.clip(eye @ _as_sent(colour, brightness), 0, 1) for colour in (one, other))
    first, second = map(lab, seen)
    return ciede2000(first, second)


def _as_sent(colour: Colour, brightness: float) -> NDArray[np.float64]:
    steps = np.rint(colour.astype(np.float64) * brightness * _FULL)
    return np.asarray(np.clip(steps / (brightness * _FULL), 0, 1))
