"""The printed sheet as SVG at its true size: for the printer, and over light for the page.

Every part has a class of its own; whoever shows light beneath may leave out `sheet`, the ground.
`data-` attributes tell the lane and the holes of a row, the lane or the seat of a lamp, and where a
zone sends a peg.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from html import escape

from companion.board.drawing.curves import (
    HOLE_MM,
    apexes,
    chevron,
    heading,
    hole_at,
    lane_way,
    track_rows,
    unit,
)
from companion.board.drawing.svg import circle, number, tag, way, words
from companion.board.drawing.zones import INKS, draw_zones
from companion.board.layout import Board, Lettering

_GROUND, _CREAM, _MUTED, _GOLD = "#14110d", "#f1e6cd", "#a2967f", "#e2b865"
_LANE_INKS = ("#f6e7c6", "#f0e4d6", "#e6e6d8")
_LANE_GROUNDS = ("#2a2218", "#251f1b", "#212019")
_SERIF = "Cormorant Garamond, EB Garamond, Garamond, Georgia, Liberation Serif, serif"
_SANS = "Gill Sans, Avenir Next, Lato, Liberation Sans, Arial, sans-serif"
_RIBBON_MM = 6.4
_FRAME_MM = 4.0
LAMP_RING_MM = 2.3
"""Radius of the window of a lamp beside the track."""
_NUMBER_MM = 2.5
_ARROW_AFTER = 2
_CAPTION_MM, _CAPTION_WIDTH = 1.8, 8
_CAPTION_GAP_MM = 1.2
_MARK_OVER_MM, _MARK_OUT_MM = 4.6, 12.6
_STYLE_INKS: dict[str, str] = {
    "plain": _CREAM,
    "fine": _MUTED,
    "title": _CREAM,
    **{str(kind): ink for kind, ink in INKS.items()},
}


def draw(board: Board, *, over: Iterable[str] = ()) -> str:
    """Draw a board's sheet as an SVG document with the paper's `width` and `height`.

    `over` are elements to be drawn over it.
    """
    width, height = board.width_mm, board.height_mm
    return tag(
        "svg",
        tag("title", escape(board.title)),
        *_ground(board),
        *_ribbons(board),
        *draw_zones(board),
        *_numbers(board),
        *_arrows(board),
        *_marks(board),
        *_holes(board),
        _finish(board),
        *_lamps(board),
        *map(_line, board.lettering),
        *over,
        xmlns="http://www.w3.org/2000/svg",
        class_="board",
        width=f"{number(width)}mm",
        height=f"{number(height)}mm",
        viewBox=f"0 0 {number(width)} {number(height)}",
    )


def _ground(board: Board) -> Iterator[str]:
    size = {"width": board.width_mm, "height": board.height_mm}
    yield tag("rect", class_="sheet", fill=_GROUND, **size)
    yield tag(
        "rect",
        class_="frame",
        x=_FRAME_MM,
        y=_FRAME_MM,
        width=board.width_mm - 2 * _FRAME_MM,
        height=board.height_mm - 2 * _FRAME_MM,
        rx=3,
        fill="none",
        stroke=_GOLD,
        stroke_width=0.25,
        stroke_opacity=0.4,
    )


def _ribbons(board: Board) -> Iterator[str]:
    """Each lane as a broad, faint ribbon, from its first hole to its last."""
    for lane in _lanes(board):
        yield tag(
            "path",
            class_=f"ribbon lane-{lane}",
            d=lane_way(board, lane),
            fill="none",
            stroke=_LANE_GROUNDS[lane - 1],
            stroke_width=_RIBBON_MM,
            stroke_linecap="round",
        )


def _holes(board: Board) -> Iterator[str]:
    """Every hole of every lane once, in the order of the rows: a ring round a window."""
    kinds = {zone.id: zone.kind for zone in board.track.zones}
    for row in board.rows:
        first = row.holes[0]
        kind = kinds[first.split(":")[0]] if isinstance(first, str) else None
        ink = INKS[kind] if kind else _LANE_INKS[row.lane - 1]
        rings = (circle(complex(x, y), HOLE_MM) for _, x, y in row.places())
        yield tag(
            "g",
            *rings,
            class_=f"holes lane-{row.lane}" + (f" {kind}" if kind else ""),
            data_lane=row.lane,
            data_holes=" ".join(map(str, row.holes)),
            fill=ink,
            fill_opacity=0.1,
            stroke=ink,
            stroke_width=0.36,
        )


def _numbers(board: Board) -> Iterator[str]:
    """Draw the number of every fifth hole, every mark and the finish, between lanes 1 and 2."""
    finish = board.track.finish
    marked = {mark.hole for mark in board.marks} | {finish}
    lines = []
    for hole in sorted({*range(5, finish, 5), *marked}):
        at = (hole_at(board, 1, hole) + hole_at(board, 2, hole)) / 2 + complex(0, 0.36 * _NUMBER_MM)
        strong = hole % 10 == 0 or hole in marked
        ink = _GOLD if hole in marked else _CREAM
        lines.append(words(str(hole), at, fill=ink, fill_opacity=0.95 if strong else 0.5))
    yield tag(
        "g",
        *lines,
        class_="numbers",
        font_family=_SANS,
        font_size=_NUMBER_MM,
        text_anchor="middle",
    )


def _arrows(board: Board) -> Iterator[str]:
    """Draw the walking direction: an arrow at every tenth hole and one in each turn."""
    busy = _busy(board)
    last, next_to_last = board.track.lanes, board.track.lanes - 1
    chevrons = []
    for row in track_rows(board, last):
        for hole in range(int(row.holes[0]), int(row.holes[-1])):
            if hole % 10 == _ARROW_AFTER and busy.isdisjoint((hole, hole + 1)):
                between = (hole_at(board, next_to_last, hole) + hole_at(board, last, hole + 1)) / 2
                chevrons.append(chevron(between, heading(row)))
    for lane in _lanes(board):
        chevrons += [chevron(at, onward) for at, onward in apexes(board, lane)]
    yield tag(
        "path",
        class_="arrows",
        d="".join(chevrons),
        fill="none",
        stroke=_MUTED,
        stroke_width=0.4,
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def _busy(board: Board) -> set[int]:
    """Return the holes that have other print around them."""
    zones = board.track.zones
    return {hole for zone in zones for hole in (*zone.box, *zone.to, zone.rejoin)}


def _marks(board: Board) -> Iterator[str]:
    """Draw a line behind or before each marked hole, and its caption beside the last lane."""
    for hole, caption, before in board.marks:
        row = next(row for row in track_rows(board, 1) if hole in row.holes)
        onward = heading(row)
        first, last = (
            hole_at(board, lane, hole) + complex(row.dx_mm, row.dy_mm) / (-2 if before else 2)
            for lane in (1, board.track.lanes)
        )
        out = unit(last - first)
        start, end = first - _MARK_OVER_MM * out, last + _MARK_OUT_MM * out
        line = tag("path", d=way("M", start, "L", end), stroke=_GOLD, stroke_width=0.35)
        middle = last + (_MARK_OVER_MM + _MARK_OUT_MM) / 2 * out
        yield tag("g", line, _caption(caption, middle, onward), class_="mark")


def _caption(caption: str, at: complex, onward: complex) -> str:
    """Draw the words of a mark one below the other, on the side that the walk comes from."""
    stack = textwrap.wrap(caption.upper(), _CAPTION_WIDTH, break_long_words=False)
    leading = 1.25 * _CAPTION_MM
    height = leading * (len(stack) - 1) + 0.72 * _CAPTION_MM
    middle = at - onward * _CAPTION_GAP_MM - 1j * height / 2 * (1 + onward.imag)
    first = middle + 0.72j * _CAPTION_MM
    return tag(
        "g",
        *(words(text, first + 1j * n * leading) for n, text in enumerate(stack)),
        fill=_GOLD,
        font_family=_SANS,
        font_size=_CAPTION_MM,
        letter_spacing=0.1,
        text_anchor={1: "end", -1: "start"}.get(round(onward.real), "middle"),
    )


def _lamps(board: Board) -> Iterator[str]:
    """Draw the lamps beside the track, each with its lane or its seat below it."""
    for lamp in board.lamps:
        kind, whose = lamp.id.split("-")
        at = complex(lamp.x_mm, lamp.y_mm)
        label = words(
            whose,
            at + 5.6j,
            fill=_MUTED,
            font_family=_SANS,
            font_size=_NUMBER_MM,
            text_anchor="middle",
        )
        ring = circle(
            at, LAMP_RING_MM, fill=_GOLD, fill_opacity=0.12, stroke=_GOLD, stroke_width=0.36
        )
        place = {"start": "data_lane", "dealer": "data_seat"}[kind]
        yield tag("g", ring, label, class_=f"lamp {kind}", **{place: whose})


def _finish(board: Board) -> str:
    """Draw a second ring round the last hole of every lane."""
    rings = (
        circle(hole_at(board, lane, board.track.finish), HOLE_MM + 0.9) for lane in _lanes(board)
    )
    return tag("g", *rings, class_="finish", fill="none", stroke=_GOLD, stroke_width=0.3)


def _line(line: Lettering) -> str:
    """One line of the board's own lettering."""
    title = line.style == "title"
    attributes: dict[str, str | float] = {
        "class_": f"lettering {line.style}",
        "fill": _STYLE_INKS[line.style],
        "font_family": _SERIF if title else _SANS,
        "font_size": line.size_mm,
        "letter_spacing": line.size_mm * (0.14 if title else 0.1),
        "text_anchor": line.anchor,
    }
    at = complex(line.x_mm, line.y_mm)
    if line.turn_deg:
        attributes["transform"] = (
            f"rotate({number(line.turn_deg)} {number(at.real)} {number(at.imag)})"
        )
    return words(line.text, at, **attributes)


def _lanes(board: Board) -> range:
    return range(1, board.track.lanes + 1)
