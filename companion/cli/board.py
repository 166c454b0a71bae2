"""Commands `cribwars board` (show, check, print) and `cribwars kit` (files to build a board)."""

import math
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click
import msgspec

from companion.board import board_source, check_board, describe, draw, load_board
from companion.board.drawing.outlines import outlined
from companion.cli.language import tell
from companion.cli.options import (
    BAD,
    BOARD,
    FAULTY,
    FILE,
    GOOD,
    WholeGroup,
    config_option,
    json_option,
)
from companion.cli.players import fairness_faults
from companion.devices.assembly import usb_ma, with_strip
from companion.errors import BadInputError, Text, joined, plural
from companion.files import check_free, write_folder, write_text
from companion.settings.paths import settings_in_force
from companion.settings.sheet_style import sheet_style


@click.group("board", cls=WholeGroup)
def board_group() -> None:
    """Show, check and print boards."""


@board_group.command("show")
@click.argument("name", type=BOARD)
@json_option
def board_show(name: str, *, as_json: bool) -> None:
    """Describe a board: its holes, zones and lamps."""
    board = load_board(name)
    if as_json:
        click.echo(msgspec.json.encode(describe(board)))
        return
    track = board.track
    text = "{title}: {finish} holes, {lanes} lanes"
    tell(text, title=board.title, finish=track.finish, lanes=track.lanes)
    for zone in track.zones:
        click.echo(f"{zone.box[0]:>5}-{zone.box[-1]:<5} {zone.kind:<14} {zone.id}")


@board_group.command("check")
@click.argument("name", type=BOARD)
@click.option("--fair", is_flag=True, help="Also play games to see if it is fair.")
def board_check(name: str, *, fair: bool) -> None:
    """Check a board: print every fault with file, key and remedy, and the verdict at the end."""
    board_source(name)  # ends the command with status 2 if no such board exists
    faults = check_board(name) or (fairness_faults(name) if fair else ())
    for fault in faults:
        tell(fault.line)
    if faults:
        one = "{name}: {n} fault: mend it, then check it again"
        more = "{name}: {n} faults: mend them, then check it again"
        tell(plural(len(faults), one, more, name=name), colour=BAD)
        sys.exit(FAULTY)
    tell("{name}: sound and fair" if fair else "{name}: sound", name=name, colour=GOOD)


@board_group.command("print")
@click.argument("name", type=BOARD)
@click.option(
    "--svg", "file", type=FILE, required=True, help="Where to write the sheet; - for stdout."
)
@config_option
def board_print(name: str, file: str, config_file: Path | None) -> None:
    """Write the sheet at its true size, with its lettering as outlines.

    Look, title, colours, names and language come from the settings.
    """
    board = load_board(name)
    sheet = outlined(draw(board, sheet_style(board, settings_in_force(config_file, {}))))
    if file == "-":
        click.echo(sheet)
        return
    write_text(file, sheet)


_PACKAGES: Final = ("fontTools", "manifold3d", "reportlab")
_PAPERS: Final = ("a4", "letter", "a3", "a2")
_BED_MM: Final = (60.0, 1000.0)
_MEASURED_MM: Final = (90.0, 110.0)


@click.command("kit")
@click.argument("name", type=BOARD, metavar="BOARD")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--paper", type=click.Choice(_PAPERS), default="a4", help="Paper of the tiles.")
@click.option("--bed", default="220x220", metavar="WxD", help="The 3D printer's bed, in mm.")
@click.option(
    "--measured", default="100,100", metavar="X,Y", help="Measured lengths of the printed rulers."
)
@config_option
def kit_command(
    *, name: str, folder: Path, paper: str, bed: str, measured: str, config_file: Path | None
) -> None:
    """Write the kit of a board into DIR, a new or empty folder; begin with its index.html.

    Strip, wiring, supply and pins come from the settings.
    """
    bed_mm = _pair("--bed", bed.lower(), "x", "220x220", _BED_MM)
    measured_mm = _pair("--measured", measured, ",", "99.2,99.6", _MEASURED_MM)
    _require_packages()
    from companion.kit.kit import KitOptions, make_kit  # noqa: PLC0415  # needs `_PACKAGES`

    check_free(folder)
    board, settings = load_board(name), with_strip(settings_in_force(config_file, {}))
    options = KitOptions(
        paper=paper,
        bed_mm=bed_mm,
        measured_mm=measured_mm,
        behind_cable=usb_ma(settings) is not None,
    )
    write_folder(folder, make_kit(board, settings, options))
    tell("wrote the kit: open {folder}", folder=folder / "index.html", err=True)


def _require_packages() -> None:
    missing = [package for package in _PACKAGES if find_spec(package) is None]
    if missing:
        text = "the kit needs {names}: {python} -m pip install {missing}"
        names, python = joined(" and ", missing), sys.executable
        raise BadInputError(text, names=names, python=python, missing=" ".join(missing))


def _pair(
    option: str, text: str, between: str, example: str, limits: tuple[float, float]
) -> tuple[float, float]:
    low, high = limits
    try:
        one, other = (float(number) for number in text.split(between))
    except ValueError:
        one = other = math.nan
    if not (low <= one <= high and low <= other <= high):
        two = "two numbers of millimetres from {low} to {high}, such as {example}"
        takes = Text(two, low=f"{low:g}", high=f"{high:g}", example=example)
        raise BadInputError(
            "{option} {text}: write {takes}", option=option, text=repr(text), takes=takes
        )
    return one, other
