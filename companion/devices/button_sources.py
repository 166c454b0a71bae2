"""Sources of button presses: pins of this machine, a microcontroller board, or the page.

Each pin is opened separately. A pin that fails is tried again while the other buttons work. A
machine without pins gets mock pins, which are pressed on the page. If a microcontroller board
drives the strip of such a machine (`driver = "serial"`), its buttons work too. A Raspberry Pi whose
pins cannot be opened starts with mock pins, and uses its own pins as soon as they can be opened.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from companion.devices.assembly import Assembly
from companion.errors import Text
from companion.settings.schema import Settings
from hardware.buttons import Buttons, MockPanel
from hardware.debounce import Edge
from hardware.errors import ButtonError
from hardware.pi import read_machine
from hardware.pins import are_mock_pins_requested, missing_pins_remedy, open_pin_factory

if TYPE_CHECKING:
    from gpiozero import Factory

Attempt: TypeAlias = Callable[[], None]
"""Function that opens pins if they are still closed. It raises ButtonError if it fails."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenButtons:
    """Mock buttons that are open, and attempts to open pins that are still closed.

    Attributes:
        panel: presses the mock pins; None if there are none.
        attempts: pairs of a setting's key and an attempt. Call them in order; repeat failed ones.
    """

    panel: MockPanel | None
    attempts: tuple[tuple[str, Attempt], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonSources:
    """Sources of presses before they are opened.

    Attributes:
        factory: opens pins; None if no pins are used.
        notice: the reason for mock pins; None for real pins.
        lacks_pins: True if a Raspberry Pi has mock pins although nobody asked for them.
        port: serial port of the microcontroller board with the buttons; "" if there is none.
        must_have: True if the settings put the buttons on that board.
        baud: speed of that port; 0 for the default.
    """

    assembly: Assembly
    factory: Factory | None
    notice: Text | None
    lacks_pins: bool
    port: str
    must_have: bool
    baud: int

    def open(
        self, sink: Callable[[Edge], None], opened: ExitStack, *, clock: Callable[[], float]
    ) -> OpenButtons:
        """Open the buttons.

        Args:
            sink: receives the edges of all buttons.
            opened: closes the buttons when it ends.
            clock: returns seconds, for the times of edges at the pins of this machine.

        Raises:
            ButtonError: the board of a `must_have` port cannot be used.
        """
        pins, panel = self.assembly.pins, None
        attempts: tuple[tuple[str, Attempt], ...] = ()
        with ExitStack() as opening:
            if self.notice:
                mock = Buttons(pins, sink, clock=clock, pin_factory=self.factory)
                opening.enter_context(closing(mock))
                panel = MockPanel(pins, self.factory)
            if self.lacks_pins or (self.factory is not None and not self.notice):
                own = _OwnPins(pins, sink, clock, None if self.notice else self.factory)
                opening.enter_context(closing(own))
                attempts = tuple(own.attempts())
            if self.port:
                self._open_board(sink, opening)
            opened.enter_context(opening.pop_all())
        return OpenButtons(panel=panel, attempts=attempts)

    def check(self, held: Collection[int]) -> None:
        """Open and close the real pins that are not `held` open, and the board if `must_have`.

        Raises:
            ButtonError: a pin, or a board that is plugged in, cannot be used.
        """
        with ExitStack() as opened:
            if self.factory is not None and self.notice is None:
                pins = {name: pin for name, pin in self.assembly.pins.items() if pin not in held}
                buttons = Buttons(pins, lambda _: None, clock=lambda: 0.0, pin_factory=self.factory)
                opened.enter_context(closing(buttons))
            if self.must_have:
                self._open_board(lambda _: None, opened)

    def _open_board(self, sink: Callable[[Edge], None], opened: ExitStack) -> None:
        from firmware_bridge.connection.serial_port import DEFAULT_BAUD  # noqa: PLC0415  # most tables need none
        from firmware_bridge.drivers.bridge_board import BridgeButtons  # noqa: PLC0415  # most tables need none

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


class _OwnPins:
    """Buttons on this machine's own pins. If `factory` is None, the first attempt finds one."""

    def __init__(
        self,
        pins: Mapping[str, int],
        sink: Callable[[Edge], None],
        clock: Callable[[], float],
        factory: Factory | None,
    ) -> None:
        self._pins, self._sink, self._clock = pins, sink, clock
        self._buttons = self._on(factory) if factory else None

    def attempts(self) -> Iterator[tuple[str, Attempt]]:
        """Yield a setting's key and an attempt: first for the factory, then for each button."""
        yield "panel.buttons", self._find
        for button in self._pins:
            yield f"panel.pins.{button}", partial(self._open, button)

    def close(self) -> None:
        if self._buttons:
            self._buttons.close()

    def _find(self) -> None:
        if self._buttons is None:
            factory, missing = open_pin_factory(simulate=False)
            if missing:
                raise ButtonError(missing, remedy=missing_pins_remedy())
            self._buttons = self._on(factory)

    def _open(self, button: str) -> None:
        if self._buttons:
            self._buttons.open(button, self._pins[button])

    def _on(self, factory: Factory) -> Buttons:
        return Buttons({}, self._sink, clock=self._clock, pin_factory=factory)


def find_buttons(
    settings: Settings, assembly: Assembly, *, simulate: bool, root: Path = Path("/")
) -> ButtonSources:
    """Return the sources of presses.

    If `simulate` is True, any machine gets mock pins. The model of the machine is read in `root`.
    """
    must_have = bool(assembly.board_port) and not simulate
    factory, notice, port = None, None, assembly.board_port
    if not must_have:
        factory, notice = open_pin_factory(simulate=simulate)
        port = assembly.strip_port if notice and not simulate else ""
    is_wanted = not simulate and not are_mock_pins_requested()
    return ButtonSources(
        assembly=assembly,
        factory=factory,
        notice=notice,
        lacks_pins=bool(notice) and is_wanted and read_machine(root).model is not None,
        port=port,
        must_have=must_have,
        baud=settings.strip.baud,
    )


def report_boards(report: Callable[[Text], None], opened: ExitStack) -> None:
    """Report each loss and return of a microcontroller board until `opened` ends."""
    from firmware_bridge.connection.sharing import CONNECTIONS  # noqa: PLC0415  # most tables need none

    before, CONNECTIONS.on_status = CONNECTIONS.on_status, report
    opened.callback(lambda: setattr(CONNECTIONS, "on_status", before))
