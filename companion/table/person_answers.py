"""Answers of people in a game of cards: discards come in any order, a card to play in its turn."""

from collections.abc import Collection
from dataclasses import dataclass

from companion.errors import RuleError
from companion.players import DiscardRequest
from companion.players.match.steps import Answer, Request
from companion.rules.cards import HAND, Card
from companion.rules.deal import Discard, Phase, PlayCard, decide
from companion.rules.deal import State as Hand
from companion.table.game_watch import GameWatch


@dataclass(slots=True, kw_only=True)
class PersonAnswers:
    """Answers that are given and not yet carried out.

    `early` are discards that were given before their turn, by seat; `applying` is the seat whose
    answer is on its way to the journal, if there is one.
    """

    people: Collection[int]
    early: dict[int, tuple[Card, ...]]
    watch: GameWatch
    applying: int | None = None

    def take(self, hand: Hand | None, seat: int, cards: tuple[Card, ...]) -> None:
        """Take the cards that a person discards or the one that it plays.

        Raises:
            RuleError: the rules refuse them; nothing is changed.
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
        self.watch.wake()

    def may_discard(self, hand: Hand, seat: int) -> bool:
        holding = {each.seat for each in hand.hands if len(each.cards) > HAND}
        return seat in self.people and seat in holding and not self._has_answered(seat)

    async def wait_for(self, step: Request) -> Answer:
        """Return the cards of a person; None if the game changes first, then they wait."""
        while step.seat not in self.early and not self.watch.is_changed:
            await self.watch.wait()
        if self.watch.is_changed:
            return None
        cards = self.early.pop(step.seat)
        self.applying = step.seat
        return cards if isinstance(step.request, DiscardRequest) else cards[0]

    def _has_answered(self, seat: int) -> bool:
        return seat in self.early or seat == self.applying
