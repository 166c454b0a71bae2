"""Marks along the track: skunk lines, the wall of Muggers Alley, medallions of start and finish.

A skunk line runs across all lanes, midway between two holes. Its caption is beside the last lane.
Points are complex numbers in millimetres with y downwards, as in SVG. Multiplication by `1j` is a
quarter turn: it turns the direction of a lane into the direction across the lane.
"""

import cmath
import math
import textwrap
from collections.abc import Iterator
from typing import Final, Literal

from companion.board.drawing.curves import chevron, heading, hole_at, track_rows, unit
from companion.board.drawing.finish import SheetStyle
from companion.board.drawing.lanes import RIBBON_MM, row_of
from companion.board.drawing.lettering import LEAST_MM, Face, centred, line, width
from companion.board.drawing.svg import circle, outline, stroke, tag, way
from companion.board.layout import Board, District, Note, Row

_OVER_MM, _OUT_MM = 5.5, 14.0
_CAPTION_WIDTH, _CAPTION_GAP_MM = 8, 1.6
_TOWER_MM: Final = (5.0, 9.0)
_TOWER_GAP_MM, _BEAM_MM, _MERLON_MM = 0.8, 0.6, 1.4
_RAYS, _STAR_MM, _WORD_MM = 48, 2.6, 5.0
_WALL_MM = 1.6


def district(board: Board, style: SheetStyle) -> Iterator[str]:
    """Draw the ground of the district (Muggers Alley), and its wall, which is open at the gates."""
    if board.district is None:
        return
    ground, gold = style.finish.district, style.finish.gold
    corners = [complex(x, y) for x, y in board.district.outline_mm]
    inner = [at + _WALL_MM * _inwards(corners, number) for number, at in enumerate(corners)]
    outer, bricks = (outline(*at) for at in (corners, inner))
    yield tag("path", class_="district", d=outer, fill=ground, stroke=gold, stroke_width=0.5)
    yield stroke(bricks, gold, 0.9, class_="bricks", stroke_dasharray="2.6 1.4")
    for row, first, last, inward in _gateways(board, board.district):
        shift = _WALL_MM * inward * heading(row)
        opening = way("M", first + shift, "L", last + shift)
        yield stroke(opening, ground, 1.4, stroke_linecap="square")


def gates(board: Board, style: SheetStyle) -> Iterator[str]:
    """Draw the gates of the district: before hole 1 and behind its last hole."""
    if board.district is None:
        return
    for row, first, last, _ in _gateways(board, board.district):
        yield tag("g", *_gate(first, last, heading(row), style), class_="gate")


def lines(board: Board, style: SheetStyle) -> Iterator[str]:
    """Draw each mark's line and caption; where the district ends, its gate replaces the line."""
    gate = board.district.last if board.district else 0
    finish = style.finish
    for hole, caption, before in board.marks:
        row, first, last = _across(board, hole, before=before)
        out = unit(last - first)
        start, end = first - _OVER_MM * out, last + _OUT_MM * out
        middle = last + (_OVER_MM + _OUT_MM) / 2 * out
        data = way("M", start, "L", end)
        strokes = ((finish.ground, 2.0), (finish.gold, 1.0)) if hole != gate else ()
        drawn = (stroke(data, ink, wide) for ink, wide in strokes)
        caption_lines = textwrap.wrap(caption.upper(), _CAPTION_WIDTH, break_long_words=False)
        said = _caption(caption_lines, middle, heading(row), finish.gold)
        if hole == gate:
            said = _beside_gate(caption, first - 2 * _OVER_MM * out, heading(row), finish.gold)
        yield tag("g", *drawn, said, class_="mark")


def medallion(board: Board, note: Note, word: str, style: SheetStyle) -> str:
    """Draw the medallion of the start or the finish, with its word within rays."""
    middle, radius = complex(note.x_mm, note.y_mm), note.width_mm / 2
    gold, ink = style.finish.gold, style.finish.ink
    rays = "".join(
        way("M", middle + (radius - 2.4) * turn, "L", middle + (radius - 0.9) * turn)
        for turn in (cmath.exp(2j * math.pi * n / _RAYS) for n in range(_RAYS))
    )
    cap = min(_WORD_MM, _WORD_MM * 1.8 * (radius - 3) / width(word, _WORD_MM, Face.TITLE))
    above, below = (middle + sign * 0.5j * radius for sign in (-1, 1))
    at_start = note.about == "start"
    onward = heading(track_rows(board, 1)[0])
    heads = "".join(chevron(at, onward, _STAR_MM) for at in (below, below - 1.6 * onward))
    lower = (
        stroke(heads, gold, 0.9)
        if at_start
        else centred(str(board.track.finish), below, cap_mm=4, fill=gold)
    )
    return tag(
        "g",
        circle(middle, radius, fill=style.finish.ground, stroke=gold, stroke_width=0.8),
        stroke(rays, gold, 0.5),
        circle(middle, radius - 3, fill="none", stroke=gold, stroke_width=0.4),
        tag("path", d=_star(above, _STAR_MM), fill=gold),
        line(
            word, middle + 0.5j * cap, cap_mm=cap, face=Face.TITLE, fill=ink, text_anchor="middle"
        ),
        lower,
        class_=f"medallion {note.about}",
    )


