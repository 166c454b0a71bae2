"""Every setting is described from the defaults, the checks and the rules."""

import random
import tomllib
from pathlib import Path

from companion.devices.assembly import assemble
from companion.errors import SettingsError
from companion.lights import Per, Wiring
from companion.lights.calibration import Calibration
from companion.rules.game.house_rules import PRESETS, HouseRules, as_settings
from companion.settings.describe import (
    STEPS,
    Described,
    default_text,
    describe,
    first_run,
    wiring_changes,
)
from companion.settings.file import SettingsFile
from companion.settings.load import load_settings
from companion.settings.schema import ROWS, Settings
from companion.settings.sources import changed
from companion.toml import ValueKind
from tests.companion.lights.built_strips import answered, random_strips, shown

DESCRIBED = {each.key: each for each in describe(load_settings(None, {}))}


def test_every_setting_is_described() -> None:
    """G7: the settings, each rule in `[rules]` and each preset are there, and no more."""
    rules = {f"rules.{name}" for name in as_settings(HouseRules()) if name != "board"}
    assert {*ROWS, *rules} - {"rules"} == DESCRIBED.keys()
    assert PRESETS.keys() == DESCRIBED["preset"].words.keys()


def test_the_file_of_all_defaults_changes_nothing() -> None:
    """It is a settings file, in which each setting follows its help."""
    text = default_text()
    assert Settings() == load_settings(None, tomllib.loads(text))
    assert [] == [row.key for row in ROWS.values() if f"# {row.help}\n" not in text]


def test_each_has_a_line_of_help_and_says_what_it_takes() -> None:
    """A form can be drawn without further knowledge."""

    def is_complete(each: Described) -> bool:
        help_ = str(each.help)
        in_limits = True
        if each.low is not None and isinstance(each.value, int | float):
            in_limits = each.high is not None and each.low <= each.value <= each.high
        return (
            bool(help_ and (each.takes or each.key == "wiring"))
            and not ("\n" in help_ or help_.startswith("#"))
            and (each.kind is ValueKind.CHOICE) <= (each.value in each.choices)
            and (each.kind is ValueKind.SWITCH) <= isinstance(each.value, bool)
            and in_limits
            and each.value == each.default
        )

    assert [] == [each.key for each in DESCRIBED.values() if not is_complete(each)]


def test_the_described_values_are_the_ones_that_are_taken() -> None:
    """Every choice, both limits and both values of a switch pass the checks; no more does."""
    refused = []
    for each in DESCRIBED.values():
        limits = [int(limit) if each.whole else limit for limit in (each.low, each.high) if limit]
        values: list[object] = [*limits, *each.choices]
        if each.kind is ValueKind.SWITCH:
            values = [True, False]
        if each.kind is ValueKind.TEXTS:
            values = [[choice] for choice in each.choices]
        if each.kind is ValueKind.MAPPING:
            values = []
        if each.kind is ValueKind.NUMBER and each.high is not None:
            values.append(int(each.high) + 1)
        for value in values:
            sides = {"players": 0, "teams": 3 if value == 6 else 2}
            try:
                load_settings(None, changed({}, sides | {each.key: value}, {}))
            except SettingsError:
                refused.append((each.key, value))
    beyond = [each for each in DESCRIBED.values() if each.kind is ValueKind.NUMBER]
    assert [(each.key, int(each.high) + 1) for each in beyond if each.high is not None] == refused


def test_some_as_they_are() -> None:
    """A number, a choice, a switch, a table and a rule are as a form needs them."""
    calm, bounce = DESCRIBED["lights.calm"], DESCRIBED["panel.bounce_ms"]
    assert (ValueKind.SWITCH, "Fades replace all motion.") == (calm.kind, str(calm.help))
    limits = bounce.low, bounce.high, bounce.whole
    assert (ValueKind.NUMBER, 0, 1000, False) == (bounce.kind, *limits)
    pins = DESCRIBED["panel.pins"]
    assert (ValueKind.MAPPING, ValueKind.NUMBER, 27) == (pins.kind, pins.each, pins.high)
    finish, heels = DESCRIBED["rules.finish"], DESCRIBED["rules.heels_ban"]
    assert (ValueKind.CHOICE, ("overshoot", "exact")) == (finish.kind, finish.choices)
    assert (ValueKind.TEXT, "a whole number from 0 to 9999") == (heels.kind, str(heels.takes))
    assert ValueKind.SWITCH is DESCRIBED["rules.back_lands"].kind
    assert str(DESCRIBED["wiring"].help).endswith("skipped and dead. See docs/strips.md.")


def test_where_each_was_set() -> None:
    """The origin is nobody, a preset, a file or the command line."""
    choices = {
        "preset": "classic-121",
        "rules": {"finish": "exact"},
        "names": {"1": "Anna"},
        "web": {"port": 1},
    }
    found = {each.key: each for each in describe(load_settings(None, choices))}
    wanted = {
        "board": ("classic", "classic", "preset classic-121"),
        "rules.finish": ("exact", "overshoot", "command line"),
        "rules.muggins": ("off", "off", "preset classic-121"),
        "names": ({"1": "Anna"}, {}, "command line"),
        "web.port": (1, 8000, "command line"),
        "web.host": ("127.0.0.1", "127.0.0.1", "default"),
    }
    assert wanted == {
        key: (found[key].value, found[key].default, found[key].origin) for key in wanted
    }


# The first questions


def test_a_board_is_new_until_its_file_says_something(tmp_path: Path) -> None:
    """The service's first file and the command line do not count."""
    file = tmp_path / "cribwars.toml"
    assert first_run(load_settings(None, {"web": {"port": 0}}))
    file.write_text("# nothing yet\n#teams = 3\n[strip]\n", encoding="utf-8")
    assert first_run(load_settings(file, {}))
    file.write_text("teams = 2\n", encoding="utf-8")
    assert not first_run(load_settings(file, {}))


def test_steps_set_what_there_is_once() -> None:
    """Each key is a setting or a table of them, and belongs to one step."""
    keys = [key for step in STEPS for key in step.keys]
    assert set(keys) <= ROWS.keys()
    assert len(keys) == len(set(keys))
    assert len(STEPS) == len({step.id for step in STEPS})
    assert all(step.title and step.help for step in STEPS)


def test_lights_are_known_to_work_before_anybody_taps_them() -> None:
    """Board, strip, supply and light test precede the wiring."""
    order = [step.id for step in STEPS]
    assert ["board", "strip", "supply", "light-test", "wiring"] == order[1:6]
    assert ["supply", "light-test", "wiring"] == [each.id for each in STEPS if each.needs_lights]


def test_a_calibration_becomes_the_settings(tmp_path: Path) -> None:
    """The tapped wiring replaces the old one in the file, and is in force."""
    file = tmp_path / "cribwars.toml"
    file.write_text("[wiring]\nchannels = 2 # cut\ndead = [[0, 3]]\n", encoding="utf-8")
    editor = SettingsFile(file, {}, check=assemble)
    board = assemble(editor.read().settings).board
    strips = random_strips(board, Per.HOLE, random.Random(5), channels=2, skips=6, dead=0)
    calibration = Calibration(board, per=Per.HOLE, channels=2)
    answered(calibration, strips)
    editor.change(wiring_changes(calibration.result()), editor.read().stamp)
    settings = load_settings(file, {})
    assert calibration.result() == settings.wiring
    assert strips.shown() == shown(Wiring.make(board, settings.wiring))
    assert "# cut" in file.read_text(encoding="utf-8")
