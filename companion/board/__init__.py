"""The printed board: its track, its geometry in millimetres, its file and its drawing."""

from companion.board.drawing.board_drawing import draw, draw_heat
from companion.board.layout import Board, Hole, Lettering, Track, Zone, describe
from companion.board.load import (
    board_names,
    board_source,
    check_board,
    load_board,
    parse_board,
)
from companion.board.zone_kinds import ZoneKind

__all__ = [
    "Board",
    "Hole",
    "Lettering",
    "Track",
    "Zone",
    "ZoneKind",
    "board_names",
    "board_source",
    "check_board",
    "describe",
    "draw",
    "draw_heat",
    "load_board",
    "parse_board",
]
