"""Language of a command: the one asked for, else the terminal's, else that of the settings."""

from __future__ import annotations

import os

import click

from companion.commentary import Phrases, languages, load_phrases
from companion.settings.paths import settings_in_force

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")

language_option = click.option(
    "--language", type=click.Choice(languages()), help="By default the terminal's, or the table's."
)


def phrases_for(requested: str | None) -> Phrases:
    """Return the phrases of the language asked for, or of the first of the others known."""
    terminal = next(filter(None, map(os.environ.get, _VARIABLES)), "")
    wanted = requested or terminal.partition("_")[0]
    if wanted not in languages():
        wanted = settings_in_force(None, {}).text("", "language")
    return load_phrases(wanted)
