"""Predicates of sentences about players who discard, play or count cards, for the commentary.

Players add up a count as "fifteen-two, fifteen-four and a pair is six". If a run can be formed in
several ways, its points include its pairs: a double run of three is eight, and the pair is not said
again.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TypeAlias

from companion.commentary.phrases import Phrases
from companion.rules.cards import PAIR_KINDS, Card, Part, PartKind
from companion.rules.deal import Count, CountKind, Discarded, Played, SaidGo, Shown

_RUNS = {1: "run", 2: "double-run", 3: "triple-run", 4: "double-double-run"}
"""Phrase of a run by the number of ways to form it."""


def sum_phrase(parts: Sequence[Part], phrases: Phrases) -> str:
    """Return the phrase for one or more parts of a count, each with the total so far."""
    phrased: list[str] = []
    total = 0
    for what, points in _terms(parts, phrases):
        total += points
        number = phrases.number(total)
        if what is None:
            phrased.append(phrases.say("adds_up.fifteen", total=number))
        else:
            key = "adds_up.then" if phrased else "adds_up.first"
            phrased.append(phrases.say(key, what=what, total=number))
    return phrases.joined("sums", phrased)


def _terms(parts: Sequence[Part], phrases: Phrases) -> Iterator[tuple[str | None, int]]:
    """Yield phrase and points of each part; the phrase is None for a fifteen (see `sum_phrase`)."""
    runs = [part for part in parts if part.kind is PartKind.RUN]
    doubled = len(runs) > 1
    paired = sum(part.points for part in parts if part.kind in PAIR_KINDS)
    for kind, group in groupby(parts, key=attrgetter("kind")):
        if kind is PartKind.RUN:
            length = phrases.number(len(runs[0].cards))
            points = sum(run.points for run in runs) + paired * doubled
            yield phrases.say(f"adds_up.{_RUNS[len(runs)]}", length=length), points
        elif not (doubled and kind in PAIR_KINDS):
            yield from _alike(kind, list(group), phrases)


def _alike(
    kind: PartKind, parts: Sequence[Part], phrases: Phrases
) -> Iterator[tuple[str | None, int]]:
    for place, part in enumerate(parts):
        if kind is PartKind.FIFTEEN:  # not all: each other kind has a phrase
            yield None, part.points
        elif kind is PartKind.FLUSH:
            length = phrases.number(len(part.cards))
            yield phrases.say("adds_up.flush", length=length), part.points
        else:
            key = "other-pair" if place and kind is PartKind.PAIR else kind.value
            yield phrases.say(f"adds_up.{key}"), part.points


CardAct: TypeAlias = Discarded | Played | SaidGo | Shown
"""Act of a player with cards; the act need not make points."""

_NAMES_THE_COUNT = (PartKind.FIFTEEN, PartKind.THIRTY_ONE)  # not all: only these are sums


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
    """Return the predicate of a count; `made_by` is the played card or shown hand."""
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
