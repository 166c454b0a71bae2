"""Help, and refusals of click, in the language of the terminal."""

import re
from collections.abc import Callable
from copy import copy
from types import ModuleType
from typing import TypeAlias

import click
from click import core, decorators, exceptions, formatting, parser, types

from companion.cli.language import terminal_language
from companion.commentary import languages, load_phrases

MODULES = (core, decorators, exceptions, formatting, parser, types)
"""Modules of click whose texts people read."""
PLACEHOLDER = re.compile(r"[A-Z]{2,}(?: [A-Z]{2,})*")
"""Word in capitals for a value, such as FILE."""

_Translate: TypeAlias = Callable[[str], str]


def translated(command: click.Command) -> click.Command:
    """Return a command whose help, and refusals, are in the language of the terminal."""
    for module in MODULES:
        _translate(module)
    return _in_words(command, _say)


def _say(text: str) -> str:
    language = terminal_language()
    return load_phrases(language).message(text) if language in languages() else text


def _translate(module: ModuleType) -> None:
    """Have a module of click translate its own texts: they go through gettext, as `_`."""
    if hasattr(module, "_"):
        setattr(module, "_", _say)  # noqa: B010  # of another package, where mypy knows a function
    if hasattr(module, "ngettext"):
        setattr(module, "ngettext", lambda one, many, n: _say(one if n == 1 else many))  # noqa: B010


def _in_words(command: click.Command, say: _Translate) -> click.Command:
    clone = copy(command)
    vars(clone)["_help_option"] = None  # made once, in the language of that moment
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
    """Return the paragraphs of a text, each translated as one line but where click keeps lines."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(
        "\n".join(map(say, each.split("\n"))) if "\b" in each else say(" ".join(each.split()))
        for each in paragraphs
    )
