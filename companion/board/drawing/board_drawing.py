"""The printed sheet as SVG at its true size, for the printer and for the page.

Every part has its own CSS class. Attributes such as `data-lane` give the page the lane and holes of
each row, the lane or the seat of each lamp, and the hole to which each zone sends a peg.

A heat map is the sheet with the mean number of landings on each hole and in each zone.
"""

import cmath
import math
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import pairwise
from typing import Final

from companion.board.drawing import lanes, marks, zones
from companion.board.drawing.curves import HOLE_MM, hole_at
from companion.board.drawing.finish import SCREEN_STYLE, SheetStyle
from companion.board.drawing.lettering import CAP_EM, LEAST_MM, Face, centred, line, typeface, width
from companion.board.drawing.notes import draw_notes
from companion.board.drawing.svg import circle, outline, rect, sheet, stroke, tag
from companion.board.drawing.zones import draw_slides
from companion.board.layout import Board, Hole, Lettering, Zone
from companion.board.zone_kinds import ZoneKind

LAMP_RING_MM: Final = 2.3
"""Radius of the opening in the print for a lamp beside the track."""

_FRAME_MM, _STEP_MM, _FRAME_GAP_MM = 3.5, 4.0, 1.3
_LABEL_MM = 7.2
_RAYS = 40
_RAMP = ((43, 33, 64), (140, 41, 99), (222, 73, 58), (252, 165, 42), (252, 255, 184))
"""sRGB colours from no landings to the most, each lighter than the one before, for grey prints."""
_CREAM, _GROUND = "#f1e6cd", "#14110d"
_LEAST_RADIUS_MM, _MOST_RADIUS_MM = 1.3, 1.25 * HOLE_MM
_BADGE_MM = 10 + 5j
_LEGEND_STEPS, _LEGEND_MM = 24, 2.0
_LEGEND_UP_MM = 6.6


def draw(board: Board, style: SheetStyle = SCREEN_STYLE, *, over: Iterable[str] = ()) -> str:
    """Draw a board's sheet as an SVG document with the paper's `width` and `height`.

    `over` has elements that are drawn over the sheet.
    """
    return sheet(
        board.width_mm,
        board.height_mm,
        tag("title", escape(style.title or board.title)),
        *_ground(board, style),
        *marks.district(board, style),
        *lanes.ribbons(board, style),
        *zones.draw_zones(board, style),
        lanes.numbers(board, style),
        lanes.arrows(board, style),
        *marks.lines(board, style),
        *marks.gates(board, style),
        *draw_slides(board, style),
        *lanes.sides(board, style),
        *lanes.windows(board, style),
        *_lamps(board, style),
        *(_lettering(line, style) for line in board.lettering),
        *draw_notes(board, style),
        *over,
        class_="board",
    )


def _ground(board: Board, style: SheetStyle) -> Iterator[str]:
    finish, bleed = style.finish, style.bleed_mm
    corner = complex(-bleed, -bleed)
    size = complex(board.width_mm, board.height_mm) - 2 * corner
    yield rect(corner, size, class_="ground", fill=finish.ground)
    if finish.rays:
        rays = _rays(board, bleed)
        yield tag("path", class_="rays", d=rays, fill=finish.gold, fill_opacity=finish.rays)
    for inset, wide in ((_FRAME_MM, 0.7), (_FRAME_MM + _FRAME_GAP_MM, 0.25)):
        yield stroke(_stepped(board, inset), finish.gold, wide, class_="frame")


def _stepped(board: Board, inset: float) -> str:
    right, low, step = board.width_mm - inset, board.height_mm - inset, _STEP_MM
    left, high = inset + step, inset + step
    xs = (left, right - step, right - step, right, right, right - step)
    ys = (inset, inset, high, high, low - step, low - step)
    half = [complex(x, y) for x, y in zip(xs, ys, strict=True)]
    turned = [complex(board.width_mm, board.height_mm) - at for at in half]
    return outline(*half, *turned)


