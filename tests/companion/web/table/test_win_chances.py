"""Win chances for the stream, computed outside of the event loop for the newest state."""

import asyncio

from companion.players.values.win_chance import win_chances
from companion.rules.game import Peg, Setup, apply_all, decide, new_game
from companion.web.table.win_chances import WinChances
from companion.worker import Worker
from tests.support.card_games import setup_for
from tests.support.limits import TIMEOUT_S


def test_chances_come_later_and_are_of_the_newest_state() -> None:
    """They are None at first, then of the last known state; other games have none."""

    async def play() -> None:
        changed = asyncio.Event()
        feed = WinChances(changed.set, Worker("thinking"))

        async def next_change() -> None:
            changed.clear()
            await asyncio.wait_for(changed.wait(), TIMEOUT_S)

        setup: Setup = setup_for(2, board="classic")
        first = new_game(setup)
        second = apply_all(first, decide(first, Peg(side=1, points=29)))
        assert feed.of(first) is None
        await next_change()
        assert win_chances(first) == feed.of(first) == feed.of(second)
        await next_change()
        assert win_chances(second) == feed.of(second)
        assert feed.of(first, demo=object()) is None
        assert feed.of(new_game(setup_for(3, board="classic"))) is None

    asyncio.run(play())


def test_chances_stand_no_longer_than_their_game() -> None:
    """Old ones end with a win, a new game, or the return from it."""
    states = [new_game(setup_for(2, board="classic"))]
    for _ in range(5):
        states.append(apply_all(states[-1], decide(states[-1], Peg(side=1, points=29))))

    async def play() -> set[tuple[int, int]]:
        standing = set()
        for before, after in ((0, 1), (1, 2), (2, 1), (2, 0), (0, 2), (2, 5), (5, 2)):
            changed = asyncio.Event()
            feed = WinChances(changed.set, Worker("thinking"))
            feed.of(states[before])
            await asyncio.wait_for(changed.wait(), TIMEOUT_S)
            standing |= {(before, after)} if feed.of(states[after]) else set()
        return standing

    assert {(0, 1), (1, 2), (2, 1)} == asyncio.run(play())
