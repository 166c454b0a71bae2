"""Descriptions of the settings for the set-up page, and its questions at the first run.

`default_text` is the text of a file with all defaults. The first run asks for some settings step by
step, as `STEPS` says.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.errors import NO_TEXT, Text
from companion.rules.game.house_rules import HOUSE_RULES, as_settings, preset
from companion.settings.row import SettingRow
from companion.settings.schema import COMMAND_LINE, DEFAULT, ROWS, Settings
from companion.toml import Value, ValueKind, toml_key, toml_value


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """Description of one setting, or of one table whose keys the user chooses.

    `SettingRow` describes the fields that are not in this list.

    Args:
        kind: the type of the value; `MAPPING` for a table, with `each` as the type of its values.
        value: the value in force, "" for a secret.
        origin: a file, the command line, a preset or `DEFAULT`.
        takes: the accepted values in words; "" if the value is checked only where it is used.
        choices: all accepted texts; empty if they cannot be listed.
        low: the least accepted number, or None. `high` is the greatest accepted number.
    """

    key: str
    kind: ValueKind
    value: Value
    default: Value
    origin: str
    label: Text
    help: Text
    group: Text
    words: Mapping[str, Text]
    unit: Text
    other: Text
    takes: Text
    each: ValueKind | None = None
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    whole: bool = False
    at_once: bool = False


def default_text() -> str:
    """Return the text of a settings file with all defaults, each below its help."""
    lines = ["# Every setting with its default. Your own file holds only what differs."]
    around = ""
    for row in ROWS.values():
        table = row.key if row.is_table else row.table
        lines += ["", f"[{table}]"] if table != around else []
        around = table
        lines.append(f"# {row.help}")
        values = row.default if row.is_table else {row.name: row.default}
        if isinstance(values, Mapping):
            lines += [f"{toml_key(name)} = {toml_value(value)}" for name, value in values.items()]
    return "\n".join(lines) + "\n"


def describe(settings: Settings) -> list[Described]:
    """Return every setting in the order of the schema, and every house rule."""
    described: list[Described] = []
    for key, row in ROWS.items():
        described += _rules(settings, row.group) if key == "rules" else [_setting(settings, row)]
    return described


def _setting(settings: Settings, row: SettingRow) -> Described:
    check, key = row.check, row.key
    return Described(
        key=key,
        kind=ValueKind.MAPPING if row.is_table else check.kind,
        each=check.kind if row.is_table else None,
        value="" if row.secret else settings.value(key),
        default=settings.rules.board if key == "board" else row.default,
        origin=settings.where(key, otherwise=DEFAULT) if row.is_table else settings.origin_of(key),
        label=Text(row.label),
        help=Text(row.help),
        group=Text(row.group),
        unit=Text(row.unit),
        words={value: Text(words) for value, words in row.words.items()},
        other=Text(row.other),
        takes=check.takes,
        choices=check.choices,
        low=check.low,
        high=check.high,
        whole=check.whole,
        at_once=row.at_once,
    )


def _rules(settings: Settings, group: str) -> Iterator[Described]:
    of_preset = as_settings(preset(settings.preset))
    for name, value in settings.house_rules():
        key, rule = f"rules.{name}", HOUSE_RULES[name]
        default = of_preset[name] if settings.was_set(key) else value
        is_switch = isinstance(getattr(settings.rules, name), bool)
        kind = ValueKind.CHOICE if rule.words else ValueKind.TEXT
        yield Described(
            key=key,
            kind=ValueKind.SWITCH if is_switch else kind,
            value=value == "true" if is_switch else value,
            default=default == "true" if is_switch else default,
            origin=settings.origin_of(key),
            label=Text(rule.label),
            help=Text(rule.help),
            group=Text(group),
            unit=NO_TEXT,
            other=NO_TEXT,
            words={value: Text(words) for value, words in rule.words.items()},
            takes=rule.takes,
            choices=tuple(rule.words),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One page of the first-run questions; `keys` are the settings that it asks for.

    If `needs_lights` is True, the step is left out while `strip.driver` drives no lights.
    """

    id: str
    title: Text
    help: Text
    keys: tuple[str, ...] = ()
    needs_lights: bool = False


STEPS = (
    Step(
        id="language",
        title=Text("Which language does the table speak?"),
        help=Text(
            "Language of the pages and the voice. A voice needs a loudspeaker and espeak-ng."
        ),
        keys=("language", "voice"),
    ),
    Step(
        id="board",
        title=Text("Which board lies on the table?"),
        help=Text("A board that came with this program, or a board file of your own."),
        keys=("board",),
    ),
    Step(
        id="strip",
        title=Text("How are the lights connected to this machine?"),
        help=Text("Without lights choose the first: the board is then drawn on the page."),
        keys=("strip.driver", "strip.type", "strip.order", "strip.pins"),
    ),
    Step(
        id="supply",
        title=Text("How much may the lights draw?"),
        help=Text("Milliamperes of their supply. Light that would draw more is dimmed."),
        keys=("strip.budget_ma",),
        needs_lights=True,
    ),
    Step(
        id="light-test",
        title=Text("Do they light up?"),
        help=Text("Choose a test, and compare the lights with the words below it."),
        needs_lights=True,
    ),
    Step(
        id="wiring",
        title=Text("How do the strips lie?"),
        help=Text("Say how many lights there are. Then tap on the picture where you see light."),
        keys=("wiring",),
        needs_lights=True,
    ),
    Step(
        id="sides",
        title=Text("Who plays?"),
        help=Text("The number of the sides, their names and their colours."),
        keys=("teams", "players", "names", "lights.colours"),
    ),
    Step(
        id="rules",
        title=Text("Which rules does this house play by?"),
        help=Text("Choose a set of rules; then you can change single rules."),
        keys=("preset", "rules"),
    ),
    Step(
        id="phones",
        title=Text("Who may open the pages?"),
        help=Text("Phones in the same network can be score pads, hands of cards and screens."),
        keys=("web.host",),
    ),
)
"""The steps in order: strip and supply must work before the user can tap a light."""


def first_run(settings: Settings) -> bool:
    """Return True if no settings file has set anything yet."""
    return set(settings.origins.values()) <= {DEFAULT, COMMAND_LINE}


def wiring_changes(found: Mapping[str, Value]) -> dict[str, Value | None]:
    """Return the changes that replace `[wiring]` with the result of a calibration."""
    keys = ("per", "channels", "chains", "skipped", "dead")
    return {f"wiring.{key}": found.get(key) or None for key in keys}
