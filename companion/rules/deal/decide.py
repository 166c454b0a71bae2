"""`decide(state, command) -> events`: one hand of cards, one command at a time.

A command brings all that needs no choice after it (a go point, the next count, the show), up to the
next count to peg or the next card to choose. A `Count` stops the deal until the caller has pegged
it and answers with `ConfirmCount`, which holds the teams that folded by it, or `Stop` if the game
is won. To take anything back, keep the state before it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from companion.errors import RuleError
from companion.rules.cards import Card, count_play
from companion.rules.cards.card import JACK
from companion.rules.deal.apply import apply
from companion.rules.deal.commands import (
    Command,
    ConfirmCount,
    CutStarter,
    Discard,
    Fold,
    PlayCard,
    Stop,
)
from companion.rules.deal.events import (
    Count,
    Discarded,
    Entered,
    Event,
    Folded,
    Pegged,
    Phase,
    Played,
    Turned,
)
from companion.rules.deal.progress import follows
from companion.rules.deal.state import HAND, MOST, State
from companion.rules.game import CountKind

ACCEPTED: Mapping[Phase, tuple[type[Command], ...]] = {
    Phase.DISCARD: (Discard,),
    Phase.STARTER: (CutStarter,),
    Phase.PLAY: (PlayCard,),
    Phase.SHOW: (),
    Phase.OVER: (),
}
"""Commands accepted in each phase while no count is due."""

ACCEPTED_WHILE_DUE: tuple[type[Command], ...] = (ConfirmCount,)
"""Commands accepted while a count is due, whatever the phase."""

ACCEPTED_ALWAYS: tuple[type[Command], ...] = (Fold, Stop)
"""Commands accepted at any time before the deal is over."""

HEELS = 2
"""Points of a starter jack (rule T7)."""
_MOST_VALUE = 10


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return a command's events, in order; a command that the rules refuse is a `RuleError`."""
    _refuse_out_of_phase(state, command)
    consequences = _Consequences(state)
    _TAKE[type(command)](consequences, command)
    consequences.advance()
    return tuple(consequences.events)


def _refuse_out_of_phase(state: State, command: Command) -> None:
    if state.phase is Phase.OVER:
        raise RuleError("this deal is over: the next hand is to be dealt")
    awaited = ACCEPTED_WHILE_DUE if state.due else ACCEPTED[state.phase]
    if type(command) in (*awaited, *ACCEPTED_ALWAYS):
        return
    if state.due:
        due = state.due
        raise RuleError(
            "seat {seat} has {points} to peg ({why}) before anything else",
            due.seat,
            due.points,
            due.why,
            rule="P7",
        )
    if isinstance(command, ConfirmCount):
        raise RuleError("no count is due: there is nothing to have pegged", rule="P7")
    raise RuleError(
        "not now: the deal waits for the {phase}", state.phase, rule=_RULES[state.phase]
    )


_RULES = {Phase.DISCARD: "T3", Phase.STARTER: "T6", Phase.PLAY: "P1", Phase.SHOW: "S1"}
"""The rule that says what each phase is for."""


