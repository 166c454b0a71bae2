"""The commands. stdout carries what the contract says, stderr all else; no traceback, ever."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from pathlib import Path
from typing import cast

import click
import msgspec

from companion.board import board_source, check_board, describe, draw, load_board
from companion.card_commands import count_command, deal_command
from companion.config import Settings, Value, load_settings
from companion.errors import BadInputError, CompanionError
from companion.fitting import fit
from companion.game import HouseRules, Setup
from companion.game.house_rules import PRESETS, preset, with_rule
from companion.jsonl import open_lines, print_lines
from companion.replay import replay
from hardware.errors import HardwareError

WRONG_USE = 2
FAULTY = 1

_teams = click.option("--teams", type=click.IntRange(2, 3), help="Sides: 2 or 3.")
_board = click.option("--board", help="A shipped board, or the path of a board file.")
_config = click.option(
    "--config", "config_file", type=click.Path(path_type=Path), help="A settings file."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="cribwars", message="%(version)s")
def cribwars() -> None:
    """Run the companion of a printed Crib Wars board."""


@cribwars.command("replay")
@click.argument("file")
@_board
@_teams
@click.option("--players", type=int, help="2 or 4 for two sides, 3 or 6 for three.")
@click.option("--preset", "preset_name", default="crib-wars", help=f"One of {', '.join(PRESETS)}.")
@click.option("--set", "changes", multiple=True, metavar="RULE=VALUE", help="Change a house rule.")
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
    rules = _with_changes(preset(preset_name), changes)
    if board is not None:
        rules = with_rule(rules, "board", board)
    lanes = tuple(range(1, (teams or 2) + 1))
    setup = Setup.make(load_board(rules.board).track, rules, lanes=lanes, players=players)
    with open_lines(file) as lines:
        print_lines(replay(setup, lines), at_once=file == "-")


def _with_changes(rules: HouseRules, changes: Iterable[str]) -> HouseRules:
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals:
            raise BadInputError(f"--set {change}: write it as RULE=VALUE, such as finish=exact")
        rules = with_rule(rules, name.strip(), value.strip())
    return rules


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
def board_check(name: str) -> None:
    """Prove a board sound, or tell every fault with file, key and remedy."""
    board_source(name)  # a board that is not there is wrong use, and no faulty board
    faults = check_board(name)
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
    try:
        Path(file).write_text(sheet, encoding="utf-8")
    except OSError as error:
        text = f"{file} cannot be written ({error.strerror}): choose another place"
        raise BadInputError(text) from None


@cribwars.command("config")
@_config
def config_command(config_file: Path | None) -> None:
    """Print every setting in force as TOML, with where it came from."""
    settings = _settings(config_file, {})
    fit(settings)
    click.echo(settings.toml(), nl=False)


@cribwars.command("run")
@click.option("--simulate", is_flag=True, help="Mock pins and a virtual strip.")
@click.option("--port", type=click.IntRange(0, 65535), help="The page's port; 0 picks one.")
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
@_board
@_teams
@_config
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

    strip = "virtual" if simulate and strip is None else strip
    given: dict[str, Value] = {"board": board, "teams": teams}
    given["web"] = {"port": port}
    given["strip"] = {"driver": strip}
    settings = _settings(config_file, _without_none(given))
    run(settings, data=data or _data_folder(), simulate=simulate)


def _without_none(given: dict[str, Value]) -> dict[str, Value]:
    return {
        name: _without_none(value) if isinstance(value, dict) else value
        for name, value in given.items()
        if value is not None
    }


def _settings(file: Path | None, command_line: dict[str, Value]) -> Settings:
    """The settings of the file given, or of the usual one if it is there."""
    usual = _folder("XDG_CONFIG_HOME", ".config") / "cribwars.toml"
    if file is None and usual.is_file():
        file = usual
    return load_settings(file, command_line)


def _data_folder() -> Path:
    """Where systemd says, or where data belongs in a home."""
    state = os.environ.get("STATE_DIRECTORY")
    return Path(state.partition(":")[0]) if state else _folder("XDG_DATA_HOME", ".local/share")


def _folder(variable: str, in_home: str) -> Path:
    return Path(os.environ.get(variable) or Path.home() / in_home) / "cribwars"


cribwars.add_command(count_command)
cribwars.add_command(deal_command)


def main() -> None:
    """Run a command; whatever is wrong is one line on stderr and an exit code of its own."""
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


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(text: str) -> None:
    for line in text.splitlines():
        click.echo(f"cribwars: {line}", err=True)
    sys.exit(WRONG_USE)
