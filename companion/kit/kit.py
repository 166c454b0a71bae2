"""The kit: files from which a user prints and builds a lighted board, each with its purpose.

`make_kit` makes the content of all files in memory, from one board and its settings. The files do
not depend on the time or the machine, so equal inputs give equal bytes. Each file has a purpose, a
sentence in the language of the kit. `index.html` shows the files in the steps of building a board:
a step such as "Drill and cut" names patterns, here `drill.*` and `diffuser.*`, and links to the
files that match. `kit.json` lists the files and purposes for programs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from html import escape
from typing import Final, NamedTuple

import msgspec

from companion.board.layout import Board
from companion.commentary import Phrases, load_phrases
from companion.errors import Text, joined
from companion.kit.cards import labels_pdf, rules_pdf
from companion.kit.drill import plate_dxf, plate_svg, windows
from companion.kit.grid import GridTile, grid_tiles, stl
from companion.kit.parts import cuts_csv, parts, parts_csv
from companion.kit.power import feed, lay_strips, wiring_for
from companion.kit.sheet_pdf import print_shop_pdf, sheet_pdf, tiles_pdf
from companion.kit.tiling import Tiling, divide
from companion.kit.wiring_drawing import WiredButton, buttons, data_pin, wiring_svg
from companion.lights.wiring import WiringPlan, read_plan
from companion.settings.schema import Settings
from companion.settings.sheet_style import sheet_style

_CSS: Final = (
    "body{font:1.1rem/1.5 sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}"
    "img{max-width:100%;border:1px solid #888}li{margin:.3rem 0}"
)


class BuildStep(NamedTuple):
    """Step of building a board, with the patterns of the files that the step needs."""

    title: str
    text: str
    files: tuple[str, ...]


_STEPS: Final = (
    BuildStep(
        "Print",
        "Have the sheet printed at its true size, or print the pages at home at 100 % and glue "
        "them. Measure the rulers on the cover first: if they are not 100 mm long, make the kit "
        "again with --measured.",
        ("sheet.pdf", "print-shop.pdf", "sheet-*.pdf"),
    ),
    BuildStep(
        "Drill and cut",
        "Drill the base plate at the windows, and cut it and the diffuser plate along their "
        "outlines.",
        ("drill.*", "diffuser.*"),
    ),
    BuildStep(
        "Print the light grid",
        "Print the test tile first and hold it over a lit strip: each LED must be in the middle "
        "of its cell and light no other cell. Then print the other tiles in black, push their "
        "joints together from above, and glue them.",
        ("grid/*.stl",),
    ),
    BuildStep(
        "Buy, cut and solder",
        "Cut the strips, lay them under the windows in the order of the numbers, and solder: "
        "the data wires along the arrows, both wires of a tap to each group of strips. Switch "
        "nothing on before the fuse is in.",
        ("parts.csv", "cuts.csv", "wiring.svg"),
    ),
    BuildStep(
        "Label and play",
        "Cut out the labels, print the rules card on both sides, install the program as the "
        "wiring guide says, and deal.",
        ("labels.pdf", "rules.pdf"),
    ),
    BuildStep("All files", "What each file is for.", ("kit.json",)),
)


def index_page(board: Board, purposes: Mapping[str, str], phrases: Phrases) -> str:
    """Return the page as HTML; `purposes` has each file's translated purpose by its path."""
    title = escape(phrases.message(Text("{board}: the kit", board=board.title)))
    steps = "".join(_section(step, purposes, phrases) for step in _STEPS)
    return (
        f'<!doctype html>\n<html lang="{phrases.language}">'
        f'<head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_CSS}</style></head>'
        f"<body><h1>{title}</h1>{steps}</body></html>\n"
    )


def _section(step: BuildStep, purposes: Mapping[str, str], phrases: Phrases) -> str:
    paths = [path for path in purposes if any(fnmatch(path, name) for name in step.files)]
    links = "".join(_link(path, purposes[path], phrases) for path in paths)
    pictures = "".join(
        f'<p><img src="{escape(path)}" alt="{escape(path)}"></p>'
        for path in paths
        if path.endswith(".svg")
    )
    title, text = (escape(phrases.message(Text(words))) for words in (step.title, step.text))
    return f"<h2>{title}</h2><p>{text}</p><ul>{links}</ul>{pictures}"


def _link(path: str, purpose: str, phrases: Phrases) -> str:
    link = f'<a href="{escape(path)}">{escape(path)}</a>'
    words = phrases.message(joined(": ", (link, escape(purpose))))
    return f"<li>{words}</li>"