def _rays(board: Board, bleed: float) -> str:
    """Return path data of the gold rays, which go from the title to the edges of the sheet."""
    title = next((at for at in board.lettering if at.style == "title"), None)
    low, high = complex(-bleed, -bleed), complex(board.width_mm + bleed, board.height_mm + bleed)
    middle = _middle(title) if title else (low + high) / 2
    corners = (low, complex(high.real, low.imag), high, complex(low.real, high.imag))
    angles = sorted(cmath.phase(corner - middle) % (2 * math.pi) for corner in corners)
    data = ""
    for ray in range(_RAYS):
        start, end = (2 * math.pi * (ray + half) / _RAYS for half in (0, 0.5))
        turns = [start, *(angle for angle in angles if start < angle < end), end]
        edge = [_to_edge(middle, cmath.exp(1j * turn), low, high) for turn in turns]
        data += outline(middle, *edge)
    return data


def _middle(line: Lettering) -> complex:
    half = typeface(Face.TITLE).width(line.text, line.size_mm) / 2
    return complex(line.x_mm + {"start": half, "middle": 0, "end": -half}[line.anchor], line.y_mm)


def _to_edge(start: complex, onward: complex, low: complex, high: complex) -> complex:
    reaches = [
        ((far if way > 0 else near) - at) / way
        for at, way, near, far in (
            (start.real, onward.real, low.real, high.real),
            (start.imag, onward.imag, low.imag, high.imag),
        )
        if way
    ]
    return start + min(reaches) * onward


def _lamps(board: Board, style: SheetStyle) -> Iterator[str]:
    """Draw the lamps beside the track. Each seat has a dealer's lamp, with its number below."""
    gold = style.finish.gold
    for lamp in board.lamps:
        kind, whose = lamp.id.split("-")
        at = complex(lamp.x_mm, lamp.y_mm)
        parts = [circle(at, LAMP_RING_MM, fill=style.finish.window, stroke=gold, stroke_width=0.6)]
        if kind == "dealer":
            parts.append(
                line(whose, at + 1j * _LABEL_MM, fill=style.finish.ink, text_anchor="middle")
            )
        place = {"start": "data_lane", "dealer": "data_seat"}[kind]
        yield tag("g", *parts, class_=f"lamp {kind}", **{place: whose})
    if style.words:
        left = min(lamp.x_mm for lamp in board.lamps if lamp.id.startswith("dealer"))
        level = next(lamp.y_mm for lamp in board.lamps if lamp.x_mm == left)
        at = complex(left - _LABEL_MM, level + LEAST_MM / 2)
        yield line(style.words.dealer, at, fill=gold, text_anchor="end", class_="lettering")


def face_of_style(style: str) -> Face:
    """Return the typeface of a style of lettering."""
    return Face.TITLE if style in ("title", "place") else Face.TEXT


def _lettering(lettering: Lettering, style: SheetStyle) -> str:
    """Write a line of the board's own lettering; a title in `style` replaces the board's title."""
    finish, kind = style.finish, lettering.style
    inks = {"plain": finish.ink, "fine": finish.muted, "title": finish.ink, "place": finish.gold}
    face = face_of_style(kind)
    text, size = lettering.text, lettering.size_mm
    if kind == "title" and style.title:
        text = style.title.upper()
        widths = (typeface(Face.TITLE).width(each, size) for each in (lettering.text, text))
        size *= min(1.0, next(widths) / next(widths))
    return line(
        text,
        complex(lettering.x_mm, lettering.y_mm),
        cap_mm=max(LEAST_MM, size * CAP_EM),
        face=face,
        turn_deg=lettering.turn_deg,
        class_=f"lettering {kind}",
        fill=inks[kind] if kind in inks else finish.zone(ZoneKind(kind)),
        letter_spacing=size * (0.06 if face is Face.TITLE else 0.04),
        text_anchor=lettering.anchor,
    )


