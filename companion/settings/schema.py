"""Settings in force, with their origins; the module `tables` has the settings file's tables.

A setting is a field, declared with a row of all facts about it (see `row`). A `Settings` is
immutable; a change makes another one. A key is a setting's table and name with a dot between them.

>>> settings = Settings().with_values({"strip.driver": "null", "names.1": "Ada"})
>>> settings.strip.driver, settings.names, settings.origin_of("rules.finish")
('null', {'1': 'Ada'}, 'preset crib-wars')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Final

from companion.commentary import languages
from companion.rules.game.house_rules import PRESETS, HouseRules, as_settings
from companion.settings.row import OPTION, SettingRow, rows_of, setting, table
from companion.settings.tables import (
    DemoSettings,
    LightsSettings,
    NetworkSettings,
    NightSettings,
    PanelSettings,
    SheetSettings,
    StripSettings,
    WebSettings,
)
from companion.toml import ANYTHING, TEXT, Check, Value, choice, number, toml_key, toml_value

DEFAULT: Final = "default"  # origin of a setting that was never set
COMMAND_LINE: Final = "command line"

_STRIP: Final = "strip"
_RULES: Final = "rules"
_SWITCHES: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting in force, and the origin of each value that was set.

    A preset names a board, which is the default of `board`, and house rules for it. `rules` are the
    preset's rules with the changes of the table `[rules]`. `origins` has keys such as
    `panel.pins.1.undo`.
    """

    board: str = setting(
        "crib-wars",
        TEXT,
        label="Board",
        help="A shipped board by its name, or the path of a board file.",
        words={
            "crib-wars": "Crib Wars, the long track",
            "classic": "Classic, 121 holes",
            "classic-61": "Classic, 61 holes",
        },
        other="A board file of your own",
    )
    teams: int = setting(
        2,
        number(2, 3, whole=True),
        label="Sides",
        help="Number of sides in the first game: 2 or 3.",
        words={"2": "Two sides", "3": "Three sides"},
    )
    players: int = setting(
        0,
        number(0, 6, whole=True),
        label="Players",
        help="2 or 4 players for two sides, 3 or 6 for three sides; 0 means one player a side.",
        words={"0": "One player a side", "4": "Four, two a side", "6": "Six, two a side"},
    )
    preset: str = setting(
        "crib-wars",
        choice(*PRESETS),
        label="Set of rules",
        help="The set gives each house rule a value; single rules can be changed.",
        words={
            "crib-wars": "Crib Wars: 363 holes with zones",
            "classic-121": "Classic: 121 holes, skunks below 91 and 61",
            "classic-61": "Classic, short: 61 holes, one skunk line",
            "electronic": "Electronic: skunks by margin, match to 7",
            "lurch": "Lurch: one skunk line, muggins",
            "family": "Family: one skunk line, no muggins",
        },
    )
    language: str = setting(
        "en",
        choice(*languages()),
        label="Language",
        help='Language of the voice and the printed sheet: "en" or "fr". A page uses it if the '
        "browser asks for neither.",
        at_once=True,
    )
    voice: str = setting(
        "off",
        choice("off", "short", "full"),
        label="Voice",
        help='"short" says landings, skunks and wins aloud, "full" says everything that happens in '
        "a game. A voice needs espeak-ng.",
        words={"off": "Silent", "short": "Landings and wins", "full": "Every count"},
        at_once=True,
    )
    names: Mapping[str, str] = setting(
        {},
        TEXT,
        label="What the sides are called",
        help='Names of the sides by number, such as 1 = "Anna and Bert".',
        at_once=True,
    )
    rules: HouseRules = setting(
        HouseRules(),
        ANYTHING,
        label="House rules",
        help='House rules that differ from the preset, such as finish = "exact".',
        is_table=True,
    )
    sheet: SheetSettings = table(SheetSettings, label="The printed sheet")
    strip: StripSettings = table(StripSettings, label="The strip")
    wiring: Mapping[str, Value] = setting(
        {},
        ANYTHING,
        label="Wiring",
        help='How the strips lie: per = "hole-and-lane" or "hole", channels, chains, skipped and '
        "dead. See docs/strips.md.",
    )
    lights: LightsSettings = table(LightsSettings, label="Light")
    panel: PanelSettings = table(PanelSettings, label="Buttons")
    web: WebSettings = table(WebSettings, label="The page")
    network: NetworkSettings = table(NetworkSettings, label="The own network")
    demo: DemoSettings = table(DemoSettings, label="The demo")
    night: NightSettings = table(NightSettings, label="Game night")
    origins: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def seats(self) -> int:
        return self.players or self.teams

    @property
    def strip_kind(self) -> str:
        return self.strip.driver.partition(":")[0]

    def value(self, key: str) -> Any:  # noqa: ANN401  # each setting has its own type
        around, _, name = key.rpartition(".")
        return getattr(getattr(self, around) if around else self, name)

    def with_values(self, values: Mapping[str, Value]) -> Settings:
        """Return these settings with new values, given by key; the origins stay the same.

        A key can also be an entry of a table such as `names`, or an option of the strip's driver.
        """
        now = {row.key: self.value(row.key) for row in ROWS.values()}
        options = {**self.strip.options}
        for key, value in values.items():
            around, name = split_key(key)
            if around in OWN_KEYS:
                now[around] = {**now[around], name: value}
            elif key in now:
                now[key] = tuple(value) if isinstance(value, list) else value
            else:
                options[name] = value
        tables: dict[str, dict[str, Any]] = {_STRIP: {"options": options}}
        for row in ROWS.values():
            tables.setdefault(row.table, {})[row.name] = now[row.key]
        top = tables.pop("")
        return replace(
            self, **top, **{each: replace(getattr(self, each), **tables[each]) for each in tables}
        )

    def origin_of(self, key: str) -> str:
        """Return the origin of a value: `DEFAULT`, a preset, a file or the command line."""
        by_preset = key == "board" or split_key(key)[0] == _RULES
        return self.origins.get(key, f"preset {self.preset}" if by_preset else DEFAULT)

    def set_in(self, around: str) -> dict[str, str]:
        """Return the origin of each setting that was set in a table, by the setting's name."""
        found = ((*split_key(key), origin) for key, origin in self.origins.items())
        return {name: origin for table, name, origin in found if table == around}

    def where(self, around: str, *, otherwise: str = "settings") -> str:
        """Return the origins of a table's values as one text, `otherwise` if no value was set."""
        return ", ".join(sorted({*self.set_in(around).values()})) or otherwise

    def origin(self, key: str) -> str:
        around = key if key in OWN_KEYS | _TABLES else split_key(key)[0]
        return self.origins.get(key) or self.where(around)

    def was_set(self, key: str) -> bool:
        return key in self.origins

    def with_live(self, others: Settings) -> Settings:
        live = {key: others.value(key) for key, row in ROWS.items() if row.at_once}
        origins = {key: origin for key, origin in self.origins.items() if not acts_at_once(key)}
        origins |= {key: origin for key, origin in others.origins.items() if acts_at_once(key)}
        return replace(self.with_values(live), origins=origins)

    def toml(self) -> str:
        """Return every setting as a line of TOML with its origin; secrets are masked."""
        lines: list[str] = []
        for around in sorted(_TABLES | OWN_KEYS):
            lines += [f"\n[{around}]"] if around else []
            for name, value in self._values(around):
                origin = self.origin_of(f"{around}.{name}" if around else name)
                lines.append(f"{toml_key(name)} = {toml_value(value)}  # {origin}")
        return "\n".join(lines) + "\n"

    def _values(self, around: str) -> Iterator[tuple[str, Value]]:
        if around == _RULES:
            for name, text in self.house_rules():
                yield name, int(text) if text.isdigit() else _SWITCHES.get(text, text)
        elif around in OWN_KEYS:
            yield from self.value(around).items()
        else:
            for key, row in ROWS.items():
                if row.table == around and not row.is_table:
                    value = self.value(key)
                    yield row.name, "***" if row.secret and value else value
            yield from self.strip.options.items() if around == _STRIP else ()

    def house_rules(self) -> Iterator[tuple[str, str]]:
        for name, value in as_settings(self.rules).items():
            if name != "board":
                yield name, value