_DIGITS: Final = 4
_PURPOSES: Final = {
    "print-shop.pdf": Text("The sheet for a print shop, with 3 mm bleed and crop marks."),
    "drill.dxf": Text(
        "Drill template of the base plate, for CAD and CNC: DXF R12 in mm, layers holes, lamps "
        "and sheet."
    ),
    "drill.svg": Text(
        "Drill template of the base plate, for a laser cutter: layers holes, lamps and sheet; "
        "black to cut, blue and red to drill."
    ),
    "diffuser.dxf": Text("Outline of the diffuser plate: DXF R12 in mm, layer sheet."),
    "diffuser.svg": Text("Outline of the diffuser plate, for a laser cutter."),
    "wiring.svg": Text("Strips, taps and pins, seen from the front."),
    "parts.csv": Text("Shopping list, with the currents of the supplies."),
    "cuts.csv": Text("Each piece of strip to cut."),
    "labels.pdf": Text(
        "Caps for the buttons, a label for each lane, and codes to scan on a first evening."
    ),
    "rules.pdf": Text(
        "Rules card for both sides of A5: zones, counting and the house rules in force."
    ),
    "index.html": Text("Guide, step by step, from the printed sheet to the lit board."),
    "kit.json": Text("This list of the files, and where each page of the tiles lies on the sheet."),
}
"""Purposes that are the same text in every kit, by the path of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KitOptions:
    """Paper size, size of the 3D printer's bed, and lengths of the printed rulers as measured.

    With `behind_cable` a microcontroller at a USB port drives the strip.
    """

    paper: str = "a4"
    bed_mm: tuple[float, float] = (220.0, 220.0)
    measured_mm: tuple[float, float] = (100.0, 100.0)
    behind_cable: bool = False


def make_kit(board: Board, settings: Settings, options: KitOptions) -> dict[str, bytes]:
    """Return the content of every file of the kit by its path.

    The settings give the wiring, the strip, the supply, the panel and the language.

    Raises:
        CompanionError: the settings do not fit the board.
    """
    plan = read_plan(board, wiring_for(board, settings))
    panel = buttons(board, settings)
    tiles = grid_tiles(board, plan.points.per, options.bed_mm)
    style = sheet_style(board, settings)
    tiling = divide(board, options.paper, options.measured_mm)
    phrases = load_phrases(settings.language)
    files = {
        "sheet.pdf": sheet_pdf(board, style),
        "print-shop.pdf": print_shop_pdf(board, style),
        f"sheet-{options.paper}.pdf": tiles_pdf(board, tiling, style, phrases),
        **_templates(board),
        **_electrics(settings, plan, panel, tiles, phrases, behind_cable=options.behind_cable),
        **{f"grid/{tile.name}.stl": stl(tile.solid) for tile in tiles},
        "labels.pdf": labels_pdf(
            board, settings, panel, paper=options.paper, style=style, phrases=phrases
        ),
        "rules.pdf": rules_pdf(board, settings.rules, phrases),
    }
    texts = _PURPOSES | _purposes(board, options, tiling, tiles)
    purposes = {path: phrases.message(texts[path]) for path in (*files, "index.html", "kit.json")}
    files["index.html"] = index_page(board, purposes, phrases).encode()
    files["kit.json"] = _contents(board, options, tiling, purposes)
    return files


def _purposes(
    board: Board, options: KitOptions, tiling: Tiling, tiles: list[GridTile]
) -> dict[str, Text]:
    """Return the purposes of the sheets and of the light grid's parts."""
    size = f"{board.width_mm:g} x {board.height_mm:g} mm"
    text = "The sheet on {paper}: a cover, then {pages} to cut and glue."
    on_paper = Text(text, paper=options.paper.upper(), pages=len(tiling.tiles))
    text = "Test tile of the light grid of {board}: print it first, try it on a strip."
    test = Text(text, board=board.title)
    part = Text("Part of the light grid; its coordinates are its place under the sheet.")
    return {
        "sheet.pdf": Text("The sheet at its true size, {size}: one page.", size=size),
        f"sheet-{options.paper}.pdf": on_paper,
        **{f"grid/{tile.name}.stl": test if tile.is_test else part for tile in tiles},
    }


def _templates(board: Board) -> dict[str, bytes]:
    plates = {"drill": windows(board), "diffuser": []}
    return {
        f"{name}.{kind}": plate(board, drilled).encode("ascii")
        for name, drilled in plates.items()
        for kind, plate in (("dxf", plate_dxf), ("svg", plate_svg))
    }


def _electrics(
    settings: Settings,
    plan: WiringPlan,
    panel: list[WiredButton],
    tiles: list[GridTile],
    phrases: Phrases,
    *,
    behind_cable: bool,
) -> dict[str, bytes]:
    board, pieces = plan.points.board, lay_strips(plan)
    supplies = feed(pieces, plan.skipped, settings.strip.budget_ma)
    channels = sorted({piece.channel for piece in pieces})
    drawing = wiring_svg(
        board,
        pieces=pieces,
        supplies=supplies,
        data_pins=[data_pin(settings, each, behind_cable=behind_cable) for each in channels],
        buttons=panel,
        phrases=phrases,
    )
    bought = parts(
        board,
        strip=settings.strip.type,
        pieces=pieces,
        supplies=supplies,
        buttons=panel,
        grid_cm3=sum(tile.solid.volume() for tile in tiles) / 1000,
    )
    texts = {
        "wiring.svg": drawing,
        "parts.csv": parts_csv(bought, phrases),
        "cuts.csv": cuts_csv(pieces),
    }
    return {path: text.encode() for path, text in texts.items()}


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