class _Consequences:
    """Consequences of one command: the events so far, and the state they have led to."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def put(self, event: Event) -> None:
        self.events.append(event)
        self.state = apply(self.state, event)

    def advance(self) -> None:
        """Add all events that need no choice, up to the next count to peg (P7)."""
        while following := follows(self.state):
            for event in following:
                self.put(event)

    def discard(self, command: Discard) -> None:
        """Take a seat's discards, once and the right number of cards it holds (T3)."""
        seat, cards = command.seat, command.cards
        hand, discards = self.state.hand(seat), self.state.seating.discards
        if len(hand.cards) == HAND:
            raise RuleError("seat {seat} has discarded already", seat, rule="T3")
        if len(cards) != discards or len(set(cards)) != discards:
            given = " ".join(map(str, cards)) or "none"
            raise RuleError(
                "seat {seat} discards {discards} of its cards, not {given}",
                seat,
                discards,
                given,
                rule="T3",
            )
        _refuse_not_held(seat, cards, hand.cards, rule="T3")
        under = self.state.seating.discards_under_deck(seat)
        self.put(Discarded(seat=seat, cards=cards, under_deck=under))

    def cut_starter(self, command: CutStarter) -> None:
        """Turn the starter up; a jack is heels (T6, T7)."""
        cutter, deck = self.state.seating.cutter, self.state.deck
        if command.seat != cutter:
            raise RuleError(
                "seat {seat} does not cut the starter: seat {cutter} does",
                command.seat,
                cutter,
                rule="T6",
            )
        if not 0 <= command.at < len(deck):
            raise RuleError(
                "no card at {at} to turn: the deck has 0 to {last}",
                command.at,
                len(deck) - 1,
                rule="T6",
            )
        self.put(Turned(card=deck[command.at], at=command.at))
        dealer = self.state.hands[-1]
        if deck[command.at].rank == JACK and not command.heels_barred and not dealer.folded:
            self.put(Count(seat=dealer.seat, points=HEELS, why=CountKind.HEELS))

    def play_card(self, command: PlayCard) -> None:
        """Play a card in turn, within 31; what it makes is one count (P1, P7)."""
        seat, card = command.seat, command.card
        hand = self.state.hand(seat)
        if hand.folded:
            raise RuleError("seat {seat} has folded until the next deal", seat, rule="Z5")
        _refuse_not_held(seat, (card,), hand.left, rule="P1")
        # Who has said go is not out of turn: whatever it holds would pass 31.
        if seat != self.state.turn and not hand.went:
            self.refuse_out_of_turn(seat)
        play = count_play((*self.state.pile, card))
        self.put(Played(seat=seat, card=card, count=play.count, parts=play.parts))
        if play.points or self.state.zero_counts:
            self.put(Count(seat=seat, points=play.points, why=CountKind.PLAY))

    def refuse_out_of_turn(self, seat: int) -> None:
        """Refuse who is not to act: P2 where a go of the seat passed over is what was meant."""
        turn = self.state.turn
        assert turn is not None  # noqa: S101  # a play that waits for a card waits for a seat
        # Below that any card fits, and nobody can be taken to have said go.
        if self.state.count + _MOST_VALUE > MOST:
            playable = self.state.playable(turn)[0]
            raise RuleError(
                "seat {turn} is passed over and could play {playable}", turn, playable, rule="P2"
            )
        raise RuleError("seat {seat} is out of turn: seat {turn} is to play", seat, turn, rule="P1")

    def pegged(self, command: ConfirmCount) -> None:
        self.put(Pegged())
        for team in command.folded:
            self.fold(team)

    def fold_team(self, command: Fold) -> None:
        self.fold(command.team)

    def fold(self, team: int) -> None:
        """Take a team's hands, and the crib if it deals, out of the deal (Z5)."""
        seating = self.state.seating
        hands = [hand for hand in self.state.hands if seating.team_of(hand.seat) == team]
        if not hands:
            raise RuleError("{team} is not in this deal", rule="T1", team=team)
        if hands[0].folded:
            raise RuleError("{team} has folded until the next deal", rule="Z5", team=team)
        self.put(Folded(team=team))

    def stop(self, _command: Stop) -> None:
        self.put(Entered(phase=Phase.OVER))


def _refuse_not_held(
    seat: int, cards: tuple[Card, ...], held: tuple[Card, ...], *, rule: str
) -> None:
    for card in cards:
        if card not in held:
            holds = " ".join(map(str, held)) or "no card"
            raise RuleError(
                "seat {seat} does not hold {card}, but {holds}", seat, card, holds, rule=rule
            )


_TAKE: Mapping[type[Command], Callable[[_Consequences, Any], None]] = {
    Discard: _Consequences.discard,
    CutStarter: _Consequences.cut_starter,
    PlayCard: _Consequences.play_card,
    ConfirmCount: _Consequences.pegged,
    Fold: _Consequences.fold_team,
    Stop: _Consequences.stop,
}
