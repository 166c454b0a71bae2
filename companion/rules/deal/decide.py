"""`decide(state, command) -> events` carries out one command of a deal.

The events of a command include all that follows without a choice: a go, the next count, the show.
They end where a count must be pegged or a player must choose a card. The caller pegs the count and
answers with `ConfirmCount`, or with `Stop` if the game is won. A caller that keeps the old state
can take any command back.

For example, seat 2 plays a ten that makes 25, and neither seat then holds a card that fits. The
events are `Played`, a `SaidGo` for each seat, and a `Count` of one point for seat 2. After
`ConfirmCount` the events are `Pegged` and a `Reset` that gives seat 1 the lead.
"""

from collections.abc import Mapping

from companion.errors import RuleError, Text
from companion.rules.cards import HAND, MOST_VALUE, THIRTY_ONE, Card, count_play, count_show
from companion.rules.cards.card import JACK
from companion.rules.deal import deal_events
from companion.rules.deal.deal_events import Count, Event, Phase, PhaseBegan, Reset, SaidGo, Shown
from companion.rules.deal.state import PHASES, State, apply
from companion.rules.game import CountKind


def follows(state: State) -> tuple[Event, ...]:
    """Return the next events that need no choice; () if a count is due or a player must choose."""
    if state.due:
        return ()
    match state.phase:
        case Phase.DISCARD:
            return (_leave(state),) if all(len(each.cards) == HAND for each in state.hands) else ()
        case Phase.STARTER:
            return () if state.starter is None else (_leave(state),)
        case Phase.PLAY:
            return _play(state)
        case Phase.SHOW:
            return _show(state)
        case Phase.OVER:
            return ()


def _leave(state: State) -> PhaseBegan:
    phases = PHASES[state.starter_rule]
    return PhaseBegan(phase=phases[phases.index(state.phase) + 1])


def _play(state: State) -> tuple[Event, ...]:
    """Say go for a seat without a card that fits (P2). If no seat can act, end the count (P4)."""
    if state.turn is not None:
        return () if state.playable(state.turn) else (SaidGo(seat=state.turn),)
    lead = _next_lead(state)
    # The point for go or last card (P2, P3) is made once, not after 31, nor by a folded side (Z5).
    out = state.point_made or state.count == THIRTY_ONE
    if state.last is not None and not out and not state.hand(state.last).folded:
        return (
            Count(seat=state.last, points=1, why=CountKind.LAST if lead is None else CountKind.GO),
        )
    return (_leave(state) if lead is None else Reset(lead=lead),)


def _next_lead(state: State) -> int | None:
    first = 0 if state.last is None else state.index(state.last) + 1
    around = (*state.hands[first:], *state.hands[:first])
    return next((hand.seat for hand in around if hand.left and not hand.folded), None)


def _show(state: State) -> tuple[Event, ...]:
    for hand in state.hands[state.shown :]:
        if not hand.folded:
            return _shown(state, hand.seat, hand.cards, CountKind.HAND)
    if state.shown <= len(state.hands) and state.crib and not state.hands[-1].folded:
        return _shown(state, state.seating.dealer, state.crib, CountKind.CRIB)
    return (_leave(state),)


def _shown(state: State, seat: int, cards: tuple[Card, ...], why: CountKind) -> tuple[Event, ...]:
    """Show cards. Count them if they have points, or if a side can declare a count of 0 (M1)."""
    assert state.starter is not None  # noqa: S101  # nothing is shown before the starter is turned
    show = count_show(cards, state.starter, crib=why is CountKind.CRIB)
    shown = Shown(seat=seat, show=show)
    if not show.points and not state.zero_counts:
        return (shown,)
    return shown, Count(seat=seat, points=show.points, why=why)


AWAITED: Mapping[Phase, tuple[type[deal_events.Command], str]] = {  # without OVER
    Phase.DISCARD: (deal_events.Discard, "T3"),
    Phase.STARTER: (deal_events.CutStarter, "T6"),
    Phase.PLAY: (deal_events.PlayCard, "P1"),
    Phase.SHOW: (deal_events.ConfirmCount, "S1"),
}
"""Command that each phase waits for while no count is due, and the rule of the phase."""

HEELS = 2  # points of a starter jack (rule T7)


def decide(state: State, command: deal_events.Command) -> tuple[deal_events.Event, ...]:
    """Return a command's events, in order; a command that the rules refuse is a `RuleError`."""
    _refuse_out_of_phase(state, command)
    consequences = _Consequences(state)
    consequences.take(command)
    consequences.advance()
    return tuple(consequences.events)


def _refuse_out_of_phase(state: State, command: deal_events.Command) -> None:
    if state.phase is Phase.OVER:
        raise RuleError("this deal is over: deal the next hand")
    due, (awaited, rule) = state.due, AWAITED[state.phase]
    expected = deal_events.ConfirmCount if due else awaited
    if isinstance(command, (deal_events.Fold, deal_events.Stop, expected)):
        return
    if due:
        raise RuleError(
            "seat {seat} has {points} to peg ({why}) before anything else",
            seat=due.seat,
            points=due.points,
            why=due.why,
            rule="P7",
        )
    if isinstance(command, deal_events.ConfirmCount):
        raise RuleError("no count is due: there is nothing to confirm", rule="P7")
    raise RuleError("not now: the deal waits for the {phase}", phase=state.phase, rule=rule)


