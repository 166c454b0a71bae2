"""`cribwars demo`: the board plays by itself."""

from pathlib import Path

import click

from companion.cli.language import console
from companion.cli.options import board_option, config_option, overrides, port_option, sides_option
from companion.devices.assembly import assemble
from companion.runtime.app import run
from companion.runtime.start import Options
from companion.settings.paths import settings_in_force


@click.command("demo")
@click.option("--speed", type=click.FloatRange(0.1, 100), help="2 plays twice as fast.")
@sides_option
@board_option
@click.option("--games", type=click.IntRange(1), help="How many to play; endless by default.")
@click.option("--headless", is_flag=True, help="Only the lights: no page, no buttons.")
@port_option
@config_option
def demo_command(
    *,
    speed: float | None,
    sides: int | None,
    board: str | None,
    games: int | None,
    headless: bool,
    port: int | None,
    config_file: Path | None,
) -> None:
    """Show the demo: the board plays alone, with its commentary on stderr.

    Any press ends the demo, and you can play. Nothing is saved.
    """
    options = overrides(board=board, teams=sides, demo={"speed": speed}, web={"port": port})
    settings = settings_in_force(config_file, options)
    run(
        Options(
            settings=settings,
            assembly=assemble(settings),
            simulate=headless,
            demo=True,
            games=games,
            headless=headless,
            console=console(lambda: settings),
        )
    )
