"""Loading of the settings: from a file written by hand, the set-up page's file, the command line.

The command line takes precedence, then the page's file, then the file written by hand, then the
defaults. `load_settings` checks all values and reports all faults together, each with file, key and
remedy.

`usable` is for a game table that must run even with faulty files. It leaves out faulty values, and
the next source counts: with `teams = 9` in the page's file and `teams = 3` in the other file, three
sides play. The fault is reported; the files stay as they are. Two values can be valid alone but not
together, for example if a board has too few lanes for the sides. In this case the setting that the
fault names is left out; if that does not help, its table of settings, and then a whole file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Generic, TypeVar

from companion.errors import Fault, FaultsError, RuleError, SettingsError, Text, suggest
from companion.rules.game.house_rules import HouseRules, preset, with_rule
from companion.rules.game.state import PLAYERS
from companion.settings.schema import COMMAND_LINE, OWN_KEYS, ROWS, Settings, check_of, split_key
from companion.settings.sources import Source, flat, has_table, read_sources, without
from companion.toml import TableReader, Value

_FAULTY = object()  # stand-in for a value that its check refuses


def load_settings(
    file: Path | None, command_line: Mapping[str, Value], *, required: bool = True
) -> Settings:
    """Load the settings in force.

    Args:
        file: the settings file; the page's file lies beside it.
        command_line: the settings of the command line.
        required: False if the settings file may be missing.

    Raises:
        SettingsError: every fault of the files and the command line, a line each.
    """
    faults: list[Fault] = []
    files = [] if file is None else read_sources(file, faults, required=required)
    return merge([*files, Source(origin=COMMAND_LINE, values=flat(command_line))], faults)


def merge(sources: Iterable[Source], faults: Iterable[Fault] = ()) -> Settings:
    """Return the settings in force; each source replaces values of earlier sources.

    `faults` are those that were found earlier, for example in reading the files.

    Raises:
        SettingsError: every fault of the sources, a line each.
    """
    faults = [*faults]
    values: dict[str, Value] = {}
    origins: dict[str, str] = {}
    for source in sources:
        if source.origin != COMMAND_LINE:
            whole = {table for table in OWN_KEYS if has_table(source.values, table)}
            values = {key: value for key, value in values.items() if split_key(key)[0] not in whole}
        for key, value in _sound(source, faults):
            values[key], origins[key] = value, source.origin
    origins = {key: origins[key] for key in values}
    rules = {key: values.pop(key) for key in [*values] if split_key(key)[0] == "rules"}
    settings = Settings(origins=origins).with_values(values)
    settings = replace(settings, rules=_rules(settings, rules, faults))
    if not settings.was_set("board"):
        settings = replace(settings, board=settings.rules.board)
    _check_players(settings, faults)
    if faults:
        raise SettingsError(*faults)
    return settings


def _sound(source: Source, faults: list[Fault]) -> Iterator[tuple[str, Value]]:
    for key, value in source.values.items():
        around, name = split_key(key)
        reader = TableReader({name: value}, file=source.origin, where=around, faults=faults)
        check = check_of(around, name)
        if key in OWN_KEYS and value == {}:
            continue
        if check is None:
            reader.fault(name, *_unknown(key))
        elif reader.optional(name, check, _FAULTY) is not _FAULTY:
            yield key, value


def _unknown(key: str) -> tuple[Text, Text]:
    if key in OWN_KEYS or any(setting.startswith(f"{key}.") for setting in ROWS):
        problem = Text("is a table, not a setting")
        return problem, Text("write its settings below [{key}]", key=key)
    remedy = suggest(key, ROWS, otherwise=Text("`cribwars config` prints them all"))
    return Text("there is no such setting"), remedy


def _rules(settings: Settings, by_key: Mapping[str, Value], faults: list[Fault]) -> HouseRules:
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
        problem = Text(text, players=settings.players, teams=settings.teams)
        file, remedy = settings.origins["players"], Text("set players or teams")
        faults.append(Fault(file=file, key="players", problem=problem, remedy=remedy))


_Made = TypeVar("_Made")

_BUDGET: Final = "strip.budget_ma"
"""If this is faulty, `[strip]` is ignored: the supply may be too weak for the default budget."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usable(Generic[_Made]):
    """Settings that can be used, and the object `made` from them.

    `faults` are the reasons why values were left out. `sources` do not have these values.
    """

    settings: Settings
    made: _Made
    sources: tuple[Source, ...]
    faults: tuple[Fault, ...]


def usable(
    sources: Iterable[Source], make: Callable[[Settings], _Made], faults: Iterable[Fault] = ()
) -> Usable[_Made]:
    """Return the settings of these sources, without values that are faulty or cannot be used.

    Args:
        sources: the sources; each replaces values of earlier sources.
        make: makes an object from settings, or raises a `FaultsError`.
        faults: faults that were found earlier, for example in reading the files.

    Raises:
        FaultsError: the command line is at fault.
    """
    sound, left_out = tuple(sources), dict.fromkeys(faults)
    while True:
        try:
            settings = merge(sound)
            return Usable(
                settings=settings, made=make(settings), sources=sound, faults=tuple(left_out)
            )
        except FaultsError as error:
            less = _less(sound, error.faults)
            if less == sound or any(fault.file == COMMAND_LINE for fault in error.faults):
                raise
            sound = less
            left_out |= dict.fromkeys(error.faults)


def _less(sources: tuple[Source, ...], faults: Sequence[Fault]) -> tuple[Source, ...]:
    """Return the sources without the values that these faults name.

    If no source has such a value, leave out the table of the first fault, or else a whole file.
    """
    less = sources
    for fault in faults:
        less = tuple(
            _without(each, fault.key) if each.origin == fault.file else each for each in less
        )
    if any(fault.key == _BUDGET for fault in faults):
        less = tuple(_without(each, "strip") for each in less)
    if less != sources:
        return less
    first = faults[0]
    last_first = sources[::-1]
    files = sorted(last_first, key=lambda each: each.origin not in first.file)
    table = first.key.rpartition(".")[0]
    for key in (first.key, table, ""):
        for source in files:
            other = _without(source, key)
            if other != source:
                return tuple(other if each is source else each for each in sources)
    return sources


def _without(source: Source, key: str) -> Source:
    if source.origin == COMMAND_LINE:
        return source
    return replace(source, values=without(source.values, key) if key else {})
