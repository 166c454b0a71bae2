"""Drill templates have the same holes in every format, valid for CAD."""

import io
import itertools
import math
from xml.etree.ElementTree import fromstring

import pytest
from ezdxf import bbox
from ezdxf import filemanagement as dxf_document

from companion.board import board_names, describe, draw, load_board
from companion.kit.drill import plate_dxf, plate_svg, windows

MICRON = 0.001
SVG = "{http://www.w3.org/2000/svg}"
Place = tuple[float, float]


def expected(name: str) -> dict[str, list[Place]]:
    """Return the places of holes and lamps from `board show --json`, y up."""
    board = load_board(name)
    reported = describe(board)
    return {
        kind: sorted((at["x_mm"], board.height_mm - at["y_mm"]) for at in reported[kind])  # type: ignore[attr-defined]
        for kind in ("holes", "lamps")
    }


def assert_same(expected: list[Place], found: list[Place]) -> None:
    """Each place has its own counterpart within a micron."""
    assert len(expected) == len(found)
    rest = {(round(x, 2), round(y, 2)): (x, y) for x, y in found}
    for x, y in expected:
        near = itertools.product(
            *((round(at, 2), round(at - 0.005, 2), round(at + 0.005, 2)) for at in (x, y))
        )
        assert any(place in rest and math.dist(rest[place], (x, y)) <= MICRON for place in near)


@pytest.mark.parametrize("name", board_names())
def test_the_holes_of_the_dxf(name: str) -> None:
    """It is valid R12 in millimetres; each circle is on its layer, once."""
    board = load_board(name)
    drawing = dxf_document.read(io.StringIO(plate_dxf(board, windows(board))))
    assert ("AC1009", 4) == (drawing.dxfversion, drawing.units)
    assert [] == drawing.audit().errors
    size = bbox.extents(drawing.modelspace()).size
    assert (board.width_mm, board.height_mm) == pytest.approx((size.x, size.y))
    for layer, places in expected(name).items():
        circles = drawing.modelspace().query(f'CIRCLE[layer=="{layer}"]')
        assert_same(places, [(at.dxf.center.x, at.dxf.center.y) for at in circles])


def test_no_two_paths_overlap() -> None:
    """No circle of the template touches another, nor the edge."""
    board = load_board("classic")
    circles = (
        dxf_document.read(io.StringIO(plate_dxf(board, windows(board))))
        .modelspace()
        .query("CIRCLE")
    )
    discs = [(at.dxf.center.x, at.dxf.center.y, at.dxf.radius) for at in circles]
    for (x, y, radius), (other_x, other_y, other) in itertools.combinations(discs, 2):
        assert math.hypot(other_x - x, other_y - y) > radius + other
    for x, y, radius in discs:
        assert radius < min(x, y, board.width_mm - x, board.height_mm - y)


@pytest.mark.parametrize("name", board_names())
def test_the_holes_of_both_svgs(name: str) -> None:
    """The template and the sheet have the same windows, in millimetres, y down."""
    board = load_board(name)
    places = [*expected(name)["holes"], *expected(name)["lamps"]]
    for svg in (plate_svg(board, windows(board)), draw(board)):
        tree = fromstring(svg)  # noqa: S314  # our own
        assert f"{board.width_mm:g}mm" == tree.get("width")
        circles = [
            (float(at.get("cx", "")), board.height_mm - float(at.get("cy", "")))
            for group in tree.iter(f"{SVG}g")
            if group.get("class", group.get("id", "")).split()[:1]
            in (["holes"], ["lamps"], ["lamp"])
            for at in group.findall(f"{SVG}circle")
        ]
        assert_same(places, circles)


def test_the_diffuser_is_the_outline_alone() -> None:
    """It has the sheet's size, and no holes."""
    board = load_board("classic")
    document = dxf_document.read(io.StringIO(plate_dxf(board, ())))
    (outline,) = document.modelspace()
    assert "sheet" == outline.dxf.layer
    assert (board.width_mm, board.height_mm, 0) == pytest.approx(
        tuple(bbox.extents([outline]).size)
    )
    tree = fromstring(plate_svg(board, ()))  # noqa: S314  # our own
    assert ["sheet"] == [group.get("id") for group in tree]
