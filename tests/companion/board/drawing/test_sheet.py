"""The printed sheet: readable lettering, numbers in their places, explained zones."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from typing import NamedTuple
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board import board_names, draw, load_board
from companion.board.drawing.finish import FINISHES, NIGHT, SheetStyle
from companion.board.drawing.lettering import Face
from companion.board.drawing.outlines import outlined
from companion.commentary import languages, load_phrases
from companion.settings.sheet_style import sheet_words
from tests.companion.board.drawing.test_board_drawing import font
from tests.support.boards import make_board, small_zones

SVG = "{http://www.w3.org/2000/svg}"
LEAST_MM, NUMBER_MM = 3.0, 4.0
RING_MM = 1.75
INHERITED = ("font-family", "font-size", "font-weight", "letter-spacing", "text-anchor", "class")

every_board = pytest.mark.parametrize("name", board_names())
every_language = pytest.mark.parametrize("language", languages())


class Text(NamedTuple):
    """A line of print: its words, the height of its capitals, its box and its class."""

    words: str
    cap_mm: float
    left: float
    top: float
    right: float
    bottom: float
    kind: str
    bold: bool

    def meets(self, other: Text) -> bool:
        """Return True if two lines overlap."""
        across = min(self.right, other.right) - max(self.left, other.left)
        along = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > 0.05 and along > 0.05

    def distance(self, x: float, y: float) -> float:
        """Return the millimetres from a point to the line's box."""
        dx = max(self.left - x, 0.0, x - self.right)
        return math.hypot(dx, max(self.top - y, 0.0, y - self.bottom))


@cache
def advances(face: Face) -> dict[str, float]:
    """Return the width of each character in ems, as fontTools reads it."""
    oracle = font(face)
    units = oracle["head"].unitsPerEm
    return {
        chr(code): oracle["hmtx"][name][0] / units for code, name in oracle.getBestCmap().items()
    }


@cache
def sheet(name: str, language: str = "en", finish: str = "night") -> Element:
    """Return the drawing of a printed sheet as a tree."""
    board = load_board(name)
    words = sheet_words(board, load_phrases(language))
    style = SheetStyle(finish=FINISHES[finish], words=words)
    return fromstring(draw(board, style))  # noqa: S314  our own drawing


def texts(element: Element, inherited: dict[str, str] | None = None) -> Iterator[Text]:
    """Return every line of a drawing."""
    style = (inherited or {}) | {k: element.attrib[k] for k in INHERITED if k in element.attrib}
    if element.tag == f"{SVG}text":
        yield measured(element, style)
    for child in element:
        yield from texts(child, style)


def measured(element: Element, style: dict[str, str]) -> Text:
    """Return a line of print with its box, from its attributes."""
    words, size = element.text or "", float(style["font-size"])
    bold = style.get("font-weight") == "700"
    face = Face.TITLE if "Limelight" in style["font-family"] else Face.BOLD if bold else Face.TEXT
    width = sum(advances(face)[letter] for letter in words) * size
    width += float(style.get("letter-spacing", 0)) * (len(words) - 1)
    before = {"start": 0.0, "middle": width / 2, "end": width}[style.get("text-anchor", "start")]
    x, y, cap = float(element.get("x", "")), float(element.get("y", "")), 0.7 * size
    box = (x - before, y - cap, x - before + width, y)
    if "transform" in element.attrib:
        assert element.attrib["transform"].startswith("rotate(90 ")
        box = (x, y - before, x + cap, y - before + width)
    return Text(words, cap, *box, style.get("class", ""), bold)


@every_board
@every_language
def test_no_lettering_is_too_small(name: str, language: str) -> None:
    """Every capital is 3 mm high or more, and every number of a hole 4 mm."""
    for text in texts(sheet(name, language)):
        assert text.cap_mm >= (NUMBER_MM if text.kind == "numbers" else LEAST_MM) - 0.001


@every_board
@every_language
def test_lettering_is_free(name: str, language: str) -> None:
    """Every line lies on the sheet, clear of windows and other lines."""
    board = load_board(name)
    lines = list(texts(sheet(name, language)))
    places = [(x, y) for row in board.rows for _, x, y in row.places()]
    places += [(lamp.x_mm, lamp.y_mm) for lamp in board.lamps]
    for line in lines:
        assert 3 < line.left < line.right < board.width_mm - 3, line
        assert 3 < line.top < line.bottom < board.height_mm - 3, line
        near = [place for place in places if line.distance(*place) < RING_MM]
        assert not near, line
    for one, other in combinations(lines, 2):
        assert not one.meets(other), (one, other)


@every_board
def test_numbers(name: str) -> None:
    """Every fifth hole, mark and finish has one, bold every ten, on one side."""
    board = load_board(name)
    numbers = {int(text.words): text for text in texts(sheet(name)) if text.kind == "numbers"}
    marks = {mark.hole for mark in board.marks} | {board.track.finish}
    beside_marks = {hole + step for hole in marks for step in (-1, 1)}
    fives = set(range(5, board.track.finish, 5))
    assert marks | (fives - beside_marks) <= numbers.keys() <= marks | fives
    for hole, text in numbers.items():
        assert (hole % 10 == 0 or hole in marks) is text.bold
        x, y = (text.left + text.right) / 2, (text.top + text.bottom) / 2
        lanes = [board.place(lane, hole) for lane in range(1, board.track.lanes + 1)]
        level = lanes[0][1] == lanes[-1][1]
        first, second = sorted(at[0] if level else at[1] for at in lanes)[:2]
        assert first < (x if level else y) < second
        assert abs((y - lanes[0][1]) if level else (x - lanes[0][0])) < 1.5


