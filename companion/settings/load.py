"""The settings in force: the defaults, over them a user's file, over it the command line.

Everything is checked here, once, and all faults come together, each with file, key and remedy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from companion.errors import Fault, Message, RuleError, SettingsError, suggest
from companion.rules.game.house_rules import HouseRules, preset, with_rule
from companion.rules.game.state import PLAYERS
from companion.settings.schema import COMMAND_LINE, OWN_KEYS, ROWS, Settings, check_of, split_key
from companion.toml.table import TableReader, decode, parse
from companion.toml.text import Value

BEHIND_USB = ("serial", "adalight", "awa")
"""The drivers of strips behind a microcontroller at a USB port."""

USB_BUDGET_MA = 500
"""Milliamps that such a port gives, unless somebody says what supply the strip has."""

_FAULTY = object()
"""Stand-in for a value that its setting does not take."""


def load_settings(file: Path | None, command_line: Mapping[str, Value]) -> Settings:
    """Load the settings in force: the defaults, over them the file, over it the command line.

    Raises:
        SettingsError: every fault of the file and the command line, a line each.
    """
    faults: list[Fault] = []
    text = "" if file is None else _text_of(file, faults)
    return read_settings(text, str(file), command_line, faults)


def read_settings(
    text: str, origin: str, command_line: Mapping[str, Value], faults: Iterable[Fault] = ()
) -> Settings:
    """Return the settings in force if the file of this origin had this text.

    `faults` are those of the file that were found before.

    Raises:
        SettingsError: every fault of the text and the command line, a line each.
    """
    faults = [*faults]
    values: dict[str, Value] = {}
    origins: dict[str, str] = {}
    for source, given in ((origin, parse(text, origin, faults)), (COMMAND_LINE, command_line)):
        for key, value in _sound(TableReader(given, file=source, where="", faults=faults)):
            values[key], origins[key] = value, source
    rules = {key: values.pop(key) for key in [*values] if split_key(key)[0] == "rules"}
    settings = Settings(origins=origins).with_values(values)
    settings = replace(settings, rules=_rules(settings, rules, faults))
    if not settings.was_set("board"):
        settings = replace(settings, board=settings.rules.board)
    if not settings.was_set("strip.budget_ma") and settings.strip_kind in BEHIND_USB:
        settings = settings.with_values({"strip.budget_ma": USB_BUDGET_MA})
    _check_players(settings, faults)
    if faults:
        raise SettingsError(*faults)
    return settings


def _text_of(file: Path, faults: list[Fault]) -> str:
    try:
        return decode(file.read_bytes(), str(file), faults)
    except OSError as error:
        remedy = "give a file that is there and may be read"
        problem = Message("cannot be read ({reason})", error.strerror)
        faults.append(Fault(file=str(file), problem=problem, remedy=remedy))
    return ""


def _sound(reader: TableReader) -> Iterator[tuple[str, Value]]:
    """Yield each sound value with its key; the others are faults of the reader's."""
    for table, name in reader.leaves(OWN_KEYS):
        key = table.key(name)
        check = check_of(table.where, name)
        if check is None:
            table.fault(name, *_unknown(key))
        elif (value := table.optional(name, check, _FAULTY)) is not _FAULTY:
            yield key, value


def _unknown(key: str) -> tuple[str, str]:
    """Return problem and remedy for a value whose key is no setting's."""
    if key in OWN_KEYS or any(setting.startswith(f"{key}.") for setting in ROWS):
        problem = Message("is a table, no setting by itself")
        return problem, Message("write its settings below [{key}]", key)
    remedy = suggest(key, ROWS, otherwise="`cribwars config` prints them all")
    return Message("there is no such setting"), remedy


def _rules(settings: Settings, by_key: Mapping[str, Value], faults: list[Fault]) -> HouseRules:
    """Return the preset's house rules, over them those set by name (rule G7)."""
    rules = preset(settings.preset)
    for key, value in by_key.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        try:
            rules = with_rule(rules, split_key(key)[1], text)
        except RuleError as error:
            file = settings.origins[key]
            faults.append(Fault(file=file, key=key, problem=error.problem, remedy=error.remedy))
    return rules


def _check_players(settings: Settings, faults: list[Fault]) -> None:
    if settings.seats not in PLAYERS[settings.teams]:
        text = "{players} players cannot be {teams} sides"
        problem = Message(text, settings.players, settings.teams)
        file, remedy = settings.origins["players"], "set players or teams"
        faults.append(Fault(file=file, key="players", problem=problem, remedy=remedy))