def _gateways(
    board: Board, walled: District
) -> Iterator[tuple[Row, complex, complex, Literal[-1, 1]]]:
    """Yield each gate: its row, its two ends, and 1 if pegs enter there or -1 if they leave."""
    yield *_across(board, 1, before=True), 1
    yield *_across(board, walled.last, before=False), -1


def _across(board: Board, hole: int, *, before: bool) -> tuple[Row, complex, complex]:
    """Return a hole's row, and the ends of a line over all lanes before or behind the hole."""
    row = row_of(board, hole)
    half = complex(row.dx_mm, row.dy_mm) / (-2 if before else 2)
    first, last = (hole_at(board, lane, hole) + half for lane in (1, board.track.lanes))
    return row, first, last


def _caption(stack: list[str], at: complex, onward: complex, ink: str) -> str:
    """Draw a caption's lines one below the other, before the mark in the direction of play."""
    leading = 1.4 * LEAST_MM
    height = leading * (len(stack) - 1) + LEAST_MM
    middle = at - onward * _CAPTION_GAP_MM - 1j * height / 2 * (1 + onward.imag)
    first = middle + 1j * LEAST_MM
    anchor = {1: "end", -1: "start"}.get(round(onward.real), "middle")
    said = (
        line(text, first + 1j * n * leading, text_anchor=anchor) for n, text in enumerate(stack)
    )
    kind = {"class_": "label"} if len(stack) > 1 else {}
    return tag("g", *said, fill=ink, **kind)


def _beside_gate(caption: str, at: complex, onward: complex, ink: str) -> str:
    """Write a gate's caption beside its tower, before the gate in the direction of play."""
    back = at - (LEAST_MM + _CAPTION_GAP_MM) * onward
    anchor = "middle" if onward.real else "end"
    low = back + 0.5j * LEAST_MM
    return line(caption.upper(), low, fill=ink, text_anchor=anchor, class_="label")


def _gate(first: complex, last: complex, onward: complex, style: SheetStyle) -> Iterator[str]:
    """Draw two towers with merlons and a double beam between them."""
    out, gold, ground = unit(last - first), style.finish.gold, style.finish.ground
    reach = RIBBON_MM / 2 + _TOWER_GAP_MM + _TOWER_MM[0] / 2
    beam = "".join(
        way("M", first - reach * out + shift * onward, "L", last + reach * out + shift * onward)
        for shift in (-_BEAM_MM, _BEAM_MM)
    )
    yield stroke(beam, ground, 1.0)
    yield stroke(beam, gold, 0.6)
    for middle in (first - reach * out, last + reach * out):
        yield tag("path", d=_tower(middle, out, onward), fill=gold, stroke=ground, stroke_width=0.5)
        door = middle - 0.5 * onward
        slit = way("M", door - 1.3 * onward, "L", door + 1.3 * onward)
        yield stroke(slit, ground, 1.1, stroke_linecap="round")


def _tower(middle: complex, out: complex, onward: complex) -> str:
    """Return path data of a tower whose merlons point onward."""
    wide, high = _TOWER_MM
    foot = middle - high / 2 * onward
    corners = [foot - wide / 2 * out, foot + wide / 2 * out]
    for number in range(5):
        level = foot + (high - _MERLON_MM * (number % 2)) * onward
        corners += [level + wide * (0.5 - edge / 5) * out for edge in (number, number + 1)]
    return outline(*corners)


def _star(middle: complex, radius: float) -> str:
    points = [
        middle - 1j * cmath.exp(1j * math.pi * n / 5) * (radius if n % 2 == 0 else 0.42 * radius)
        for n in range(10)
    ]
    return outline(*points)


def _inwards(corners: list[complex], number: int) -> complex:
    """Return the vector from a right-angled corner to the point 1 mm inside both its edges."""
    before, at, after = (corners[(number + step) % len(corners)] for step in (-1, 0, 1))
    return 1j * (unit(at - before) + unit(after - at))
