"""Write the pages of docs/ that are made from the program: `make docs`.

The settings come from their rows, the commands from their helps, the quiet lights from the scene's
table, and the list of decisions from the first lines of each.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

import click
from click.testing import CliRunner

from companion.cli.main import COMMANDS, HELP_WIDTH, cribwars
from companion.commentary import load_phrases
from companion.lights.scene.quiet_lights import QUIET_LIGHTS
from companion.settings.describe import Described, describe
from companion.settings.load import load_settings
from companion.toml import ValueKind, toml_key, toml_value

DOCS: Final = Path(__file__).parent
DECISION: Final = re.compile(r"# (.+)\n\n\*(\d{4}-\d\d-\d\d), (accepted|superseded by .+)\*\n")
"""First lines of a decision: title, date, status."""

SETTINGS: Final = """\
# Settings

Each setting with its default. [Your file](../setting-up.md#settings) holds only what differs.
`cribwars config --defaults` prints the same as a file. A setting that does not act at once acts
after a restart; house rules act from the next game.
"""
COMMAND_LINE: Final = """\
# Commands

The help of each command prints the same, in the language of your terminal: `cribwars run --help`.
"""
LIGHTS: Final = """\
# The quiet lights

Each state of a game has a light of its own. Its place, its level and its rhythm tell it apart,
never its colour alone. In each area the board shows the first line that applies. A rhythm lasts
four seconds, or eight with `calm`; nothing flashes more than three times a second.
[The card](../lights-and-buttons.svg) has them to print.

With one LED a hole, sides that share a hole take turns of a second there, and the side that counted
last gets every other second. Each light continues its rhythm when its side's turn comes again.
"""
DECISIONS: Final = """\
# Decisions

Each page has one decision: what, why, what follows. A page is kept as the program is; what is no
longer so is superseded by another page.
"""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def settings_page() -> str:
    """Return the settings, one table for each table of the settings file."""

    def place(each: Described) -> str:
        return each.key if each.kind is ValueKind.MAPPING else each.key.rpartition(".")[0]

    text = SETTINGS
    for name, described in groupby(describe(load_settings(None, {})), key=place):
        heading = f"`[{name}]`" if name else "At the top of the file"
        head = ("setting", "default", "value", "purpose", "at once")
        text += f"\n## {heading}\n\n{table(head, map(_setting, described))}"
    return text


def _setting(each: Described) -> Sequence[str]:
    if isinstance(each.default, Mapping):
        name = "each key"
        values = (f"{toml_key(key)} = {toml_value(value)}" for key, value in each.default.items())
        default = "<br>".join(f"`{value}`" for value in values)
    else:
        name, default = f"`{each.key.rpartition('.')[2]}`", f"`{toml_value(each.default)}`"
    cells = (name, default, str(each.takes), str(each.help), "yes" if each.at_once else "")
    return [cell.replace("|", r"\|") for cell in cells]


def commands_page() -> str:
    """Return the help of each command, by section."""
    text = COMMAND_LINE
    for section, names in groupby(COMMANDS, lambda name: COMMANDS[name][0]):
        text += f"\n## {section}\n"
        for path in (path for name in names for path in _commands(name)):
            shown = CliRunner(env={"LC_ALL": "C"}).invoke(
                cribwars, [*path, "--help"], prog_name="cribwars", terminal_width=HELP_WIDTH
            )
            text += f"\n### {' '.join(path)}\n\n```text\n{shown.output.strip()}\n```\n"
    return text


def _commands(name: str) -> Iterator[Sequence[str]]:
    """Yield a command and those below it."""
    command = cribwars.get_command(click.Context(cribwars), name)
    yield [name]
    if isinstance(command, click.Group):
        yield from ([name, each] for each in command.commands)


def lights_page() -> str:
    """Return the table of quiet lights."""
    phrases = load_phrases("en")
    rows = ((light.area, phrases.say(f"signs.{light.sign}")) for light in QUIET_LIGHTS)
    return f"{LIGHTS}\n{table(('where', 'light and its meaning'), rows)}"


def decisions_page() -> str:
    """Return the list of decisions.

    Raises:
        ValueError: a page does not begin with title, date and status.
    """
    rows = []
    for file in sorted((DOCS / "decisions").glob("0*.md")):
        if not (found := DECISION.match(file.read_text("utf-8"))):
            raise ValueError(f"{file.name} does not begin with title, date and status")
        title, date, status = found.groups()
        rows.append((file.name[:4], f"[{title}]({file.name})", date, status))
    return f"{DECISIONS}\n{table(('number', 'decision', 'date', 'status'), rows)}"


PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "reference/settings.md": settings_page,
    "reference/commands.md": commands_page,
    "reference/lights.md": lights_page,
    "decisions/README.md": decisions_page,
}


def pages() -> dict[Path, str]:
    """Return the text of each page."""
    return {DOCS / name: page() for name, page in PAGES.items()}


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, "utf-8")
