"""Language of the terminal, and colour on it."""

import os
import re
import sys

import click

GOOD, BAD = "green", "red"

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def terminal_language() -> str:
    """Return the language of the locale, without its region, its encoding and its variant."""
    return re.split(r"[_.@]", next(filter(None, map(os.environ.get, _VARIABLES)), ""))[0]


def coloured(text: str, colour: str) -> str:
    """Return a text in a colour; as it is if no terminal shows it or NO_COLOR is set."""
    if os.environ.get("NO_COLOR") or not sys.stdout.isatty():
        return text
    return click.style(text, fg=colour)
