"""Predicates for acts with cards, and for counts of cards by their reason."""

from typing import TypeAlias

from companion.commentary.phrases import Phrases
from companion.commentary.score_phrases import sum_phrase
from companion.rules.cards import Card, PartKind
from companion.rules.deal import Count, CountKind, Discarded, Played, SaidGo, Shown

CardAct: TypeAlias = Discarded | Played | SaidGo | Shown
"""Act of a player with cards; the act need not make points."""

_NAMES_THE_COUNT = (PartKind.FIFTEEN, PartKind.THIRTY_ONE)  # partial: only these are sums


def card_phrase(card: Card, phrases: Phrases) -> str:
    """Return a card with its article."""
    suit = phrases.say(f"suits.{card.suit}")
    return phrases.say("card", rank=phrases.rank(card.rank), suit=suit)


def act_phrase(act: CardAct, phrases: Phrases) -> str | None:
    """Return the predicate of an act, or None if the act makes points (see `count_phrase`).

    Discards lie face down, so the predicate names only their number.
    """
    say, number = phrases.say, phrases.number
    match act:
        case Discarded():
            return _discarded(act, phrases)
        case Played(card=card, count=count, parts=()):
            return say("cards.played", card=card_phrase(card, phrases), count=number(count))
        case SaidGo():
            return say("cards.said_go")
        case Shown(show=show) if not show.points:
            return say("cards.empty_crib" if show.crib else "cards.empty_hand")
    return None


def _discarded(discarded: Discarded, phrases: Phrases) -> str:
    if discarded.under_deck:
        return phrases.say("cards.discarded_under_deck")
    many = len(discarded.cards)
    key = "cards.discarded_one" if many == 1 else "cards.discarded"
    return phrases.say(key, cards=phrases.number(many))


def count_phrase(count: Count, made_by: Played | Shown | None, phrases: Phrases) -> str:
    """Return the predicate of a count; `made_by` is the card or hand, whose parts are added up."""
    if not count.points:
        return phrases.say("counts.nothing")
    match made_by:
        case Played() if count.why is CountKind.PLAY:
            return _play(made_by, phrases)
        case Shown(show=show) if count.why in (CountKind.HAND, CountKind.CRIB):
            return phrases.say(f"counts.{count.why}", sum=sum_phrase(show.parts, phrases))
    has_phrase = count.why in (CountKind.HEELS, CountKind.GO, CountKind.LAST)
    key = f"counts.{count.why}" if has_phrase else "counts.plain"
    return phrases.say(key, points=phrases.number(count.points))


def _play(played: Played, phrases: Phrases) -> str:
    card, added = card_phrase(played.card, phrases), sum_phrase(played.parts, phrases)
    if played.parts[0].kind in _NAMES_THE_COUNT:
        return phrases.say("counts.play_to_number", card=card, sum=added)
    return phrases.say("counts.play", card=card, count=phrases.number(played.count), sum=added)
