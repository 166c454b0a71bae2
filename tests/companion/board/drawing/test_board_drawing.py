"""The drawing is well-formed and true to size; so is the heat; typefaces beside fontTools."""

import dataclasses
import re
from importlib import resources
from itertools import combinations
from xml.etree.ElementTree import Element, fromstring

import pytest
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from companion.board import Board, Lettering, ZoneKind, board_names, draw, draw_heat, load_board
from companion.board.drawing.finish import CONTRAST, DAY, LANE_COLOURS, NIGHT, SCREEN, Finish
from companion.board.drawing.lettering import CAP_EM, STYLES, Face, face_data, face_of, typeface
from companion.board.layout import Hole
from tests.typefaces import FILES, WEB_FONTS, letters_of, web_fonts

SVG = "{http://www.w3.org/2000/svg}"
every_board = pytest.mark.parametrize("name", board_names())


def drawn(name: str) -> Element:
    """Return the drawing of a shipped board as a tree."""
    return fromstring(draw(load_board(name)))  # noqa: S314  our own drawing


def group(tree: Element, name: str) -> list[Element]:
    """Return the elements of a class."""
    return [part for part in tree.iter() if name in part.get("class", "").split()]


def numbers(text: str) -> list[float]:
    """Return every number in path data or a view box."""
    return [float(found) for found in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", text)]


COLOUR = st.from_regex(r"\A#[0-9a-f]{6}\Z")
LEGIBLE = 4.5


def contrast(one: str, other: str) -> float:
    """Return the contrast of two sRGB colours, as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        light = []
        for at in (1, 3, 5):
            part = int(colour[at : at + 2], 16) / 255
            light.append(part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4)
        return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


LANDINGS: dict[Hole, float] = {1: 0.25, 2: 0.5, 3: 0.0, 121: 1.0}


def heat_of(board: Board, landings: dict[Hole, float], **visits: float) -> Element:
    """Return the drawing for two lanes as a tree."""
    zones = {zone.replace("_", "-"): often for zone, often in visits.items()}
    return fromstring(draw_heat(board, landings, zones, lanes=2))  # noqa: S314  # our own


def dots(tree: Element) -> dict[tuple[float, float], Element]:
    """Return the dots of the heat by their place."""
    (heat,) = group(tree, "heat")
    return {
        (float(dot.get("cx", "")), float(dot.get("cy", ""))): dot
        for dot in heat.iter(f"{SVG}circle")
    }


def brightness(dot: Element) -> int:
    """Return the sum of a dot's red, green and blue."""
    return sum(bytes.fromhex(dot.get("fill", "").removeprefix("#")))


every_face = pytest.mark.parametrize("face", Face)


def font(face: Face) -> TTFont:
    """Return the file as fontTools reads it."""
    file = resources.files("companion.board.drawing") / "typefaces" / f"{face}.ttf"
    with resources.as_file(file) as path:
        return TTFont(path)


@every_board
def test_true_size(name: str) -> None:
    """Width and height are those of the paper; a unit is a millimetre."""
    board, tree = load_board(name), drawn(name)
    assert f"{board.width_mm:g}mm" == tree.get("width")
    assert f"{board.height_mm:g}mm" == tree.get("height")
    assert [0, 0, board.width_mm, board.height_mm] == numbers(tree.get("viewBox", ""))


@every_board
def test_every_hole_once(name: str) -> None:
    """Each lane's group has each of its holes once, in its place."""
    board, tree = load_board(name), drawn(name)
    for lane in range(1, board.track.lanes + 1):
        expected = sorted(
            (round(x, 3), round(y, 3))
            for row in board.rows
            if row.lane == lane
            for _, x, y in row.places()
        )
        rings = [
            ring
            for part in group(tree, "holes")
            if f"lane-{lane}" in part.get("class", "").split()
            for ring in part.iter(f"{SVG}circle")
        ]
        assert expected == sorted(
            (float(ring.get("cx", "")), float(ring.get("cy", ""))) for ring in rings
        )


@every_board
def test_nothing_off_the_sheet(name: str) -> None:
    """Every circle, box, curve and line of text lies within the sheet."""
    board, tree = load_board(name), drawn(name)
    for ring in tree.iter(f"{SVG}circle"):
        x, y, r = (float(ring.get(key, "")) for key in ("cx", "cy", "r"))
        assert r <= x <= board.width_mm - r
        assert r <= y <= board.height_mm - r
    for box in tree.iter(f"{SVG}rect"):
        assert float(box.get("x", "0")) + float(box.get("width", "")) <= board.width_mm
        assert float(box.get("y", "0")) + float(box.get("height", "")) <= board.height_mm
    for path in tree.iter(f"{SVG}path"):
        data = re.sub(r"A[^A-Z]* 0 0 [01] ", "L", path.get("d", ""))
        values = numbers(data)
        assert all(0 <= x <= board.width_mm for x in values[::2])
        assert all(0 <= y <= board.height_mm for y in values[1::2])


@pytest.mark.parametrize(
    ("name", "between"), [("classic-61", [(30, 31)]), ("classic", [(60, 61), (90, 91)])]
)
def test_a_skunk_line_lies_between_the_caught_and_the_safe(
    name: str, between: list[tuple[int, int]]
) -> None:
    """G5: a loser below 31 of 61, or 91 of 121, is skunked; the line precedes that hole."""
    board = load_board(name)
    for (caught, safe), mark in zip(between, group(drawn(name), "mark"), strict=True):
        path = mark.find(f"{SVG}path")
        assert path is not None
        x, *_ = numbers(path.get("d", ""))
        middle = (board.place(1, caught)[0] + board.place(1, safe)[0]) / 2
        assert middle == pytest.approx(x, abs=0.01)


def test_the_marked_holes_of_61_have_their_numbers() -> None:
    """G3, G5: the finish and the skunk line's hole stand out among the numbers."""
    (printed,) = group(drawn("classic-61"), "numbers")
    inks = {text.text: text.get("fill") for text in printed}
    assert inks["61"] == inks["31"] != inks["30"]


def test_each_zone_has_its_group() -> None:
    """The page finds every zone by its id and its kind."""
    zones = group(drawn("crib-wars"), "zone")
    board = load_board("crib-wars")
    assert [(zone.id, f"zone {zone.kind}") for zone in board.track.zones] == [
        (part.get("id"), part.get("class")) for part in zones
    ]


def test_light_enough_for_a_phone() -> None:
    """The larger board's drawing is below 150 kB."""
    assert len(draw(load_board("crib-wars")).encode()) < 150_000


def test_any_words_are_escaped() -> None:
    """Titles and lettering may have characters with a meaning in XML."""
    line = Lettering(text="<&\"'> Ünïcode", x_mm=50, y_mm=50, size_mm=3)
    board = dataclasses.replace(load_board("classic"), title='A <b> & "c"', lettering=(line,))
    tree = fromstring(draw(board))  # noqa: S314  our own drawing
    assert board.title == tree.findtext(f"{SVG}title")
    assert line.text in [text.text for text in tree.iter(f"{SVG}text")]


@pytest.mark.parametrize("finish", [NIGHT, DAY, SCREEN], ids=["night", "day", "screen"])
@given(colours=st.tuples(COLOUR, COLOUR, COLOUR))
def test_lanes_of_any_colours(finish: Finish, colours: tuple[str, str, str]) -> None:
    """With any colours of the sides, even equal ones, lanes and sheet all differ."""
    lanes = finish.lanes(colours)
    for one, other in combinations((*lanes, finish.ground), 2):
        assert contrast(one, other) >= CONTRAST
    assert all(contrast(lane, finish.district) >= CONTRAST for lane in lanes)


@pytest.mark.parametrize("finish", [NIGHT, DAY], ids=["night", "day"])
def test_print_is_legible(finish: Finish) -> None:
    """Every ink of lettering has WCAG's contrast for text on both grounds."""
    inks = (finish.ink, finish.muted, finish.gold, *map(finish.zone, ZoneKind))
    for ground in (finish.ground, finish.district):
        assert all(contrast(ink, ground) >= LEGIBLE for ink in inks)
    assert 3 == len(set(finish.lanes(LANE_COLOURS)))


@pytest.mark.parametrize("name", ["classic", "crib-wars"])
def test_a_dot_where_counts_ended(name: str) -> None:
    """Each lane in play has a dot at each hole that was landed on."""
    board = load_board(name)
    expected = {
        tuple(round(part, 3) for part in board.place(lane, hole))
        for lane in (1, 2)
        for hole in (1, 2, 121)
    }
    assert expected == set(dots(heat_of(board, LANDINGS)))


def test_more_landings_are_brighter() -> None:
    """The most landings are brightest; the finish, where all end, does not count."""
    board = load_board("classic")
    found = dots(heat_of(board, LANDINGS))
    once, twice, finish = (found[board.place(1, hole)] for hole in (1, 2, 121))
    assert brightness(once) < brightness(twice) == brightness(finish)
    assert "2: 0.500 landings a side and game" == twice.findtext(f"{SVG}title")


def test_each_zone_shows_its_visits() -> None:
    """Each zone has a badge, even without visits."""
    board = load_board("crib-wars")
    badges = group(heat_of(board, {}, red_42=1.084), "visits")
    assert ["0.00", "1.08"] == [badge.findtext(f"{SVG}text") for badge in badges[:2]]
    assert len(board.track.zones) == len(badges)


@pytest.mark.parametrize("name", board_names())
def test_no_games_no_heat(name: str) -> None:
    """Without landings the board is still drawn."""
    assert {} == dots(heat_of(load_board(name), {}))


@pytest.mark.parametrize("name", board_names())
def test_the_board_itself_stays_as_it_is(name: str) -> None:
    """The heat lies over the unchanged sheet."""
    board = load_board(name)
    plain, heat = draw(board), draw_heat(board, LANDINGS, {}, lanes=2)
    assert heat.startswith(plain.removesuffix("</svg>"))


@pytest.mark.parametrize("name", board_names())
def test_no_heat_off_the_sheet(name: str) -> None:
    """Every coordinate of the heat lies on the paper."""
    board = load_board(name)
    for part in heat_of(board, LANDINGS).iter():
        for key, most in (("cx", board.width_mm), ("cy", board.height_mm)):
            found = re.fullmatch(r"[\d.]+", part.get(key, "0"))
            assert found
            assert 0 <= float(found[0]) <= most


@every_face
def test_the_letters_are_those_of_the_file(face: Face) -> None:
    """Widths and outlines are those of the TrueType file."""
    written = (FILES / f"{face}.json").read_bytes()
    assert letters_of(face_data(face)) == written, "old letters: run python -m tests.typefaces"


@every_face
def test_web_fonts_are_current(face: Face) -> None:
    """The two web fonts of a face have all its letters, each once."""
    for name, made in web_fonts(face).items():
        written = letters_of((WEB_FONTS / name).read_bytes())
        assert letters_of(made) == written, "old web fonts: run python -m tests.typefaces"


def test_web_fonts_are_small() -> None:
    """All faces together have at most 60 kB."""
    assert sum(file.stat().st_size for file in WEB_FONTS.iterdir()) <= 60_000


def test_an_outline_is_closed_and_in_ems() -> None:
    """An outline of four lines ends where it begins; a missing character is a box."""
    (contour,) = typeface(Face.TEXT).outline("I")
    ends = [bend.end for bend in contour]
    assert CAP_EM == max(end.imag for end in ends)
    assert typeface(Face.TEXT).outline("Ж") == typeface(Face.TEXT).outline("")


@pytest.mark.parametrize("letter", ["H", "8"])
@pytest.mark.parametrize("face", [Face.TEXT, Face.BOLD])
def test_capitals_and_numerals_have_their_height(face: Face, letter: str) -> None:
    """They are as high as sizes assume."""
    oracle = font(face)
    glyphs = oracle.getGlyphSet()
    pen = BoundsPen(glyphs)
    glyphs[oracle.getBestCmap()[ord(letter)]].draw(pen)
    height = pen.bounds[3] / oracle["head"].unitsPerEm
    assert pytest.approx(height, abs=0.02) == CAP_EM


@every_face
def test_letters_that_are_lacking(face: Face) -> None:
    """French and Polish names can be set, but not Cyrillic ones."""
    assert "" == typeface(face).lacks("Zoë Łęcka, Anne-Gaëlle & œuvre")
    assert "Ж" == typeface(face).lacks("A Жa")


def test_attributes_name_their_typeface() -> None:
    """A line's family and weight identify its typeface."""
    for face, attributes in STYLES.items():
        family, weight = attributes["font_family"], attributes.get("font_weight", "")
        assert face is face_of(str(family), str(weight))
