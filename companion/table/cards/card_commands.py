"""Objects of which a card game at a table (`card_game.DealtGame`) is made.

`Narration` tells a line of commentary for each event, with pauses. `DealtCards` are the saved
cards, `Pegging` shows and pegs counts, `PersonAnswers` takes the cards of people, and `Declaring`
lets sides declare counts and call muggins.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol, TypeAlias, TypeVar

from companion.commentary import NO_LINE, CommentaryLine, Commentator
from companion.errors import RuleError
from companion.lights import ghost
from companion.players import DiscardRequest, Player
from companion.players.player import CountRequest
from companion.players.steps import Announce, Answer, Apply, Challenge, DealRecord, Declare, Request
from companion.players.values.win_chance import best_option
from companion.rules.cards import HAND, Card, Part, count_play, count_show
from companion.rules.deal import (
    ConfirmCount,
    Count,
    Discard,
    Phase,
    PlayCard,
    Played,
    apply_all,
    decide,
)
from companion.rules.deal import State as Hand
from companion.rules.deal.declared_count import DeclaredCount
from companion.rules.game import Command, Entry, Peg, State
from companion.table.cards.declared_counts import DeclaredCounts
from companion.table.table import Table

Sleep: TypeAlias = Callable[[float], Awaitable[None]]
_Chosen = TypeVar("_Chosen")


class Think(Protocol):
    """Function that makes a slow choice without blocking the event loop."""

    async def __call__(self, choose: Callable[[], _Chosen], /) -> _Chosen:
        """Return what `choose` returns."""


DEAL_PAUSE_S: Final = 2.5  # seconds before a hand is dealt
CARD_PAUSE_S: Final = 1.2  # seconds after each card played and each line, so that people can follow


def at_speed(speed: float, sleep: Sleep = asyncio.sleep) -> Sleep:
    """Return a function that sleeps for the given seconds divided by `speed`."""
    return lambda seconds: sleep(seconds / speed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Narration:
    """Lines of commentary of one game; `narrate` is called with each."""

    commentator: Commentator
    narrate: Callable[[CommentaryLine], None]
    sleep: Sleep

    def _say(self, tell: Callable[[Commentator], str]) -> CommentaryLine:
        """Return the line that `tell` makes; narrate it if it has text."""
        line = CommentaryLine(tell(self.commentator), tell)
        if line.text:
            self.narrate(line)
        return line

    async def cards(self, step: Announce) -> None:
        for event in step.public_events:
            said = self._say(partial(Commentator.cards, event=event))
            if said.text or isinstance(event, Played):
                await self.sleep(CARD_PAUSE_S)

    def cut(self, cuts: Mapping[int, Card]) -> CommentaryLine:
        return self._say(partial(Commentator.cut, cuts=cuts))

    async def zero_count(self, count: DeclaredCount) -> None:
        zero = Count(seat=count.seat, points=0, why=count.why)
        self._say(partial(Commentator.count, count=zero))
        await self.sleep(CARD_PAUSE_S)

    def worth(self, count: DeclaredCount, parts: Sequence[Part]) -> None:
        self._say(partial(Commentator.worth, count=count, parts=parts))

    def entry(self, entry: Entry, step: Apply | None = None) -> None:
        """Narrate an entry of the game; if `step` counts cards, name these cards."""

        def tell(words: Commentator) -> str:
            line = step and step.count and words.count(step.count, step.cause, entry.events)
            return line or words.entry(entry)

        self._say(tell)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtCards:
    """Saved cards, with which a game goes on after a restart.

    Attributes:
        record: the hand that is being played.
        early_answers: discards of people before their turn, by seat.
        cut: the line of commentary about the cut for deal.
        cut_made: True after the cut for deal.
        open_count: the declared count on which muggins may be called, or None.
    """

    record: DealRecord | None = None
    early_answers: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)
    cut: CommentaryLine = NO_LINE
    cut_made: bool = False
    open_count: DeclaredCount | None = None


GHOST_PAUSE_S: Final = 1.2  # seconds for which the landing of a count is shown before its peg moves
ZONE_PAUSE_S: Final = 3.0  # replaces `GHOST_PAUSE_S` if the count lands in a zone
READING_PAUSE_S: Final = 0.8  # seconds to read a line in once the pegs are at rest


class Pegging:
    """Pegging of a card game's counts; it notices if an undo or a referee moves the pegs.

    `content` returns the cards as the journal stores them. `known` is the game on the board as
    it was when the card game last took a step (see `players.steps`).
    """

    def __init__(self, table: Table, *, content: Callable[[], bytes | None], sleep: Sleep) -> None:
        self.table, self._content, self.sleep = table, content, sleep
        self._woken = asyncio.Event()
        self.known: State = table.state

    @property
    def is_changed(self) -> bool:
        """True if the game has changed since the state `known`."""
        return self.table.state is not self.known

    def note_state(self) -> bool:
        changed, self.known = self.is_changed, self.table.state
        return changed

    def wake(self) -> None:
        """End `wait`, because something was entered or the game has changed."""
        self._woken.set()

    async def wait(self) -> None:
        """Wait until something is entered, or the game changes."""
        self._woken.clear()
        await self._woken.wait()

    async def execute(self, command: Command) -> Entry:
        return await self.table.execute(command, cards=self._content())

    async def show_and_peg(self, count: Peg) -> Entry | None:
        """Show where a count lands, then peg it; return None if the side may no longer count."""
        while self._may_count(count.side):
            before = self.table.state
            with self._announced(count):
                fate = ghost(before, count.side, count.points)
                await self.sleep(ZONE_PAUSE_S if fate and fate.kind else GHOST_PAUSE_S)
                if self.table.state is before:
                    return await self.execute(count)
        return None

    async def rest(self) -> None:
        """Wait until the pegs are at rest, and people have read the line of commentary."""
        still = self.table.display.view.motion.end - self.table.clock()
        await self.sleep(max(0.0, still) + READING_PAUSE_S)

    def _may_count(self, side: int) -> bool:
        """Return True if a side can peg, and the game is still in the hand of the dealt cards."""
        state, known = self.table.state, self.known
        same = (state.setup, state.hand, state.dealer) == (known.setup, known.hand, known.dealer)
        out = not same or state.winner is not None
        return not (out or state.pegs(side).folded or state.pegs(side).boxed)

    @contextmanager
    def _announced(self, count: Peg) -> Iterator[None]:
        self.table.announce(count)
        try:
            yield
        finally:
            self.table.announce(None)


@dataclass(slots=True, kw_only=True)
class PersonAnswers:
    """Cards that people have chosen to discard or play.

    `people` has the side of each seat with a person.
    `early` has the chosen cards by seat until the card game takes them. People may choose before it
    asks: discards, or the next card while another side must still declare a count. `ahead` is the
    hand as it will be after this count, or None if no card may be played before the count.
    `applying` is the seat whose answer is being written to the journal, or None.
    """

    people: Mapping[int, int]
    early: dict[int, tuple[Card, ...]]
    pegging: Pegging
    ahead: Hand | None = None
    applying: int | None = None

    def take(self, hand: Hand | None, seat: int, cards: tuple[Card, ...]) -> None:
        """Take the cards that a person discards, or the card that a person plays.

        Raises:
            RuleError: the rules refuse the cards; nothing is changed.
        """
        if hand is None or seat not in self.people:
            raise RuleError("no person plays at seat {seat}", seat=seat, rule="T1")
        if self._has_answered(seat):
            raise RuleError("seat {seat} has answered already", seat=seat, rule="P1")
        discards = hand.phase is Phase.DISCARD
        if not discards and len(cards) != 1:
            raise RuleError("play one card", rule="P1")
        discard = Discard(seat=seat, cards=cards)
        decide(hand, discard if discards else PlayCard(seat=seat, card=cards[0]))
        self.early[seat] = cards
        self.pegging.wake()

    def play_ahead(self, hand: Hand | None, *, counting: int | None = None) -> None:
        """Let the next seat play as if the due counts of a hand were pegged; None ends this.

        The side `counting` must declare its count first: its own card would make the count 0.
        """
        while hand and hand.due and hand.phase is Phase.PLAY:
            hand = apply_all(hand, decide(hand, ConfirmCount()))
        side = self.people.get(hand.turn or 0) if hand and hand.phase is Phase.PLAY else None
        self.ahead = None if side in (None, counting) else hand

    def may_play_ahead(self, seat: int) -> bool:
        is_next = self.ahead is not None and self.ahead.turn == seat
        return is_next and not self._has_answered(seat)

    def may_discard(self, hand: Hand, seat: int) -> bool:
        holding = {each.seat for each in hand.hands if len(each.cards) > HAND}
        return seat in self.people and seat in holding and not self._has_answered(seat)

    async def wait_for(self, step: Request) -> Answer:
        """Return a person's cards; if the game changes first, keep the cards and return None."""
        while step.seat not in self.early and not self.pegging.is_changed:
            await self.pegging.wait()
        if self.pegging.is_changed:
            return None
        cards = self.early.pop(step.seat)
        self.applying = step.seat
        return cards if isinstance(step.request, DiscardRequest) else cards[0]

    def _has_answered(self, seat: int) -> bool:
        return seat in self.early or seat == self.applying


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaring:
    """Declared counts and calls of muggins of all seats.

    `players` has the computer player of each seat, or None for a person. `show` is called when the
    game begins to wait for a side.
    """

    players: Mapping[int, Player | None]
    counts: DeclaredCounts
    answers: PersonAnswers
    narration: Narration
    pegging: Pegging
    show: Callable[[], None]
    think: Think

    async def declare(self, step: Declare) -> Answer:
        """Return the points that a side declares, or None if the game has changed."""
        player = self.players[step.count.seat]
        if player is None:
            return await self._wait_for_points(step)
        await self._wait_for_calls()
        if self.pegging.is_changed:
            return None
        return await self.think(lambda: player.count(step.request))

    async def _wait_for_points(self, step: Declare) -> int | None:
        self.counts.await_points(step.count, step.request)
        if self.answers.early:  # before a restart, the next card was played: the count is 0
            self.counts.pass_over(step.count.side)
        self.show()
        while self.counts.entered is None and not self.pegging.is_changed:
            await self.pegging.wait()
        self.counts.awaited = None
        self._drop_plays_of_old_game()
        return None if self.pegging.is_changed else self.counts.entered

    async def challenge(self, step: Challenge) -> None:
        """Let computers call muggins now, and people until they pass or the next count begins."""
        if self.counts.offer(step.count, _parts_of(step.request)):
            self.show()
            if not step.count.declared and not self.answers.early:
                await self.narration.zero_count(step.count)
            await self._call_by_computers(step)
        if step.closes:
            await self._wait_for_calls()
            if not self.pegging.is_changed:
                self.counts.let_stand()

    async def _call_by_computers(self, step: Challenge) -> None:
        """Call muggins for the first computer that finds a wrong count and gains by it.

        A computer calls if its chance to win rises when it keeps the points or gives them back
        (rule M3). A computer with a person on its side leaves the call to the person.
        """
        count, state = step.count, self.pegging.table.state
        for seat, player in self.players.items():
            side = state.setup.side_of(seat)
            if player is None or side in self.counts.people or not self.counts.may_call(side):
                continue
            found = await self.think(partial(player.count, step.request))
            if found != count.actual or found == count.declared:
                continue
            points = abs(found - (count.declared or 0))
            options = self.counts.options(count, side, points)
            best = await self.think(partial(best_option, state, side, options))
            if best is None:
                continue
            await self.pegging.sleep(CARD_PAUSE_S)
            if self.pegging.is_changed:
                return
            with suppress(RuleError):
                command = self.counts.call(side, points, given_back=best is not options[0])
                await self.pegging.table.execute(command)
                await self.pegging.rest()
            return

    async def _wait_for_calls(self) -> None:
        """Wait until each side with people has called muggins or passed, or an opponent plays."""
        while self.counts.undecided and not self.pegging.is_changed and not self._is_played_on():
            self.show()
            await self.pegging.wait()
        self._drop_plays_of_old_game()

    def _drop_plays_of_old_game(self) -> None:
        """Drop cards that were played ahead if an undo or a referee has changed the game."""
        if self.pegging.is_changed:
            self.answers.early.clear()

    def _is_played_on(self) -> bool:
        side_of = self.pegging.table.state.setup.side_of
        count = self.counts.open
        return count is not None and any(side_of(seat) != count.side for seat in self.answers.early)


def _parts_of(request: CountRequest) -> tuple[Part, ...]:
    if request.starter is None:
        return count_play(request.cards).parts
    return count_show(request.cards, request.starter, crib=request.crib).parts
