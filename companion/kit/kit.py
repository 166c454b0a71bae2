"""Contents of the kit: every file with its purpose, in the order in which they are needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec

from companion.board.layout import Board
from companion.kit.index import index_page
from companion.kit.sheet_pdf import sheet_pdf, tiles_pdf
from companion.kit.tiling import Tiling, divide

_DIGITS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class KitOptions:
    """Paper of the tiles, bed of the printer of the grid, and what 100 mm measure on paper."""

    paper: str = "a4"
    bed_mm: tuple[float, float] = (220.0, 220.0)
    measured_mm: tuple[float, float] = (100.0, 100.0)


class Artefact(NamedTuple):
    """A file of the kit: its path in the folder, its purpose and its content."""

    path: str
    purpose: str
    content: bytes


def make_kit(board: Board, options: KitOptions) -> dict[str, bytes]:
    """Return the content of every file of the kit by its path; the same input, the same bytes."""
    tiling = divide(board, options.paper, options.measured_mm)
    artefacts = [*_prints(board, options, tiling)]
    purposes = {artefact.path: artefact.purpose for artefact in artefacts}
    purposes |= {
        "index.html": "The evening step by step, from the empty table to the lit board.",
        "kit.json": "This list of the files, and where each page of the tiles lies on the sheet.",
    }
    files = {artefact.path: artefact.content for artefact in artefacts}
    files["index.html"] = index_page(board, purposes).encode()
    files["kit.json"] = _contents(board, options, tiling, purposes)
    return files


def _prints(board: Board, options: KitOptions, tiling: Tiling) -> list[Artefact]:
    size = f"{board.width_mm:g} x {board.height_mm:g} mm"
    pages = len(tiling.tiles)
    return [
        Artefact("sheet.pdf", f"The sheet at its true size, {size}: one page.", sheet_pdf(board)),
        Artefact(
            f"sheet-{options.paper}.pdf",
            f"The sheet on {options.paper.upper()}: a cover, then {pages} to cut and glue.",
            tiles_pdf(board, tiling),
        ),
    ]


def _contents(board: Board, options: KitOptions, tiling: Tiling, purposes: dict[str, str]) -> bytes:
    """Return `kit.json`; places are millimetres from the sheet's lower left corner, y up."""
    corners = [tiling.corner(tile) for tile in tiling.tiles]
    value = {
        "board": board.name,
        "paper": options.paper,
        "bed_mm": options.bed_mm,
        "measured_mm": options.measured_mm,
        "files": purposes,
        "tiles": [
            {"page": page, "x_mm": round(x, _DIGITS), "y_mm": round(y, _DIGITS)}
            for page, (x, y) in enumerate(corners, start=2)
        ],
    }
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