class _Consequences:
    """Consequences of one command: the events so far, and the state after these events."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[deal_events.Event] = []

    def put(self, event: deal_events.Event) -> None:
        self.events.append(event)
        self.state = apply(self.state, event)

    def take(self, command: deal_events.Command) -> None:
        match command:
            case deal_events.Discard(seat=seat, cards=cards):
                self.discard(seat, cards)
            case deal_events.CutStarter():
                self.cut_starter(command)
            case deal_events.PlayCard(seat=seat, card=card):
                self.play_card(seat, card)
            case deal_events.ConfirmCount(folded=sides):
                self.put(deal_events.Pegged())
                for side in sides:
                    self.fold(side)
            case deal_events.Fold(side=side):
                self.fold(side)
            case deal_events.Stop():
                self.put(deal_events.PhaseBegan(phase=Phase.OVER))

    def advance(self) -> None:
        while following := follows(self.state):
            for event in following:
                self.put(event)

    def discard(self, seat: int, cards: tuple[Card, ...]) -> None:
        hand, discards = self.state.hand(seat), self.state.seating.discards
        if len(hand.cards) == HAND:
            raise RuleError("seat {seat} has discarded already", seat=seat, rule="T3")
        if len(cards) != discards or len(set(cards)) != discards:
            given = " ".join(map(str, cards)) or "none"
            raise RuleError(
                "seat {seat} discards {discards} of its cards, not {given}",
                seat=seat,
                discards=discards,
                given=given,
                rule="T3",
            )
        _refuse_not_held(seat, cards, hand.cards, rule="T3")
        under = self.state.seating.discards_under_deck(seat)
        self.put(deal_events.Discarded(seat=seat, cards=cards, under_deck=under))

    def cut_starter(self, command: deal_events.CutStarter) -> None:
        cutter, deck = self.state.seating.cutter, self.state.deck
        if command.seat != cutter:
            raise RuleError(
                "seat {seat} does not cut the starter: seat {cutter} does",
                seat=command.seat,
                cutter=cutter,
                rule="T6",
            )
        if not 0 <= command.at < len(deck):
            raise RuleError(
                "the deck has no card {at}: its cards are 0 to {last}",
                at=command.at,
                last=len(deck) - 1,
                rule="T6",
            )
        self.put(deal_events.Turned(card=deck[command.at], at=command.at))
        dealer = self.state.hands[-1]
        if deck[command.at].rank == JACK and not command.heels_barred and not dealer.folded:
            self.put(deal_events.Count(seat=dealer.seat, points=HEELS, why=CountKind.HEELS))

    def play_card(self, seat: int, card: Card) -> None:
        """Play a seat's card (P1); all points that it makes are one count (P7)."""
        hand = self.state.hand(seat)
        if hand.folded:
            raise RuleError("seat {seat} has folded until the next deal", seat=seat, rule="Z5")
        _refuse_not_held(seat, (card,), hand.left, rule="P1")
        # If the seat has said go, `count_play` raises an error: the card would pass 31.
        if seat != self.state.turn and not hand.went:
            self.refuse_out_of_turn(seat)
        play = count_play((*self.state.pile, card))
        self.put(deal_events.Played(seat=seat, card=card, count=play.count, parts=play.parts))
        if play.points or self.state.zero_counts:
            self.put(deal_events.Count(seat=seat, points=play.points, why=CountKind.PLAY))

    def refuse_out_of_turn(self, seat: int) -> None:
        """Refuse a seat out of turn. Cite P2 if the count is so high that seats can say go."""
        turn = self.state.turn
        assert turn is not None  # noqa: S101  # while a card is awaited, a seat is in turn
        # At a lower count any card fits, and no seat can have said go.
        if self.state.count + MOST_VALUE > THIRTY_ONE:
            playable = self.state.playable(turn)[0]
            raise RuleError(
                "seat {turn} is passed over, but could play {playable}",
                turn=turn,
                playable=playable,
                rule="P2",
            )
        raise RuleError(
            "seat {seat} is out of turn: seat {turn} is to play", seat=seat, turn=turn, rule="P1"
        )

    def fold(self, side: int) -> None:
        seating = self.state.seating
        hands = [hand for hand in self.state.hands if seating.side_of(hand.seat) == side]
        if not hands:
            raise RuleError("{side} is not in this deal", rule="T1", side=side)
        if hands[0].folded:
            raise RuleError("{side} has folded until the next deal", rule="Z5", side=side)
        self.put(deal_events.Folded(side=side))


def _refuse_not_held(
    seat: int, cards: tuple[Card, ...], held: tuple[Card, ...], *, rule: str
) -> None:
    for card in cards:
        if card not in held:
            holds = " ".join(map(str, held)) or Text("no card")
            raise RuleError(
                "seat {seat} does not hold {card}, but {holds}",
                seat=seat,
                card=card,
                holds=holds,
                rule=rule,
            )
