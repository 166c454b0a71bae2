"""A game of cards at the running table: every count goes the way of a press of Enter.

Computers choose in a thread of their own, so that neither buttons nor lights wait for them; people
answer through `answer`. Each event is narrated in words. The table stays everybody's: when somebody
else changes the game, the dealer learns of it and does what its module says.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final

from companion.commentary import Commentator
from companion.errors import RuleError
from companion.lights import ghost
from companion.players import DiscardRequest, Player
from companion.players.match.dealer import run_game
from companion.players.match.steps import (
    Announce,
    Answer,
    Apply,
    Challenge,
    CutForDeal,
    DealerStep,
    Declare,
    Request,
)
from companion.rules.cards import Card
from companion.rules.deal import Command, Count, Discard, Phase, PlayCard, Played, decide
from companion.rules.deal import State as Hand
from companion.rules.deal.declared_count import DECLARED_KINDS, DeclaredCount
from companion.rules.game import Entry, Peg, State
from companion.table.dealt_cards import DealtCards
from companion.table.declared_counts import DeclaredCounts
from companion.table.pace import Sleep, Think
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


class DealtGame:
    """A game of cards being played at a table.

    Args:
        players: who plays each seat, from 1 on; None is a person, whose cards come by `answer`.
        narrate: is given each line of what happens.
        changed: is called whenever the cards have changed.
        restored: the cards to go on from.
        encode: makes the content that the journal keeps of the cards before anybody sees them;
            without it they are not kept.

    `hand` is how the cards stand, None before the first deal; `awaited` the seat whose card is
    awaited, if any; `cut` the line about the cut for deal, empty after the first count. Where
    muggins is played and people take part, each side makes its own counts: `counts` takes them.
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
        restored: DealtCards | None = None,
        encode: Callable[[DealtCards], bytes] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._table, self._players, self._commentator = table, players, commentator
        self._rng, self._narrate, self._changed = rng, narrate, changed
        self._clock, self._sleep, self._think = clock, sleep, think
        self._known: State = table.state
        self._encode = encode
        kept = restored or DealtCards()
        self._record = self._restored = kept.record
        self._given = dict(kept.given)
        self._cut, self._cut_made = kept.cut, kept.cut_made
        self._applying: int | None = None
        """The seat whose answer is on its way to the journal."""
        self._woken = asyncio.Event()
        team_of = table.state.setup.team_of
        people = {seat: team_of(seat) for seat, player in players.items() if player is None}
        self.counts = DeclaredCounts(table, people)
        self.hand: Hand | None = None
        self.awaited: int | None = None

    async def run(self, *, cut: bool = True) -> None:
        """Play to the win, by whatever it comes, or until the table plays with other sides.

        Without a `cut` the table's dealer deals the first hand of a game.

        Raises:
            RuleError: a computer plays against the rules.
        """
        self._known = self._table.state
        people = None in self._players.values()
        record, self._restored = self._restored, None
        self._cut = self._cut if cut else ""
        cut = cut and not self._cut_made
        steps = run_game(self._known, self._rng, cut=cut, declares=people, record=record)
        unsubscribe = self._table.subscribe(self._follow)
        self.counts.show()
        answer: Answer = None
        try:
            while True:
                step = steps.send(answer)
                answer = self._with_news(step, await self._carry_out(step))
        except StopIteration:
            return
        finally:
            unsubscribe()
            self.counts.close()

    def _follow(self) -> None:
        """Take note of a change of the table."""
        correction = self.counts.follow()
        if correction:
            self._say(self._commentator.entry(correction))
        self.counts.show()
        self._woken.set()

    def _show(self) -> None:
        """Have the panel and the pages show what is awaited now."""
        self.counts.show()
        self._changed()

    def _with_news(self, step: DealerStep, answer: Answer) -> Answer:
        """Return the answer; or the state of the game if it has changed, which goes first."""
        changed, self._known = self._is_changed, self._table.state
        return self._known if changed or isinstance(step, Apply) else answer

    @property
    def _is_changed(self) -> bool:
        return self._table.state is not self._known

    async def _carry_out(self, step: DealerStep) -> Answer:
        self._cut_made = self._cut_made or not isinstance(step, CutForDeal)
        match step:
            case Request():
                return await self._choose(step)
            case Declare():
                return await self._declare(step)
            case Challenge():
                await self._challenge(step)
            case Apply():
                await self._do(step)
            case Announce():
                await self._tell(step)
            case CutForDeal(cuts=cuts):
                await self._tell_cut(cuts)
        return None

    # Keeping

    @property
    def cut(self) -> str:
        """The line about the cut for deal, empty after the first count."""
        return "" if self._table.state.counts else self._cut

    def _content(self) -> bytes | None:
        """Return the content that the journal keeps of the cards; None if it keeps none."""
        if self._encode is None:
            return None
        return self._encode(
            DealtCards(
                record=self._record, given=self._given, cut=self.cut, cut_made=self._cut_made
            )
        )

    async def keep(self) -> None:
        """Have the cards written as they are, answers given before their turn included."""
        content = self._content()
        if content is not None:
            await self._table.keep_cards(content)

    # Choosing

    def answer(self, seat: int, cards: tuple[Card, ...]) -> None:
        """Take the cards that a person throws or the one that it plays.

        Discards may come before their turn, a card to play only in it.

        Raises:
            RuleError: the rules refuse them; nothing is changed.
        """
        if self.hand is None or self._players.get(seat, self) is not None:
            raise RuleError(f"no person plays at seat {seat}", rule="T1")
        if seat in self._given or seat == self._applying:
            raise RuleError(f"seat {seat} has answered already", rule="P1")
        decide(self.hand, _choice(self.hand, seat, cards))
        self._given[seat] = cards
        self._woken.set()

    async def _choose(self, ask: Request) -> Answer:
        player = self._players[ask.seat]
        if player and ask.refused:
            raise ask.refused
        self.awaited, self._applying = ask.seat, None
        self._show()
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
            await self._wake()
        if self._is_changed:
            return None
        cards = self._given.pop(ask.seat)
        self._applying = ask.seat
        return cards if isinstance(ask.request, DiscardRequest) else cards[0]

    # Counts that sides declare

    async def enter(self, team: int, points: int) -> None:
        """Take points that a person's page enters, as its side's buttons would.

        Raises:
            RuleError: the side has nothing to enter, or its call is wrong.
        """
        try:
            command = self.counts.enter(team, points)
            if command:
                await self._table.execute(command)
        finally:
            self._woken.set()
            self._show()

    async def _declare(self, step: Declare) -> Answer:
        if step.record != self._record:  # a count was taken back
            self._record = step.record
            await self.keep()
        self.hand = step.hand
        if step.previous is None:
            self.counts.open = None
        player = self._players[step.count.seat]
        if player is None:
            return await self._wait_for_points(step.count)
        await self._wait_for_calls()
        return None if self._is_changed else await self._think(lambda: player.count(step.request))

    async def _wait_for_points(self, count: DeclaredCount) -> int | None:
        """Return the points that a person declares."""
        self.counts.await_points(count)
        self._show()
        while self.counts.entered is None and not self._is_changed:
            await self._wake()
        self.counts.awaited = None
        return None if self._is_changed else self.counts.entered

    async def _challenge(self, step: Challenge) -> None:
        """Let computers call muggins at once, and people until they go on or the next count."""
        if self.counts.offer(step.count):
            self._show()
            if not step.count.declared:
                count = Count(seat=step.count.seat, points=0, why=step.count.why)
                self._say(self._commentator.count(count))
                await self._sleep(CARD_PAUSE_S)
            await self._call_by_computers(step)
        if step.closes:
            await self._wait_for_calls()
            if not self._is_changed:
                self.counts.open = None

    async def _call_by_computers(self, step: Challenge) -> None:
        """Call muggins for the first computer that finds the points of a wrong count."""
        count = step.count
        for seat, player in self._players.items():
            team = self._table.state.setup.team_of(seat)
            if player is None or not self.counts.may_call(team):
                continue
            found = await self._think(partial(player.count, step.request))
            if found != count.actual or found == count.declared:
                continue
            await self._sleep(CARD_PAUSE_S)
            if self._is_changed:
                return
            with suppress(RuleError):
                command = self.counts.call(team, abs(found - (count.declared or 0)))
                await self._table.execute(command)
                await self._rest()
            return

    async def _wait_for_calls(self) -> None:
        """Wait until each side of people that may call muggins has called or gone on."""
        while self.counts.undecided and not self._is_changed:
            self._show()
            await self._wake()

    async def _wake(self) -> None:
        """Wait until something has been entered or changed."""
        self._woken.clear()
        await self._woken.wait()

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
        await self._rest()

    async def _rest(self) -> None:
        """Wait until the pegs stand still, and people have read the line."""
        still = self._table.news.view.motion.end - self._clock()
        await self._sleep(max(0.0, still) + READING_PAUSE_S)

    async def _applied(self, do: Apply) -> Entry | None:
        """Show first what a count will do; None if a change meanwhile has taken it away."""
        command = do.command
        self._record = do.record
        if not isinstance(command, Peg) or self._is_entered(do):
            return await self._table.execute(command, cards=self._content())
        while self._may_count(command.team):
            before = self._table.state
            with self._announced(command):
                fate = ghost(before, command.team, command.points)
                await self._sleep(ZONE_PAUSE_S if fate and fate.kind else GHOST_PAUSE_S)
                if self._table.state is before:
                    return await self._table.execute(command, cards=self._content())
        return None

    def _may_count(self, team: int) -> bool:
        """Return True if a side still counts in the hand that the cards are dealt for."""
        state, known = self._table.state, self._known
        same = (state.setup, state.hand, state.dealer) == (known.setup, known.hand, known.dealer)
        out = not same or state.winner is not None
        return not (out or state.side(team).folded or state.side(team).boxed)

    def _is_entered(self, do: Apply) -> bool:
        """Return True for a count that a person has entered: it has been shown."""
        count = do.count
        declared = count and count.why in DECLARED_KINDS and do.cause is None
        return bool(count and declared and self._players[count.seat] is None)

    @contextmanager
    def _announced(self, count: Peg) -> Iterator[None]:
        self._table.announce(count)
        try:
            yield
        finally:
            self._table.announce(None)

    async def _tell(self, step: Announce) -> None:
        self._record = step.record
        if not step.events and not step.record.commands:
            await self._sleep(DEAL_PAUSE_S)
            self._given.clear()
        await self.keep()
        self.hand, self._applying = step.hand, None
        self._show()
        for event in step.public_events:
            said = self._say(self._commentator.cards(event))
            if said or isinstance(event, Played):
                await self._sleep(CARD_PAUSE_S)

    async def _tell_cut(self, cuts: Mapping[int, Card]) -> None:
        self._cut = self._commentator.cut(cuts)
        self._say(self._cut)
        self._changed()
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
