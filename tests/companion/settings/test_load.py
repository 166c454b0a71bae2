"""Settings from defaults, the user's file and the command line; faults come together."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.buttons import DEFAULT_PINS
from companion.devices.assembly import assemble
from companion.errors import Fault, SettingsError, Text
from companion.rules.game.house_rules import PRESETS, HouseRules, as_settings
from companion.settings.load import Usable, load_settings, usable
from companion.settings.schema import COMMAND_LINE, Settings
from companion.settings.sources import Source, flat
from companion.toml import Value, is_one_line
from tests.support.limits import SHARED_FIXTURES


def loaded(folder: Path, text: str, command_line: Mapping[str, Value] | None = None) -> Settings:
    """Return the settings with this text as the user's file."""
    file = folder / "cribwars.toml"
    file.write_text(text, encoding="utf-8")
    return load_settings(file, command_line or {})


def faults(folder: Path, text: str, command_line: Mapping[str, Value] | None = None) -> list[str]:
    """Return the faults, without the file's path."""
    with pytest.raises(SettingsError) as refused:
        loaded(folder, text, command_line)
    return [str(fault).replace(f"{folder}/", "") for fault in refused.value.faults]


def test_without_a_file_all_is_default() -> None:
    """The defaults are valid by themselves, and are the design's."""
    found = load_settings(None, {})
    assert ("crib-wars", 2, 2, HouseRules()) == (found.board, found.teams, found.seats, found.rules)
    assert ("virtual", 2000) == (found.strip.driver, found.strip.budget_ma)
    assert {} == found.origins


def test_the_file_goes_over_the_defaults_and_the_command_line_over_both(tmp_path: Path) -> None:
    """The last value counts, with its origin."""
    text = 'teams = 3\n[web]\nport = 1234\nhost = "0.0.0.0"\n'
    found = loaded(tmp_path, text, {"web": {"port": 0}})
    web = found.web
    assert (3, 3, 0, "0.0.0.0") == (found.teams, found.seats, web.port, web.host)  # noqa: S104  # a setting's value
    file = str(tmp_path / "cribwars.toml")
    wanted = {"teams": file, "web.port": "command line", "web.host": file}
    assert wanted == {key: found.origins[key] for key in wanted}
    assert found.was_set("web.port")
    assert not found.was_set("strip.type")


ANY_LETTERS = "Zoë, \u05d0\u05d1, \U0001f469\u200d\U0001f680"
AS_WRITTEN: list[tuple[str, str, object]] = [
    ("[panel.pins]\ndeal = 2\n", "panel.pins", dict(DEFAULT_PINS) | {"deal": 2}),
    ("\ufeffteams = 3\r\n", "teams", 3),
    (f'[names]\n1 = "{ANY_LETTERS}"\n', "names", {"1": ANY_LETTERS}),
    ("", "strip.budget_ma", 2000),
    ("[strip]\nbudget_ma = [2000, 1500.5]\n", "strip.budget_ma", (2000, 1500.5)),
    *(
        (f'[panel]\nbuttons = "{place}"\n', "panel.buttons", place)
        for place in ("gpio", "serial", "serial:/dev/ttyACM0", "serial:auto")
    ),
]


def test_a_value_is_taken_as_it_is_written(tmp_path: Path) -> None:
    """Pins change alone; letters are any, line ends those of Windows, budgets one or several."""
    for text, key, value in AS_WRITTEN:
        assert value == loaded(tmp_path, text).value(key)


def test_a_preset_brings_its_rules_and_its_board(tmp_path: Path) -> None:
    """G7: a preset is a set of house rules; a named board or rule overrides it."""
    for name, rules in PRESETS.items():
        found = loaded(tmp_path, f'preset = "{name}"\n')
        assert (rules, rules.board) == (found.rules, found.board)
        own = f'preset = "{name}"\nboard = "mine.toml"\n[rules]\nfinish = "exact"\n'
        other = loaded(tmp_path, own)
        assert ("mine.toml", "exact") == (other.board, other.rules.finish)


