"""Phrases for events: what a command leads to on the board, and what players do with cards.

A clause on the board is a subject and a predicate, such as "Anna" and "counts six". The phrases for
cards are predicates of sentences about players who discard, play or count cards.

Players add up a count as "fifteen-two, fifteen-four and a pair is six". If a run can be formed in
several ways, its points include its pairs: a double run of three is eight, and the pair is not said
again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from operator import attrgetter
from typing import TypeAlias

from companion.board import Hole, Zone
from companion.commentary.phrases import Phrases
from companion.rules.cards import PAIR_KINDS, Card, Part, PartKind
from companion.rules.deal import Count, CountKind, Discarded, Played, SaidGo, Shown
from companion.rules.game import Event, Kind, Movement, Setup

Clause: TypeAlias = tuple[str, str]  # subject and predicate of a clause
_DOUBLE_SKUNK = 4
_RUNS = {1: "run", 2: "double-run", 3: "triple-run", 4: "double-double-run"}
"""Phrase of a run by the number of ways to form it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPhrases:
    """Maker of clauses for the events of a game with the sides, players and rules of `setup`.

    A side without an entry in `names` is named by its number.
    """

    phrases: Phrases
    setup: Setup
    names: Mapping[int, str]

    def side(self, side: int) -> str:
        return self.phrases.side(side, self.names)

    def player(self, seat: int) -> str:
        """Return the name of the seat's side, with the seat's number if two players are a side."""
        name = self.side(self.setup.side_of(seat))
        if self.setup.players == len(self.setup.sides):
            return name
        return self.phrases.say("partner", name=name, seat=self.phrases.number(seat))

    def clauses(
        self,
        events: Sequence[Event],
        *,
        counted: tuple[int, str, str] | None = None,
        why: CountKind | None = None,
    ) -> Iterator[Clause]:
        """Yield the clauses of a command's events, in order; skunks come last.

        If a call of muggins shows that a count was too high, the removal of the excess has no
        clause.

        Args:
            events: the events.
            counted: side, subject and predicate of the first event, if it is a count of cards.
            why: the reason of the count; None if it is not known.
        """
        side, counter, counting = counted or (None, "", None)
        in_muggins = (Kind.OVERPEGGED, "M2")
        said = [each for each in events if len(events) == 1 or (each.kind, each.rule) != in_muggins]
        ordered = sorted(said, key=lambda event: event.kind is Kind.SKUNKED)
        for event, after in zip_longest(ordered, ordered[1:]):
            subject = counter if side == event.side else self._subject(event)
            for predicate in self._predicates(event, after, counting, why):
                yield subject, predicate
            counting = None

    def _hole(self, hole: Hole | None) -> str:
        """Return the number of a hole; on a side path, with its colour: "5 on the blue path"."""
        zone = self._zone_of(hole)
        if zone is None or not isinstance(hole, str):
            return str(hole)
        number = str(zone.path.index(hole) + 1)
        return self.phrases.say(f"zone_kinds.{zone.kind}.hole", number=number)

    def _zone_of(self, hole: Hole | None) -> Zone | None:
        zones = self.setup.track.zones
        return next((zone for zone in zones if hole in (*zone.box, *zone.path)), None)

    def _subject(self, event: Event) -> str:
        if event.kind is Kind.DEALT:
            return self.player(int(event.to or 1))
        return self.side(event.side or 0)

    def _predicates(
        self, event: Event, after: Event | None, counted: str | None, why: CountKind | None
    ) -> Iterator[str]:
        """Yield the predicates of an event. For a move, they name its reason and its last hole."""
        if event.kind.facts.movement is Movement.WALKS:
            named = after and after.side == event.side and after.kind.facts.names_hole
            located = counted is not None or bool(named)
            yield from self._moved(counted or self._move(event, why), event, located=located)
            return
        if event.kind is Kind.FORFEITED:
            yield counted or self._move(event, why)
        key = _key(event, self.setup)
        number = self.phrases.number(event.points or 0)
        to = self._hole(event.to)
        yield self.phrases.say(key, to=to, points=number, hands=number, games=number)

    # Counts and awards

    def _move(self, event: Event, why: CountKind | None) -> str:
        number = self.phrases.number(event.points or 0)
        return self.phrases.say(_move_key(event, why), points=number)

    def _moved(self, move: str, event: Event, *, located: bool) -> Iterator[str]:
        """Yield the predicates of a move. If `located` is True, "to 6" is omitted on the track."""
        to = self._hole(event.to)
        zone = self._path_left(event)
        if zone:
            yield move
            yield self.phrases.say(f"zone_kinds.{zone.kind}.off", to=to)
        elif isinstance(event.to, str) or (event.points and not located):
            yield self.phrases.say("board.to", does=move, to=to)
        else:
            yield move

    def _path_left(self, event: Event) -> Zone | None:
        zone = self._zone_of(event.origin)
        if zone is None or not zone.diverts or isinstance(event.to, str) or not event.points:
            return None
        if isinstance(event.origin, int):
            straight_on = min(event.origin + event.points, self.setup.track.finish)
            if event.to == straight_on:
                return None
        return zone


def _move_key(event: Event, why: CountKind | None) -> str:
    """Return the phrase key of a count or an award, chosen by the event's rule."""
    if event.rule == "Z6":
        return "board.awarded"
    if not event.points:
        return "counts.nothing"
    if event.rule in ("P7", "G2"):
        return _count_key(why)
    if event.rule == "M3":
        return "counts.given_back"
    return "counts.muggins" if str(event.rule).startswith("M") else "counts.penalty"


def _key(event: Event, setup: Setup) -> str:
    """Return the phrase key of an event; some kinds of event have several keys."""
    key = event.kind.value
    match event.kind:  # not all: each other kind has one key, its own name
        case Kind.BOX_MOVED if event.rule == "Z7":
            key = "served"
        case Kind.BOX_MOVED:
            key = "owed" if setup.rules.occupant_advance == "track" else "let_off"
        case Kind.CORRECTED if not event.points:
            key = "removed"
        case Kind.PENALISED if event.rule == "M3" and setup.rules.given_back == "nobody":
            return "referee.let_off"
        case Kind.PENALISED:
            return f"referee.{event.rule}"
        case Kind.SKUNKED if event.points == _DOUBLE_SKUNK:
            key = "double_skunked"
        case Kind.WON if event.points != 1:
            key = "won_more"
    return f"board.{key}"


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

_NAMES_THE_COUNT = (PartKind.FIFTEEN, PartKind.THIRTY_ONE)  # not all: only these say the count


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
        case Played() if count.why is CountKind.PLAY:  # not all: the others name no cards
            return _play(made_by, phrases)
        case Shown(show=show) if count.why in (CountKind.HAND, CountKind.CRIB):
            return phrases.say(f"counts.{count.why}", sum=sum_phrase(show.parts, phrases))
    return phrases.say(_count_key(count.why), points=phrases.number(count.points))


def _count_key(why: CountKind | None) -> str:
    """Return the phrase key of a count whose cards are not named; None is an unknown reason."""
    named = (CountKind.HEELS, CountKind.GO, CountKind.LAST)  # not all: the others need the cards
    return f"counts.{why}" if why in named else "counts.plain"


def _play(played: Played, phrases: Phrases) -> str:
    card, added = card_phrase(played.card, phrases), sum_phrase(played.parts, phrases)
    if played.parts[0].kind in _NAMES_THE_COUNT:
        return phrases.say("counts.play_to_number", card=card, sum=added)
    return phrases.say("counts.play", card=card, count=phrases.number(played.count), sum=added)
