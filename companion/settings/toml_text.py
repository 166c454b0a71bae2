"""How TOML writes keys and values: for the settings in force, and for the settings file."""

from __future__ import annotations

import json

from companion.settings.checks import Value, is_one_line


def toml_key(name: str) -> str:
    """A key, in quotes if it needs them.

    >>> toml_key("budget_ma"), toml_key("1.undo")
    ('budget_ma', '"1.undo"')
    """
    plain = name.replace("_", "").replace("-", "")
    return name if plain.isalnum() and plain.isascii() else toml_text(name)


def toml_value(value: Value) -> str:
    """A value in one line.

    >>> toml_value({"a": [1, True, "x"]})
    '{ a = [1, true, "x"] }'
    """
    if isinstance(value, dict):
        inside = ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return toml_text(value) if isinstance(value, str) else str(value)


def toml_text(text: str) -> str:
    """A text in quotes, in one line: JSON's escapes are TOML's too, but for pairs of them."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(each if is_one_line(each) else f"\\u{ord(each):04x}" for each in quoted)
