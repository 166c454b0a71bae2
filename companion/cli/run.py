"""`cribwars run` and `cribwars config`: the table, and the settings in force."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from companion.cli.options import (
    board_option,
    config_option,
    data_option,
    port_option,
    teams_option,
)
from companion.devices.assembly import fit, in_force
from companion.journal.backup.swap import resume_restore
from companion.runtime.app import run
from companion.runtime.restart import Probation, start_again
from companion.settings import LastGood, SettingsFile
from companion.settings.load import Value
from companion.settings.paths import data_folder, settings_in_force, settings_place


@click.command("config")
@config_option
def config_command(config_file: Path | None) -> None:
    """Print every setting in force as TOML, with where it came from."""
    click.echo(in_force(settings_in_force(config_file, {})).toml(), nl=False)


@click.command("run")
@click.option("--simulate", is_flag=True, help="Mock pins and a virtual strip.")
@port_option
@data_option
@board_option
@teams_option
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
    strip = "virtual" if simulate and strip is None else strip
    given: dict[str, Value] = {"board": board, "teams": teams}
    given["web"] = {"port": port}
    given["strip"] = {"driver": strip}
    asked = _without_none(given)
    place, folder = config_file or settings_place(), data or data_folder()
    resume_restore(folder)  # which may replace the settings
    with ExitStack() as watched:
        probation = place and watched.enter_context(Probation(LastGood(place, folder)))
        settings = settings_in_force(config_file, asked)
        file = SettingsFile(place, asked, check=fit) if place else None
        again = run(
            settings,
            data=folder,
            simulate=simulate,
            file=file,
            rejected=probation.rejected if probation else None,
            ready=probation.ready if probation else lambda: None,
        )
    if again:
        start_again()


def _without_none(given: dict[str, Value]) -> dict[str, Value]:
    return {
        name: _without_none(value) if isinstance(value, dict) else value
        for name, value in given.items()
        if value is not None
    }
