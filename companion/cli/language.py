"""Language of a command: the one asked for, else the terminal's, else that of the settings."""

import os
import re

import click

from companion.commentary import Phrases, languages, load_phrases
from companion.errors import CompanionError, RuleError
from companion.settings.paths import settings_in_force

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")

language_option = click.option(
    "--language", type=click.Choice(languages()), help="By default the terminal's, or the table's."
)


def phrases_for(requested: str | None) -> Phrases:
    """Return the phrases of the language asked for, or of the first of the others known."""
    wanted = requested or _terminal_language()
    if wanted not in languages():
        wanted = settings_in_force(None, {}).text("", "language")
    return load_phrases(wanted)


def error_text(error: CompanionError) -> str:
    """Return the text of an error in the terminal's language; no settings are read for it."""
    language = _terminal_language()
    phrases = load_phrases(language if language in languages() else "en")
    if isinstance(error, RuleError):
        return phrases.refusal(error, {})
    return phrases.message(str(error))


def _terminal_language() -> str:
    """Return the language of the locale, without its region, its encoding and its variant."""
    return re.split(r"[_.@]", next(filter(None, map(os.environ.get, _VARIABLES)), ""))[0]
