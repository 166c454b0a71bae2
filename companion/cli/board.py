"""`cribwars board`: shows, checks and prints boards."""

import sys
from pathlib import Path

import click
import msgspec

from companion.board import board_source, check_board, describe, draw, load_board
from companion.board.drawing.outlines import outlined
from companion.cli.language import tell
from companion.cli.options import BOARD, FAULTY, FILE, config_option, json_option
from companion.cli.players import fairness_faults
from companion.cli.terminal import BAD, GOOD
from companion.errors import plural
from companion.files import write_text
from companion.settings.paths import settings_in_force
from companion.settings.sheet_style import sheet_style


@click.group("board")
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
    board_source(name)  # a missing board is wrong use, not a faulty board
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

    Finish, title, colours, names and language come from the settings.
    """
    board = load_board(name)
    sheet = outlined(draw(board, sheet_style(board, settings_in_force(config_file, {}))))
    if file == "-":
        click.echo(sheet)
        return
    write_text(file, sheet)
