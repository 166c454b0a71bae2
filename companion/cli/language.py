"""Language of a command: the requested one, else the terminal's, else the settings'."""

from collections.abc import Callable

import click

from companion.cli.options import CONFIG_FILE, coloured, terminal_language
from companion.commentary import Phrases, languages, load_phrases
from companion.errors import CompanionError, Text, filled
from companion.runtime.log import Console
from companion.settings.paths import settings_in_force
from companion.settings.schema import Settings

language_option = click.option(
    "--language",
    type=click.Choice(languages()),
    help="By default the language of the terminal, or else of the settings.",
)


def phrases_for(requested: str | None = None) -> Phrases:
    """Return the phrases of the requested language, or else of the terminal's or the settings'."""
    return load_phrases(requested or language_of(_settings))


def language_of(settings: Callable[[], Settings]) -> str:
    """Return the terminal's language if it has phrases, or else the language of the settings."""
    wanted = terminal_language()
    if wanted in languages():
        return wanted
    try:
        return settings().language
    except CompanionError:  # a command that needs the settings reports the error
        return "en"


def _settings() -> Settings:
    context = click.get_current_context(silent=True)
    return settings_in_force(context.meta.get(CONFIG_FILE) if context else None, {})


def tell(text: str | Text, /, *, err: bool = False, colour: str = "", **values: object) -> None:
    """Print a text in the language of the command; `values` fill its placeholders."""
    words = phrases_for().message(filled(text, values))
    click.echo(coloured(words, colour) if colour else words, err=err)


def console(settings: Callable[[], Settings] = _settings) -> Console:
    """Return the console of a command, which speaks the language of the command."""
    return Console(lambda: language_of(settings))
