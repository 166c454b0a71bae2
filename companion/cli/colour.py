"""Colour on a terminal; none where the output goes elsewhere or NO_COLOR is set."""

import os
import sys

import click

GOOD, BAD, NOTE = "green", "red", "yellow"


def coloured(text: str, colour: str) -> str:
    """Return a text in a colour, or as it is."""
    if os.environ.get("NO_COLOR") or not sys.stdout.isatty():
        return text
    return click.style(text, fg=colour)
