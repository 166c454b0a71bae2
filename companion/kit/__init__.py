"""The kit: what one prints, cuts, solders and buys for a board, made from the board's file."""

from companion.files import check_free, write_folder
from companion.kit.kit import KitOptions, make_kit
from companion.kit.tiling import PAPERS_MM

__all__ = ["PAPERS_MM", "KitOptions", "check_free", "make_kit", "write_folder"]
