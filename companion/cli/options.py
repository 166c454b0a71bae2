"""Options that several commands share."""

from __future__ import annotations

import click

board_option = click.option("--board", help="A shipped board, or the path of a board file.")
teams_option = click.option("--teams", type=click.IntRange(2, 3), help="Sides: 2 or 3.")
