"""Tables of a night as values, and the organiser's server in a thread without a broker."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, TypeVar

from companion.night.broker import TableTopics
from companion.night.messages import (
    Entrant,
    NightGame,
    NightPlan,
    NightRound,
    SeatedPair,
    TableState,
    serialize,
)
from companion.night.organiser import Organiser, StoredNight
from companion.night.outcomes import SIDE_KEYS
from companion.night.program import make_app
from companion.web.server import listening, serve
from companion.web.table.table_responses import SideResponse, TableResponse
from tests.support.limits import TIMEOUT_S

# States of played games, as tables would publish them


NIGHT = "0123456789abcdef"

COLOURS = {"1": "#ffb000", "2": "#ffffff"}


def plan_of(*names: str, rounds: int = 0, finish: int = 121) -> NightPlan:
    """Return a plan with these sides; neighbours in the list meet in each of its rounds."""
    entrants = tuple(Entrant(id=at, players=(name,)) for at, name in enumerate(names, start=1))
    pairs = tuple(
        SeatedPair(table=table, entrants=(2 * table - 1, 2 * table))
        for table in range(1, len(names) // 2 + 1)
    )
    bye = len(names) if len(names) % 2 else None
    return NightPlan(
        night=NIGHT,
        revision=1,
        finish=121 if finish == 121 else 363,
        scoring="acc",
        entrants=entrants,
        rounds=tuple(NightRound(pairs=pairs, bye=bye) for _ in range(rounds)),
    )


def game(
    pair: SeatedPair,
    *,
    round_: int = 1,
    winner: str | None = None,
    loser_at: int = 0,
    confirmed: tuple[str, ...] = SIDE_KEYS,
    number: int = 1,
    finish: int = 121,
) -> NightGame:
    """Return a pair's game: a running one with a side at `loser_at`, or one won against it."""
    progress = {side: finish if side == winner else loser_at for side in SIDE_KEYS}
    return NightGame(
        game=number,
        round=round_,
        entrants=dict(zip(SIDE_KEYS, pair.entrants, strict=True)),
        progress=progress,
        finish=finish,
        winner=winner,
        confirmed=confirmed if winner else (),
    )


def state(
    *games: NightGame, journal: str = "a" * 16, seq: int = 1, night: str = NIGHT
) -> TableState:
    """Return the state of a table with these games; its pegs are those of the last game."""
    last = games[-1] if games else None
    progress = last.progress if last else dict.fromkeys(SIDE_KEYS, 0)
    rest: Any = {"boxed": 0, "folded": False, "pending": 0}
    sides = {
        int(side): SideResponse(front=at, back=max(0, at - 7), progress=at, **rest)
        for side, at in progress.items()
    }
    return TableState(
        journal=journal,
        seq=seq,
        night=night,
        board="crib-wars" if last and last.finish != 121 else "classic",
        colours=COLOURS,
        view=TableResponse(seq=seq, sides=sides, dealer=1, hand=1, winner=None),
        games=games,
    )


def play(pair: SeatedPair, chance: Random, *, round_: int, finish: int = 121) -> NightGame:
    """Return a game that was played to its end and confirmed."""
    return game(
        pair,
        round_=round_,
        winner=chance.choice(SIDE_KEYS),
        loser_at=chance.randrange(finish // 2, finish),
        number=round_,
        finish=finish,
    )


# The server: tests hand messages to it


NIGHT_NAME = "friday"

Answer = TypeVar("Answer")


class NightServer:
    """Organiser with its pages."""

    def __init__(self, plan: NightPlan, loop: asyncio.AbstractEventLoop, port: int) -> None:
        self.port, self.url = port, f"http://127.0.0.1:{port}/"
        self.closing = asyncio.Event()
        self.organiser = Organiser(
            NIGHT_NAME,
            StoredNight(plan=plan),
            save=lambda _: None,
            publish=lambda _: True,
            clock=time.monotonic,
        )
        self.organiser.connection(connected=True)
        self._loop = loop

    def do(self, call: Callable[[Organiser], Answer]) -> Answer:
        """Call something with the organiser in its own event loop, and wait for the result."""

        async def call_there() -> Answer:
            return call(self.organiser)

        return asyncio.run_coroutine_threadsafe(call_there(), self._loop).result(TIMEOUT_S)

    def hear(self, table: int, state: TableState, *, online: bool = True) -> None:
        """Receive presence and state of a table."""
        topics = TableTopics(NIGHT_NAME, table)
        presence = b"true" if online else b"false"
        self.do(lambda organiser: organiser.receive(topics.online, presence))
        self.do(lambda organiser: organiser.receive(topics.state, serialize(state)))

    def stop(self) -> None:
        """End the server."""
        self.do(lambda _: self.closing.set())


@contextmanager
def night_server(plan: NightPlan, *, port: int = 0) -> Iterator[NightServer]:
    """Serve a night from a thread of its own until the block ends."""
    ready = threading.Event()
    there: list[NightServer] = []

    async def run() -> None:
        with listening("127.0.0.1", port) as sockets:
            server = NightServer(plan, asyncio.get_running_loop(), sockets[0].getsockname()[1])
            there.append(server)
            app = make_app(server.organiser, server.closing, language="en")
            await serve(app, sockets, on_ready=ready.set, stop=server.closing)

    thread = threading.Thread(target=asyncio.run, args=(run(),), daemon=True)
    thread.start()
    try:
        assert ready.wait(TIMEOUT_S), "the server does not answer"
        yield there[0]
    finally:
        if there and thread.is_alive():
            there[0].stop()
        thread.join(TIMEOUT_S)
        assert not thread.is_alive(), "the server does not end"
