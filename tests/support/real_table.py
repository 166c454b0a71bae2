"""A real table behind the page's services, in this process: mock panel, virtual strip, no disk.

If a state takes long to reach by playing, a test sets its own news instead of those of the service:
`tell`, `accept`, `advise`, `light`.
"""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, cast

import msgspec
import numpy as np
from msgspec.structs import replace

from companion.board import Hole, ZoneKind
from companion.devices.assembly import assemble
from companion.devices.network_manager import BoardNetwork
from companion.encoding import encode_json
from companion.rules.game.commands import Command
from companion.runtime.demonstration import Demonstration
from companion.runtime.log import Console
from companion.runtime.page import build_services
from companion.runtime.restart import StartGuard
from companion.runtime.service_manager import FailedStarts
from companion.runtime.start import Shutdown, StartedTable, light_table
from companion.settings.file import SettingsFile
from companion.settings.load import load_settings
from companion.table import Tapped
from companion.toml import Value
from companion.web.app import Services, make_app
from companion.web.http.endpoint import Endpoint
from companion.web.pairing import Pairing
from companion.web.record_service import RecordsService
from companion.web.table import table_responses
from hardware.buttons import MockPanel
from tests.support.limits import TIMEOUT_S

Answer = TypeVar("Answer")


class WatchedPanel:
    """A mock panel that keeps every edge that came through, in `presses`."""

    def __init__(self, panel: MockPanel, changed: Callable[[], None]) -> None:
        self._panel, self._changed = panel, changed
        self.presses: list[tuple[str, bool]] = []

    def is_down(self, name: str) -> bool:
        """Return True if a button is held down."""
        return self._panel.is_down(name)

    def down(self, name: str) -> None:
        """Press a button."""
        self._panel.down(name)
        self.presses.append((name, True))
        self._changed()

    def up(self, name: str) -> None:
        """Release a button."""
        self._panel.up(name)
        self.presses.append((name, False))
        self._changed()


class CountedShutdown(Shutdown):
    """Shutdown that only counts the requests to restart."""

    restarts = 0

    def request_restart(self) -> None:
        """Count a request."""
        self.restarts += 1
        self.restart = True


