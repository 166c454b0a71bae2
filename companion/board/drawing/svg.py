"""SVG elements and icons as strings, with escaped text and short numbers.

A point is a complex number: x is its real part, y its imaginary part.
"""

from html import escape
from typing import Final

from companion.board.zone_kinds import Shape, ZoneKind

ROUND: Final[dict[str, str]] = {"stroke_linecap": "round", "stroke_linejoin": "round"}
"""Attributes of a line with round ends and corners."""


def tag(name: str, *inner: str, **attributes: str | float) -> str:
    """Write an element; `_` in an attribute's name becomes `-`, but a `_` at the end is dropped.

    >>> tag("g", tag("path", d="M1 2"), class_="lanes", stroke_width=0.5)
    '<g class="lanes" stroke-width=".5"><path d="M1 2"/></g>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
    )
    body = "".join(inner)
    return f"<{name}{written}>{body}</{name}>" if body else f"<{name}{written}/>"


def words(line: str, at: complex, **attributes: str | float) -> str:
    """Write a line of text."""
    return tag("text", escape(line), x=at.real, y=at.imag, **attributes)


def sheet(width: float, height: float, *inner: str, **attributes: str | float) -> str:
    """Write a document of this size in millimetres."""
    return tag(
        "svg",
        *inner,
        xmlns="http://www.w3.org/2000/svg",
        width=f"{number(width)}mm",
        height=f"{number(height)}mm",
        viewBox=f"0 0 {number(width)} {number(height)}",
        **attributes,
    )


def rect(corner: complex, size: complex, **attributes: str | float) -> str:
    """Write a rectangle by its upper left corner and its size."""
    return tag(
        "rect", x=corner.real, y=corner.imag, width=size.real, height=size.imag, **attributes
    )


def stroke(data: str, ink: str, width: float, **attributes: str | float) -> str:
    """Write a path that is a line in this ink, `width` mm wide."""
    return tag("path", d=data, fill="none", stroke=ink, stroke_width=width, **attributes)


def circle(centre: complex, radius: float, **attributes: str | float) -> str:
    """Write a circle."""
    return tag("circle", cx=centre.real, cy=centre.imag, r=radius, **attributes)


def number(value: float) -> str:
    """Write a number to a thousandth, as short as possible.

    >>> [number(value) for value in (545.0, 0.5, -0.25, 46.944, -0.0001)]
    ['545', '.5', '-.25', '46.944', '0']
    """
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    if digits == "0":
        return "0"
    return sign + digits.removeprefix("0")


def way(*steps: str | complex) -> str:
    """Return path data made of commands and points.

    >>> way("M", 1 + 2j, "L", 3.5 + 4j, 5)
    'M1 2L3.5 4 5 0'
    """
    data = ""
    for step in steps:
        if isinstance(step, str):
            data += step
        else:
            gap = "" if not data or data[-1].isalpha() else " "
            data += f"{gap}{number(step.real)} {number(step.imag)}"
    return data


def outline(*corners: complex) -> str:
    """Return path data of a closed outline through these corners.

    >>> outline(0, 2, 1j)
    'M0 0L2 0 0 1Z'
    """
    return way("M", corners[0], "L", *corners[1:]) + "Z"


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else number(value)


# fmt: off
_SPADE: Final[Shape] = (
    "M", -1j, "C", 0.3 - 0.55j, 0.9 - 0.3j, 0.9 + 0.2j, 0.9 + 0.65j, 0.35 + 0.7j, 0.13 + 0.42j,
    "L", 0.3 + 0.95j, -0.3 + 0.95j, -0.13 + 0.42j,
    "C", -0.35 + 0.7j, -0.9 + 0.65j, -0.9 + 0.2j, -0.9 - 0.3j, -0.3 - 0.55j, -1j, "Z",
)
_DIAMOND: Final[Shape] = ("M", -1j, "L", 0.72 + 0j, 1j, -0.72 + 0j, "Z")
_CLUB: Final[Shape] = (
    "M", -0.13 + 0.25j, "C", -0.3 + 0.6j, -0.95 + 0.5j, -0.95 + 0.05j,
    -0.95 - 0.3j, -0.6 - 0.42j, -0.38 - 0.32j, -0.75 - 1.2j, 0.75 - 1.2j, 0.38 - 0.32j,
    0.6 - 0.42j, 0.95 - 0.3j, 0.95 + 0.05j, 0.95 + 0.5j, 0.3 + 0.6j, 0.13 + 0.25j,
    "L", 0.3 + 0.95j, -0.3 + 0.95j, "Z",
)
# fmt: on

_MARKS: Final = (_SPADE, _DIAMOND, _CLUB)


def icon(kind: ZoneKind, middle: complex, half: float, ink: str) -> str:
    """Draw the icon of a kind of zone, `half` millimetres from its middle to its edge."""
    return _draw(kind.facts.icon, middle, half, class_="icon", fill=ink)


def lane_mark(lane: int, middle: complex, half: float, ink: str) -> str:
    """Draw the suit that marks a lane, so that sides can be told apart without colour."""
    return _draw(_MARKS[lane - 1], middle, half, class_="lane-mark", fill=ink)


def _draw(shape: Shape, middle: complex, half: float, **attributes: str) -> str:
    steps = (step if isinstance(step, str) else middle + half * step for step in shape)
    return tag("path", d=way(*steps), fill_rule="evenodd", stroke="none", **attributes)
