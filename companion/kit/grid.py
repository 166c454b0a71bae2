"""Light grid: walls round every LED, between strips and sheet, as solids for a 3D printer.

The walls follow the board's rows of holes: a plate of the sheet's size would weigh kilograms. Each
strip lies in a channel below the walls; its ends are open for wires. A cell is the opening through
a solid for the light of one LED, so a solid has as many openings as LEDs, unless cells overlap.
Places are millimetres from the sheet's lower left corner, y up, and z from the strip.

A body (a connected piece of the grid) that is too large for the printer is cut; dovetails then hold
the parts together. At each side of a cut that has room, both parts get a small block, the lug. One
lug has a tab, the other has a wider socket; the lugs are pushed together from above.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from manifold3d import CrossSection, FillRule, JoinType, Manifold, OpType

from companion.board.layout import Board
from companion.lights.compositor import Per

HEIGHT_MM: Final = 8.0
"""Distance from strip to sheet at which an LED's light fills the clear spot printed above it."""
WALL_MM: Final = 0.8
"""Thinnest wall: two lines of a nozzle of 0.4 mm."""

_LED_WALL_MM = 1.75
"""Width of the wall between two cells; after a cut along it, each half is still a wall."""
_CELL_ACROSS_MM = 10.8
_CHANNEL_MM = (12.2, 0.5)
_RAIL_MM = _CHANNEL_MM[0] + 2 * WALL_MM
_LAMP_CELL_MM, _LAMP_MM = 5.6, 8.0
_BAR_MM, _LONGEST_BAR_MM = 2.4, 25.0
_TEST_HOLES = 5
_TRIED_CUTS, _ALL_JOINTS = 12, 2

TAB_MM: Final = 2.4
"""Reach of a tab beyond the cut."""

_LUG_MM: Final = (4.2, 4.6)
"""Size of a lug along the cut, and at right angles to the cut."""
_NECK_MM, _HEAD_MM = 1.4, 2.4
_CLEARANCE_MM = 0.1
_INTO_WALL_MM = 0.4
_AROUND_MM = 0.5
_SLAB_MM = 2.0


class Cell(NamedTuple):
    """Cell of an LED: its centre, and the sizes of the cell, its block of walls and its channel."""

    x: float
    y: float
    size: tuple[float, float]
    block: tuple[float, float]
    channel: tuple[float, float]


class GridTile(NamedTuple):
    """Named solid that fits the printer's bed; the test tile is printed first, for a trial."""

    name: str
    solid: Manifold
    is_test: bool = False


def cells(board: Board, per: Per) -> list[Cell]:
    """Return the cells of all LEDs under holes, in the order of the rows, and then of all lamps.

    The cell of an LED that lanes share reaches over all these lanes.
    """
    along = min(board.pitch_mm - _LED_WALL_MM, _CELL_ACROSS_MM)
    full = along + 2 * _LED_WALL_MM
    last = board.track.lanes if per is Per.HOLE else 1
    found = []
    for row in board.rows:
        if per is Per.HOLE and row.lane != 1:
            continue
        ends = [
            (board.place(row.lane, at), board.place(row.lane + last - 1, at)) for at in row.holes
        ]
        wider = math.dist(*ends[0])
        sizes = (
            (along, _CELL_ACROSS_MM + wider),
            (full, _RAIL_MM + wider),
            (full + 2, _CHANNEL_MM[0] + wider),
        )
        turned = [size if row.dx_mm else size[::-1] for size in sizes]
        middles = (((one[0] + other[0]) / 2, (one[1] + other[1]) / 2) for one, other in ends)
        found += [Cell(x, board.height_mm - y, *turned) for x, y in middles]
    lamp = ((_LAMP_CELL_MM,) * 2, (_LAMP_MM,) * 2, (_CHANNEL_MM[0],) * 2)
    return found + [Cell(at.x_mm, board.height_mm - at.y_mm, *lamp) for at in board.lamps]


