"""Sources of a table's buttons, by its settings and its machine."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from companion.devices.assembly import assemble
from companion.devices.button_sources import ButtonSources, OpenButtons, find_buttons, report_boards
from companion.errors import Text
from companion.settings.load import load_settings
from firmware_bridge.connection.sharing import CONNECTIONS
from hardware.errors import ButtonError
from tests.support.machines import FakeChip, chip, record

__all__ = ["chip"]

ON_BOARD: dict[str, object] = {"strip": {"driver": "serial:/dev/a"}, "wiring": {"per": "hole"}}


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return a machine without pins."""
    monkeypatch.setattr(Device, "pin_factory", MockFactory())


def contacts(
    options: dict[str, object], *, simulate: bool = False, root: Path = Path("/")
) -> ButtonSources:
    """Return the contacts of a table with these settings."""
    settings = load_settings(None, options)
    return find_buttons(settings, assemble(settings), simulate=simulate, root=root)


def refused(buttons: OpenButtons) -> list[str]:
    """Attempt each button. Return the settings of those that fail."""
    keys = []
    for key, attempt in buttons.attempts:
        try:
            attempt()
        except ButtonError:
            keys.append(key)
    return keys


def test_where_the_buttons_are() -> None:
    """They are as in the settings; without pins on the page, and on the strip's board."""
    rows: list[tuple[dict[str, object], bool, tuple[bool, str, bool]]] = [
        ({}, False, (True, "", False)),
        (ON_BOARD, False, (True, "/dev/a", False)),
        (ON_BOARD, True, (True, "", False)),
        (ON_BOARD | {"panel": {"buttons": "serial"}}, False, (False, "/dev/a", True)),
        (ON_BOARD | {"panel": {"buttons": "serial:/dev/b"}}, False, (False, "/dev/b", True)),
        ({"panel": {"buttons": "serial"}}, False, (False, "auto", True)),
        ({"panel": {"buttons": "serial"}}, True, (True, "", False)),
    ]
    for options, simulate, expected in rows:
        found = contacts(options, simulate=simulate)
        assert expected == (found.factory is not None, found.port, found.must_have)
        assert (found.factory is not None) == (found.notice is not None)


def test_pins_are_missed_on_a_raspberry_pi_alone(
    tmp_path: Path, chip: FakeChip, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are not missed elsewhere, or if mock pins are requested."""
    chip.is_there = False
    pi = record(tmp_path / "pi", "3b+")
    assert contacts({}, root=pi).lacks_pins
    assert not contacts({}, simulate=True, root=pi).lacks_pins
    assert not contacts({}, root=record(tmp_path / "pc", "pc")).lacks_pins
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert not contacts({}, root=pi).lacks_pins


def test_pins_of_a_raspberry_pi_that_come_later(tmp_path: Path, chip: FakeChip) -> None:
    """The page's buttons work at once, the real ones when they are available."""
    chip.is_there = False
    got: list[str] = []
    with ExitStack() as running:
        buttons = contacts({}, root=record(tmp_path, "3b+")).open(
            lambda edge: got.append(edge.button), running, clock=lambda: 0.0
        )
        assert ["panel.buttons"] == refused(buttons)
        chip.is_there, chip.users[4] = True, "onewire@4"
        assert ["panel.pins.1.plus_one"] == refused(buttons)
        assert buttons.panel
        buttons.panel.down("1.plus_one")
        chip.press(27)
        assert ["1.plus_one", "deal"] == got
        chip.users.clear()
        assert [] == refused(buttons)


def test_what_becomes_of_boards_is_reported_while_the_table_runs() -> None:
    """After its end nobody gets reports."""
    reported: list[str] = []
    before = CONNECTIONS.on_status
    with ExitStack() as running:
        report_boards(lambda text: reported.append(str(text)), running)
        CONNECTIONS.report(Text("the board is there"))
    assert (["the board is there"], before) == (reported, CONNECTIONS.on_status)
