"""Card game at the running table. Its counts are checked and saved like counts from buttons.

The generator `players.dealer.run_game` yields steps, and this game carries them out: a
request goes to a computer or waits for a person, a command goes to the table, and an announcement
is narrated. Computers choose in a thread, so that buttons and lights do not wait for them. If a
referee or an undo moves pegs meanwhile, the generator receives the changed game instead of an
answer.

Example: seat 2 plays a card for 2 points. The board shows the trail and the ghost (landing hole)
for 1.2 s; then the count is saved and narrated. The next seat is asked 0.8 s after the peg stops.
"""

import asyncio
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

from companion.commentary import NO_LINE, CommentaryLine, Commentator
from companion.errors import RuleError
from companion.players import Player
from companion.players.dealer import run_game
from companion.players.steps import (
    Announce,
    Answer,
    Apply,
    Challenge,
    CutForDeal,
    DealerStep,
    DealerSteps,
    Declare,
    Request,
    Won,
)
from companion.players.values.win_chance import with_choices
from companion.rules.cards import Card
from companion.rules.deal import Phase
from companion.rules.deal import State as Hand
from companion.rules.deal.declared_count import DECLARED_KINDS
from companion.rules.game import Command, Peg
from companion.table.cards.card_commands import (
    CARD_PAUSE_S,
    DEAL_PAUSE_S,
    DealtCards,
    Declaring,
    Narration,
    Pegging,
    PersonAnswers,
    Sleep,
    Think,
)
from companion.table.cards.declared_counts import DeclaredCounts
from companion.table.table import Table


