"""The desk: the running table as the page sees it, and the fingers that the page may have on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from companion.commentary import Commentator
from companion.errors import BadInputError
from companion.lights import Palette, Wiring
from companion.rules.game import Claim, Muggins, Overpeg, Penalty
from companion.rules.game.advice import fives_to_lead, outcomes
from companion.rules.game.notation import read_command, state_value
from companion.rules.game.rulings import RULINGS
from companion.table import Accepted, Table, Tapped, all_actions
from companion.table.demo import Demo
from companion.web.table import responses
from companion.web.table.desk import Party
from companion.web.table.serialize import (
    boxes_value,
    demo_value,
    hint_value,
    mode_value,
    outlook_value,
    ruling_value,
    table_value,
    told_value,
)
from hardware.mock import MockPanel
from hardware.strips import Frame

if TYPE_CHECKING:  # imported once the board is lit
    from companion.web.records.service import RecordsService
    from companion.web.settings.service import SettingsService

NAMES = {"#ffb000": "Amber", "#ffffff": "White", "#ff60d0": "Magenta"}
"""What sides in these colours are called; others go by their number."""


def side_names(names: Mapping[str, str], palette: Palette) -> dict[int, str]:
    """What the sides are called by team: as set, or by a colour that has a name.

    >>> side_names({"2": "Anna"}, Palette.make({"3": "#123456"}))
    {1: 'Amber', 2: 'Anna'}
    """
    called = ((team, names.get(str(team)) or NAMES.get(colour)) for team, colour in palette.teams)
    return {team: name for team, name in called if name}


class TableDesk:
    """Satisfies `companion.web.table.desk.Desk` once `serves` has told it of the table."""

    def __init__(
        self,
        board: Board,
        palette: Palette,
        wiring: Wiring,
        strip: str,
        *,
        names: Mapping[str, str] = MappingProxyType({}),
        language: str = "en",
    ) -> None:
        self.board = board
        self._names = side_names(names, palette)
        self._language = language
        self._commentator: Commentator | None = None
        self.closing = asyncio.Event()
        self._palette, self._wiring, self._strip = palette, wiring, strip
        self._table: Table
        self._buttons: tuple[str, ...] = ()
        self._mock: MockPanel | None = None
        self._played: Callable[[], Demo | None] = lambda: None
        self.party: Party
        self.records: RecordsService
        self.setup: SettingsService
        self._replay: Callable[[], dict[str, object] | None] = lambda: None
        self._lit: Callable[[], bool] = lambda: False
        self._cards: Callable[[], dict[str, object] | None] = lambda: None
        self._rest_s = 0.0
        self._loop = asyncio.get_running_loop()
        self._watchers: list[Callable[[], None]] = []
        leds = sum(wiring.leds)
        self._accepted: tuple[Accepted, ...] = ()
        self._entries: tuple[responses.Told, ...] = ()
        self._frame: tuple[int, NDArray[np.uint8]] = (0, np.zeros((leds, 3), np.uint8))

    def serves(
        self,
        table: Table,
        buttons: tuple[str, ...],
        mock: MockPanel | None,
        *,
        rest_s: float,
        demo: Callable[[], Demo | None] = lambda: None,
    ) -> None:
        """Tell of the running table, its buttons in panel order, and the fingers for mock pins.

        `rest_s` is how long a contact takes to come to rest; `demo` gives the demo while it plays.
        """
        self._table, self._buttons, self._mock, self._rest_s = table, buttons, mock, rest_s
        self._played = demo

    def deals(self, party: Party, cards: Callable[[], dict[str, object] | None]) -> None:
        """Tell of the cards dealt at the table; `cards` gives what everybody may see of them."""
        self.party, self._cards = party, cards

    def remembers(
        self, records: RecordsService, replay: Callable[[], dict[str, object] | None]
    ) -> None:
        """Tell of the games that were played here; `replay` gives the mode while one is shown."""
        self.records, self._replay = records, replay

    def sets_up(self, setup: SettingsService, lit: Callable[[], bool]) -> None:
        """Tell of the set-up; `lit` tells whether its light is on the board instead of the game."""
        self.setup, self._lit = setup, lit

    def table(self) -> responses.Table:
        """What `GET /api/table` answers."""
        return table_value(self._table.news)

    def news(self) -> dict[str, object]:
        """The table, and what is to be said about it."""
        news, demo = self._table.news, self._played()
        return {
            "seq": news.seq,
            "table": self.table(),
            "match": state_value(news.view.state)["match"],
            "boxes": boxes_value(news.view.state),
            "mode": {"state": "lights"} if self._lit() else self._replay() or mode_value(news),
            "notices": list(news.notices),
            "saved": news.saved,
            **hint_value(news.hint),
            "demo": demo_value(demo) if demo else None,
            "seats": news.view.state.setup.players,
            "cards": self._cards(),
        }

    def entries(self) -> tuple[responses.Told, ...]:
        """Return the commands accepted last, each with the commentator's line, made once."""
        accepted = self._table.accepted
        if accepted != self._accepted:
            told = {entry["seq"]: entry for entry in self._entries}
            self._entries = tuple(told.get(each.seq) or self._told(each) for each in accepted)
            self._accepted = accepted
        return self._entries

    def _told(self, accepted: Accepted) -> responses.Told:
        """Return an accepted command in the words of a commentator of its set-up."""
        setup, commentator = accepted.entry.state.setup, self._commentator
        if commentator is None or commentator.setup is not setup:
            commentator = Commentator.make(self._language, self._names, setup)
            self._commentator = commentator
        return told_value(accepted, commentator.entry(accepted.entry, undone=accepted.undone))

    def about(self) -> responses.Outfit:
        """What stays as it is while the table runs."""
        return {
            "teams": {
                str(team): {"name": self._name(team), "colour": colour}
                for team, colour in self._palette.teams
            },
            "language": self._language,
            "buttons": list(self._buttons),
            "mock": self._mock is not None,
            "leds": self._wiring.places(),
            "strip": self._strip,
            "width_mm": self.board.width_mm,
            "height_mm": self.board.height_mm,
        }

    def _name(self, team: int) -> str:
        return self._names.get(team, f"Side {team}")

    def frame(self) -> tuple[int, NDArray[np.uint8]]:
        """The number of the newest frame, and its bytes as the strip gets them."""
        return self._frame

    def watch(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Have `wake` called whenever news or frame changed; what is returned ends that."""
        self._watchers.append(wake)
        return lambda: self._watchers.remove(wake)

    def press(self, button: str, *, down: bool) -> None:
        """Drive a mock pin; a LookupError where the buttons are real."""
        if self._mock is None:
            raise LookupError("the buttons are real here")
        if down:
            self._mock.down(button)
        else:
            self._mock.up(button)

    async def at_rest(self) -> None:
        """Wait until a contact just let up has come to rest: a press from then on is another."""
        await asyncio.sleep(self._rest_s)

    @property
    def pad_buttons(self) -> tuple[str, ...]:
        """The buttons of a score pad."""
        return all_actions(self.board.track.lanes)

    def tap(self, button: str, *, held: float) -> Tapped:
        """Press a button of a score pad, that was held so many seconds until now."""
        return self._table.tap(button, held=held)

    async def settled(self) -> None:
        """Wait until all that was accepted so far is acknowledged."""
        await self._table.settled()

    async def visit(self) -> None:
        """Wait until somebody presses a button at the table, which does nothing else then."""
        await self._table.visit()

    def rulings(self) -> list[responses.Ruling]:
        """All that can go wrong at a table, and what follows (N1 to N17)."""
        return [ruling_value(each) for each in RULINGS.values()]

    def advice(self) -> dict[str, responses.Advice]:
        """By team, what each count would do from here, and whom to lead a five."""
        state = self._table.news.view.state
        return {
            str(team): {
                "outlooks": [outlook_value(each) for each in outcomes(state, team)],
                "lead_five_to": list(fives_to_lead(state, team)),
            }
            for team in state.setup.lanes
        }

    def demo(self, *, on: bool) -> None:
        """Begin the demo, or end it, as Mode does."""
        self._table.demo(on=on)

    async def command(self, body: bytes) -> responses.Table:
        """Carry out a referee's command; the table when it is acknowledged."""
        command = read_command(body)
        if not isinstance(command, Penalty | Claim | Muggins | Overpeg):
            text = "only penalty, claim, muggins and overpeg come from the page: press the buttons"
            raise BadInputError(text)
        await self._table.ask(command)
        return self.table()

    # What the table and the lights tell

    def changed(self) -> None:
        """Wake every viewer; called in the event loop."""
        for wake in tuple(self._watchers):
            wake()

    def seen(self, frame: Frame) -> None:
        """Take a new frame, in the lights thread."""
        number, _ = self._frame
        self._frame = (number + 1, np.concatenate([_rgb(channel) for channel in frame]))
        if self._watchers and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.changed)


def _rgb(channel: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A channel's bytes as red, green and blue; white light is all three at once."""
    if channel.shape[1] == len("RGB"):
        return channel
    white = channel[:, 3:]
    room = np.iinfo(np.uint8).max - channel[:, :3]
    return channel[:, :3] + np.minimum(white, room)