@every_language
def test_zones_say_what_they_bring(language: str) -> None:
    """Each zone's sentence holds for all its holes, and names the end or the length."""
    board = load_board("crib-wars")
    words = sheet_words(board, load_phrases(language))
    for zone in board.track.zones:
        found = [int(number) for number in re.findall(r"\d+", words.outcomes[zone.id])]
        shifts = {to - box for box, to in zip(zone.box, zone.to, strict=False)}
        expected = [zone.rejoin] if zone.diverts else list(shifts) or [20]
        assert expected == found
    printed = " ".join(text.words for text in texts(sheet("crib-wars", language)))
    assert all(sentence in printed for sentence in words.outcomes.values())
    kinds = {zone.kind for zone in board.track.zones}
    assert all(words.explanations[kind] in printed for kind in kinds)


def test_the_slide_from_150_passes_over_the_bridge_of_180() -> None:
    """It avoids every window, and walls show where it crosses the side path."""
    board = load_board("crib-wars")
    (slide,) = [
        part
        for part in sheet("crib-wars").iter(f"{SVG}g")
        if part.get("class") == "slide" and any(path.get("class") == "overpass" for path in part)
    ]
    ribbon = next(path for path in slide if path.get("class") == "ribbon")
    half = float(ribbon.get("stroke-width", "")) / 2
    numbers = [
        float(n)
        for n in re.findall(r"-?[\d.]+", re.sub(r"A[^A-Z]* 0 0 [01] ", "L", ribbon.get("d", "")))
    ]
    corners = list(zip(numbers[::2], numbers[1::2], strict=True))
    holes = [
        (x, y)
        for row in board.rows
        for hole, x, y in row.places()
        if str(hole).startswith("trap-180")
    ]
    for (x1, y1), (x2, y2) in pairwise(corners):
        for x, y in holes:
            along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / max(
                math.dist((x1, y1), (x2, y2)) ** 2, 1e-9
            )
            share = min(max(along, 0.0), 1.0)
            nearest = (x1 + share * (x2 - x1), y1 + share * (y2 - y1))
            assert math.dist(nearest, (x, y)) > RING_MM + half


@pytest.mark.parametrize("finish", FINISHES)
def test_both_finishes_have_the_same_windows(finish: str) -> None:
    """A window is clear in any surroundings."""
    circles = [
        ring
        for group in sheet("classic", "en", finish).iter(f"{SVG}g")
        if group.get("class", "").startswith(("holes", "lamp"))
        for ring in group.iter(f"{SVG}circle")
    ]
    assert 3 * 121 + 3 + 6 == len(circles)
    groups = [
        g for g in sheet("classic", "en", finish).iter(f"{SVG}g") if "holes" in g.get("class", "")
    ]
    assert {"#ffffff"} == {group.get("fill") for group in groups}


def test_outlines_lie_where_the_lettering_was() -> None:
    """A sheet with outlined lettering has no text, and its letters have the same boxes."""
    board = load_board("classic-61")
    style = SheetStyle(finish=NIGHT, words=sheet_words(board, load_phrases("en")))
    tree = fromstring(outlined(draw(board, style)))  # noqa: S314  our own drawing
    assert [] == list(tree.iter(f"{SVG}text"))
    titles = [path for path in tree.iter(f"{SVG}path") if path.get("class") == "lettering title"]
    (title,) = [text for text in texts(sheet("classic-61")) if text.kind == "lettering title"]
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", titles[0].get("d", ""))]
    assert title.left == pytest.approx(min(numbers[::2]), abs=1)
    assert title.right == pytest.approx(max(numbers[::2]), abs=1)
    assert title.bottom == pytest.approx(max(numbers[1::2]), abs=0.5)


def test_a_title_of_ones_own() -> None:
    """It replaces the board's title, and is no wider."""
    board = load_board("classic-61")
    plain = draw(board)
    own = draw(board, SheetStyle(title="The Cribbage Society of Upper Wallop"))
    widths = [
        text.right - text.left
        for svg in (plain, own)
        for text in texts(fromstring(svg))  # noqa: S314  our own drawing
        if text.kind == "lettering title"
    ]
    assert "THE CRIBBAGE SOCIETY" in own
    assert widths[1] <= 1.15 * widths[0]


@given(
    finish=st.integers(40, 120),
    lanes=st.integers(2, 3),
    column=st.integers(11, 25),
    finishes=st.sampled_from(sorted(FINISHES)),
)
def test_any_board_can_be_drawn(finish: int, lanes: int, column: int, finishes: str) -> None:
    """With any columns and boxes, every window is drawn once."""
    board = make_board(finish=finish, lanes=lanes, column=column, zones=())
    if finish >= max(hole for zone in small_zones() for hole in (*zone.box, zone.rejoin)) + 1:
        board = make_board(finish=finish, lanes=lanes, column=column)
    words = sheet_words(board, load_phrases("en"))
    tree = fromstring(draw(board, SheetStyle(finish=FINISHES[finishes], words=words)))  # noqa: S314  our own drawing
    rings = [
        (float(ring.get("cx", "")), float(ring.get("cy", "")))
        for group in tree.iter(f"{SVG}g")
        if group.get("class", "").startswith("holes")
        for ring in group
    ]
    places = [(x, y) for row in board.rows for _, x, y in row.places()]
    assert len(places) == len(rings)
    for place, ring in zip(sorted(places), sorted(rings), strict=True):
        assert place == pytest.approx(ring, abs=0.001)
