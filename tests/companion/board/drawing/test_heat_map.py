"""The heat on the sheet is valid, in place, and bright where most counts end."""

import re
from xml.etree.ElementTree import Element, fromstring

import pytest

from companion.board import Board, board_names, draw, draw_heat, load_board
from companion.board.layout import Hole

SVG = "{http://www.w3.org/2000/svg}"
LANDINGS: dict[Hole, float] = {1: 0.25, 2: 0.5, 3: 0.0, 121: 1.0}


def drawn(board: Board, landings: dict[Hole, float], **visits: float) -> Element:
    """Return the drawing for two lanes as a tree."""
    zones = {zone.replace("_", "-"): often for zone, often in visits.items()}
    return fromstring(draw_heat(board, landings, zones, lanes=2))  # noqa: S314  # our own


def group(tree: Element, name: str) -> list[Element]:
    """Return the elements of a class."""
    return [part for part in tree.iter() if part.get("class") == name]


def dots(tree: Element) -> dict[tuple[float, float], Element]:
    """Return the dots of the heat by their place."""
    (heat,) = group(tree, "heat")
    return {
        (float(dot.get("cx", "")), float(dot.get("cy", ""))): dot
        for dot in heat.iter(f"{SVG}circle")
    }


@pytest.mark.parametrize("name", ["classic", "crib-wars"])
def test_a_dot_where_counts_ended(name: str) -> None:
    """Each lane in play has a dot at each hole that was landed on."""
    board = load_board(name)
    expected = {
        tuple(round(part, 3) for part in board.place(lane, hole))
        for lane in (1, 2)
        for hole in (1, 2, 121)
    }
    assert expected == set(dots(drawn(board, LANDINGS)))


def brightness(dot: Element) -> int:
    """Return the sum of a dot's red, green and blue."""
    return sum(bytes.fromhex(dot.get("fill", "").removeprefix("#")))


def test_more_landings_are_brighter() -> None:
    """The most landings are brightest; the finish, where all end, does not count."""
    board = load_board("classic")
    found = dots(drawn(board, LANDINGS))
    once, twice, finish = (found[board.place(1, hole)] for hole in (1, 2, 121))
    assert brightness(once) < brightness(twice) == brightness(finish)
    assert "2: 0.500 landings a side and game" == twice.findtext(f"{SVG}title")


def test_each_zone_shows_its_visits() -> None:
    """Each zone has a badge, even without visits."""
    board = load_board("crib-wars")
    badges = group(drawn(board, {}, red_42=1.084), "visits")
    assert ["0.00", "1.08"] == [badge.findtext(f"{SVG}text") for badge in badges[:2]]
    assert len(board.track.zones) == len(badges)


@pytest.mark.parametrize("name", board_names())
def test_no_games_no_heat(name: str) -> None:
    """Without landings the board is still drawn."""
    assert {} == dots(drawn(load_board(name), {}))


@pytest.mark.parametrize("name", board_names())
def test_the_board_itself_stays_as_it_is(name: str) -> None:
    """The heat lies over the unchanged sheet."""
    board = load_board(name)
    plain, heat = draw(board), draw_heat(board, LANDINGS, {}, lanes=2)
    assert heat.startswith(plain.removesuffix("</svg>"))


@pytest.mark.parametrize("name", board_names())
def test_nothing_off_the_sheet(name: str) -> None:
    """Every coordinate of the heat lies on the paper."""
    board = load_board(name)
    for part in drawn(board, LANDINGS).iter():
        for key, most in (("cx", board.width_mm), ("cy", board.height_mm)):
            found = re.fullmatch(r"[\d.]+", part.get(key, "0"))
            assert found
            assert 0 <= float(found[0]) <= most
