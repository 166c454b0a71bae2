"""Lettering as outlines of its letters, so that printers and programs do not need the typefaces."""

import cmath
import math
from typing import Final
from xml.etree.ElementTree import Element, fromstring, register_namespace, tostring

from companion.board.drawing.lettering import Face, face_of, typeface
from companion.board.drawing.svg import number, way

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


def with_letters(svg: str) -> str:
    """Return one of our SVG drawings with one path for each letter used.

    Each line of text is a group that refers to its letters, and has the text as its label. Long
    texts take far less room than in the drawing that `outlined` returns. No line may be turned.
    """
    root = fromstring(svg)  # noqa: S314  # our own drawing
    letters: dict[tuple[Face, str], Element] = {}
    for element in root.findall(f".//{{{_NAMESPACE}}}text"):
        style, text = dict(element.attrib), element.text or ""
        size = float(style["font-size"])
        face = face_of(style["font-family"], style.get("font-weight", ""))
        anchor = _START[style.get("text-anchor", "start")]
        left = float(style["x"]) - anchor * typeface(face).width(text, size)
        place = f"translate({number(left)} {style['y']}) scale({number(size)})"
        element.tag, element.text = f"{{{_NAMESPACE}}}g", None
        element.attrib.clear()
        element.attrib |= {"role": "img", "aria-label": text, "transform": place}
        for letter, x in typeface(face).places(text):
            if letter.isspace():
                continue
            key, data = (face, letter), _letter(face, letter, 0, 1)
            path = letters.setdefault(key, Element("path", id=f"l{len(letters)}", d=data))
            element.append(Element("use", href=f"#{path.attrib['id']}", x=number(x)))
    definitions = Element("defs")
    definitions.extend(letters.values())
    root.insert(0, definitions)
    return tostring(root, encoding="unicode")


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
    face = face_of(style["font-family"], style.get("font-weight", ""))
    start = complex(float(element.get("x", 0)), float(element.get("y", 0)))
    turned = element.get("transform", "rotate(0 0 0)").removeprefix("rotate(").split()[0]
    turn = cmath.exp(1j * math.radians(float(turned)))  # clockwise about `start`
    width = typeface(face).width(words, size) + spacing * max(0, len(words) - 1)
    left = -width * _START[style.get("text-anchor", "start")]
    return "".join(
        _letter(face, letter, start + turn * (left + place * size + n * spacing), turn * size)
        for n, (letter, place) in enumerate(typeface(face).places(words))
    )


def _letter(face: Face, letter: str, start: complex, size: complex) -> str:
    """Return the path data of a letter; the angle of `size`, a complex number, turns it."""
    data = ""
    for contour in typeface(face).outline(letter):
        bends = [start + size * at.conjugate() for bend in contour for at in bend]
        data += way("M", bends[-1], "Q", *bends) + "Z"
    return data
