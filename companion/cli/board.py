"""`cribwars board`: boards shown, checked and printed."""

from __future__ import annotations

import sys

import click
import msgspec

from companion.board import board_source, check_board, describe, draw, load_board
from companion.cli.options import FAULTY, json_option
from companion.cli.players import fairness_faults
from companion.files import write_text


@click.group("board")
def board_group() -> None:
    """Show, check and print boards."""


@board_group.command("show")
@click.argument("name")
@json_option
def board_show(name: str, *, as_json: bool) -> None:
    """Tell what a board is: its holes, zones and lamps."""
    board = load_board(name)
    if as_json:
        click.echo(msgspec.json.encode(describe(board)))
        return
    track = board.track
    click.echo(f"{board.title}: {track.finish} holes, {track.lanes} lanes")
    for zone in track.zones:
        click.echo(f"{zone.box[0]:>5}-{zone.box[-1]:<5} {zone.kind:<14} {zone.id}")


@board_group.command("check")
@click.argument("name")
@click.option("--fair", is_flag=True, help="Also play games on it: is it a good one?")
def board_check(name: str, *, fair: bool) -> None:
    """Prove a board sound, or tell every fault with file, key and remedy; end with the verdict."""
    board_source(name)  # a board that is not there is wrong use, and no faulty board
    faults = check_board(name) or (fairness_faults(name) if fair else ())
    for fault in faults:
        click.echo(fault)
    if faults:
        number = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        click.echo(f"{name}: {number}: mend them, then check it again")
        sys.exit(FAULTY)
    click.echo(f"{name}: sound and fair" if fair else f"{name}: sound")


@board_group.command("print")
@click.argument("name")
@click.option("--svg", "file", required=True, help="Where to write the sheet; - for stdout.")
def board_print(name: str, file: str) -> None:
    """Write the sheet at its true size."""
    sheet = draw(load_board(name))
    if file == "-":
        click.echo(sheet)
        return
    write_text(file, sheet)
