"""Language of a command: the requested one, else the terminal's, else the settings'.

Help and error messages of click are in the language of the terminal.
"""

import gettext
import re
from collections.abc import Callable
from copy import copy
from typing import Final, TypeAlias

import click

from companion.cli.options import CONFIG_FILE, coloured, terminal_language
from companion.commentary import Phrases, languages, load_catalogue, load_phrases
from companion.commentary.phrases import ENGLISH, Catalogue
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


PLACEHOLDER: Final = re.compile(r"[A-Z]{2,}(?: [A-Z]{2,})*")
"""Word in capitals for a value, such as FILE."""

_OF_CLICK: Final = "click"  # gettext context of click's own texts
_Translate: TypeAlias = Callable[[str], str]


def translated(command: click.Command) -> click.Command:
    """Return a copy of a command that shows help and errors in the language of the terminal.

    Click gets its own texts from two functions of gettext, which read only compiled catalogues.
    These functions are replaced in the whole process by look-ups in our catalogue.
    """
    vars(gettext).update(
        dgettext=lambda _, text: _catalogue().pgettext(_OF_CLICK, text),
        dngettext=lambda _, one, more, n: _catalogue().npgettext(_OF_CLICK, one, more, n),
    )
    return _in_words(command, _say)


def _catalogue() -> Catalogue:
    language = terminal_language()
    return load_catalogue(language if language in languages() else ENGLISH)


def _say(text: str) -> str:
    return text and _catalogue().gettext(text)


def _in_words(command: click.Command, say: _Translate) -> click.Command:
    clone = copy(command)
    vars(clone)["_help_option"] = None  # click keeps it in the language of its first use
    clone.help = _paragraphs(command.help or "", say)
    clone.epilog = _paragraphs(command.epilog or "", say)
    clone.params = [_parameter(each, say) for each in command.params]
    if clone.options_metavar:
        clone.options_metavar = _placeholders(clone.options_metavar, say)
    if isinstance(clone, click.Group):
        clone.subcommand_metavar = _placeholders(clone.subcommand_metavar, say)
        clone.commands = {name: _in_words(each, say) for name, each in clone.commands.items()}
    return clone


def _parameter(parameter: click.Parameter, say: _Translate) -> click.Parameter:
    clone = copy(parameter)
    clone.type = copy(parameter.type)
    clone.type.name = _placeholders(parameter.type.name.upper(), say).lower()
    if isinstance(clone, click.Option) and clone.help:
        clone.help = say(clone.help)
    metavar = parameter.make_metavar
    clone.make_metavar = lambda *args, **kwargs: _placeholders(metavar(*args, **kwargs), say)  # type: ignore[method-assign]
    return clone


def _placeholders(text: str, say: _Translate) -> str:
    return PLACEHOLDER.sub(lambda found: say(found[0]), text)


def _paragraphs(text: str, say: _Translate) -> str:
    """Translate each paragraph of a text, or each of its lines if click keeps the lines."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(
        "\n".join(map(say, each.split("\n"))) if "\b" in each else say(" ".join(each.split()))
        for each in paragraphs
    )
