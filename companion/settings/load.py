"""The settings: defaults in one readable file, a user's file over them, the command line on top.

Everything is checked here, once, and all faults come together, each with file, key and remedy.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import TypeAlias, cast

from companion.errors import Fault, Message, RuleError, SettingsError, suggest
from companion.rules.game.house_rules import HouseRules, as_settings, preset, with_rule
from companion.rules.game.state import PLAYERS
from companion.settings.schema import CHECKS, FREE, SECRETS, acts_at_once, check_of, split_key
from companion.toml.table import TableReader, decode, parse
from companion.toml.text import Value, toml_key, toml_value

DEFAULT = "default"
"""The origin of a setting that nobody has set."""

COMMAND_LINE = "command line"
"""The origin of a setting that was given there."""

BEHIND_USB = ("serial", "adalight", "awa")
"""The drivers of strips behind a microcontroller at a USB port."""

USB_BUDGET_MA = 500
"""Milliamps that such a port gives, unless somebody says what supply the strip has."""

Table: TypeAlias = dict[str, Value]

_FAULTY = object()
"""Stand-in for a value that its setting does not take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting in force: values and where they came from, by table and name; "" is the top.

    `rules` are the preset's house rules with those of `[rules]` over them.
    """

    tables: Mapping[str, Table]
    origins: Mapping[tuple[str, str], str]
    rules: HouseRules

    def text(self, table: str, name: str) -> str:
        """Return a setting that is a text."""
        return cast("str", self.tables[table][name])

    def number(self, table: str, name: str) -> float:
        """Return a setting that is a number."""
        return float(cast("float", self.tables[table][name]))

    def switch(self, table: str, name: str) -> bool:
        """Return a setting that is true or false."""
        return cast("bool", self.tables[table][name])

    def texts(self, table: str, name: str) -> tuple[str, ...]:
        """Return a setting that is a list of texts."""
        return tuple(cast("list[str]", self.tables[table][name]))

    @property
    def board(self) -> str:
        """The board's name or file: as set, or the one that the preset is played on."""
        return str(self.in_force("", "board")[0])

    @property
    def teams(self) -> int:
        """Number of sides of the first game."""
        return int(self.number("", "teams"))

    @property
    def players(self) -> int:
        """Number of players of the first game; one a side unless it is set (rule T1)."""
        return int(self.number("", "players")) or self.teams

    @property
    def names(self) -> dict[str, str]:
        """Names of the sides that have one, by number."""
        return cast("dict[str, str]", self.tables["names"])

    @property
    def colours(self) -> dict[str, str]:
        """Colours of the sides that have one of their own, by number."""
        return cast("dict[str, str]", self.tables["lights.colours"])

    @property
    def budget_ma(self) -> float | tuple[float, ...]:
        """Milliamperes of the strip's supply, or of that of each channel."""
        budget = cast("float | list[float]", self.tables["strip"]["budget_ma"])
        return tuple(budget) if isinstance(budget, list) else budget

    @property
    def strip_kind(self) -> str:
        """The strip's driver without what follows the colon."""
        return _kind(self.tables["strip"])

    @property
    def strip_type(self) -> str:
        """Type of LED: as set, or the chip that the driver is for if the driver was set last."""
        kind, _, chip = self.text("strip", "driver").partition(":")
        type_from, driver_from = self.origins["strip", "type"], self.origins["strip", "driver"]
        by_driver = type_from == DEFAULT or (COMMAND_LINE == driver_from != type_from)
        return chip if kind == "spi" and by_driver else self.text("strip", "type")

    def pins(self, table: str, name: str) -> tuple[int, ...]:
        """Return a setting that is a list of pins."""
        return tuple(cast("list[int]", self.tables[table][name]))

    def in_force(self, table: str, name: str) -> tuple[Value, str]:
        """Return a setting and its origin: of a board that nobody has set, the preset."""
        if (table, name) == ("", "board") and not self.was_set(table, name):
            return self.rules.board, self._preset_origin
        return self.tables[table][name], self.origins[table, name]

    def house_rules(self) -> Iterator[tuple[str, str, str]]:
        """Yield name, value and origin of each house rule but the board, a setting of its own."""
        for name, value in as_settings(self.rules).items():
            if name != "board":
                yield name, value, self.origins.get(("rules", name), self._preset_origin)

    @property
    def _preset_origin(self) -> str:
        """The origin of what comes from the preset."""
        return f"preset {self.text('', 'preset')}"

    def where(self, table: str, *, otherwise: str = "settings") -> str:
        """Return the origins of a table's settings, but for defaults."""
        origins = {self.origins[table, name] for name in self.tables.get(table, ())} - {DEFAULT}
        return ", ".join(sorted(origins)) or otherwise

    def origin(self, key: str) -> str:
        """Return where a setting, or the table that it lies in, comes from."""
        table, name = split_key(key)
        if self.was_set(table, name):
            return self.origins[table, name]
        return self.where(key if key in self.tables else table)

    def was_set(self, table: str, name: str) -> bool:
        """Return True if a file or the command line has set it."""
        return self.origins.get((table, name), DEFAULT) != DEFAULT

    def filled(self, in_force: Mapping[str, Table]) -> Settings:
        """Return these settings with values for those that are empty or left out.

        Args:
            in_force: values by table and name; what was set keeps its origin.
        """
        tables = {name: table | in_force.get(name, {}) for name, table in self.tables.items()}
        origins = {(table, name): DEFAULT for table, names in in_force.items() for name in names}
        return replace(self, tables=tables, origins=origins | dict(self.origins))

    def with_live(self, others: Settings) -> Settings:
        """Return these settings, but of those that act at once the others'."""
        tables = {
            table: {name: value for name, value in own.items() if not _is_live(table, name)}
            | {name: value for name, value in others.tables[table].items() if _is_live(table, name)}
            for table, own in self.tables.items()
        }
        origins = {key: origin for key, origin in self.origins.items() if not _is_live(*key)}
        origins |= {key: origin for key, origin in others.origins.items() if _is_live(*key)}
        return replace(self, tables=tables, origins=origins)

    def toml(self) -> str:
        """Every setting as TOML, a line each, with where it came from; secrets are masked."""
        return "\n".join(_print(self)) + "\n"