class DealtGame:
    """Card game at a table.

    Args:
        players: the player of each seat, from 1 on; None is a person, who answers through `answer`.
        narrate: called with each line of commentary.
        changed: called whenever the cards have changed.
        tells: True to narrate a wrong count's real points once muggins can no longer be called.
        restored: the saved cards of a game that continues after a restart.
        encode: encodes the cards for the journal, which stores them before they are shown; None
            stores no cards.

    Attributes:
        hand: the cards, or None before the first deal.
        awaited: the seat that must answer, or None.
        counts: the counts that people declare in a game with muggins.
    """

    def __init__(
        self,
        table: Table,
        players: Mapping[int, Player | None],
        commentator: Commentator,
        *,
        rng: random.Random,
        narrate: Callable[[CommentaryLine], None],
        changed: Callable[[], None],
        think: Think,
        tells: bool = True,
        restored: DealtCards | None = None,
        encode: Callable[[DealtCards], bytes] | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._table, self._players = table, players
        self._rng, self._changed = rng, changed
        self._sleep, self._think, self._encode = sleep, think, encode
        restored = restored or DealtCards()
        self._record = self._restored = restored.record
        self._cut, self._cut_made = restored.cut, restored.cut_made
        self._open_count = restored.open_count
        self._won: DealerSteps | None = None  # the steps go on if the win is taken back
        self._pegging = Pegging(table, content=self._content, sleep=sleep)
        side_of = table.state.setup.side_of
        people = {seat: side_of(seat) for seat, player in players.items() if player is None}
        self._answers = PersonAnswers(
            people=people, early=dict(restored.early_answers), pegging=self._pegging
        )
        self._narration = Narration(commentator=commentator, narrate=narrate, sleep=sleep)
        self.counts = DeclaredCounts(table, people, self._narration.worth if tells else None)
        self._declaring = Declaring(
            players=players,
            counts=self.counts,
            answers=self._answers,
            narration=self._narration,
            pegging=self._pegging,
            show=self._show,
            think=think,
        )
        self.hand: Hand | None = None
        self.awaited: int | None = None

    async def run(self, *, cut: bool = True) -> None:
        """Play until a side wins, or until the table plays another game.

        If `cut` is False, the table's dealer deals first, without a cut for deal. If a win was
        undone, the hand that it had ended goes on.

        Raises:
            RuleError: a computer plays against the rules.
        """
        self._pegging.note_state()
        won, self._won = self._won, None
        unsubscribe = self._table.changed.subscribe(self._follow)
        self.counts.show()
        try:
            if won:
                await self._deal(won, self._pegging.known)
            else:
                await self._deal(self._begin(cut=cut), None)
        finally:
            unsubscribe()
            self.counts.close()

    def _begin(self, *, cut: bool) -> DealerSteps:
        record, self._restored = self._restored, None
        self._cut = self._cut if cut else NO_LINE
        if self._open_count and record and record.is_of(self._pegging.known):
            self.counts.restore(self._open_count)
        self._open_count = None
        people, cut = self.counts.people, cut and not self._cut_made
        history = self._table.queue.history
        return run_game(
            self._pegging.known,
            self._rng,
            cut=cut,
            declares=bool(people),
            people=people,
            record=record,
            commands=lambda: [entry.command for entry in history.latest(len(history))],
        )

    async def _deal(self, steps: DealerSteps, answer: Answer) -> None:
        """Carry out the steps of `run_game` until the game is won or replaced."""
        with suppress(StopIteration):
            while True:
                step = steps.send(answer)
                if isinstance(step, Won):
                    self._won = steps
                    return
                answer = await self._carry_out(step)
                changed = self._pegging.note_state()
                if changed or isinstance(step, Apply):  # the generator goes on from the new game
                    answer = self._pegging.known

    def _follow(self) -> None:
        correction = self.counts.follow()
        if correction:
            self._narration.entry(correction)
        self.counts.show()
        self._pegging.wake()

    def _show(self) -> None:
        """Show the awaited side on the panel, and the awaited seat on pages."""
        self.counts.show()
        self._changed()

    async def _carry_out(self, step: DealerStep) -> Answer:
        self._cut_made = self._cut_made or not isinstance(step, CutForDeal)
        match step:
            case Request():
                return await self._choose(step)
            case Declare():
                return await self._declare(step)
            case Challenge():
                self._answers.play_ahead(self.hand if step.plays_on else None)
                await self._declaring.challenge(step)
                self._answers.play_ahead(None)
            case Apply():
                await self._do(step)
            case Announce():
                await self._announce(step)
            case CutForDeal(cuts=cuts):
                await self._narrate_cut(cuts)
            case Won():
                pass  # `_deal` handles it
        return None

    # Saving

    @property
    def cut(self) -> CommentaryLine:
        """The line about the cut for deal, empty after the first count."""
        return NO_LINE if self._table.state.counts else self._cut

    def _content(self) -> bytes | None:
        """Return the cards as the journal stores them, or None if they are not stored."""
        if self._encode is None:
            return None
        dealt = DealtCards(
            record=self._record,
            early_answers=self._answers.early,
            cut=self.cut,
            cut_made=self._cut_made,
            open_count=self.counts.open,
        )
        return self._encode(dealt)

    async def save(self) -> None:
        content = self._content()
        if content is not None:
            await self._table.queue.save_cards(content)

    # Choosing

    @property
    def next_hand(self) -> Hand | None:
        """The hand for the next choice; while a count must be declared, the hand after it."""
        return self._answers.ahead or self.hand

    def answer(self, seat: int, cards: tuple[Card, ...]) -> None:
        """Take the cards that a person discards, or the card that a person plays.

        A person may discard before its turn, but may play a card only in its turn, or when its turn
        follows a count that another side must still declare (see `declared_counts`).

        Raises:
            RuleError: the rules refuse the cards, or a side is entering its count; nothing is
                changed.
        """
        hand = self.next_hand
        plays = hand is not None and hand.phase is Phase.PLAY
        if plays:
            self.counts.refuse_hurry()
        self._answers.take(hand, seat, cards)
        if plays:
            self.counts.pass_over(self._table.state.setup.side_of(seat))

    def awaits(self, seat: int) -> bool:
        """Return True if the person at a seat may answer: discard at any time, play in its turn."""
        hand = self.hand
        if hand is None or hand.phase is not Phase.DISCARD:
            return self.awaited == seat or self._answers.may_play_ahead(seat)
        return self._answers.may_discard(hand, seat)

    async def _choose(self, step: Request) -> Answer:
        player = self._players[step.seat]
        self.awaited, self._answers.applying = step.seat, None
        self._show()
        try:
            if player:
                return await self._think(lambda: step.answer_of(player))
            return await self._answers.wait_for(step)
        finally:
            self.awaited = None

    # Counts that sides declare, and points that they may take

    @property
    def computers(self) -> tuple[int, ...]:
        return tuple(t for t in self._table.state.setup.sides if t not in self.counts.people)

    async def with_choices(self, command: Command) -> Command:
        """Return a referee's command in which computers take only points that help them to win.

        Raises:
            RuleError: the rules refuse the command, or muggins would not help the calling computer.
        """
        return await self._think(partial(with_choices, self._table.state, command, self.computers))

    async def enter(
        self, side: int, points: int, *, given_back: bool = False, seat: int | None = None
    ) -> None:
        """Take points that a person enters on a page; see `DeclaredCounts.enter`."""
        try:
            command = self.counts.enter(side, points, given_back=given_back, seat=seat)
            if command:
                await self._table.execute(command)
        finally:
            self._pegging.wake()
            self._show()

    async def _declare(self, step: Declare) -> Answer:
        if step.previous is None:
            self.counts.close_before()
        if step.record != self._record:  # a count was taken back
            self._record = step.record
            self._answers.early.clear()
            await self.save()
        self.hand = step.hand
        plays_on = step.plays_on and self._players[step.count.seat] is None
        self._answers.play_ahead(step.hand if plays_on else None, counting=step.count.side)
        try:
            return await self._declaring.declare(step)
        finally:
            self._answers.play_ahead(None)

    # Pegging and narrating

    async def _do(self, step: Apply) -> None:
        """Carry out a command, and wait until the pegs are at rest."""
        self._record, command = step.record, step.command
        try:
            if isinstance(command, Peg) and not self._is_entered(step):
                entry = await self._pegging.show_and_peg(command)
            else:
                entry = await self._pegging.execute(command)
        except RuleError:
            if not self._pegging.is_changed:
                raise
            return  # the game has changed meanwhile: `_deal` goes on from the new state
        if entry:
            self._narration.entry(entry, step)
            await self._pegging.rest()

    def _is_entered(self, step: Apply) -> bool:
        """Return True if a person entered the count; the board has then shown it already."""
        count = step.count
        declared = count and count.why in DECLARED_KINDS and step.cause is None
        return bool(count and declared and self._players[count.seat] is None)

    async def _announce(self, step: Announce) -> None:
        if not step.events and step.record != self._record:  # a count was taken back
            self._answers.early.clear()
        self._record = step.record
        if not step.events and not step.record.commands:
            await self._sleep(DEAL_PAUSE_S)
            self._answers.early.clear()
        await self.save()
        self.hand, self._answers.applying = step.hand, None
        self._show()
        await self._narration.cards(step)

    async def _narrate_cut(self, cuts: Mapping[int, Card]) -> None:
        self._cut = self._narration.cut(cuts)
        self._changed()
        await self._sleep(CARD_PAUSE_S)
