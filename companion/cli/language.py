"""Language of a command: the one asked for, else the terminal's, else that of the settings."""

import click

from companion.cli.colour import coloured
from companion.cli.terminal import terminal_language
from companion.commentary import Phrases, languages, load_phrases
from companion.errors import CompanionError, Message, RuleError
from companion.settings.paths import settings_in_force

language_option = click.option(
    "--language", type=click.Choice(languages()), help="By default the terminal's, or the table's."
)


def phrases_for(requested: str | None = None) -> Phrases:
    """Return the phrases of the language asked for, or of the first of the others known."""
    wanted = requested or terminal_language()
    if wanted not in languages():
        try:
            wanted = settings_in_force(None, {}).text("", "language")
        except CompanionError:  # whoever needs the settings refuses them
            wanted = "en"
    return load_phrases(wanted)


def tell(text: str, *values: object, err: bool = False, colour: str = "") -> None:
    """Print a text, with values in its places, in the language of the command."""
    words = phrases_for().message(Message(text, *values) if values else text)
    click.echo(coloured(words, colour) if colour else words, err=err)


def error_text(error: Exception) -> str:
    """Return the text of an error in the language of the command."""
    phrases = phrases_for()
    return (
        phrases.refusal(error, {}) if isinstance(error, RuleError) else phrases.message(str(error))
    )