def test_rules_take_numbers_and_switches_as_toml_has_them(tmp_path: Path) -> None:
    """Numbers and booleans may be values or text."""
    text = '[rules]\nmatch_to = 7\nback_lands = true\naward_lands = "false"\nskunk = "margin 30"\n'
    rules = loaded(tmp_path, text).rules
    switches = rules.back_lands, rules.award_lands
    assert (7, True, False, "margin 30") == (rules.match_to, *switches, str(rules.skunk))


def test_all_faults_are_reported_together(tmp_path: Path) -> None:
    """Each has its file, its key and a remedy, also those of the command line."""
    text = """
        teams = 4
        bord = "classic"
        [web]
        port = "eighty"
        [rules]
        fnish = "exact"
        [strip]
        budget_ma = nan
        [lights]
        calm = 1
        """
    found = faults(tmp_path, text, {"strip": {"driver": ""}})
    assert [
        "cribwars.toml: teams: cannot be 4; it takes a whole number from 2 to 3",
        "cribwars.toml: bord: there is no such setting; did you mean 'board'?",
        'cribwars.toml: web.port: cannot be "eighty"; it takes a whole number from 0 to 65535',
        (
            "cribwars.toml: strip.budget_ma: cannot be nan; it takes a number from 1 to 100000, "
            "or a list of such numbers, one a channel"
        ),
        "cribwars.toml: lights.calm: cannot be 1; it takes true or false",
        'command line: strip.driver: cannot be ""; it takes a text',
        "cribwars.toml: rules.fnish: no house rule 'fnish'; did you mean 'finish'?",
    ] == found


FAULTS = [
    ("teams = ", "is not TOML ("),
    ("teams = 2\nteams = 3", "is not TOML ("),
    ("[strip]\ntpye = 'x'", "strip.tpye: there is no such setting; did you mean 'strip.type'?"),
    ("[nothing.like]\nit = 1", "nothing.like.it: there is no such setting; `cribwars config`"),
    ("[strip]\nbudget_ma = 0.5", "budget_ma: cannot be 0.5; it takes a number from 1 to 100000"),
    ("[strip]\nbudget_ma = []", "cannot be []; it takes a number from 1 to 100000, or a list"),
    ("[strip]\nbudget_ma = [2000, true]", "cannot be [2000, true]; it takes a number from 1"),
    ("[strip]\nbudget_ma = [[2000]]", "cannot be [[2000]]; it takes a number from 1"),
    ("[strip]\nbudget_ma = '2000'", 'cannot be "2000"; it takes a number from 1'),
    ("[panel.pins]\ndeal = 28", "panel.pins.deal: cannot be 28; it takes a whole number"),
    ("[panel.pins]\ndeal = true", "panel.pins.deal: cannot be true"),
    ("players = 3", "cribwars.toml: players: 3 players cannot be 2 sides; set players or teams"),
    ("players = 5\nteams = 3", "players: 5 players cannot be 3 sides"),
    ("[rules]\nfinish = 'never'", "house rule finish cannot be 'never'; it takes overshoot"),
    ("preset = 'crib'", 'preset: cannot be "crib"; it takes "crib-wars" or "classic-121"'),
    ("[web]\nhosts = 'board'", 'web.hosts: cannot be "board"; it takes a list of texts'),
    ("strip = 1", "strip: is a table, not a setting; write its settings below [strip]"),
    ("rules = 1", "rules: is a table"),
    ("[panel]\nactions = 1", "panel.actions: is a table"),
    ("[panel]\nbuttons = 'gpoi'", 'cannot be "gpoi"; it takes "gpio", "serial", or a port'),
    ("[panel]\nbuttons = 'gpoi'", "did you mean 'gpio'?"),
    ("[panel]\nbuttons = 'seral:/dev/x'", "did you mean 'serial'?"),
    ("[panel]\nbuttons = 'serial:'", 'or a port as in "serial:/dev/ttyACM0"'),
    ("[panel]\nbuttons = 4", "panel.buttons: cannot be 4; it takes"),
    ("[panel.places]\ndeal = 32", "it takes a whole number from 0 to 31"),
    ("[strip]\nbaud = 1200", "cannot be 1200; it takes 0, or a whole number from 9600"),
    ("[strip]\nbaud = true", "strip.baud: cannot be true; it takes 0, or"),
    ("board = 2026-11-20", "board: cannot be 2026-11-20; it takes a text"),
]


