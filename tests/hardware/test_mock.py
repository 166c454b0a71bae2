"""Mock panel: presses on mock pins become debounced presses."""

import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.buttons import Buttons, MockPanel
from hardware.debounce import Change, Debouncer, Edge
from hardware.errors import ButtonError

PINS = {"2.enter": 20, "deal": 27, "mode": 3}


class Table:
    """Open mock panel with its edges and a clock of whole seconds."""

    def __init__(self) -> None:
        self.edges: list[Edge] = []
        self.now = 0.0
        factory = MockFactory()
        self.buttons = Buttons(PINS, self.edges.append, pin_factory=factory, clock=lambda: self.now)
        self.panel = MockPanel(PINS, factory)


@pytest.fixture
def table() -> Iterator[Table]:
    """Yield an open mock panel."""
    table = Table()
    yield table
    table.buttons.close()


def test_press_takes_the_way_of_a_real_one(table: Table) -> None:
    """Down and up arrive as edges of that button, and count."""
    debouncer = Debouncer()
    expected = []
    for button in PINS:
        for act, down in ((table.panel.down, True), (table.panel.up, False)):
            table.now += 1.0
            act(button)
            expected.append(Change(button=button, down=down, t=table.now))
    for edge in table.edges:
        debouncer.feed(edge)
    assert expected == debouncer.settle(99.0)


def test_is_down_between_down_and_up(table: Table) -> None:
    """Only this button is down, from `down` to `up`."""
    table.panel.down("mode")
    assert [button for button in PINS if table.panel.is_down(button)] == ["mode"]
    table.panel.up("mode")
    assert not table.panel.is_down("mode")


def test_button_that_is_down_cannot_go_down(table: Table) -> None:
    """A second press is refused and gives no edge."""
    table.panel.down("deal")
    with pytest.raises(ButtonError, match="button deal is down already"):
        table.panel.down("deal")

    assert [edge.down for edge in table.edges] == [True]
    assert table.panel.is_down("deal")


def test_unknown_button_comes_with_a_suggestion(table: Table) -> None:
    """A wrong name is refused with the nearest right one, by every method."""
    for ask in (table.panel.down, table.panel.up, table.panel.is_down):
        with pytest.raises(ButtonError, match=r"no button 2\.entr; did you mean \"2\.enter\""):
            ask("2.entr")


def test_only_the_buttons_of_the_panel_are_there() -> None:
    """A smaller panel lacks the others."""
    factory = MockFactory()
    pins = {"deal": 27}
    with (
        closing(Buttons(pins, print, pin_factory=factory, clock=time.monotonic)),
        pytest.raises(ButtonError, match="no button mode; the buttons are deal"),
    ):
        MockPanel(pins, factory).down("mode")