class RealTable:
    """A table with a number of sides; `async with RealTable() as table` runs it.

    `presses` has every edge of a mock button, `taps` each tap that counted, `commands` the accepted
    commands, in order. Everything except the constructor is for its event loop.
    """

    def __init__(
        self,
        *,
        sides: int = 2,
        mock: bool = True,
        simulate: bool = True,
        pairing: Pairing | None = None,
        pages: Callable[[], tuple[str, ...]] = tuple,
        hosts: frozenset[str] = frozenset(),
        console: Callable[[str], None] = lambda _line: None,
        folder: Path | None = None,
        network: BoardNetwork | None = None,
        **settings: object,
    ) -> None:
        given = {
            "demo": {"speed": 100},
            "board": "classic",
            "teams": sides,
            "strip": {"driver": "virtual"},
            **settings,
        }
        self.file = folder / "cribwars.toml" if folder else None
        values: dict[str, Value] = given
        self.settings = load_settings(self.file, values, required=False)
        self._light_table = partial(
            light_table,
            settings=self.settings,
            assembly=assemble(self.settings),
            console=Console(),
            guard=StartGuard(None),
            starts=FailedStarts(None),
            simulate=simulate,
            data=folder,
            file=SettingsFile(self.file, values, check=assemble) if self.file else None,
        )
        self._sides, self._mock, self._network = sides, mock, network
        self.pages = pages
        self._how: dict[str, Any] = {"pairing": pairing, "hosts": hosts, "console": console}
        self.shutdown = CountedShutdown()
        self.closing = self.shutdown.stop
        self._stirred = asyncio.Event()
        self.demos: list[bool] = []
        self._reported: dict[str, Any] = {}
        self._table_reported: dict[str, Any] = {}
        self._more: tuple[table_responses.EntryResponse, ...] = ()
        self._advice: dict[str, Any] | None = None
        self._colours: Mapping[tuple[int, Hole] | str, tuple[int, int, int]] | None = None
        self._names: dict[int, tuple[str, str]] = {}
        self._listening: Callable[[], None] = lambda: None
        self._opened = AsyncExitStack()
        self.presses: list[tuple[str, bool]] = []
        self.taps: list[tuple[str, float]] = []
        self.sent: list[tuple[str, float]] = []
        self.commands: list[Command] = []
        self.lit: StartedTable
        self.services: Services
        self.app: Any = None
        self._runner: asyncio.Runner | None = None
        self._last: object = None

    def __enter__(self) -> Self:
        """Run it in an event loop of its own, which runs only during `run`."""
        self._runner = asyncio.Runner()
        self._runner.run(self.__aenter__())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it, and the loop."""
        runner, self._runner = self._runner, None
        assert runner
        runner.run(self.__aexit__(kind, error, trace))
        runner.close()

    def run(self, act: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
        """Call something in its event loop; a table that is not running runs for this call only."""
        if self._runner:
            return self._runner.run(act())
        with self:
            return self.run(act)

    async def __aenter__(self) -> Self:
        """Light the board and build the services."""
        hardware = self._opened.enter_context(ExitStack())
        lit = self._light_table(hardware)
        demonstration = Demonstration(
            lit.table, lit.live, lit.workers.thinking, changed=lit.broadcast.notify, aloud=False
        )
        self._opened.callback(lit.table.presses.stop)
        self._opened.push_async_callback(demonstration.close)
        self.panel = None
        if lit.panel and self._mock:
            self.panel = WatchedPanel(lit.panel, lit.broadcast.notify)
            self.presses = self.panel.presses
        self.lit = dataclasses.replace(lit, panel=cast("MockPanel | None", self.panel))
        self.services = build_services(
            self.lit,
            demonstration,
            self._opened,
            self.shutdown,
            network=self._network,
            port=lambda: 0,
        )
        self._watch()
        self.app = make_app(
            self.services, clock=time.monotonic, calendar=time.time, pages=self.pages, **self._how
        )
        if self._colours is not None:
            self.light(self._colours)
        self.lit.table.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the services and the board."""
        self.closing.set()
        await self._opened.aclose()

    def _watch(self) -> None:
        """Keep all events, and replace news by those that a test sets."""
        service, table = self.services.table, self.lit.table
        tap, news, entries, advice = table.tap, service.news, service.entries, service.advice
        snapshot, demo = service.snapshot, table.demo

        def watched_tap(action: str, *, held: float = 0.0, **how: Any) -> Tapped:  # noqa: ANN401  # as `tap` takes them
            tapped = tap(action, held=held, **how)
            self.sent.append((action, held))
            if tapped.counted:
                self.taps.append((action, held))
            self._stirred.set()
            return tapped

        def watched_demo(*, on: bool) -> None:
            self.demos.append(on)
            demo(on=on)
            self._stirred.set()

        def reported_table() -> table_responses.TableResponse:
            return replace(snapshot(), **self._table_reported)

        watched: dict[object, dict[str, object]] = {
            self.lit.broadcast: {"subscribe": self._watched_subscribe()},
            table: {"tap": watched_tap, "demo": watched_demo},
            service: {
                "snapshot": reported_table,
                "news": lambda language: replace(
                    news(language), **self._reported, table=reported_table()
                ),
                "entries": lambda language: (*entries(language), *self._more),
                "advice": lambda: advice() if self._advice is None else self._advice,
            },
        }
        for watched_object, methods in watched.items():
            for name, method in methods.items():
                setattr(watched_object, name, method)
        self._tell_of_players()
        self.lit.live.changed.subscribe(lambda _before: self._tell_of_players())
        self._opened.callback(table.changed.subscribe(self._note))
        self.lit.broadcast.subscribe(self._stirred.set)

    def _watched_subscribe(self) -> Callable[[Callable[[], None]], Callable[[], None]]:
        """Return a `subscribe` that notifies each subscription and each end of one."""
        broadcast = self.lit.broadcast
        subscribe = broadcast.subscribe

        def watched_subscribe(listener: Callable[[], None]) -> Callable[[], None]:
            unsubscribe = subscribe(listener)
            self._stirred.set()

            def leave() -> None:
                unsubscribe()
                self._stirred.set()

            return leave

        return watched_subscribe

    def _tell_of_players(self) -> None:
        """Name sides as a test does, and leave out lanes without a side."""
        self.about = facts = self.services.table.facts
        for side, (name, colour) in self._names.items():
            facts["teams"][str(side)] = {"name": name, "colour": colour}
        playing = [str(side) for side in range(1, self._sides + 1)]
        facts["teams"] = {side: facts["teams"][side] for side in playing}
        facts["side_paths"]["trap-130"] = ZoneKind.TIME_TRAP  # for pegs placed on any board
        facts["buttons"] = [
            button
            for button in facts["buttons"]
            if not button[0].isdecimal() or button[0] in playing
        ]

    def _note(self) -> None:
        accepted = self.lit.table.queue.accepted
        if accepted and self._last is not accepted[-1]:
            self._last = accepted[-1]
            self.commands.append(accepted[-1].entry.command)

    # Actions of a test, before it runs or while it runs

    @property
    def _is_running(self) -> bool:
        return self.app is not None

    @property
    def records(self) -> RecordsService:
        """Its recorded games."""
        return self.services.records

    def snapshot(self) -> dict[str, Any]:
        """Return the table as the contract has it."""
        return as_sent(self.services.table.snapshot())

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """All endpoints of its page."""
        return cast("tuple[Endpoint, ...]", self.app.state.endpoints)

    async def dealt_hand(self, *seats: str) -> tuple[str, dict[str, Any]]:
        """Deal cards, by default to people. Return path and content of the hand asked first."""
        token = next(token for token in await self.deal(*seats) if self._requested(token))
        return f"/api/cards/{token}", as_sent(self.services.cards.hand(token))

    async def deal(self, *seats: str) -> list[str]:
        """Deal cards to seats, by default of people.

        Return the token of each person, by seat, once one of them is asked.
        """
        players = self.lit.table.state.setup.players
        tokens = self.services.cards.begin(seats or ["person"] * players)
        await self.until(lambda _: any(map(self._requested, tokens.values())))
        return list(tokens.values())

    def _requested(self, token: str) -> object:
        return self.services.cards.hand(token).ask

    async def press(self, button: str) -> None:
        """Press a mock button for a moment."""
        assert self.services.mock
        await self.services.mock.press(button, 0.01)

    @property
    def watchers(self) -> int:
        """The number of open streams."""
        return len(self.lit.broadcast.listeners) - 1

    @property
    def places(self) -> dict[tuple[int, Hole] | str, tuple[float, float]]:
        """The places of the LEDs in millimetres, by lane and hole or by lamp."""
        board = self.lit.live.now.assembly.board
        holes: dict[tuple[int, Hole] | str, tuple[float, float]] = {
            (row.lane, hole): (x, y) for row in board.rows for hole, x, y in row.places()
        }
        return holes | {lamp.id: (lamp.x_mm, lamp.y_mm) for lamp in board.lamps}

    def peg(self, side: int, points: int) -> None:
        """Enter a count, as on a score pad."""
        for key in [*["plus_one"] * points, "enter"]:
            self.lit.table.tap(f"{side}.{key}")

    def name(self, side: int, name: str, colour: str = "#ffb000") -> None:
        """Give a side a name."""
        self._names[side] = (name, colour)
        if self._is_running:
            self.about["teams"][str(side)] = {"name": name, "colour": colour}

    def tell(self, *, table: Mapping[str, object] | None = None, **news: object) -> None:
        """Set news that replace those of the service; `seq` replaces that of the table, too."""
        seq = {"seq": news["seq"]} if "seq" in news else {}
        self._reported.update(news)
        self._table_reported.update({**(table or {}), **seq})
        self._wake()

    def accept(self, *entries: table_responses.EntryResponse) -> None:
        """Add accepted commands."""
        self._more += entries
        self._wake()

    def advise(self, advice: Mapping[str, object]) -> None:
        """Set the advice from now on."""
        self._advice = dict(advice)

    def light(self, colours: Mapping[tuple[int, Hole] | str, tuple[int, int, int]]) -> None:
        """Show a frame in which these lamps are lit and all others dark."""
        self._colours = colours
        if not self._is_running:
            return
        leds = [place and tuple(place) for place in self.services.table.facts["leds"]]
        frame = np.zeros((len(leds), 3), np.uint8)
        for place, colour in colours.items():
            frame[leds.index(self.places[place])] = colour
        self.lit.lamps.stop()
        self.lit.broadcast.take_frame([frame])
        self._wake()

    def _wake(self) -> None:
        if self._is_running:
            self.lit.broadcast.notify()

    async def until(self, true: Callable[[RealTable], bool]) -> None:
        """Wait until a condition of this table is true, checked after each of its changes.

        It is also checked ten times a second, as the table may not report every change.
        """
        async with asyncio.timeout(TIMEOUT_S):
            while not true(self):
                self._stirred.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stirred.wait(), 0.1)


def at_table(scene: Callable[[RealTable], Awaitable[Answer]], **how: Any) -> Answer:  # noqa: ANN401  # as RealTable takes them
    """Run a scene at a real table, in an event loop of its own."""

    async def play() -> Answer:
        async with RealTable(**how) as table:
            return await scene(table)

    return asyncio.run(play())


def stand(front: Hole = 0, **more: object) -> dict[str, object]:
    """Return one side of a table, as the contract has it."""
    rest = {"back": 0, "boxed": 0, "folded": False, "pending": 0}
    return {"front": front, **rest, "progress": front if isinstance(front, int) else 0, **more}


def entry(
    seq: int, line: str, *events: dict[str, Any], undone: Sequence[dict[str, Any]] = ()
) -> table_responses.EntryResponse:
    """Return an accepted command, as the stream sends it."""
    told: Any = {"events": events, "undone": undone}
    return table_responses.EntryResponse(seq=seq, line=line, **told)


def as_sent(value: msgspec.Struct) -> dict[str, Any]:
    """Return a response as a client receives it."""
    return msgspec.json.decode(encode_json(value), type=dict[str, Any])
