"""A running table to put before the page: it keeps what it is told, and its buttons can be felt."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from companion.board.definition.load import load_board
from companion.board.layout import Board
from companion.board.track import Hole
from companion.errors import RuleError
from companion.rules.cards import Card
from companion.rules.game.commands import Command
from companion.rules.game.notation import read_command
from companion.rules.game.rulings import RULINGS
from companion.table import Tapped
from companion.table.actions import Hint, HintKind
from companion.web.cards import responses as cards_responses
from companion.web.table import responses
from companion.web.table.desk import NoHandError
from hardware.errors import ButtonError
from tests.support.services import Services

TEAMS = {1: ("Amber", "#ffb000"), 2: ("White", "#f4f0e6"), 3: ("Magenta", "#ff3fa4")}
PATIENCE_S = 10
ACTIONS = ("plus_one", "plus_five", "enter", "undo")


class FakeParty:
    """Cards at seat 1, whoever sits there; `asked` has what was asked for, `token` its hand's."""

    token = "t" * 22

    def __init__(self) -> None:
        self.asked: list[object] = []

    def begin(self, seats: Sequence[str]) -> dict[int, str]:
        """Keep who sits where."""
        self.asked.append(tuple(seats))
        return {1: self.token}

    def end(self) -> None:
        """Keep that it was asked for."""
        self.asked.append("end")

    def hand(self, token: str) -> cards_responses.OwnHand:
        """An empty hand at seat 1."""
        if token != self.token:
            raise NoHandError("no such hand")
        return {"seat": 1, "seats": {}, "asked": 1, "shown": None, "ask": None, "lines": []}

    def play(self, token: str, cards: tuple[Card, ...]) -> None:
        """Keep the cards."""
        self.hand(token)
        self.asked.append(cards)


