"""`cribwars night`: the program of a game night, with the organiser's page and a hall screen."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from companion.cli.language import language_option, phrases_for, tell
from companion.cli.options import config_option, overrides, port_option
from companion.night.program import NightOptions, run_night
from companion.runtime.log import log_to_console
from companion.settings.paths import data_folder, settings_in_force
from companion.settings.row import parse_broker

PORT: Final = 8100
LOCAL: Final = "mqtt://127.0.0.1"


@click.command("night")
@click.option("--broker", help=f"The broker's address; by default that of [night], or {LOCAL}.")
@click.option("--name", help="The night's name on the broker; by default that of [night].")
@click.option(
    "--password",
    default="",
    envvar="CRIBWARS_NIGHT_PASSWORD",
    show_envvar=True,
    help="The password of the user organiser at the broker.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address of the pages; 0.0.0.0 also serves hall screens on other machines.",
)
@port_option
@click.option("--data", type=click.Path(path_type=Path), help="The folder of the night's file.")
@config_option
@language_option
def night_command(
    *,
    broker: str | None,
    name: str | None,
    password: str,
    host: str,
    port: int | None,
    data: Path | None,
    config_file: Path | None,
    language: str | None,
) -> None:
    """Run a game night: players, seating, standings and the hall screen.

    The program prints the address of the organiser's page; the hall screen is at /hall below it.
    You can stop it at any time and start it on another machine: tables and broker have copies of
    the plan.
    """
    log_to_console()
    options = overrides(night={"broker": broker, "name": name})
    settings = settings_in_force(config_file, options)
    run_night(
        NightOptions(
            broker=parse_broker(settings.night.broker or LOCAL),
            password=password,
            night=settings.night.name,
            data=data or data_folder(),
            host=host,
            port=PORT if port is None else port,
            language=phrases_for(language).language,
            ready=_announce,
        )
    )


def _announce(address: str) -> None:
    click.echo(f"ready {address}")
    tell("hall screen: {address}", address=f"{address}hall", err=True)