def grid_tiles(board: Board, per: Per, bed_mm: tuple[float, float]) -> list[GridTile]:
    """Return a test tile of five cells, and then the grid as solids that fit the bed."""
    inside = cells(board, per)
    test = inside[:_TEST_HOLES]
    tiles = [GridTile("test-5-holes", _solid(test, []), is_test=True)]
    whole = _solid(inside, _bars(board))
    cutter = _Cutter(inside, bed_mm, whole.slice(HEIGHT_MM / 2))
    parts = [part for body in whole.decompose() for part in cutter.cut(body)]
    parts.sort(key=lambda part: part.bounding_box())
    tiles += [GridTile(f"tile-{number:02}", part) for number, part in enumerate(parts, start=1)]
    return tiles


def stl(solid: Manifold) -> bytes:
    """Return a solid as binary STL, with its triangles sorted by their places."""
    mesh = solid.to_mesh()
    corners = np.asarray(mesh.vert_properties, dtype="<f4")[:, :3][np.asarray(mesh.tri_verts)]
    flat = corners.reshape(len(corners), 9)
    corners = corners[np.lexsort(flat.T[::-1])]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    triangles = np.zeros(len(corners), dtype=[("facet", "<f4", (4, 3)), ("extra", "<u2")])
    triangles["facet"][:, 0] = normals / np.where(lengths > 0, lengths, 1)
    triangles["facet"][:, 1:] = corners
    head = b"light grid, in millimetres".ljust(80) + np.uint32(len(corners)).tobytes()
    return head + triangles.tobytes()


def _solid(inside: Sequence[Cell], bars: Iterable[CrossSection]) -> Manifold:
    walls = _rectangles((at.x, at.y, at.block) for at in inside)
    for bar in bars:
        walls += bar
    walls -= _rectangles((at.x, at.y, at.size) for at in inside)
    channels = _rectangles((at.x, at.y, at.channel) for at in inside)
    depth = _CHANNEL_MM[1]
    return walls.extrude(HEIGHT_MM) - channels.extrude(depth + 1).translate((0, 0, -1))


def _rectangles(places: Iterable[tuple[float, float, tuple[float, float]]]) -> CrossSection:
    """Return the union of rectangles, each by its centre and its size."""
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    outlines = [
        [(x + right * w / 2, y + up * h / 2) for right, up in corners] for x, y, (w, h) in places
    ]
    return CrossSection(outlines, FillRule.Positive)


def _bars(board: Board) -> Iterator[CrossSection]:
    """Yield a bar between aligned lamps that are close and neighbours in the board file."""
    for one, other in pairwise(board.lamps):
        dx, dy = abs(other.x_mm - one.x_mm), abs(other.y_mm - one.y_mm)
        if min(dx, dy) < WALL_MM and max(dx, dy) <= _LONGEST_BAR_MM:
            x, y = (one.x_mm + other.x_mm) / 2, board.height_mm - (one.y_mm + other.y_mm) / 2
            yield _rectangles([(x, y, (max(dx, _BAR_MM), max(dy, _BAR_MM)))])


