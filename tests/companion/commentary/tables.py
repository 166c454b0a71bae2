"""Whole games and single commands for the commentary, described in each language."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from companion.commentary import Commentator
from companion.rules.cards import DECK
from companion.rules.deal import (
    Command,
    ConfirmCount,
    Count,
    CutStarter,
    Discard,
    Phase,
    PlayCard,
    Played,
    Seating,
    Shown,
    State,
    Stop,
    apply_all,
    decide,
    new_deal,
)
from companion.rules.deal import Event as CardEvent
from companion.rules.game import Command as GameCommand
from companion.rules.game import (
    Deal,
    Entry,
    Event,
    History,
    HouseRules,
    Kind,
    Muggins,
    Peg,
    Setup,
    new_game,
)
from tests.companion.rules.game.tables import NO_SKUNKS, Table
from tests.support.boards import CRIB_WARS

NAMES = {1: "Amber", 2: "White", 3: "Magenta"}
LANGUAGES = ("en", "fr")
SIDES = {2: 2, 3: 3, 4: 2, 6: 3}
"""Sides by players (rule T1)."""


def rows_of(text: str) -> list[list[str]]:
    """Return the rows of a text: each thing with its words in English and in French."""
    rows = re.split(r"\n(?=\w)", text.strip())
    return [re.sub(r"[ \n]+", " ", row).split(" | ") for row in rows]


def setup_of(players: int, rules: HouseRules | None = None) -> Setup:
    """Return a game of Crib Wars for this number of players."""
    sides = tuple(range(1, SIDES[players] + 1))
    return Setup.make(CRIB_WARS, rules or HouseRules(), sides=sides, players=players)


def commentators(setup: Setup) -> tuple[Commentator, ...]:
    """Return one for each language, English first."""
    return tuple(Commentator.make(language, NAMES, setup) for language in LANGUAGES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A line, its subject, and its counted points, if any."""

    about: CardEvent | Entry
    line: str
    made_by: Played | Shown | None = None
    points: int = 0


class Evening:
    """A random game to its end, with every card and every entry described."""

    def __init__(self, commentator: Commentator, *, seed: int) -> None:
        self._random = Random(seed)
        self._commentator = commentator
        self.history = History(new_game(commentator.setup))

    def reported(self) -> Iterator[Report]:
        """All lines of the game, in order; empty ones too."""
        while self.history.state.winner is None:
            yield from self._hand()
            if self.history.state.winner is None:
                entry = self.history.do(Deal())
                yield Report(about=entry, line=self._commentator.entry(entry))

    def _hand(self) -> Iterator[Report]:
        setup = self.history.state.setup
        boxed = self.history.state.boxed_side()
        seating = Seating.make(
            players=setup.players, dealer=self.history.state.dealer, sides=setup.sides, boxed=boxed
        )
        deck = self._random.sample(DECK, len(DECK))
        state = new_deal(seating, deck)
        made_by: Played | Shown | None = None
        while state.phase is not Phase.OVER:
            entry = self._pegged(state.due) if state.due else None
            if state.due and entry:
                line = self._commentator.count(state.due, made_by, entry.events)
                yield Report(about=state.due, made_by=made_by, line=line, points=state.due.points)
            events = decide(state, self._answer(entry) if entry else self._choice(state))
            state = apply_all(state, events)
            for event in events:
                made_by = event if isinstance(event, Played | Shown) else made_by
                if not isinstance(event, Count):
                    yield Report(about=event, line=self._commentator.cards(event))

    def _pegged(self, due: Count) -> Entry:
        side = self._commentator.setup.side_of(due.seat)
        return self.history.do(Peg(side=side, points=due.points))

    def _answer(self, entry: Entry) -> Command:
        if self.history.state.winner is not None:
            return Stop()
        return ConfirmCount(folded=folded(entry.events))

    def _choice(self, state: State) -> Command:
        if state.phase is Phase.STARTER:
            return CutStarter(seat=state.seating.cutter)
        if state.phase is Phase.DISCARD:
            hand = next(hand for hand in state.hands if len(hand.cards) == state.seating.dealt)
            thrown = self._random.sample(hand.cards, state.seating.discards)
            return Discard(seat=hand.seat, cards=tuple(thrown))
        assert state.turn is not None
        return PlayCard(seat=state.turn, card=self._random.choice(state.playable(state.turn)))


def folded(events: tuple[Event, ...]) -> tuple[int, ...]:
    """Return the sides that a count has folded."""
    return tuple(event.side for event in events if event.kind is Kind.FOLDED and event.side)


EVERYWHERE = replace(NO_SKUNKS, muggins="on", muggins_counts="missed-and-overcalled")


def reported(table: Table, command: GameCommand) -> list[str]:
    """Return a command's entry, described in each language."""
    entry = table.history.do(command)
    return [each.entry(entry) for each in commentators(table.state.setup)]


def two(one: int, other: int = 50, *, rules: HouseRules = NO_SKUNKS, landed: bool = False) -> Table:
    """Return two sides on these holes; the first one has landed there if requested."""
    return Table(rules=rules, stand={1: one, 2: other}, landed=(1,) if landed else ())


def counted(points: int, rules: HouseRules = EVERYWHERE) -> Table:
    """Return a table at which the first side has just counted; the second is on 50."""
    table = two(0, rules=rules)
    table.peg(1, points)
    return table


def missed(points: int, *, given_back: bool = False) -> Muggins:
    """Return a call: the second side claims points that the first missed."""
    return Muggins(
        erring=1, by=2, points=points, where="show", kind="missed", given_back=given_back
    )


def overcalled(points: int) -> Muggins:
    """Return a call: the first side counted points that it did not have."""
    return Muggins(erring=1, by=2, points=points, where="show", kind="overcalled")
