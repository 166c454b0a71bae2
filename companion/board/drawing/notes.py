"""Notes in the free areas of the sheet: outcomes of zones, the legend, the counting table.

The board file has the place, the width and the angle of each note. A note is a column of lines. It
is laid out upright; then each of its points is moved to the place of the note and turned around it.
"""

import cmath
import math
from collections.abc import Iterator, Sequence
from typing import Final

from companion.board.drawing.finish import CountingRow, SheetStyle, SheetWords
from companion.board.drawing.lanes import lane_numbers
from companion.board.drawing.lettering import LEAST_MM, Face, line, wrap
from companion.board.drawing.marks import medallion
from companion.board.drawing.svg import circle, icon, lane_mark, outline, rect, stroke, tag, way
from companion.board.layout import COUNTING, FINISH, LANES, LEGEND, START, Board, Note, Zone
from companion.board.zone_kinds import ZoneKind

_LINE_MM: Final = 4.9
_HEADING_MM, _HEADING_LINE_MM = 4.2, 7.5
_BULLET_MM, _BULLET_BOX_MM, _ROW_GAP_MM = 12.0, 8.4, 2.4
_PADDING_MM, _NAME_AT_MM = 2.4, 9.0
_TWO_COLUMNS_MM, _GUTTER_MM = 90.0, 10.0


def draw_notes(board: Board, style: SheetStyle) -> Iterator[str]:
    """Draw all notes. A small web page hides those of class `note`: all but start and finish."""
    if style.words is None:
        return
    for note in board.notes:
        if note.about in (START, FINISH):
            word = {START: style.words.start, FINISH: style.words.finish}[note.about]
            yield medallion(board, note, word, style)
        else:
            yield tag("g", *_note(board, note, style, style.words), class_="note")


def _note(board: Board, note: Note, style: SheetStyle, said: SheetWords) -> Iterator[str]:
    page = _Column(note, style)
    if note.about == LEGEND:
        page.legend(board, said)
    elif note.about == COUNTING:
        page.counting(said)
    elif note.about == LANES:
        page.lanes(board, said)
    else:
        zone = next(zone for zone in board.track.zones if zone.id == note.about)
        page.outcome(zone, said)
    yield from page.drawn


