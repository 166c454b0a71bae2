"""Whole deals of any kind agree with their slow twin, and lose no card."""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.cards import DECK, Card
from companion.rules.deal import (
    ConfirmCount,
    Count,
    CutStarter,
    Discard,
    Event,
    Phase,
    PhaseBegan,
    PlayCard,
    Played,
    Reset,
    Seating,
    State,
    apply_all,
    decide,
    new_deal,
)
from companion.rules.deal.state import Starter
from tests.companion.rules.deal.slow_deal import Report, SlowDeal
from tests.support.limits import share

SEATINGS = st.sampled_from(
    [
        Seating.make(players=players, dealer=dealer, boxed=boxed)
        for players, boxed in ((2, None), (3, None), (4, None), (6, None), (3, 2), (6, 1))
        for dealer in range(1, players + 1)
        if boxed is None or (dealer - 1) % 3 + 1 != boxed
    ]
)
STARTER_RULES: st.SearchStrategy[Starter] = st.sampled_from(("after-discards", "before-discards"))
FOLDING = st.just(frozenset[int]()) | st.frozensets(st.integers(1, 20), max_size=3)


@dataclass
class Story:
    """A deal from the deck to its end, with random legal choices."""

    state: State
    data: st.DataObject
    folding: frozenset[int]
    counts: int = 0

    def __post_init__(self) -> None:
        self.start = self.state
        self.events: list[Event] = []

    def whole(self) -> None:
        """Take every choice until the deal is over."""
        while self.state.phase is not Phase.OVER:
            command = self.next_command()
            before = self.state
            events = decide(before, command)
            assert events == decide(before, command)
            self.events += events
            self.state = apply_all(before, events)
            assert list(DECK) == self.all_cards()
            assert self.state.count <= 31

    def next_command(self) -> ConfirmCount | Discard | CutStarter | PlayCard:
        """Return a random legal command."""
        state = self.state
        if state.due:
            return self.go_on(state.due)
        if state.phase is Phase.DISCARD:
            return self.discard()
        if state.phase is Phase.STARTER:
            at = self.data.draw(st.integers(0, len(state.deck) - 1))
            return CutStarter(seat=state.seating.cutter, at=at)
        assert state.turn is not None
        playable = state.playable(state.turn)
        return PlayCard(seat=state.turn, card=self.data.draw(st.sampled_from(playable)))

    def go_on(self, due: Count) -> ConfirmCount:
        """Peg every count; some of them land in a penalty box."""
        self.counts += 1
        landed = self.counts in self.folding
        return ConfirmCount(folded=(self.state.seating.side_of(due.seat),) if landed else ())

    def discard(self) -> Discard:
        """Discard the first or the last cards of a seat that has not discarded yet."""
        waiting = [hand for hand in self.state.hands if len(hand.cards) > 4]
        hand = self.data.draw(st.sampled_from(waiting))
        thrown = self.state.seating.discards
        first = self.data.draw(st.booleans())
        return Discard(seat=hand.seat, cards=hand.cards[:thrown] if first else hand.cards[-thrown:])

    def all_cards(self) -> list[Card]:
        """Return every card, wherever it is; played ones belong to a hand."""
        state = self.state
        held = [card for hand in state.hands for card in hand.cards]
        starter = [state.starter] if state.starter is not None else []
        return sorted([*held, *state.crib, *state.deck, *starter])

    def reported(self) -> list[Report]:
        """Return the events in the slow twin's words."""
        words: list[Report] = []
        for event in self.events:
            match event:
                case Played(seat=seat, card=card, count=count):
                    words.append(("card", seat, str(card), count))
                case Count(seat=seat, points=points, why=why):
                    words.append(("count", seat, points, str(why)))
                case Reset(lead=lead):
                    words.append(("reset", lead))
        return words


def slow_twin(story: Story) -> SlowDeal:
    """Return the same hand, played by the twin with the same cards in order."""
    state, seating = story.state, story.state.seating
    slow = SlowDeal(
        sorted(seating.seats), seating.dealer, len(seating.sides), folding=story.folding
    )
    plays = [str(event.card) for event in story.events if isinstance(event, Played)]
    hands = {hand.seat: list(map(str, hand.cards)) for hand in state.hands}
    slow.play(hands, list(map(str, state.crib)), str(state.starter), plays)
    return slow


# A failure is worth minutes: the time is spent on finding the shortest story that shows it.
@pytest.mark.timeout(300)
@settings(max_examples=share(0.5))
@given(data=st.data(), seating=SEATINGS, starter=STARTER_RULES, folding=FOLDING)
def test_whole_deals(
    *, data: st.DataObject, seating: Seating, starter: Starter, folding: frozenset[int]
) -> None:
    """T3 to S5, Z5: counts, resets and cards are the slow twin's; no card is ever lost."""
    deck = data.draw(st.permutations(DECK))
    state = new_deal(seating, deck, starter=starter)
    story = Story(state, data, folding)
    story.whole()
    assert slow_twin(story).reported == story.reported()
    assert story.state == apply_all(story.start, story.events)
    assert PhaseBegan(phase=Phase.OVER) == story.events[-1]
