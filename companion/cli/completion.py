"""`cribwars completion`: the script with which a shell completes commands, options and names."""

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

_NAME = "cribwars"
_VARIABLE = "_CRIBWARS_COMPLETE"
_SHELLS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@click.command("completion")
@click.argument("shell", type=click.Choice(list(_SHELLS)))
@click.pass_context
def completion_command(ctx: click.Context, *, shell: str) -> None:
    """Write the completion script of a shell, for its start file.

    For bash: cribwars completion bash >> ~/.bashrc
    """
    script = _SHELLS[shell](ctx.find_root().command, {}, _NAME, _VARIABLE)
    click.echo(script.source())
