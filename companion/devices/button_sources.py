"""Sources of button presses: pins of this machine, a board behind a cable, or the page.

Without pins a table has mock ones, for the page to press; if its strip is behind a board, the
buttons of that board count beside them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.devices.assembly import Assembly
from companion.settings.load import Settings
from hardware.buttons import Buttons, open_pin_factory
from hardware.debounce import Edge
from hardware.errors import ButtonError
from hardware.mock import MockPanel

if TYPE_CHECKING:
    from gpiozero import Factory

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonSources:
    """Sources of presses as they are found, none of them opened.

    `notice` is the reason for mock pins, None if there are none. `port` is that of the board with
    buttons, "" without one; `must_have` is true if the settings name it. `baud` is the board's, 0
    for the usual one.
    """

    assembly: Assembly
    factory: Factory | None
    notice: str | None
    port: str
    must_have: bool
    baud: int

    def open(
        self, sink: Callable[[Edge], None], opened: ExitStack, *, clock: Callable[[], float]
    ) -> MockPanel | None:
        """Give the edges of all buttons to `sink` until `opened` ends. Return the mock panel.

        `clock` gives the times of edges at the pins of this machine.

        Returns:
            None if the pins are real.

        Raises:
            ButtonError: pins or a board that cannot be used; none is open then.
        """
        panel = None
        with ExitStack() as opening:
            if self.factory is not None:
                pins = self.assembly.pins
                buttons = Buttons(pins, sink, clock=clock, pin_factory=self.factory)
                opening.enter_context(closing(buttons))
                panel = MockPanel(pins, self.factory) if self.notice else None
            if self.port:
                self._open_board(sink, opening)
            opened.enter_context(opening.pop_all())
        return panel

    def check(self, held: Collection[int]) -> None:
        """Open and close the real pins that are not held already, and the board of the settings.

        Raises:
            ButtonError: pins or a board that cannot be used; it may be absent.
        """
        with ExitStack() as opened:
            if self.factory is not None and self.notice is None:
                pins = {name: pin for name, pin in self.assembly.pins.items() if pin not in held}
                buttons = Buttons(pins, _ignore, clock=_no_time, pin_factory=self.factory)
                opened.enter_context(closing(buttons))
            if self.must_have:
                self._open_board(_ignore, opened)

    def _open_board(self, sink: Callable[[Edge], None], opened: ExitStack) -> None:
        from firmware_bridge.connection.serial_port import DEFAULT_BAUD  # noqa: PLC0415  # the same
        from firmware_bridge.drivers.buttons import BridgeButtons  # noqa: PLC0415  # most tables need none

        baud = self.baud or DEFAULT_BAUD
        try:
            buttons = BridgeButtons(
                self.assembly.places, sink, port=self.port, baud=baud, patient=True
            )
        except ButtonError as error:
            if self.must_have:
                raise
            _log.info("%s", error)
        else:
            opened.callback(buttons.close)


def find_buttons(settings: Settings, assembly: Assembly, *, simulate: bool) -> ButtonSources:
    """Return the sources of presses; `simulate` takes mock pins."""
    must_have = bool(assembly.board_port) and not simulate
    factory, notice, port = None, None, assembly.board_port
    if not must_have:
        factory, notice = open_pin_factory(simulate=simulate)
        port = assembly.strip_port if notice and not simulate else ""
    return ButtonSources(
        assembly=assembly,
        factory=factory,
        notice=notice,
        port=port,
        must_have=must_have,
        baud=int(settings.number("strip", "baud")),
    )


def report_boards(report: Callable[[str], None], opened: ExitStack) -> None:
    """Report when boards behind cables are lost and found until `opened` ends."""
    from firmware_bridge.connection.sharing import CONNECTIONS  # noqa: PLC0415  # most tables need none

    before, CONNECTIONS.on_status = CONNECTIONS.on_status, report
    opened.callback(lambda: setattr(CONNECTIONS, "on_status", before))


def _ignore(_edge: Edge) -> None:
    """Drop the edge: the button is only tried."""


def _no_time() -> float:
    """Return a time for edges that are dropped."""
    return 0.0