ROWS: Final[Mapping[str, SettingRow]] = {row.key: row for row in rows_of(Settings, "The game")}
"""Every setting by its key; a table whose keys the user chooses is one setting."""

OWN_KEYS: Final = frozenset(key for key, row in ROWS.items() if row.is_table)
"""The tables whose keys the user chooses, such as `names`."""

_TABLES: Final = frozenset(row.table for row in ROWS.values())


def split_key(key: str) -> tuple[str, str]:
    """Return a setting's table, or "" for no table, and its name in the table.

    >>> split_key("strip.driver"), split_key("panel.pins.1.undo"), split_key("teams")
    (('strip', 'driver'), ('panel.pins', '1.undo'), ('', 'teams'))
    """
    for own in OWN_KEYS:
        if key.startswith(f"{own}."):
            return own, key.removeprefix(f"{own}.")
    around, _, name = key.rpartition(".")
    return around, name


def check_of(around: str, name: str) -> Check | None:
    """Return the check of a value by its table and name, None for an unknown setting.

    An unknown key of the strip is an option of its driver, unless it looks like a misspelt setting.

    >>> check_of("strip", "wled") is OPTION, check_of("strip", "tpye"), check_of("web", "wled")
    (True, None, None)
    """
    row = ROWS.get(around) or ROWS.get(f"{around}.{name}" if around else name)
    if row:
        return row.check if row.is_table == (around in OWN_KEYS) else None
    settings = [key.removeprefix("strip.") for key in ROWS if key.startswith("strip.")]
    return OPTION if around == _STRIP and not get_close_matches(name, settings) else None


def acts_at_once(key: str) -> bool:
    """Return True if a change of a setting acts while the table runs.

    >>> acts_at_once("names.1"), acts_at_once("voice"), acts_at_once("rules.finish")
    (True, True, False)
    """
    row = ROWS.get(key) or ROWS.get(split_key(key)[0])
    return bool(row and row.at_once)


def setting_of(key: str) -> str | None:
    """Return the setting to which the key of a `Fault` belongs, None if there is no such setting.

    >>> setting_of("strip.type"), setting_of("wiring.chains[2].rows"), setting_of("bord")
    ('strip.type', 'wiring.chains', None)
    """
    found = key.partition("[")[0]
    return found if found in OWN_KEYS or check_of(*split_key(found)) else None