def _is_live(table: str, name: str) -> bool:
    return acts_at_once(f"{table}.{name}" if table else name)


def default_text() -> str:
    """Return the readable file of all defaults, a comment to each."""
    return (resources.files("companion.settings") / "defaults.toml").read_text(encoding="utf-8")


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
    tables: dict[str, Table] = {name: {} for name in ("", *FREE)}
    origins: dict[tuple[str, str], str] = {}
    sources: list[tuple[str, Mapping[str, Value]]] = [
        (DEFAULT, tomllib.loads(default_text())),
        (origin, parse(text, origin, faults)),
        (COMMAND_LINE, command_line),
    ]
    for source, values in sources:
        reader = TableReader(values, file=source, where="", faults=faults)
        for table, name, value in _sound_settings(reader):
            tables.setdefault(table, {})[name] = value
            origins[table, name] = source
    if origins["strip", "budget_ma"] == DEFAULT and _kind(tables["strip"]) in BEHIND_USB:
        tables["strip"]["budget_ma"] = USB_BUDGET_MA
    rules = _rules(tables, origins, faults)
    _check_players(tables[""], origins, faults)
    if faults:
        raise SettingsError(*faults)
    return Settings(tables=tables, origins=origins, rules=rules)


def _kind(strip: Table) -> str:
    return str(strip["driver"]).partition(":")[0]


def _text_of(file: Path, faults: list[Fault]) -> str:
    try:
        return decode(file.read_bytes(), str(file), faults)
    except OSError as error:
        remedy = "give a file that is there and may be read"
        problem = Message("cannot be read ({reason})", error.strerror)
        faults.append(Fault(file=str(file), problem=problem, remedy=remedy))
    return ""


def _sound_settings(reader: TableReader) -> Iterator[tuple[str, str, Value]]:
    """Yield each sound value with its table and name; the others are faults of the reader's."""
    for table, name in reader.leaves(FREE):
        key = table.key(name)
        check = check_of(table.where, name)
        if check is None:
            table.fault(name, *_unknown(key))
        elif (value := table.optional(name, check, _FAULTY)) is not _FAULTY:
            yield table.where, name, value


def _unknown(key: str) -> tuple[str, str]:
    """Return problem and remedy for a value whose key is no setting's."""
    if key in FREE or any(setting.startswith(f"{key}.") for setting in (*CHECKS, *FREE)):
        problem = Message("is a table, no setting by itself")
        return problem, Message("write its settings below [{key}]", key)
    remedy = suggest(key, [*CHECKS, *FREE], otherwise="`cribwars config` prints them all")
    return Message("there is no such setting"), remedy


def _rules(
    tables: Mapping[str, Table], origins: Mapping[tuple[str, str], str], faults: list[Fault]
) -> HouseRules:
    """Return the preset's house rules, over them those set by name (rule G7)."""
    rules = preset(str(tables[""]["preset"]))
    for name, value in tables["rules"].items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        try:
            rules = with_rule(rules, name, text)
        except RuleError as error:
            file, key = origins["rules", name], f"rules.{name}"
            faults.append(Fault(file=file, key=key, problem=error.problem, remedy=error.remedy))
    return rules


def _check_players(top: Table, origins: Mapping[tuple[str, str], str], faults: list[Fault]) -> None:
    teams, players = top["teams"], top["players"]
    if players and players not in PLAYERS[cast("int", teams)]:
        problem = Message("{players} players cannot be {teams} sides", players, teams)
        file, remedy = origins["", "players"], "set players or teams"
        faults.append(Fault(file=file, key="players", problem=problem, remedy=remedy))


def _print(settings: Settings) -> Iterator[str]:
    for table in sorted({*settings.tables, "rules"}):
        lines = _rule_lines(settings) if table == "rules" else _lines(settings, table)
        if table:
            yield f"\n[{table}]"
        yield from lines


def _lines(settings: Settings, table: str) -> Iterator[str]:
    for name in settings.tables[table]:
        value, origin = settings.in_force(table, name)
        shown = "***" if value and f"{table}.{name}" in SECRETS else value
        yield f"{toml_key(name)} = {toml_value(shown)}  # {origin}"


def _rule_lines(settings: Settings) -> Iterator[str]:
    for name, value, origin in settings.house_rules():
        bare = value.isdigit() or value in ("true", "false")
        yield f"{name} = {value if bare else toml_value(value)}  # {origin}"
