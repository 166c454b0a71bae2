"""Contents of the kit: every file with its purpose, in the order in which they are needed."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec

from companion.board.drawing.style import SheetStyle
from companion.board.layout import Board
from companion.commentary import Phrases, load_phrases
from companion.errors import Message
from companion.kit.cards import labels_pdf, rules_pdf
from companion.kit.drill import plate_dxf, plate_svg, windows
from companion.kit.grid import GridTile, grid_tiles, stl
from companion.kit.index import index_page
from companion.kit.panel import Button, buttons, data_pin
from companion.kit.parts import cuts_csv, parts, parts_csv
from companion.kit.power import feed, lay_strips, wiring_for
from companion.kit.sheet_pdf import print_shop_pdf, sheet_pdf, tiles_pdf
from companion.kit.tiling import Tiling, divide
from companion.kit.wiring_drawing import wiring_svg
from companion.lights.wiring.settings import WiringPlan, read_plan
from companion.settings.load import Settings
from companion.settings.sheet_style import sheet_style

_DIGITS: Final = 4
_LISTS: Final = {
    "index.html": Message("The evening step by step, from the empty table to the lit board."),
    "kit.json": Message(
        "This list of the files, and where each page of the tiles lies on the sheet."
    ),
}
"""Purposes of the files that tell of all others."""


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


def make_kit(board: Board, settings: Settings, options: KitOptions) -> dict[str, bytes]:
    """Return the content of every file of the kit by its path; the same input, the same bytes.

    The wiring, the strip, the supply, the panel and the language are those of the settings.

    Raises:
        CompanionError: the settings do not fit the board.
    """
    plan = read_plan(board, wiring_for(board, settings))
    panel = buttons(board, settings)
    tiles = grid_tiles(board, plan.points.per, options.bed_mm)
    style = sheet_style(board, settings)
    tiling = divide(board, options.paper, options.measured_mm)
    phrases = load_phrases(settings.text("", "language"))
    artefacts = [
        *_prints(board, options, tiling, style, phrases),
        *_templates(board),
        *_electrics(settings, plan, panel, tiles, phrases),
        *_grid(board, tiles),
        *_cards(
            labels_pdf(board, settings, panel, paper=options.paper, style=style, phrases=phrases),
            rules_pdf(board, settings.rules, phrases),
        ),
    ]
    told = {artefact.path: artefact.purpose for artefact in artefacts} | _LISTS
    purposes = {path: phrases.message(purpose) for path, purpose in told.items()}
    files = {artefact.path: artefact.content for artefact in artefacts}
    files["index.html"] = index_page(board, purposes, phrases).encode()
    files["kit.json"] = _contents(board, options, tiling, purposes)
    return files


def _prints(
    board: Board, options: KitOptions, tiling: Tiling, style: SheetStyle, phrases: Phrases
) -> list[Artefact]:
    size = f"{board.width_mm:g} x {board.height_mm:g} mm"
    return [
        Artefact(
            "sheet.pdf",
            Message("The sheet at its true size, {size}: one page.", size),
            sheet_pdf(board, style),
        ),
        Artefact(
            "print-shop.pdf",
            "The same for a print shop: with 3 mm bleed and crop marks.",
            print_shop_pdf(board, style),
        ),
        Artefact(
            f"sheet-{options.paper}.pdf",
            Message(
                "The sheet on {paper}: a cover, then {pages} to cut and glue.",
                options.paper.upper(),
                len(tiling.tiles),
            ),
            tiles_pdf(board, tiling, style, phrases),
        ),
    ]


def _templates(board: Board) -> list[Artefact]:
    drilled = windows(board)
    return [
        Artefact(
            "drill.dxf",
            "Drill template of the base plate, for CAD and CNC: DXF R12 in mm, layers holes, lamps "
            "and sheet.",
            plate_dxf(board, drilled).encode("ascii"),
        ),
        Artefact(
            "drill.svg",
            "The same for a laser cutter: layers holes, lamps and sheet, black to cut, blue and "
            "red to drill.",
            plate_svg(board, drilled).encode(),
        ),
        Artefact(
            "diffuser.dxf",
            "Outline of the diffuser plate: DXF R12 in mm, layer sheet.",
            plate_dxf(board, ()).encode("ascii"),
        ),
        Artefact(
            "diffuser.svg",
            "The same for a laser cutter.",
            plate_svg(board, ()).encode(),
        ),
    ]


def _grid(board: Board, tiles: list[GridTile]) -> list[Artefact]:
    return [
        Artefact(f"grid/{tile.name}.stl", purpose, stl(tile.solid))
        for tile in tiles
        for purpose in [
            Message(
                "Test tile of the light grid of {board}: print it first, try it on a strip.",
                board.title,
            )
            if tile.is_test
            else "Part of the light grid, where it lies under the sheet."
        ]
    ]


def _electrics(
    settings: Settings,
    plan: WiringPlan,
    panel: list[Button],
    tiles: list[GridTile],
    phrases: Phrases,
) -> list[Artefact]:
    board, pieces = plan.points.board, lay_strips(plan)
    supplies = feed(pieces, plan.skipped, settings.budget_ma)
    channels = sorted({piece.channel for piece in pieces})
    drawing = wiring_svg(
        board,
        pieces=pieces,
        supplies=supplies,
        data_pins=[data_pin(settings, channel) for channel in channels],
        buttons=panel,
        phrases=phrases,
    )
    bought = parts(
        board,
        strip=settings.strip_type,
        pieces=pieces,
        supplies=supplies,
        buttons=panel,
        grid_cm3=sum(tile.solid.volume() for tile in tiles) / 1000,
    )
    return [
        Artefact("wiring.svg", "Strips, taps and pins, seen from the front.", drawing.encode()),
        Artefact(
            "parts.csv", "What to buy, and what it draws.", parts_csv(bought, phrases).encode()
        ),
        Artefact("cuts.csv", "Each piece of strip to cut.", cuts_csv(pieces).encode()),
    ]


def _cards(labels: bytes, rules: bytes) -> list[Artefact]:
    return [
        Artefact("labels.pdf", "Caps for the buttons and a label for each lane.", labels),
        Artefact(
            "rules.pdf",
            "Rules card for both sides of A5: the zones, counting, the house rules in force.",
            rules,
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