class Cut:
    """Cut of a body at right angles to an axis; axis 0 is x, axis 1 is y.

    `section` is the body's section half way up; `busy` is the area that no lug may touch.
    """

    def __init__(self, section: CrossSection, axis: int, at: float, busy: CrossSection) -> None:
        self._axis, self._at = axis, at
        low, high = self._edges(section)
        sides = ((low, -1.0), (high, 1.0))
        self._sides = [side for side in sides if self._is_free(*side, busy)]

    @property
    def joints(self) -> int:
        """Number of sides that have room for a joint, at most 2."""
        return len(self._sides)

    @property
    def lugs(self) -> CrossSection:
        """Section of all lugs, with the room round them that other lugs must leave free."""
        return CrossSection.batch_boolean(
            [self._room(*side) for side in self._sides] or [CrossSection()], OpType.Add
        )

    def parts(self, body: Manifold) -> tuple[Manifold, Manifold]:
        """Return the parts beyond the cut and before it, each with its half of the joints."""
        normal = (1.0, 0.0, 0.0) if self._axis == 0 else (0.0, 1.0, 0.0)
        height = body.bounding_box()[5]
        beyond, before = body.split_by_plane(normal, self._at)
        for edge, out in self._sides:
            lug, tab = self._lug(edge, out, -1), self._tab(edge, out)
            socket = tab.offset(_CLEARANCE_MM, JoinType.Miter)
            before += (lug + tab).extrude(height)
            beyond += (self._lug(edge, out, 1) - socket).extrude(height)
        return beyond, before

    def _edges(self, section: CrossSection) -> tuple[float, float]:
        """Return where the body begins and ends across the axis, close to the cut."""
        bounds, across = section.bounds(), 1 - self._axis
        along = (self._at - _SLAB_MM, self._at + _SLAB_MM)
        near = self._rectangle(along, (bounds[across] - 1, bounds[across + 2] + 1)) ^ section
        return near.bounds()[across], near.bounds()[across + 2]

    def _is_free(self, edge: float, out: float, busy: CrossSection) -> bool:
        """Return True if nothing lies where the lugs would lie."""
        return bool((self._room(edge, out) ^ busy).is_empty())

    def _room(self, edge: float, out: float) -> CrossSection:
        reach = _LUG_MM[1] + _AROUND_MM
        across = (edge + out * 0.1, edge + out * (_LUG_MM[0] + _AROUND_MM))
        return self._rectangle((self._at - reach, self._at + reach), across)

    def _lug(self, edge: float, out: float, onward: int) -> CrossSection:
        # If a lug began on the cut itself, STL would merge its corners with corners of the part.
        along = (self._at + onward * _CLEARANCE_MM / 2, self._at + onward * _LUG_MM[1])
        return self._rectangle(along, (edge - out * _INTO_WALL_MM, edge + out * _LUG_MM[0]))

    def _tab(self, edge: float, out: float) -> CrossSection:
        middle = edge + out * _LUG_MM[0] / 2
        corners = (
            (-0.5, -_NECK_MM / 2),
            (0.0, -_NECK_MM / 2),
            (TAB_MM, -_HEAD_MM / 2),
            (TAB_MM, _HEAD_MM / 2),
            (0.0, _NECK_MM / 2),
            (-0.5, _NECK_MM / 2),
        )
        return self._outline([(self._at + along, middle + across) for along, across in corners])

    def _rectangle(self, along: tuple[float, float], across: tuple[float, float]) -> CrossSection:
        (a, b), (c, d) = sorted(along), sorted(across)
        return self._outline([(a, c), (b, c), (b, d), (a, d)])

    def _outline(self, points: list[tuple[float, float]]) -> CrossSection:
        turned = [point if self._axis == 0 else point[::-1] for point in points]
        return CrossSection([turned], FillRule.EvenOdd)


class _Cutter:
    """Cutter of bodies to fit a bed; `busy` is the area that no joint may touch."""

    def __init__(
        self, inside: Sequence[Cell], bed_mm: tuple[float, float], busy: CrossSection
    ) -> None:
        self._cells, self._bed_mm, self._busy = inside, bed_mm, busy

    def cut(self, body: Manifold) -> Iterator[Manifold]:
        """Yield a body that fits the bed, or its parts with joints, cut between cells."""
        box = body.bounding_box()
        for axis in (0, 1):
            if box[axis + 3] - box[axis] > self._bed_mm[axis]:
                cut = self._best(body, axis, box)
                self._busy += cut.lugs
                for half in cut.parts(body):
                    for part in half.decompose():
                        yield from self.cut(part)
                return
        yield body

    def _best(self, body: Manifold, axis: int, box: tuple[float, ...]) -> Cut:
        """Return the farthest cut that has two joints, or if none has two, one with most joints."""
        section, found = body.slice(HEIGHT_MM / 2), []
        for at in _cuts(box, self._bed_mm[axis] - TAB_MM, axis, self._cells)[:_TRIED_CUTS]:
            found.append(Cut(section, axis, at, self._busy))
            if found[-1].joints == _ALL_JOINTS:
                break
        return max(found, key=lambda cut: cut.joints)


def _cuts(box: tuple[float, ...], bed_mm: float, axis: int, inside: Sequence[Cell]) -> list[float]:
    """Return the cuts that leave all cells whole, farthest first, or the bed's end if none does."""
    low, high = box[axis], box[axis] + bed_mm
    halves = [
        ((cell.x, cell.y)[axis], cell.size[axis] / 2 + WALL_MM)
        for cell in inside
        if box[0] < cell.x < box[3] and box[1] < cell.y < box[4]
    ]
    spans = [(middle - half, middle + half) for middle, half in halves]
    free = {start for start, _ in spans if low < start <= high}
    sound = (at for at in free if not any(start < at < end for start, end in spans))
    return sorted(sound, reverse=True) or [high]