def test_a_fault_says_what_where_and_what_to_do(tmp_path: Path) -> None:
    """One line names the key and its possible values."""
    missing = []
    for text, words in FAULTS:
        (fault,) = faults(tmp_path, text)
        missing += [(text, fault)] * (words not in fault or "\n" in fault)
    assert [] == missing


def test_a_text_is_one_line(tmp_path: Path) -> None:
    """A text with control characters is refused in one line."""
    for text in (
        r'board = "a\nb"',
        r'strip.driver = "virtual\u001b[2J"',
        r'strip.order = "GRB\r"',
        r'names.1 = "Anna\u2028"',
        r'web.hosts = ["\u0007"]',
    ):
        (fault,) = faults(tmp_path, text)
        assert "it takes a text without control characters" in fault
        assert is_one_line(fault)
    (fault,) = faults(tmp_path, r'"bo\nard" = 1')
    assert r'"bo\nard": there is no such setting' in fault


def test_what_stands_for_empty_settings_is_filled_in(tmp_path: Path) -> None:
    """`config` shows the value that is used, with the origin of the setting."""
    found = loaded(tmp_path, '[strip]\ntype = "SK6812W"\n')
    values: dict[str, Value] = {
        "strip.type": "sk6812w",
        "strip.order": "GRBW",
        "wiring.per": "hole",
    }
    lines = found.with_values(values).toml().splitlines()
    said = {f'type = "sk6812w"  # {tmp_path / "cribwars.toml"}', 'order = "GRBW"  # default'}
    assert said | {'per = "hole"  # default'} <= set(lines)


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    """It may be missing, a folder, or not UTF-8."""
    (tmp_path / "latin").write_bytes(b"board = '\xe9'")
    for name, words in (("missing", "No such file"), (".", "directory"), ("latin", "not UTF-8")):
        with pytest.raises(SettingsError, match=words):
            load_settings(tmp_path / name, {})


def test_what_is_printed_says_where_it_came_from(tmp_path: Path) -> None:
    """Each line ends with its origin: default, preset, file or command line."""
    text = 'preset = "electronic"\nstrip.budget_ma = [2000, 1500.5]\n[rules]\nfinish = "exact"\n'
    lines = loaded(tmp_path, text, {"teams": 3}).toml().splitlines()
    file = tmp_path / "cribwars.toml"
    assert {
        'board = "classic"  # preset electronic',
        "teams = 3  # command line",
        f'preset = "electronic"  # {file}',
        f'finish = "exact"  # {file}',
        "match_to = 7  # preset electronic",
        f"budget_ma = [2000, 1500.5]  # {file}",
        "port = 8000  # default",
        '"1.plus_one" = 4  # default',
    } <= set(lines)


MILLIAMPS = st.floats(1, 100_000)
TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
LINES = TEXTS.filter(is_one_line)
TABLES: st.SearchStrategy[dict[str, object]] = st.fixed_dictionaries(
    {},
    optional={
        "board": LINES,
        "teams": st.integers(2, 3),
        "preset": st.sampled_from(list(PRESETS)),
        "rules": st.fixed_dictionaries({"match_to": st.integers(1, 20)}),
        "strip": st.fixed_dictionaries(
            {"driver": LINES, "budget_ma": MILLIAMPS | st.lists(MILLIAMPS, min_size=1)}
        ),
        "lights": st.fixed_dictionaries(
            {"calm": st.booleans(), "colours": st.dictionaries(TEXTS, LINES, max_size=2)}
        ),
        "web": st.fixed_dictionaries({"hosts": st.lists(LINES, max_size=3)}),
        "wiring": st.dictionaries(
            TEXTS, st.recursive(TEXTS | st.integers() | st.booleans(), st.lists, max_leaves=4)
        ),
    },
)


