"""The first questions: their order, their conditions, and warnings about colours."""

import random
from pathlib import Path

from companion.devices.assembly import assemble
from companion.lights import Per, Wiring
from companion.lights.wiring.calibration import Calibration
from companion.settings.file import SettingsFile
from companion.settings.first_run import STEPS, first_run, wiring_changes
from companion.settings.load import load_settings
from companion.settings.schema import ROWS
from tests.companion.lights.built_strips import answered, random_strips, shown


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
