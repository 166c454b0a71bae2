"""Heat map: the sheet of a board with the landings on each hole and the visits to each zone."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from companion.board.drawing.board_drawing import draw
from companion.board.drawing.curves import HOLE_MM, hole_at
from companion.board.drawing.lettering import LEAST_MM, Face, centred, width
from companion.board.drawing.svg import rect, tag
from companion.board.layout import Board, Hole, Zone

_RAMP = ((43, 33, 64), (140, 41, 99), (222, 73, 58), (252, 165, 42), (252, 255, 184))
"""sRGB colours from no landings to the most, each lighter than the one before, for grey prints."""
_CREAM, _GROUND = "#f1e6cd", "#14110d"
_LEAST_RADIUS_MM, _MOST_RADIUS_MM = 1.3, 1.25 * HOLE_MM
_BADGE_MM = 10 + 5j
_LEGEND_STEPS, _LEGEND_MM = 24, 2.0
_LEGEND_UP_MM = 6.6


def draw_heat(
    board: Board, landings: Mapping[Hole, float], visits: Mapping[str, float], *, lanes: int
) -> str:
    """Draw the sheet as an SVG document, with heat on the holes of the first `lanes` lanes.

    `landings` has the mean number of a side's landings in a game, by hole. `visits` has the mean
    number of landings of all sides in a game, by the id of the zone. A missing key means 0.
    """
    # The finish is left out: it has about one landing a game, and all others would look dark.
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
