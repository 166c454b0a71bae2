"""Language of the terminal."""

import os
import re

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def terminal_language() -> str:
    """Return the language of the locale, without its region, its encoding and its variant."""
    return re.split(r"[_.@]", next(filter(None, map(os.environ.get, _VARIABLES)), ""))[0]
