"""A deal on a table for tests, with short forms of commands and events."""

from collections import Counter

import pytest

from companion.errors import RuleError
from companion.rules.cards import Card, cards
from companion.rules.deal import (
    Command,
    ConfirmCount,
    Count,
    Event,
    Folded,
    PlayCard,
    Played,
    Reset,
    SaidGo,
    Shown,
    State,
    Turned,
    apply_all,
    decide,
)

TWO = {1: "7H 6S 4D KC", 2: "8D 5S TD JS"}
THREE = {1: "KH 7S 2D AC", 2: "QH 9S 8D 3C", 3: "TH 5S 4D 6C"}
FOUR = {1: "KH 6S 4D 4C", 2: "TH TS 5D AC", 3: "TD 9S 5C 2C", 4: "JH 8S 7D 3S"}
SIX = {
    1: "KH QS 5D AH",
    2: "KS 9S 8D 2H",
    3: "JS 7S 6D 3H",
    4: "TS 9D 8C 4H",
    5: "JD 7D 6C 5S",
    6: "QD 9C 4C 2S",
}


class Table:
    """A deal in progress; its events are texts such as "1 7H 7" or "2 pegs 2 play"."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.pegged: Counter[int] = Counter()

    def do(self, command: Command) -> list[str]:
        """Carry out a command. Return its events."""
        events = decide(self.state, command)
        self.state = apply_all(self.state, events)
        for event in events:
            if isinstance(event, Count):
                self.pegged[event.seat] += event.points
        return [text for text in map(reported, events) if text]

    def peg(self) -> list[str]:
        """Peg every count that is due, one after the other."""
        happened = []
        while self.state.due:
            happened += self.do(ConfirmCount())
        return happened

    def play(self, texts: str) -> list[str]:
        """Play cards by their holders, and peg all counts that they make."""
        happened = []
        for card in cards(texts):
            happened += self.do(PlayCard(seat=self.holder(card), card=card)) + self.peg()
        return happened

    def refused(self, command: Command) -> str | None:
        """Return the rule that refuses a command in one line; the state stays as it was."""
        before = self.state
        with pytest.raises(RuleError) as caught:
            self.do(command)
        assert before is self.state
        assert "\n" not in str(caught.value)
        return caught.value.rule

    def holder(self, card: Card) -> int:
        """Return the seat that holds a card."""
        return next(hand.seat for hand in self.state.hands if card in hand.cards)


def reported(event: Event) -> str:
    """Return an event in a few words; those that only keep the books are left out."""
    match event:
        case Played(seat=seat, card=card, count=count):
            text = f"{seat} {card} {count}"
        case Count(seat=seat, points=points, why=why):
            text = f"{seat} pegs {points} {why}"
        case SaidGo(seat=seat):
            text = f"{seat} go"
        case Reset(lead=lead):
            text = f"{lead} leads"
        case Shown(seat=seat, show=show):
            text = f"{seat} shows {'crib ' * show.crib}{show.points}"
        case _:
            text = reported_seldom(event)
    return text


def reported_seldom(event: Event) -> str:
    """Return rare events in a few words."""
    match event:
        case Turned(card=card):
            return f"starter {card}"
        case Folded(side=side):
            return f"side {side} folds"
        case _:
            return ""


def play(seat: int, text: str) -> PlayCard:
    """A seat plays a card."""
    return PlayCard(seat=seat, card=Card.parse(text))
