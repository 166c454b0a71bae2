"""`cribwars night`: the organiser of a game night, with its page and the hall screen."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from companion.cli.language import language_option, phrases_for
from companion.cli.options import data_option, port_option
from companion.errors import BadInputError
from companion.night.program import NightOptions, run_night
from companion.runtime.log import log_to_console
from companion.settings.broker import parse_broker
from companion.settings.paths import data_folder

PORT: Final = 8100
LOCAL_BROKER: Final = "mqtt://127.0.0.1"


@click.command("night")
@click.option("--broker", default=LOCAL_BROKER, show_default=True, help="The broker's address.")
@click.option("--name", default="night", show_default=True, help="The night's name on the broker.")
@click.option("--user", default="organiser", show_default=True, help="The name at the broker.")
@click.option(
    "--password",
    default="",
    envvar="CRIBWARS_NIGHT_PASSWORD",
    show_envvar=True,
    help="The password at the broker.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Where the pages are served; 0.0.0.0 lets hall screens on other machines in.",
)
@port_option
@data_option
@language_option
def night_command(
    *,
    broker: str,
    name: str,
    user: str,
    password: str,
    host: str,
    port: int | None,
    data: Path | None,
    language: str | None,
) -> None:
    """Run a game night: players, seating, standings and the hall screen.

    The organiser's page is at the address that it prints, the hall screen at /hall below it. It
    can be stopped at any time and started elsewhere: tables and broker have copies of the plan.
    """
    log_to_console()
    if not name or set(name) & set("/+#") or not name.isprintable():
        raise BadInputError(f"--name {name!r}: choose a word without / + #, such as friday")
    try:
        address = parse_broker(broker)
    except ValueError as error:
        raise BadInputError(f"--broker {broker}: an address {error}") from None
    run_night(
        NightOptions(
            broker=address,
            user=user,
            password=password,
            night=name,
            data=data or data_folder(),
            host=host,
            port=PORT if port is None else port,
            language=phrases_for(language).language,
            ready=_announce,
        )
    )


def _announce(address: str) -> None:
    click.echo(f"ready {address}")
    click.echo(f"hall screen: {address}hall", err=True)
