"""Which setting a fault is of, for a form that shows it there."""

from __future__ import annotations

import re
from typing import Final

from companion.config_checks import CHECKS, FREE

_WORD: Final = re.compile(r"(?:^|(?<=: ))[^\s:]+(?=: )")
_OPTION: Final = re.compile(r"\[([\w.]+)\] (\w+)")
_BUTTON: Final = re.compile(r'"([\w.]+)" in \[([\w.]+)\]')


def faulty_key(fault: str) -> str | None:
    """The key of the setting that a fault's text names; None if it names none.

    >>> faulty_key("/etc/c.toml: strip.type: cannot be 1; it takes a text")
    'strip.type'
    >>> faulty_key('c.toml: [strip] order = "X" does not fit')
    'strip.order'
    >>> faulty_key("c.toml: wiring.chains[2].rows: no row 'x'"), faulty_key("c.toml: 'hill'")
    ('wiring.chains', None)
    """
    for word in _WORD.finditer(fault):
        key = word[0].partition("[")[0]
        if key in CHECKS or any(f"{key}.".startswith(f"{table}.") for table in FREE):
            return key
    if option := _OPTION.search(fault):
        return f"{option[1]}.{option[2]}"
    if button := _BUTTON.search(fault):
        return f"{button[2]}.{button[1]}"
    return None
