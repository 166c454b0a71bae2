"""Lettering as outlines of its letters, so that printers and programs do not need the typefaces."""

import cmath
import math
from typing import Final
from xml.etree.ElementTree import Element, fromstring, register_namespace, tostring

from companion.board.drawing.lettering import face_of, typeface
from companion.board.drawing.svg import way

_NAMESPACE: Final = "http://www.w3.org/2000/svg"
_INHERITED: Final = ("font-family", "font-size", "font-weight", "letter-spacing", "text-anchor")
_START: Final = {"start": 0.0, "middle": 0.5, "end": 1.0}

register_namespace("", _NAMESPACE)


def outlined(svg: str) -> str:
    """Return one of our SVG drawings with a path in place of each line of text."""
    return tostring(outlined_tree(svg), encoding="unicode")


def outlined_tree(svg: str) -> Element:
    """Return the root element of the drawing that `outlined` returns."""
    root = fromstring(svg)  # noqa: S314  # our own drawing
    _outline(root, {})
    return root


def _outline(element: Element, inherited: dict[str, str]) -> None:
    style = inherited | {key: element.attrib[key] for key in _INHERITED if key in element.attrib}
    if element.tag == f"{{{_NAMESPACE}}}text":
        data = _path(element, style)
        element.tag, element.text = f"{{{_NAMESPACE}}}path", None
        for key in (*_INHERITED, "x", "y", "transform"):
            element.attrib.pop(key, None)
        element.set("d", data)
    for child in element:
        _outline(child, style)


def _path(element: Element, style: dict[str, str]) -> str:
    words, size = element.text or "", float(style["font-size"])
    spacing = float(style.get("letter-spacing", 0))
    face = typeface(face_of(style["font-family"], style.get("font-weight", "")))
    start = complex(float(element.get("x", 0)), float(element.get("y", 0)))
    turned = element.get("transform", "rotate(0 0 0)").removeprefix("rotate(").split()[0]
    turn = cmath.exp(1j * math.radians(float(turned)))  # clockwise about `start`
    width = face.width(words, size) + spacing * max(0, len(words) - 1)
    left, data = -width * _START[style.get("text-anchor", "start")], ""
    for number, (letter, place) in enumerate(face.places(words)):
        x = left + place * size + number * spacing
        for contour in face.outline(letter):
            bends = [start + turn * (x + size * at.conjugate()) for bend in contour for at in bend]
            data += way("M", bends[-1], "Q", *bends) + "Z"
    return data