def draw_heat(
    board: Board, landings: Mapping[Hole, float], visits: Mapping[str, float], *, lanes: int
) -> str:
    """Draw the sheet as an SVG document, with heat on the holes of the first `lanes` lanes.

    `landings` has, by hole, how often one side lands there in a game; `visits` has, by the id of a
    zone, how often all sides together land in it. Both are means; a missing key means 0.
    """
    # The finish does not set the scale: it has about one landing a game, far more than others.
    others = (count for hole, count in landings.items() if hole != board.track.finish)
    most = max(others, default=0.0)
    return draw(
        board,
        over=(
            tag("g", *_holes(board, landings, most, lanes), class_="heat"),
            *(_badge(board, zone, visits.get(zone.id, 0.0)) for zone in board.track.zones),
            _legend(board, most),
        ),
    )


def _holes(board: Board, landings: Mapping[Hole, float], most: float, lanes: int) -> Iterator[str]:
    for row in board.rows:
        for hole, x, y in row.places():
            count = landings.get(hole, 0.0)
            if row.lane <= lanes and count:
                title = tag("title", f"{hole}: {count:.3f} landings a side and game")
                yield _dot(complex(x, y), count / most if most else 0.0, title)


def _dot(at: complex, heat: float, *inner: str) -> str:
    heat = min(heat, 1.0)
    radius = _LEAST_RADIUS_MM + heat * (_MOST_RADIUS_MM - _LEAST_RADIUS_MM)
    return tag("circle", *inner, cx=at.real, cy=at.imag, r=radius, fill=_colour(heat))


def _colour(heat: float) -> str:
    """Return the ramp's colour for a heat from 0 to 1.

    >>> _colour(0), _colour(1)
    ('#2b2140', '#fcffb8')
    """
    legs = list(pairwise(_RAMP))
    leg = min(int(heat * len(legs)), len(legs) - 1)
    part = heat * len(legs) - leg
    mixed = (round(a + part * (b - a)) for a, b in zip(*legs[leg], strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def _badge(board: Board, zone: Zone, visits: float) -> str:
    """Draw the visits to a zone on the blank ground between the last two lanes of its box."""
    middle, lanes = zone.box[len(zone.box) // 2], board.track.lanes
    at = (hole_at(board, lanes - 1, middle) + hole_at(board, lanes, middle)) / 2
    ground = rect(at - _BADGE_MM / 2, _BADGE_MM, rx=_BADGE_MM.imag / 2, fill=_GROUND)
    title = tag("title", f"{zone.id}: {visits:.2f} visits a game")
    return tag("g", title, ground, centred(f"{visits:.2f}", at, fill=_CREAM), class_="visits")


def _legend(board: Board, most: float) -> str:
    """Draw the ramp with the values of its ends on a plate above the lower edge of the board."""
    most_text = f"{most:.2f} landings a side and game"
    ramp_mm = _LEGEND_STEPS * _LEGEND_MM
    label_mm = width(most_text, LEAST_MM, Face.BOLD)
    plate_mm = complex(ramp_mm + label_mm + 6 * LEAST_MM, 2 * LEAST_MM)
    left = complex((board.width_mm - plate_mm.real) / 2, board.height_mm - _LEGEND_UP_MM)
    plate = rect(left - 1j * LEAST_MM, plate_mm, rx=LEAST_MM, fill=_GROUND)
    first = left + 3 * LEAST_MM
    dots = (_dot(first + n * _LEGEND_MM, n / _LEGEND_STEPS) for n in range(_LEGEND_STEPS + 1))
    return tag(
        "g",
        plate,
        *dots,
        centred("0", left + 1.5 * LEAST_MM, fill=_CREAM),
        centred(most_text, first + ramp_mm + 1.5 * LEAST_MM + label_mm / 2, fill=_CREAM),
        class_="legend",
    )
