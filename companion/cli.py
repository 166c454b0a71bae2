"""The commands. stdout carries what the contract says, stderr all else; no traceback, ever."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import cast

import click
import msgspec

from companion.board import board_source, check_board, describe, draw, load_board
from companion.bridge_commands import bridge_group
from companion.card_commands import count_command, deal_command
from companion.config import Value
from companion.demo_command import demo_command
from companion.doctor_command import doctor_command
from companion.errors import CompanionError
from companion.fitting import fit, in_force
from companion.game import Setup
from companion.house_options import asked_rules, preset_option, set_option
from companion.jsonl import open_lines, print_lines
from companion.light_commands import lights_group
from companion.places import config_option, data_folder, settings_in_force, settings_place
from companion.player_commands import fairness_faults, player_command, simulate_command
from companion.records_commands import records_group
from companion.replay import replay
from companion.restarting import start_again
from companion.writing import write_text
from hardware.errors import HardwareError

WRONG_USE = 2
FAULTY = 1

_teams = click.option("--teams", type=click.IntRange(2, 3), help="Sides: 2 or 3.")
_board = click.option("--board", help="A shipped board, or the path of a board file.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="cribwars", message="%(version)s")
def cribwars() -> None:
    """Run the companion of a printed Crib Wars board."""


@cribwars.command("replay")
@click.argument("file")
@_board
@_teams
@click.option("--players", type=int, help="2 or 4 for two sides, 3 or 6 for three.")
@preset_option
@set_option
def replay_command(
    *,
    file: str,
    board: str | None,
    teams: int | None,
    players: int | None,
    preset_name: str,
    changes: tuple[str, ...],
) -> None:
    """Play commands, and print what follows.

    FILE has a line of JSON a command; - is stdin.
    """
    rules = asked_rules(preset_name, changes, board)
    lanes = tuple(range(1, (teams or 2) + 1))
    setup = Setup.make(load_board(rules.board).track, rules, lanes=lanes, players=players)
    with open_lines(file) as lines:
        print_lines(replay(setup, lines), at_once=file == "-")


@cribwars.group("board")
def board_group() -> None:
    """Show, check and print boards."""


@board_group.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Everything, as one JSON value.")
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
    """Prove a board sound, or tell every fault with file, key and remedy."""
    board_source(name)  # a board that is not there is wrong use, and no faulty board
    faults = check_board(name) or (fairness_faults(name) if fair else ())
    for fault in faults:
        click.echo(fault)
    if faults:
        sys.exit(FAULTY)


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


@cribwars.command("config")
@config_option
def config_command(config_file: Path | None) -> None:
    """Print every setting in force as TOML, with where it came from."""
    click.echo(in_force(settings_in_force(config_file, {})).toml(), nl=False)


@cribwars.command("run")
@click.option("--simulate", is_flag=True, help="Mock pins and a virtual strip.")
@click.option("--port", type=click.IntRange(0, 65535), help="The page's port; 0 picks one.")
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
@_board
@_teams
@config_option
@click.option("--strip", help="The strip's driver, such as virtual or rpi_ws281x:spi.")
def run_command(
    *,
    simulate: bool,
    port: int | None,
    data: Path | None,
    board: str | None,
    teams: int | None,
    config_file: Path | None,
    strip: str | None,
) -> None:
    """Run the table: buttons in, lights out, the page on a port."""
    from companion.appliance import run  # noqa: PLC0415  # the other commands need no web server
    from companion.setup import SettingsFile  # noqa: PLC0415  # nor a file to change

    strip = "virtual" if simulate and strip is None else strip
    given: dict[str, Value] = {"board": board, "teams": teams}
    given["web"] = {"port": port}
    given["strip"] = {"driver": strip}
    asked = _without_none(given)
    settings = settings_in_force(config_file, asked)
    place = config_file or settings_place()
    file = SettingsFile(place, asked, check=fit) if place else None
    if run(settings, data=data or data_folder(), simulate=simulate, file=file):
        start_again()


def _without_none(given: dict[str, Value]) -> dict[str, Value]:
    return {
        name: _without_none(value) if isinstance(value, dict) else value
        for name, value in given.items()
        if value is not None
    }


cribwars.add_command(bridge_group)
cribwars.add_command(count_command)
cribwars.add_command(deal_command)
cribwars.add_command(demo_command)
cribwars.add_command(doctor_command)
cribwars.add_command(lights_group)
cribwars.add_command(player_command)
cribwars.add_command(records_group)
cribwars.add_command(simulate_command)


def main() -> None:
    """Run a command; whatever is wrong is one line on stderr and an exit code of its own."""
    _open_closed_streams()
    # What we print is UTF-8 whatever the locale says: it is read by programs.
    cast("TextIOWrapper", sys.stdout).reconfigure(encoding="utf-8")
    try:
        cribwars.main(standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.exceptions.NoArgsIsHelpError:
        _fail("give a command: cribwars --help lists them")
    except click.ClickException as error:
        _fail(error.format_message())
    except click.Abort:
        sys.exit(130)
    except (CompanionError, HardwareError) as error:
        _fail(str(error))
    except BrokenPipeError:
        # Whoever read us has gone; Python would complain once more while it exits.
        _drop_output()
    except OSError as error:
        _drop_output()
        _fail(f"reading or writing failed ({error}): see that the place is there and has room")


def _open_closed_streams() -> None:
    """Let a stream that was closed for us (`>&-`) lead nowhere.

    Otherwise the next file that is opened, such as the journal, would take its place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # as long as we run


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(text: str) -> None:
    for line in text.splitlines():
        click.echo(f"cribwars: {line}", err=True)
    sys.exit(WRONG_USE)