class _Column:
    """Column of print, written downwards; its middle (x = 0) is at the note's place."""

    def __init__(self, note: Note, style: SheetStyle) -> None:
        self._note, self._style = note, style
        self._down = 0.0
        self.drawn: list[str] = []

    def outcome(self, zone: Zone, said: SheetWords) -> None:
        """Draw the outcome of a landing in the zone, on a plate centred on the note's place."""
        finish = self._style.finish
        ink = finish.zone(zone.kind)
        lines = list(wrap(said.outcomes[zone.id], self._note.width_mm - 2 * _PADDING_MM))
        half = ((len(lines) - 1) * _LINE_MM + LEAST_MM) / 2 + _PADDING_MM
        ways = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        plate = outline(*(self._at(x * self._note.width_mm / 2, y * half) for x, y in ways))
        tint: dict[str, str | float] = {"fill": ink, "fill_opacity": finish.tint / 3}
        self.drawn += [
            tag("path", d=plate, fill=finish.ground),
            tag("path", d=plate, **tint, stroke=ink, stroke_width=0.4),
        ]
        self._down = _PADDING_MM + LEAST_MM - half
        for text in lines:
            self._write(text, 0.0, fill=finish.ink, text_anchor="middle")
            self._down += _LINE_MM

    def legend(self, board: Board, said: SheetWords) -> None:
        """Draw each kind of zone that the board has: icon, name and explanation."""
        self._heading(said.zones)
        present = {zone.kind for zone in board.track.zones}
        for kind in (kind for kind in ZoneKind if kind in present):
            ink = self._style.finish.zone(kind)
            self._bullet(kind, ink)
            self._down += LEAST_MM
            self._write(said.kinds[kind], self._left + _BULLET_MM, face=Face.BOLD, fill=ink)
            self._paragraph(said.explanations[kind])
            self._down += _ROW_GAP_MM

    def _bullet(self, kind: ZoneKind, ink: str) -> None:
        """Draw an icon in a box beside the lines that are written next."""
        half = _BULLET_BOX_MM / 2
        middle = self._at(self._left + half, self._down + half + 0.8)
        box = rect(
            middle - half * (1 + 1j),
            _BULLET_BOX_MM * (1 + 1j),
            rx=1.6,
            fill=ink,
            fill_opacity=self._style.finish.tint,
            stroke=ink,
            stroke_width=0.5,
        )
        self.drawn += [box, icon(kind, middle, 0.7 * half, ink)]

    def lanes(self, board: Board, said: SheetWords) -> None:
        self._heading(said.lanes)
        for lane, name, ribbon in zip(
            lane_numbers(board), said.sides, self._style.lanes, strict=False
        ):
            ink = self._style.finish.ink
            self._down += 5.5
            middle = self._at(self._left + 3.4, self._down - LEAST_MM / 2)
            self.drawn += [
                circle(middle, 3.2, fill=ribbon, stroke=ink, stroke_width=0.4),
                lane_mark(lane, middle, 2.0, ink),
            ]
            for number, part in enumerate(wrap(name, self._note.width_mm - _NAME_AT_MM)):
                self._down += _LINE_MM if number else 0
                self._write(part, self._left + _NAME_AT_MM, fill=ink)
            self._down += 3

    def counting(self, said: SheetWords) -> None:
        """Draw the counting table; its two halves are side by side if the note is wide."""
        self._heading(said.counting)
        width, top = self._note.width_mm, self._down
        halves = ((said.in_play, said.play), (said.in_show, said.show))
        if width < _TWO_COLUMNS_MM:
            for heading, parts in halves:
                self._table(heading, parts, self._left, width)
                self._down += _ROW_GAP_MM
            return
        column = (width - _GUTTER_MM) / 2
        for number, (heading, parts) in enumerate(halves):
            self._down = top
            self._table(heading, parts, self._left + number * (column + _GUTTER_MM), column)

    def _table(self, heading: str, parts: Sequence[CountingRow], left: float, width: float) -> None:
        gold, ink = self._style.finish.gold, self._style.finish.ink
        self._down += LEAST_MM
        self._write(heading, left, face=Face.BOLD, fill=gold)
        self._down += 1
        for name, points in parts:
            self._down += _LINE_MM
            self._write(name, left, fill=ink)
            self._write(points, left + width, face=Face.BOLD, fill=ink, text_anchor="end")

    def _heading(self, text: str) -> None:
        self._down += _HEADING_MM
        ink = self._style.finish.ink
        self._write(text, self._left, cap_mm=_HEADING_MM, face=Face.TITLE, fill=ink)
        ends = (self._at(x, self._down + 2) for x in (self._left, -self._left))
        rule = way("M", next(ends), "L", *ends)
        self.drawn.append(stroke(rule, self._style.finish.gold, 0.4))
        self._down += _HEADING_LINE_MM - LEAST_MM + 1

    def _paragraph(self, text: str) -> None:
        for part in wrap(text, self._note.width_mm - _BULLET_MM):
            self._down += _LINE_MM
            self._write(part, self._left + _BULLET_MM, fill=self._style.finish.ink)

    def _write(
        self,
        text: str,
        x: float,
        *,
        cap_mm: float = LEAST_MM,
        face: Face = Face.TEXT,
        **attributes: str,
    ) -> None:
        at, turn = self._at(x, self._down), self._note.turn_deg
        self.drawn.append(line(text, at, cap_mm=cap_mm, face=face, turn_deg=turn, **attributes))

    def _at(self, x: float, down: float) -> complex:
        turn = cmath.exp(1j * math.radians(self._note.turn_deg))
        return complex(self._note.x_mm, self._note.y_mm) + complex(x, down) * turn

    @property
    def _left(self) -> float:
        return -self._note.width_mm / 2