class FakeDesk:
    """A table with one LED a hole and lane, and one a lamp, in the order of the board's rows.

    `presses` has every edge of a button that went through, and `commands` what was sent and not
    refused, in order; `refusal` is raised at every command while it is set. `demos` has each word
    to begin or end the demo. What is `told` or `lit` wakes the watchers, so that both must happen
    in the event loop of the page. Games and settings are those in `folder`, if there is one.
    """

    def __init__(
        self,
        board: Board | None = None,
        *,
        teams: int = 2,
        mock: bool = True,
        folder: Path | None = None,
    ) -> None:
        self._board = board or _classic()
        self._closing = asyncio.Event()
        self._wakes: list[Callable[[], None]] = []
        self._stirred = asyncio.Event()
        self.mock = mock
        self.language = "en"
        self.names = dict(list(TEAMS.items())[:teams])
        self.presses: list[tuple[str, bool]] = []
        self.commands: list[Command] = []
        self.demos: list[bool] = []
        self.refusal: RuleError | None = None
        self.party = FakeParty()
        self.services = Services(folder, self._board)
        self.services.bench.table._changed = self._wake
        self.records, self.setup = self.services.records, self.services.settings
        self.taps: list[tuple[str, float]] = []
        self.asleep = False
        self.visits = 0
        self.presence = asyncio.Event()
        self._entries: tuple[responses.Told, ...] = ()
        self._advice: dict[str, object] = {}
        buttons = [f"{team}.{action}" for team in self.names for action in ACTIONS]
        self.down = dict.fromkeys((*buttons, "deal", "mode"), False)
        self.places = _places(self._board)
        self._number = 1
        self._frame = np.zeros((len(self.places), 3), np.uint8)
        self._news: dict[str, Any] = {
            "seq": 0,
            "table": {
                "seq": 0,
                "teams": {str(team): side() for team in self.names},
                "dealer": 1,
                "hand": 1,
                "winner": None,
            },
            "match": {"games": dict.fromkeys(map(str, self.names), 0), "to": None, "winner": None},
            "boxes": {},
            "mode": None,
            "notices": [],
            "saved": True,
            "feedback": None,
            "hint": None,
            "demo": None,
            "seats": teams,
            "cards": None,
        }

    @property
    def board(self) -> Board:
        """The board given, or the classic one."""
        return self._board

    @property
    def closing(self) -> asyncio.Event:
        """Set it, and the streams end."""
        return self._closing

    def table(self) -> responses.Table:
        """The table as last told."""
        return cast("responses.Table", dict(self._news["table"]))

    def news(self) -> dict[str, object]:
        """The news as last told."""
        return self._news | {"mode": self.records.mode() or self._news["mode"]}

    def entries(self) -> tuple[responses.Told, ...]:
        """The entries as last told."""
        return self._entries

    @property
    def pad_buttons(self) -> tuple[str, ...]:
        """The buttons that this desk was made with."""
        return tuple(self.down)

    def tap(self, button: str, *, held: float) -> Tapped:
        """Keep a tap, told as the news have it; one that wakes the board is swallowed."""
        if self.asleep:
            self.asleep = False
            return Tapped(counted=False, hint=_hint(HintKind.WAKE, "awake"))
        self.taps.append((button, held))
        self._wake()
        hint, text = self._news["hint"], self._news["feedback"]
        return Tapped(counted=True, hint=_hint(HintKind(hint["kind"]), text) if hint else None)

    async def settled(self) -> None:
        """Let others go on; what was tapped is on disk then."""
        await asyncio.sleep(0)

    async def visit(self) -> None:
        """Wait until a test presses `presence`."""
        self.visits += 1
        self._wake()
        await self.presence.wait()

    def changed(self) -> None:
        """Wake the watchers."""
        self._wake()

    def rulings(self) -> list[responses.Ruling]:
        """The referee's rulings."""
        return [
            cast("responses.Ruling", dataclasses.asdict(ruling) | {"sources": list(ruling.sources)})
            for ruling in RULINGS.values()
        ]

    def advice(self) -> dict[str, responses.Advice]:
        """The advice as last given."""
        return cast("dict[str, responses.Advice]", dict(self._advice))

    async def command(self, body: bytes) -> responses.Table:
        """Keep a command, or refuse it while there is a refusal."""
        command = read_command(body)
        if self.refusal:
            raise self.refusal
        self.commands.append(command)
        self._wake()
        return self.table()

    def demo(self, *, on: bool) -> None:
        """Keep what was asked for."""
        self.demos.append(on)
        self._wake()

    def about(self) -> responses.Outfit:
        """The teams, buttons and LEDs that this desk was made with."""
        return {
            "teams": {str(t): {"name": n, "colour": c} for t, (n, c) in self.names.items()},
            "language": self.language,
            "buttons": list(self.down),
            "mock": self.mock,
            "leds": list(self.places.values()),
            "strip": "virtual",
            "width_mm": self._board.width_mm,
            "height_mm": self._board.height_mm,
        }

    def frame(self) -> tuple[int, NDArray[np.uint8]]:
        """The frame as last lit."""
        return self._number, self._frame

    def watch(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Wake on everything told or lit, until unwatched."""
        self._wakes.append(wake)
        self._stirred.set()

        def unwatch() -> None:
            self._wakes.remove(wake)
            self._stirred.set()

        return unwatch

    async def at_rest(self) -> None:
        """Nothing bounces here."""

    def press(self, button: str, *, down: bool) -> None:
        """Move a button; two fingers on one are refused."""
        if not self.mock:
            raise LookupError("no mock panel")
        if button not in self.down:
            raise ButtonError(f"there is no button {button}")
        if down and self.down[button]:
            raise ButtonError(f"button {button} is down already; let it up before pressing it")
        self.down[button] = down
        self.presses.append((button, down))
        self._wake()

    # What a test does to the desk

    @property
    def watchers(self) -> int:
        """How many streams are watching."""
        return len(self._wakes)

    def tell(self, *, table: Mapping[str, object] | None = None, **news: object) -> None:
        """Change the news; `seq` may be given, and stands in the table too."""
        self._news = {**self._news, **news}
        seq = {"seq": self._news["seq"]}
        self._news["table"] = {**self._news["table"], **(table or {}), **seq}
        self._wake()

    def accept(self, *entries: responses.Told) -> None:
        """Tell of further accepted commands."""
        self._entries += entries
        self._wake()

    def advise(self, advice: Mapping[str, object]) -> None:
        """Give other advice from now on."""
        self._advice = dict(advice)

    def light(self, colours: Mapping[tuple[int, Hole] | str, tuple[int, int, int]]) -> None:
        """Show a new frame: these lamps lit, by lane and hole or by id, and all others dark."""
        frame = np.zeros_like(self._frame)
        order = {place: led for led, place in enumerate(self.places)}
        for place, colour in colours.items():
            frame[order[place]] = colour
        self.show(frame)

    def show(self, frame: NDArray[np.uint8]) -> None:
        """Show a new frame as it is."""
        self._number, self._frame = self._number + 1, frame
        self._wake()

    async def until(self, true: Callable[[FakeDesk], bool]) -> None:
        """Wait until something is true of this desk, looking whenever it has stirred."""
        while not true(self):
            self._stirred.clear()
            await asyncio.wait_for(self._stirred.wait(), PATIENCE_S)

    def _wake(self) -> None:
        self._stirred.set()
        for wake in tuple(self._wakes):
            wake()


def side(front: Hole = 0, **more: object) -> dict[str, object]:
    """One side of a table, as the contract has it."""
    rest = {"back": 0, "boxed": 0, "folded": False, "pending": 0}
    return {"front": front, **rest, "progress": front if isinstance(front, int) else 0, **more}


def entry(
    seq: int, line: str, *events: dict[str, Any], undone: Sequence[dict[str, Any]] = ()
) -> responses.Told:
    """An accepted command, as the stream tells it."""
    return {"seq": seq, "line": line, "events": list(events), "undone": list(undone)}


def _hint(kind: HintKind, text: str) -> Hint:
    return Hint(kind=kind, team=None, text=text)


@cache
def _classic() -> Board:
    return load_board("classic")


def _places(board: Board) -> dict[tuple[int, Hole] | str, tuple[float, float]]:
    places: dict[tuple[int, Hole] | str, tuple[float, float]] = {
        (row.lane, hole): (x, y) for row in board.rows for hole, x, y in row.places()
    }
    return places | {lamp.id: (lamp.x_mm, lamp.y_mm) for lamp in board.lamps}
