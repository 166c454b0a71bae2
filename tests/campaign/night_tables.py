"""Tables of a night that play in this process, their standings, and the screens that show them."""

from __future__ import annotations

import json
import random
import threading
import time
from collections import defaultdict, deque
from pathlib import Path
from typing import Any, Final

import httpx
from msgspec.structs import asdict

from companion.errors import RuleError
from companion.night.broker import BrokerClient, TableTopics, plan_topic
from companion.night.table_night import Publisher
from companion.records.records import Records
from companion.rules.game import Deal, HouseRules, NewGame, Peg, Undo
from companion.rules.game.notation import side_value
from companion.settings.row import BrokerAddress
from companion.web.table.news import NightStanding
from companion.web.table.table_responses import SideResponse, TableResponse
from tests.campaign.figures import Verdicts
from tests.companion.journal.scribe import Scribe, begun
from tests.support.mosquitto import NIGHT, Mosquitto
from tests.support.program import HTTP

# Standings of a night, computed from its tables' journals alone, and the verdict on others


def folded(folders: dict[int, Path], seats: list[list[dict[str, Any]]]) -> list[tuple[object, ...]]:
    """Return the standings of the journals, in which the n-th won game of a table is round n."""
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for table, folder in folders.items():
        with Records(folder) as records:
            games = [(game, game.winner) for game in records.games() if game.winner is not None]
        assert len(games) == len(seats), (table, len(games))
        for (game, winner), pairs in zip(games, seats, strict=True):
            names = next(pair["names"] for pair in pairs if pair["table"] == table)
            (loser,) = game.sides.keys() - {winner}
            finish, progress = (game.sides[side].progress for side in (winner, loser))
            spread, points = finish - progress, 3 if progress * 3 <= finish else 2
            gains = {winner: (points, 1, spread, spread), loser: (0, 0, -spread, 0)}
            for side, gain in gains.items():
                total = totals[names[side - 1]]
                total[:] = map(sum, zip(total, gain, strict=True))
    return sorted(((*total, name) for name, total in totals.items()), key=repr)


def judge_standings(
    shown: list[dict[str, Any]], expected: list[tuple[object, ...]], rounds: int, found: Verdicts
) -> None:
    """Judge standings: each game is on both cards once, with the sums of the journals."""
    for each in shown:
        is_whole = each["won"] + each["lost"] == rounds
        found.add(None if is_whole else "lost or doubled", str(each))
    keys = ("points", "won", "net", "plus", "name")
    lines = sorted((tuple(each[key] for key in keys) for each in shown), key=repr)
    for mine, theirs in zip(expected, lines, strict=True):
        found.add(None if mine == theirs else "wrong standing", f"{mine} by the journals, {theirs}")


# Tables that play, and the screens that show them


COMMANDS_A_STEP: Final = 8
AGAIN_S: Final = 1.0
"""Seconds after which a page tries to connect again, as `net/stream.js` does."""
TIMEOUT_S: Final = 20.0
CLASSIC: Final = HouseRules(board="classic", game_to=121, skunk_at="finish")


class SimulatedTable:
    """Table of a night in this process, whose journal records random commands.

    The program's own code publishes it from the journal's rows.

    Args:
        folder: the folder of the journal and the book.
        broker: the broker, which knows the table's password.
        port: the port at which the table reaches the broker.
        number: the number of the table.
        seed: the seed of its games.
    """

    def __init__(self, folder: Path, broker: Mosquitto, port: int, number: int, seed: int) -> None:
        folder.mkdir()
        self.folder, self.number = folder, number
        self._broker, self._random = broker, random.Random(f"{seed}/{number}")
        self._scribe = Scribe(folder).sit(begun("classic", rules=CLASSIC))
        self._news: deque[bool] = deque()
        self._client = self._connect(port)
        self._publisher = Publisher(
            topics=TableTopics(NIGHT, number),
            folder=folder,
            board="classic",
            colours=lambda: {"1": "#ffb000", "2": "#ffffff"},
            connection=self._client,
            clock=time.monotonic,
        )
        self.standing: NightStanding = self.step()

    def _connect(self, port: int) -> BrokerClient:
        topics = TableTopics(NIGHT, self.number)
        client = BrokerClient(
            BrokerAddress(host="127.0.0.1", port=port),
            user=str(self.number),
            password=self._broker.passwords[str(self.number)],
            presence=topics.online,
            topics=(plan_topic(NIGHT),),
            received=self._receive,
            connected=self._news.append,
        )
        client.start()
        return client

    def _receive(self, topic: str, content: bytes) -> None:
        self._publisher.receive(topic, content)

    def close(self) -> None:
        """End it."""
        self._client.close()
        self._publisher.close()
        self._scribe.close()

    def step(self) -> NightStanding:
        """Publish changes."""
        while self._news:
            self._publisher.connected(is_connected=self._news.popleft())
        state = self._scribe.history.state
        sides = {side: asdict(side_value(state, side)) for side in state.setup.sides}
        view = TableResponse(
            seq=0,
            sides={side: SideResponse(**pegs, pending=0) for side, pegs in sides.items()},
            dealer=state.dealer,
            hand=state.hand,
            winner=state.winner,
        )
        self.standing = self._publisher.step(state, view, saved=True)
        return self.standing

    def begin(self) -> None:
        """Begin the next game, unless none has been won."""
        if self._scribe.history.state.winner is not None:
            self._scribe.do(NewGame())

    def play(self) -> bool:
        """Play on a little; return True once the game is won, in one of four games twice."""
        for _ in range(COMMANDS_A_STEP):
            state = self._scribe.history.state
            if state.winner is not None:
                if self._random.random() < 1 / 4:
                    self._scribe.do(Undo())
                    continue
                return True
            side, points = self._random.choice((1, 2)), self._random.randint(1, 24)
            try:
                self._scribe.do(Peg(side=side, points=points))
            except RuleError:
                self._scribe.do(Deal())
            if self._scribe.history.state.counts == 1:
                self.step()  # a table publishes within 0.2 s of its first count
        return False

    def confirm(self) -> None:
        """Confirm the result for both sides."""
        for side in (1, 2):
            self._publisher.confirm(side)


class Screen:
    """Page that follows a stream of the organiser's program, whichever runs there.

    `view` is the hall that it shows, empty without a connection.
    """

    def __init__(self, url: str) -> None:
        self.view: dict[str, Any] = {}
        self._url, self._ended = url, threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        while not self._ended.wait(AGAIN_S):
            try:
                with HTTP.stream("GET", self._url) as stream:
                    for line in stream.iter_lines():
                        self._read(line)
            except httpx.HTTPError:
                pass
            self.view = {}

    def _read(self, line: str) -> None:
        key, _, value = line.partition(": ")
        news = json.loads(value) if key == "data" else {}
        if "view" in news:
            self.view = dict(news["view"].get("hall", news["view"]))

    def close(self) -> None:
        """End it; the program that it follows has ended."""
        self._ended.set()
        self._thread.join(TIMEOUT_S)
        assert not self._thread.is_alive(), "a screen does not end"
