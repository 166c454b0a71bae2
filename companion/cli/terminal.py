"""The terminal: its language, and its ability to move the cursor and to show colours.

This module is imported before any command, and imports no other module of the program.
"""

import os
import re
import sys
from typing import TextIO

import click

GOOD, BAD = "green", "red"

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


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
