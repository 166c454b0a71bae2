"""Commands `run` (people play), `demo` (the board plays alone), `config` (print the settings)."""

import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from companion.backups.restore import resume_restore
from companion.buttons import BUTTONS
from companion.cli.language import console
from companion.cli.options import (
    CompletedText,
    board_option,
    config_option,
    data_option,
    overrides,
    port_option,
    sides_option,
)
from companion.devices.assembly import assemble, in_force
from companion.errors import JournalError, Text
from companion.runtime.app import run
from companion.runtime.fallbacks import card_fault, usable_settings
from companion.runtime.restart import StartGuard, start_again
from companion.runtime.service_manager import (
    FailedStarts,
    failed_starts,
    has_mock_buttons,
    safe_options,
    safety_fault,
    update_fault,
)
from companion.runtime.start import light_table
from companion.settings.describe import default_text
from companion.settings.file import SettingsFile
from companion.settings.paths import data_folder, settings_in_force, settings_path
from companion.settings.sources import page_file
from companion.worker import share_arena
from hardware.strips.drivers import driver_stems


@click.command("config")
@click.option(
    "--defaults", is_flag=True, help="Print the help and the default of each setting instead."
)
@config_option
def config_command(*, defaults: bool, config_file: Path | None) -> None:
    """Print every setting in force as TOML, with where it came from."""
    if defaults:
        return click.echo(default_text(), nl=False)
    return click.echo(in_force(settings_in_force(config_file, {})).toml(), nl=False)


@click.command("run")
@click.option("--simulate", is_flag=True, help="Use mock pins and a virtual strip.")
@click.option(
    "--hold",
    type=CompletedText(lambda: BUTTONS),
    multiple=True,
    metavar="BUTTON",
    help="A mock button to hold down until the page answers; --hold mode starts the button test.",
)
@port_option
@data_option
@board_option
@sides_option
@config_option
@click.option(
    "--strip",
    type=CompletedText(driver_stems),
    help="The strip's driver, such as virtual or rpi_ws281x:spi.",
)
def run_command(
    *,
    simulate: bool,
    hold: tuple[str, ...],
    port: int | None,
    data: Path | None,
    board: str | None,
    sides: int | None,
    config_file: Path | None,
    strip: str | None,
) -> None:
    """Run the table: buttons in, lights out, the page on a port."""
    share_arena()
    driver = "virtual" if simulate and strip is None else strip
    options = overrides(board=board, teams=sides, web={"port": port}, strip={"driver": driver})
    file, folder = config_file or settings_path(), data or data_folder()
    usable = partial(usable_settings, file, required=config_file is not None)
    try:
        notice = resume_restore(folder, time.time())  # it may replace the settings
    except (JournalError, OSError) as error:
        notice = Text("the backup was not restored: {error}", error=error)
    with ExitStack() as opened:
        starts = opened.enter_context(failed_starts())
        failed = starts.before
        page = page_file(file) if file else None
        before = console(lambda: usable(options)[0])
        guard = opened.enter_context(StartGuard(page, failed.reason, console=before))
        given = safe_options(options, failed) if starts.calls_for_safety else options
        settings, assembly, check = usable(given)
        safety = partial(safety_fault, failed) if starts.calls_for_safety else None
        light = partial(
            light_table,
            settings=settings,
            assembly=assembly,
            console=console(lambda: settings),
            guard=guard,
            starts=starts,
            data=folder,
            needs_data=data is not None,
            file=SettingsFile(file, options, check=assemble) if file else None,
            simulate=simulate or (starts.calls_for_safety and has_mock_buttons(failed)),
            hold=hold,
            checks=tuple(filter(None, (safety, check, update_fault, card_fault))),
            notice=notice,
        )
        again = run(light)
    if again:
        start_again()


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

    Press any button to end the demo and play. Nothing is saved, not even your own game.
    """
    options = overrides(board=board, teams=sides, demo={"speed": speed}, web={"port": port})
    settings = settings_in_force(config_file, options)
    light = partial(
        light_table,
        settings=settings,
        assembly=assemble(settings),
        console=console(lambda: settings),
        guard=StartGuard(None),
        starts=FailedStarts(None),
        simulate=headless,
    )
    run(light, demo=True, games=games, headless=headless)
