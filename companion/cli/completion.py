"""`cribwars completion`: a script for a shell, to complete commands, options and names."""

from importlib.resources import files
from typing import Final

import click

_SCRIPTS: Final = files("companion.cli") / "completion_scripts"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(*, shell: str) -> None:
    """Write the completion script of a shell, for its start file.

    In zsh, compinit must have run before it.
    """
    click.echo((_SCRIPTS / f"cribwars.{shell}").read_text("utf-8"), nl=False)
