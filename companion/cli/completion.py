"""`cribwars completion`: the script with which a shell completes commands, options and names."""

import click
from click.shell_completion import get_completion_class

from companion.errors import BadInputError

_NAME = "cribwars"
_VARIABLE = "_CRIBWARS_COMPLETE"
_SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion_command(ctx: click.Context, *, shell: str) -> None:
    """Write the completion script of a shell, for its start file.

    For bash: cribwars completion bash >> ~/.bashrc
    """
    made = get_completion_class(shell)
    if made is None:
        text = "no completion for {shell}: there are {shells}"
        raise BadInputError(text, shell, ", ".join(_SHELLS))
    click.echo(made(ctx.find_root().command, {}, _NAME, _VARIABLE).source())
