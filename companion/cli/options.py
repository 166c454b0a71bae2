"""Options and exit statuses that several commands share."""

from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem

from companion.board import board_names
from companion.errors import BadInputError
from companion.toml.text import Value

FAULTY: Final = 1
"""Exit status: the command ran, and found or met a fault."""
WRONG_USE: Final = 2
"""Exit status: the command could not run as it was called."""


def complete_boards(
    _context: click.Context, _parameter: click.Parameter, typed: str
) -> list[CompletionItem]:
    """Return the shipped boards that begin so, for a shell; it adds files itself."""
    return [CompletionItem(name) for name in board_names() if name.startswith(typed)]


CONFIG_FILE: Final = "cribwars.config_file"
"""Key of the settings file in the context of a command: the language may stand there."""


def _note_config_file(
    context: click.Context, _parameter: click.Parameter, file: Path | None
) -> Path | None:
    context.meta[CONFIG_FILE] = file
    return file


board_option = click.option(
    "--board", help="A shipped board, or the path of a board file.", shell_complete=complete_boards
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
    "--jsonl", is_flag=True, help="A line of JSON a question, from a file or -."
)
port_option = click.option(
    "--port", type=click.IntRange(0, 65535), help="The page's port; 0 picks one."
)
teams_option = click.option("--teams", type=click.IntRange(2, 3), help="Sides: 2 or 3.")


def require_jsonl(command: str, *, given: bool) -> None:
    """Refuse a command without --jsonl if lines of JSON are all that it reads and writes."""
    if not given:
        raise BadInputError("{command} reads and writes lines of JSON: add --jsonl", command)


def overrides(**settings: Value | None) -> dict[str, Value]:
    """Return the settings that a command was called with: those of None were not.

    >>> overrides(board=None, teams=3, web={"port": None})
    {'teams': 3, 'web': {}}
    """
    return {
        name: overrides(**value) if isinstance(value, dict) else value
        for name, value in settings.items()
        if value is not None
    }
