"""`cribwars kit`: all files for printing, cutting, soldering and buying the parts of a board."""

import math
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

from companion.board import load_board
from companion.cli.language import tell
from companion.cli.options import BOARD, config_option
from companion.devices.assembly import usb_ma, with_strip
from companion.errors import BadInputError, Text, joined
from companion.settings.paths import settings_in_force

_PACKAGES: Final = ("reportlab", "manifold3d")
_PAPERS: Final = ("a4", "letter", "a3", "a2")
_BED_MM: Final = (60.0, 1000.0)
_MEASURED_MM: Final = (90.0, 110.0)


@click.command("kit")
@click.argument("name", type=BOARD, metavar="BOARD")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--paper", type=click.Choice(_PAPERS), default="a4", help="Paper of the tiles.")
@click.option("--bed", default="220x220", metavar="WxD", help="The 3D printer's bed, in mm.")
@click.option(
    "--measured", default="100,100", metavar="X,Y", help="Lengths of the 100 mm rulers on paper."
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
    from companion.kit import KitOptions, check_free, make_kit, write_folder  # noqa: PLC0415  # need the extra

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
        text = "the kit needs {names}: pip install {missing}"
        raise BadInputError(text, names=joined(" and ", missing), missing=" ".join(missing))


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
