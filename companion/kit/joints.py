"""Joints of the light grid: where a body is cut, dovetails beside the cut hold the parts together.

At each side of a cut that has room, both parts get a lug, which is a small block. One lug has a
tab, and the other has a socket with a little clearance; the lugs are pushed together from above.
"""

from typing import Final

from manifold3d import CrossSection, FillRule, JoinType, Manifold, OpType

TAB_MM: Final = 2.4
"""Reach of a tab beyond the cut."""

_LUG_MM: Final = (4.2, 4.6)
"""Size of a lug across the cut's axis and along it."""
_NECK_MM, _HEAD_MM = 1.4, 2.4
_CLEARANCE_MM = 0.1
_INTO_WALL_MM = 0.4
_AROUND_MM = 0.5
_SLAB_MM = 2.0


class Cut:
    """Cut of a body at right angles to an axis; axis 0 is x, axis 1 is y.

    `section` is the body's section half way up; `busy` is the section of what no lug may touch.
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
        # A lug that began on the cut itself would merge its corners with the part's in STL.
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
