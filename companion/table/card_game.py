"""A game of cards at the running table: every count goes the way of a press of Enter.

Computers choose in a thread of their own, so that neither buttons nor lights wait for them; people
answer through `answer`. Each event is narrated in words. The table stays everybody's: when somebody
else changes the game, the dealer learns of it and does what its module says.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final, TypeAlias, TypeVar

from companion.commentary import Commentator
from companion.errors import RuleError
from companion.lights import ghost
from companion.players import DiscardRequest, Player
from companion.players.match.dealer import run_game
from companion.players.match.steps import Announce, Answer, Apply, DealerStep, Request
from companion.rules.cards import Card
from companion.rules.deal import Command, Discard, Phase, PlayCard, Played, decide
from companion.rules.deal import State as Hand
from companion.rules.game import Entry, Peg, State
from companion.table.table import Table

CARD_PAUSE_S: Final = 1.2
"""Seconds after each card played and each line, so that people can follow."""

GHOST_PAUSE_S: Final = 1.2
"""Seconds from where a count would land to the walk there."""

ZONE_PAUSE_S: Final = 3.0
"""The same where a zone awaits it."""

READING_PAUSE_S: Final = 0.8
"""Seconds after the pegs have come to rest."""

DEAL_PAUSE_S: Final = 2.5
"""Seconds before a hand is dealt."""

_Chosen = TypeVar("_Chosen")
Sleep: TypeAlias = Callable[[float], Awaitable[None]]
Think: TypeAlias = Callable[[Callable[[], Answer]], Awaitable[Answer]]


def at_speed(speed: float, sleep: Sleep = asyncio.sleep) -> Sleep:
    """Return a sleep for tables that play `speed` times as fast."""
    return lambda seconds: sleep(seconds / speed)


class PlayerThread:
    """A thread in which players choose, while the table goes on.

    It has ended, once closed, when the thought under way is done; nobody waits for that.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "player")

    async def think(self, choose: Callable[[], _Chosen]) -> _Chosen:
        """Return the choice, made in the thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, choose)

    def close(self) -> None:
        """Take no more thoughts."""
        self._thread.shutdown(wait=False, cancel_futures=True)


class DealtGame:
    """A game of cards being played at a table.

    Args:
        players: who plays each seat, from 1 on; None is a person, whose cards come by `answer`.
        narrate: is given each line of what happens.
        changed: is called whenever the cards have changed.

    `hand` is how the cards stand, None before the first deal; `awaited` the seat whose card is
    awaited, if any.
    """

    def __init__(
        self,
        table: Table,
        players: Mapping[int, Player | None],
        commentator: Commentator,
        *,
        rng: random.Random,
        narrate: Callable[[str], None],
        changed: Callable[[], None],
        think: Think,
        clock: Callable[[], float] = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._table, self._players, self._commentator = table, players, commentator
        self._rng, self._narrate, self._changed = rng, narrate, changed
        self._clock, self._sleep, self._think = clock, sleep, think
        self._known: State = table.state
        self._given: dict[int, tuple[Card, ...]] = {}
        self._woken = asyncio.Event()
        self.hand: Hand | None = None
        self.awaited: int | None = None

    async def run(self, *, cut: bool = True) -> None:
        """Play to the win, by whatever it comes, or until the table plays with other sides.

        Without a `cut` the table's dealer deals the first hand of a game.

        Raises:
            RuleError: a computer plays against the rules.
        """
        self._known = self._table.state
        steps = run_game(self._known, self._rng, cut=cut)
        unsubscribe = self._table.subscribe(self._woken.set)
        answer: Answer = None
        try:
            while True:
                step = steps.send(answer)
                answer = self._with_news(step, await self._carry_out(step))
        except StopIteration:
            return
        finally:
            unsubscribe()

    def _with_news(self, step: DealerStep, answer: Answer) -> Answer:
        """Return the answer; or the state of the game if it has changed, which goes first."""
        changed, self._known = self._is_changed, self._table.state
        return self._known if changed or isinstance(step, Apply) else answer

    @property
    def _is_changed(self) -> bool:
        return self._table.state is not self._known

    async def _carry_out(self, step: DealerStep) -> Answer:
        match step:
            case Request():
                return await self._choose(step)
            case Apply():
                await self._do(step)
            case Announce():
                await self._tell(step)
        return None

    # Choosing

    def answer(self, seat: int, cards: tuple[Card, ...]) -> None:
        """Take the cards that a person throws or the one that it plays.

        Discards may come before their turn, a card to play only in it.

        Raises:
            RuleError: the rules refuse them; nothing is changed.
        """
        if self.hand is None or self._players.get(seat, self) is not None:
            raise RuleError(f"no person plays at seat {seat}", rule="T1")
        if seat in self._given:
            raise RuleError(f"seat {seat} has answered already", rule="P1")
        decide(self.hand, _choice(self.hand, seat, cards))
        self._given[seat] = cards
        self._woken.set()

    async def _choose(self, ask: Request) -> Answer:
        player = self._players[ask.seat]
        if player and ask.refused:
            raise ask.refused
        self.awaited = ask.seat
        self._changed()
        try:
            return await (self._ask(player, ask) if player else self._wait_for(ask))
        finally:
            self.awaited = None

    async def _ask(self, player: Player, ask: Request) -> Answer:
        question = ask.request
        if isinstance(question, DiscardRequest):
            return await self._think(lambda: player.discard(question))
        return await self._think(lambda: player.play(question))

    async def _wait_for(self, ask: Request) -> Answer:
        """Return the cards of a person; they stay given if the game changes before they count."""
        while ask.seat not in self._given and not self._is_changed:
            self._woken.clear()
            await self._woken.wait()
        if self._is_changed:
            return None
        cards = self._given.pop(ask.seat)
        return cards if isinstance(ask.request, DiscardRequest) else cards[0]

    # Pegging and telling

    async def _do(self, do: Apply) -> None:
        """Have a command carried out, and wait until the pegs stand still."""
        try:
            entry = await self._applied(do)
        except RuleError:
            if not self._is_changed:
                raise
            return  # what made it wrong came from somebody else, and goes before it
        if entry is None:
            return
        words = self._commentator
        line = do.count and words.count(do.count, do.cause, entry.events)
        self._say(line or words.entry(entry))
        still = self._table.news.view.motion.end - self._clock()
        await self._sleep(max(0.0, still) + READING_PAUSE_S)

    async def _applied(self, do: Apply) -> Entry | None:
        """Show first what a count will do; None if the game has changed while that was shown."""
        command = do.command
        if not isinstance(command, Peg):
            return await self._table.execute(command)
        with self._announced(command):
            fate = ghost(self._table.state, command.team, command.points)
            await self._sleep(ZONE_PAUSE_S if fate and fate.kind else GHOST_PAUSE_S)
            return None if self._is_changed else await self._table.execute(command)

    @contextmanager
    def _announced(self, count: Peg) -> Iterator[None]:
        self._table.announce(count)
        try:
            yield
        finally:
            self._table.announce(None)

    async def _tell(self, step: Announce) -> None:
        if not step.events:
            await self._sleep(DEAL_PAUSE_S)
            self._given.clear()
        self.hand = step.hand
        self._changed()
        for event in step.events:
            said = self._say(self._commentator.cards(event))
            if said or isinstance(event, Played):
                await self._sleep(CARD_PAUSE_S)

    def _say(self, line: str) -> bool:
        """Tell a line, if it is one."""
        if line:
            self._narrate(line)
        return bool(line)


def _choice(hand: Hand, seat: int, cards: tuple[Card, ...]) -> Command:
    if hand.phase is Phase.DISCARD:
        return Discard(seat=seat, cards=cards)
    if len(cards) != 1:
        raise RuleError("play one card", rule="P1")
    return PlayCard(seat=seat, card=cards[0])
