"""Maker of the letters of the sheet's typefaces as JSON, from their TrueType files.

`python -m tests.typefaces` writes the files.
"""

from io import BytesIO
from pathlib import Path
from typing import Final

import msgspec
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

from companion.board.drawing.lettering import Face, face_data

FILES: Final = Path(__file__).parents[1] / "companion/board/drawing/typefaces"
Point = tuple[float, float]


class _ContourPen(BasePen):  # type: ignore[misc]  # fontTools has no types
    """Pen that keeps the contours of a letter; a line is a curve with its control in its middle."""

    def __init__(self) -> None:
        super().__init__(None)
        self.contours: list[list[list[float]]] = []
        self._start = self._at = (0.0, 0.0)

    def _moveTo(self, pt: Point) -> None:  # noqa: N802  # fontTools' name
        self._start = self._at = pt
        self.contours.append([])

    def _lineTo(self, pt: Point) -> None:  # noqa: N802  # fontTools' name
        middle = ((self._at[0] + pt[0]) / 2, (self._at[1] + pt[1]) / 2)
        self._qCurveToOne(middle, pt)

    def _qCurveToOne(self, pt1: Point, pt2: Point) -> None:  # noqa: N802  # fontTools' name
        self.contours[-1].append([int(each) if each % 1 == 0 else each for each in (*pt1, *pt2)])
        self._at = pt2

    def _closePath(self) -> None:  # noqa: N802  # fontTools' name
        if self._at != self._start:
            self._lineTo(self._start)


def letters_of(face: Face) -> bytes:
    """Return a typeface as the JSON that `companion.board.drawing.lettering` reads."""
    font = TTFont(BytesIO(face_data(face)))
    glyphs, letters = font["glyf"], {}
    for letter, name in {
        "": ".notdef",
        **{chr(c): n for c, n in font.getBestCmap().items()},
    }.items():
        pen = _ContourPen()
        glyphs[name].draw(pen, glyphs)
        letters[letter] = (font["hmtx"][name][0], pen.contours)
    return msgspec.json.encode({"units": font["head"].unitsPerEm, "letters": letters})


if __name__ == "__main__":
    for face in Face:
        (FILES / f"{face}.json").write_bytes(letters_of(face))
