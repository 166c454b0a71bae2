"""Phrases for acts with cards, and for the reasons of counts."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.commentary.phrase_file import Phrases
from companion.commentary.score_phrases import sum_phrase
from companion.rules.cards import Card, PartKind
from companion.rules.deal import Count, CountKind, Discarded, Played, SaidGo, Shown

CardAct: TypeAlias = Discarded | Played | SaidGo | Shown
"""An act of a player with cards, which may make no points."""

_NAMES_THE_COUNT = (PartKind.FIFTEEN, PartKind.THIRTY_ONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPhrases:
    """Predicates of acts with cards, without their subjects."""

    phrases: Phrases

    def card(self, card: Card) -> str:
        """Return a card with its article."""
        suit = self.phrases.say(f"suits.{card.suit}")
        return self.phrases.say("card", rank=self.phrases.rank(card.rank), suit=suit)

    def act(self, act: CardAct) -> str | None:
        """Return the predicate of an act; None if it makes points, which are told by `count`.

        Discards lie face down and are not named.
        """
        say = self.phrases.say
        match act:
            case Discarded():
                return self._discarded(act)
            case Played(card=card, count=count, parts=()):
                number = self.phrases.number(count)
                return say("cards.played", card=self.card(card), count=number)
            case SaidGo():
                return say("cards.said_go")
            case Shown(show=show) if not show.points:
                return say("cards.empty_crib" if show.crib else "cards.empty_hand")
        return None

    def _discarded(self, discarded: Discarded) -> str:
        if discarded.under_deck:
            return self.phrases.say("cards.discarded_under_deck")
        if len(discarded.cards) == 1:
            return self.phrases.say("cards.discarded_one")
        return self.phrases.say("cards.discarded", cards=self.phrases.number(len(discarded.cards)))

    def count(self, count: Count, made_by: Played | Shown | None) -> str:
        """Return the reason of a count, and its sum if the card or hand that made it is given."""
        if not count.points:
            return self.phrases.say("counts.nothing")
        match made_by:
            case Played() if count.why is CountKind.PLAY:
                return self._play(made_by)
            case Shown(show=show) if count.why in (CountKind.HAND, CountKind.CRIB):
                added = sum_phrase(show.parts, self.phrases)
                return self.phrases.say(f"counts.{count.why}", sum=added)
        has_phrase = count.why in (CountKind.HEELS, CountKind.GO, CountKind.LAST)
        key = f"counts.{count.why}" if has_phrase else "counts.plain"
        return self.phrases.say(key, points=self.phrases.number(count.points))

    def _play(self, played: Played) -> str:
        card = self.card(played.card)
        added = sum_phrase(played.parts, self.phrases)
        if played.parts[0].kind in _NAMES_THE_COUNT:
            return self.phrases.say("counts.play_to_number", card=card, sum=added)
        number = self.phrases.number(played.count)
        return self.phrases.say("counts.play", card=card, count=number, sum=added)
