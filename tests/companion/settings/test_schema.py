"""The setting that a fault belongs to, by the settings' own checks."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from companion.devices.assembly import assemble
from companion.errors import SettingsError
from companion.settings.load import load_settings
from companion.settings.schema import ROWS, setting_of
from tests.support.program import ROOT

FAULTY: list[tuple[str, set[str | None]]] = [
    ("teams = 9", {"teams"}),
    ("players = 4\nteams = 3", {"players"}),
    ('preset = "mine"', {"preset"}),
    ("[strip]\ndriver = 'nope'", {"strip.driver"}),
    ("[strip]\ntype = 'ws1'", {"strip.type"}),
    ("[strip]\norder = 'XYZ'", {"strip.order"}),
    ("[strip]\nbudget_ma = 10", {"strip.budget_ma"}),
    ("[rules]\nfinish = 'never'", {"rules.finish"}),
    ("[wiring]\nper = 'mile'", {"wiring.per"}),
    ("[[wiring.chains]]\nrows = ['x']", {"wiring.chains"}),
    ("[lights.colours]\n2 = 'red'", {"lights.colours.2"}),
    ("[panel.pins]\ndeal = 4", {"panel.pins.deal"}),
    ("[panel.actions]\nstart = 'deal'", {"panel.actions"}),
    ("[web]\nport = 1.5\nhosts = 'x'", {"web.port", "web.hosts"}),
    ("board = 'hill'", {"board"}),
    ("bord = 1", {None}),
]


def test_a_fault_names_its_setting(tmp_path: Path) -> None:
    """It is the same for the checks and for a part that cannot be made."""
    file = tmp_path / "teams: port" / "cribwars.toml"
    file.parent.mkdir()
    for text, keys in FAULTY:
        tomllib.loads(text)
        file.write_text(text)
        with pytest.raises(SettingsError) as found:
            assemble(load_settings(file, {}))
        assert keys == {setting_of(fault.key) for fault in found.value.faults}


@cache
def nodes() -> list[ast.AST]:
    """Return all nodes of the package."""
    files = (ROOT / "companion").rglob("*.py")
    return [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]


def test_every_setting_is_read() -> None:
    """Some module reads each row's field, as in `settings.panel.hold_ms`."""
    read = {
        (node.value.id if isinstance(node.value, ast.Name) else node.value.attr, node.attr)
        for node in nodes()
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name | ast.Attribute)
    }
    assert [] == [
        key for key, row in ROWS.items() if (row.table or "settings", row.name) not in read
    ]


def test_settings_that_act_at_once_are_read_while_the_table_runs() -> None:
    """They are read from the settings in force, if in a function's argument, or for the light."""
    running = {"InForce", "assemble", "_light", "night_limit"}
    for node in nodes():
        if isinstance(node, ast.Call) and "now.settings" in map(ast.unparse, node.args):
            running.add(ast.unparse(node.func))
    sources = [ast.unparse(node) for node in nodes() if getattr(node, "name", None) in running]
    sources += [ast.unparse(node) for node in nodes() if isinstance(node, ast.Attribute)]
    read = "\n".join(text for text in sources if "\n" in text or "now.settings." in text)
    at_once = [key for key, row in ROWS.items() if row.at_once]
    assert [] == [key for key in at_once if not re.search(rf"settings\.{key}\b", read)]
