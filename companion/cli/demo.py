"""`cribwars demo`: the board plays by itself, for who wants to see it."""

from __future__ import annotations

from pathlib import Path

import click

from companion.settings.load import Value
from companion.settings.paths import config_option, settings_in_force


@click.command("demo")
@click.option("--speed", type=click.FloatRange(0.1, 100), help="2 plays twice as fast.")
@click.option("--teams", type=click.IntRange(2, 3), help="Sides: 2 or 3.")
@click.option("--board", help="A shipped board, or the path of a board file.")
@click.option("--games", type=click.IntRange(1), help="How many to play; else until it is ended.")
@click.option("--headless", is_flag=True, help="Only the lights: no page, no buttons.")
@click.option("--port", type=click.IntRange(0, 65535), help="The page's port; 0 picks one.")
@config_option
def demo_command(
    *,
    speed: float | None,
    teams: int | None,
    board: str | None,
    games: int | None,
    headless: bool,
    port: int | None,
    config_file: Path | None,
) -> None:
    """Let the board play by itself; what happens is told on stderr.

    Any press ends the demo, and leaves a table to play at. Nothing is kept.
    """
    from companion.runtime.app import run_demo  # noqa: PLC0415  # the other commands need no table

    asked: dict[str, Value] = {"board": board, "teams": teams}
    given = {name: value for name, value in asked.items() if value is not None}
    given |= {"demo": {"speed": speed}} if speed is not None else {}
    given |= {"web": {"port": port}} if port is not None else {}
    run_demo(settings_in_force(config_file, given), games=games, headless=headless)