@settings(suppress_health_check=SHARED_FIXTURES)
@given(given_values=TABLES)
def test_what_is_printed_is_toml_and_means_the_same(
    tmp_path: Path, given_values: dict[str, Value]
) -> None:
    """As a file, the output gives the same settings, whatever texts it has."""
    found = load_settings(None, given_values)
    again = loaded(tmp_path, found.toml())
    assert found == again


def test_every_house_rule_is_printed() -> None:
    """Each rule in force is printed by name; the board is a setting of its own."""
    printed = cast("dict[str, dict[str, object]]", tomllib.loads(load_settings(None, {}).toml()))
    assert as_settings(HouseRules()).keys() - {"board"} == printed["rules"].keys()


def used(by_hand: str, page: str = "", command_line: str = "") -> Usable[object]:
    """Return the usable settings of these files and options."""
    texts = {"c.toml": by_hand, "page.toml": page, COMMAND_LINE: command_line}
    sources = (
        Source(origin=origin, values=flat(tomllib.loads(text))) for origin, text in texts.items()
    )
    return usable(sources, assemble)


FALLBACKS: list[tuple[str, str, list[str], str]] = [
    ("teams = 9\nbord = 1", "", ["teams", "bord"], "teams = 2  # default\n"),
    ("teams = 3", "teams = 9", ["teams"], "teams = 3  # c.toml\n"),
    ("teams = 3", "players = 4", ["players"], "players = 0  # default\n"),
    ('board = "hill"\nteams = 3', "", ["board"], "teams = 3  # c.toml\n"),
    ("strip = 3", "teams = 3", ["strip"], "teams = 3  # page.toml\n"),
    ("[panel.pins]\ndeal = 4", "", ["panel.pins.deal"], "deal = 27  # default\n"),
    ("[wiring]\nper = 'hole'\ndead = [[0, 9999]]", "", ["wiring.dead"], 'per = "hole"'),
    ("[rules]\nfinish = 'far'\nmatch_to = 7", "", ["rules.finish"], "match_to = 7  # c.toml\n"),
    ("[names]\n'a.b' = 3\n2 = 'Bo'", "", ["names.a.b"], '2 = "Bo"  # c.toml\n'),
    ('[strip]\ndriver = "serial:/dev/x"\nbudget_ma = "lots"', "[strip]\ntype = 'sk6812'",
     ["strip.budget_ma"], 'driver = "virtual"  # default\n'),
]  # fmt: skip


def test_a_faulty_value_falls_back_alone() -> None:
    """Each is named; without a budget no strip is lit, as its supply may be small."""
    for by_hand, page, keys, in_force in FALLBACKS:
        found = used(by_hand, page)
        assert keys == [fault.key for fault in found.faults]
        assert in_force in found.settings.toml()


def test_a_fault_that_no_file_names_takes_out_more_and_more() -> None:
    """The value, its table, the last file and the other one are left out in turn."""
    files = [
        Source(origin="c.toml", values={"teams": 3, "lights.calm": True}),
        Source(origin="page.toml", values={"players": 6, "lights.speed": 2.0}),
    ]
    seen: list[tuple[int, int, bool, float]] = []

    def make(settings: Settings) -> None:
        calm, speed = settings.lights.calm, settings.lights.speed
        seen.append((settings.teams, settings.players, calm, speed))
        if len(seen) < 3:
            raise SettingsError(Fault(key="board", problem=Text("does not fit")))

    assert 1 == len(usable(files, make).faults)
    assert [(3, 6, True, 2.0), (3, 0, True, 1.0), (2, 0, False, 1.0)] == seen


def test_a_faulty_command_line_is_not_covered_up() -> None:
    """The values that it names are required."""
    with pytest.raises(SettingsError, match="command line: teams"):
        used("bord = 1", command_line="teams = 9")
