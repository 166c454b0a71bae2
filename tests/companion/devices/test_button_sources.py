"""Sources of a table's buttons, by its settings and its machine."""

from contextlib import ExitStack

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from companion.devices.assembly import assemble
from companion.devices.button_sources import ButtonSources, find_buttons, report_boards
from companion.settings.load import load_settings
from firmware_bridge.connection.sharing import CONNECTIONS

ON_BOARD = {"strip": {"driver": "serial:/dev/a"}, "wiring": {"per": "hole"}}


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without pins of its own."""
    monkeypatch.setattr(Device, "pin_factory", MockFactory())


def contacts(options: dict[str, object], *, simulate: bool = False) -> ButtonSources:
    """The contacts of a table with these settings."""
    settings = load_settings(None, options)
    return find_buttons(settings, assemble(settings), simulate=simulate)


@pytest.mark.parametrize(
    ("options", "simulate", "expected"),
    [
        ({}, False, (True, "", False)),
        (ON_BOARD, False, (True, "/dev/a", False)),
        (ON_BOARD, True, (True, "", False)),
        (ON_BOARD | {"panel": {"buttons": "serial"}}, False, (False, "/dev/a", True)),
        (ON_BOARD | {"panel": {"buttons": "serial:/dev/b"}}, False, (False, "/dev/b", True)),
        ({"panel": {"buttons": "serial"}}, False, (False, "auto", True)),
        ({"panel": {"buttons": "serial"}}, True, (True, "", False)),
    ],
)
def test_where_the_buttons_are(
    options: dict[str, object], simulate: bool, expected: tuple[bool, str, bool]
) -> None:
    """As the settings say; without pins on the page, and on the strip's board if it has one."""
    found = contacts(options, simulate=simulate)
    assert expected == (found.factory is not None, found.port, found.must_have)
    assert (found.factory is not None) == (found.notice is not None)


def test_what_becomes_of_boards_is_reported_while_the_table_runs() -> None:
    """And to nobody behind it."""
    reported: list[str] = []
    before = CONNECTIONS.on_status
    with ExitStack() as running:
        report_boards(reported.append, running)
        CONNECTIONS.report("the board is there")
    assert (["the board is there"], before) == (reported, CONNECTIONS.on_status)
