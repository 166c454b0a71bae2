"""Descriptions of the settings for a form: type, range, help, and where each was set.

The help is the comment in `defaults.toml`, the range that of the check or the house rule.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from companion.rules.game.house_rules import as_settings, preset, rule_choices, rule_takes
from companion.settings.load import DEFAULT, Settings, default_text
from companion.settings.schema import CHECKS, FREE, SECRETS, split_key
from companion.toml.checks import Check, ValueKind
from companion.toml.document import Statement, comments, statements
from companion.toml.text import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One setting; of a table whose keys are the user's own, the table is one, a `MAPPING`.

    Args:
        key: as a change names it, such as `strip.driver`.
        kind: its type; `each` is that of the values of a mapping.
        value: the value in force, "" for a secret; `default` is that of a setting never set.
        origin: a file, the command line, a preset or `DEFAULT`.
        takes: the values that it takes, in words; "" if its user checks them.
        choices: all texts that it takes; none if there are others.
        low: the least number, `high` the greatest; None if it is no number.
        help: its purpose, in a line.
    """

    key: str
    kind: ValueKind
    value: Value
    default: Value
    origin: str
    takes: str = ""
    each: ValueKind | None = None
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    whole: bool = False
    help: str = ""


def describe(settings: Settings) -> list[Described]:
    """Return every setting in the order of `defaults.toml`, each house rule by itself."""
    helps = _comments()
    described: list[Described] = []
    for key, help_text in helps.items():
        if key == "rules":
            described += _rules(settings, help_text)
        elif key in FREE:
            described.append(_table(settings, key, FREE[key], help_text))
        elif key in CHECKS:
            described.append(_setting(settings, key, CHECKS[key], help_text))
    return described


def _setting(settings: Settings, key: str, check: Check, help_text: str) -> Described:
    table, name = split_key(key)
    value, origin = settings.in_force(table, name)
    return Described(
        key=key,
        kind=check.kind,
        value="" if key in SECRETS else value,
        default=settings.rules.board if key == "board" else _defaults(table)[name],
        origin=origin,
        takes=check.takes,
        choices=check.choices,
        low=check.low,
        high=check.high,
        whole=check.whole,
        help=help_text,
    )


def _table(settings: Settings, key: str, check: Check, help_text: str) -> Described:
    return Described(
        key=key,
        kind=ValueKind.MAPPING,
        each=check.kind,
        value=settings.tables[key],
        default=_defaults(key),
        origin=settings.where(key, otherwise=DEFAULT),
        takes=check.takes,
        low=check.low,
        high=check.high,
        whole=check.whole,
        help=help_text,
    )


def _rules(settings: Settings, help_text: str) -> Iterator[Described]:
    of_preset = as_settings(preset(settings.text("", "preset")))
    for name, value, origin in settings.house_rules():
        default = of_preset[name] if settings.was_set("rules", name) else value
        choices, is_switch = rule_choices(name), isinstance(getattr(settings.rules, name), bool)
        kind = ValueKind.SWITCH if is_switch else ValueKind.CHOICE if choices else ValueKind.TEXT
        yield Described(
            key=f"rules.{name}",
            kind=kind,
            value=value == "true" if is_switch else value,
            default=default == "true" if is_switch else default,
            origin=origin,
            takes=rule_takes(name),
            choices=choices,
            help=help_text,
        )


def _defaults(table: str) -> dict[str, Value]:
    found: object = tomllib.loads(default_text())
    for name in filter(None, table.split(".")):
        found = found[name] if isinstance(found, dict) else {}
    return dict(found) if isinstance(found, dict) else {}


def _comments() -> dict[str, str]:
    """Return the comment of each key and table of `defaults.toml`, with its indented lines."""
    found: dict[str, str] = {}
    key = ""
    for line in statements(default_text()):
        if _goes_on(line):
            found[key] = f"{found[key]} {' '.join(_bare(line))}".strip()
        elif not line.is_remark:
            key = ".".join(line.path)
            found[key] = " ".join(_bare(line))
    return found


def _goes_on(line: Statement) -> bool:
    return line.is_remark and line.text.startswith(" ") and bool(line.text.strip())


def _bare(line: Statement) -> list[str]:
    return [comment.removeprefix("#").strip() for comment in comments(line)]
