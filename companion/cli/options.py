"""Options and exit statuses that commands share, shell completion, the terminal's language."""

import os
import re
import sys
from collections.abc import Callable, Iterable
from gettext import gettext
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Final, TextIO

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

from companion.board import board_names
from companion.errors import BadInputError
from companion.toml import Value

FAULTY: Final = 1  # exit status: the command ran, and found or met a fault
WRONG_USE: Final = 2  # exit status: the command was called in a wrong way
GOOD, BAD = "green", "red"

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


class WholeGroup(click.Group):
    """Group whose help lists the commands in sections, and never cuts a command's purpose short."""

    def section(self, name: str) -> str:  # noqa: ARG002  # for subclasses
        """Return the English title of the section of the help that lists the command `name`."""
        return "Commands"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections; the purposes of all commands begin in the same column."""
        names = self.list_commands(ctx)
        widest = max(map(len, names))
        for title, group in groupby(names, self.section):
            rows = [(name.ljust(widest), self._purpose(ctx, name)) for name in group]
            with formatter.section(gettext(title)):
                formatter.write_dl(rows)

    def _purpose(self, ctx: click.Context, name: str) -> str:
        command = self.get_command(ctx, name)
        return command.get_short_help_str(limit=sys.maxsize) if command else ""


class CompletedText(StringParamType):
    """Type of a parameter with known values, which a shell completes.

    Other values are accepted too; the command refuses an unknown value itself, with a suggestion.

    Args:
        values: returns the known values.
        files: True if a value may be the path of a file.
        several: True if a value is a list with commas.
    """

    def __init__(
        self,
        values: Callable[[], Iterable[str]] = tuple,
        *,
        files: bool = False,
        several: bool = False,
    ) -> None:
        self._values, self._files, self._several = values, files, several

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002  # click's signature
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        """Return the known values that begin with a text, or else files if `files` is True."""
        before, comma, _ = incomplete.rpartition(",") if self._several else ("", "", "")
        found = [f"{before}{comma}{value}" for value in self._values()]
        items = [CompletionItem(text) for text in found if text.startswith(incomplete)]
        return items or [CompletionItem(incomplete, type="file")] * self._files


BOARD: Final = CompletedText(board_names, files=True)
"""Type of the name of a shipped board, or the path of a board file."""
FILE: Final = CompletedText(files=True)  # type of the name of a file, or - for a stream

CONFIG_FILE: Final = "cribwars.config_file"
"""Key of the settings file in a command's context; the file may set the command's language."""


def _note_config_file(
    context: click.Context, _parameter: click.Parameter, file: Path | None
) -> Path | None:
    context.meta[CONFIG_FILE] = file
    return file


board_option = click.option(
    "--board", type=BOARD, help="A shipped board, or the path of a board file."
)
config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    callback=_note_config_file,
    help="A settings file.",
)
data_option = click.option(
    "--data", type=click.Path(path_type=Path), help="Where the journal is kept."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Everything, as one JSON value.")
jsonl_option = click.option(
    "--jsonl",
    is_flag=True,
    help="Read one line of JSON for each question, from a file or - (stdin).",
)
port_option = click.option(
    "--port", type=click.IntRange(0, 65535), help="The page's port; 0 picks one."
)
sides_option = click.option("--teams", "sides", type=click.IntRange(2, 3), help="Sides: 2 or 3.")


def require_jsonl(command: str, *, given: bool) -> None:
    """Raise an error without --jsonl: the command reads and writes only lines of JSON."""
    if not given:
        raise BadInputError(
            "{command} reads and writes lines of JSON: add --jsonl", command=command
        )


def overrides(**settings: Value | None) -> dict[str, Value]:
    """Return the settings of the command line, without values that are None.

    >>> overrides(board=None, teams=3, web={"port": None})
    {'teams': 3, 'web': {}}
    """
    return {
        name: overrides(**value) if isinstance(value, dict) else value
        for name, value in settings.items()
        if value is not None
    }


_SCRIPTS: Final = files("companion.cli") / "completion_scripts"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(*, shell: str) -> None:
    """Write the completion script of a shell, for its start file.

    In zsh the script must come after compinit.
    """
    click.echo((_SCRIPTS / f"cribwars.{shell}").read_text("utf-8"), nl=False)


def terminal_language() -> str:
    """Return the language of the locale, without its region, its encoding and its variant."""
    return re.split(r"[_.@]", next(filter(None, map(os.environ.get, _VARIABLES)), ""))[0]


def is_terminal(stream: TextIO) -> bool:
    """Return True if a stream goes to a terminal that understands escape sequences."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def coloured(text: str, colour: str) -> str:
    """Return a text in a colour; change nothing without a terminal or if NO_COLOR is set."""
    if os.environ.get("NO_COLOR") or not is_terminal(sys.stdout):
        return text
    return click.style(text, fg=colour)
