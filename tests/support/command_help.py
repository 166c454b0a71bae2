"""The texts in the help of all commands."""

from collections.abc import Iterator

import click

from companion.cli.main import cribwars
from companion.cli.translated_help import PLACEHOLDER


def help_texts() -> Iterator[str]:
    """Yield each paragraph and each option's help as one line, and each placeholder."""
    return _texts(cribwars)


def _texts(command: click.Command) -> Iterator[str]:
    for paragraph in (command.help or "").split("\n\n"):
        if "\b" not in paragraph:
            yield " ".join(paragraph.split())
    yield from (command.epilog or "").splitlines()[1:2]  # the title of the examples
    context = click.Context(command)
    for piece in command.collect_usage_pieces(context):
        yield from PLACEHOLDER.findall(piece)
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.help:
            yield parameter.help
        if not getattr(parameter, "is_flag", False):
            yield from PLACEHOLDER.findall(parameter.make_metavar(context))
    if isinstance(command, click.Group):
        for name in sorted(command.list_commands(context)):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _texts(inner)
