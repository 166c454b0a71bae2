"""Keys and values in TOML's notation, each on one line."""

import json
import unicodedata
from typing import TypeAlias

Value: TypeAlias = object  # a value of TOML: a text, a number, true or false, a list or a table
_NOT_IN_A_LINE = ("Cc", "Cs", "Zl", "Zp")


def is_one_line(text: str) -> bool:
    r"""Return True if no character of a text moves the cursor or begins another line.

    >>> is_one_line("Zoë & Ben"), is_one_line("a\nb"), is_one_line("\x1b[2J")
    (True, False, False)
    """
    return not any(unicodedata.category(character) in _NOT_IN_A_LINE for character in text)


def toml_key(name: str) -> str:
    """Return a key, in quotes if TOML requires them.

    >>> toml_key("budget_ma"), toml_key("1.undo")
    ('budget_ma', '"1.undo"')
    """
    plain = name.replace("_", "").replace("-", "")
    return name if plain.isalnum() and plain.isascii() else toml_text(name)


def toml_value(value: Value) -> str:
    """Return a value on one line.

    >>> toml_value({"a": [1, True, "x"]})
    '{ a = [1, true, "x"] }'
    """
    if isinstance(value, dict):
        inside = ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return toml_text(value) if isinstance(value, str) else str(value)


def toml_text(text: str) -> str:
    """Return a text in quotes. TOML shares JSON's escapes, except surrogate pairs."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(each if is_one_line(each) else f"\\u{ord(each):04x}" for each in quoted)
