"""Phrases for a command's events on the board, in the game's own order.

Of a skunk is told when all else is: it is announced in the middle of the move that brings it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from types import MappingProxyType
from typing import TypeAlias

from companion.board.track import Hole, Zone, ZoneKind
from companion.commentary.names import Who
from companion.commentary.phrase_file import Phrases
from companion.rules.game import Event, Kind, Setup

Doing: TypeAlias = tuple[str, str]
"""The subject of a clause, and its predicate."""

_TELL_WHERE = (Kind.SLID, Kind.TRAPPED, Kind.ADVANCED, Kind.FOLDED, Kind.SKIPPED, Kind.WON)
"""Kinds of event that name the hole in which the move before them ended."""
_PATHS = MappingProxyType({ZoneKind.TIME_TRAP: "blue", ZoneKind.GREEN_ADVANCE: "green"})
_DOUBLE_SKUNK = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardWords:
    """Says what a game's events do to each side, on the board of this set-up."""

    phrases: Phrases
    setup: Setup
    who: Who

    def doings(
        self, events: Sequence[Event], *, counted: tuple[int, str, str] | None = None
    ) -> Iterator[Doing]:
        """Yield subject and predicate, event by event.

        `counted` says of the first event, a count, what is known from the cards: the team that
        counts, who that is in words, and what for.
        """
        team, who, does = counted or (None, "", None)
        ordered = sorted(events, key=lambda event: event.kind is Kind.SKUNKED)
        for event, after in zip_longest(ordered, ordered[1:]):
            subject = who if team == event.team else self._subject(event)
            for said in self._said(event, after, does):
                yield subject, said
            does = None

    def hole(self, hole: Hole | None) -> str:
        """Return a hole of the track in digits, one of a side path with the path's colour."""
        zone = self._zone_of(hole)
        if zone is None or not isinstance(hole, str):
            return str(hole)
        number = str(zone.path.index(hole) + 1)
        return self.phrases.say(f"{_PATHS[zone.kind]}_hole", number=number)

    def _zone_of(self, hole: Hole | None) -> Zone | None:
        """Return the zone whose box or side path holds a hole."""
        zones = self.setup.track.zones
        return next((zone for zone in zones if hole in (*zone.box, *zone.path)), None)

    def _subject(self, event: Event) -> str:
        if event.kind is Kind.DEALT:
            return self.who.player(int(event.to or 1))
        return self.who.side(event.team or 0)

    def _said(self, event: Event, after: Event | None, counted: str | None) -> Iterator[str]:
        """Yield the predicates of an event; a move gives its reason and its end."""
        if event.kind in _MOVES:
            told = counted is not None or _tells_where(after, event)
            yield from self._moved(counted or self._move(event), event, told=told)
            return
        if event.kind is Kind.FORFEITED:
            yield counted or self._move(event)
        key = _CHOICES.get(event.kind, _plain)(event, self.setup)
        if key:
            number = self.phrases.number(event.points or 0)
            to = self.hole(event.to)
            yield self.phrases.say(key, to=to, points=number, hands=number, games=number)

    # Counts and awards

    def _move(self, event: Event) -> str:
        number = self.phrases.number(event.points or 0)
        return self.phrases.say(_move_key(event), points=number)

    def _moved(self, does: str, event: Event, *, told: bool) -> Iterator[str]:
        """Yield a move with its end: on a side path, off one, or on the track unless `located`."""
        to = self.hole(event.to)
        path = self._path_left(event)
        if path:
            yield does
            yield self.phrases.say(f"board.off_{path}", to=to)
        elif isinstance(event.to, str) or (event.points and not told):
            yield self.phrases.say("board.to", does=does, to=to)
        else:
            yield does

    def _path_left(self, event: Event) -> str | None:
        """Return the colour of the side path that a move came off, None if it came off none."""
        zone = self._zone_of(event.origin)
        if zone is None or not zone.diverts or isinstance(event.to, str) or not event.points:
            return None
        if isinstance(event.origin, int):
            straight_on = min(event.origin + event.points, self.setup.track.finish)
            if event.to == straight_on:
                return None
        return _PATHS[zone.kind]


def _tells_where(after: Event | None, event: Event) -> bool:
    return after is not None and after.team == event.team and after.kind in _TELL_WHERE


def _move_key(event: Event) -> str:
    """Return the phrase for the reason of a count or an award: Z6 an award, M1 to M3 muggins."""
    if event.rule == "Z6":
        return "board.awarded"
    if not event.points:
        return "counts.nothing"
    if event.rule in ("P7", "G2"):
        return "counts.plain"
    return "counts.muggins" if str(event.rule).startswith("M") else "counts.penalty"


# By which phrase an event is told, where that takes a choice


def _plain(event: Event, _setup: Setup) -> str:
    return f"board.{event.kind.value}"


def _box_moved(event: Event, setup: Setup) -> str:
    if event.rule == "Z7":
        return "board.served"
    return "board.owed" if setup.rules.occupant_advance == "track" else "board.let_off"


def _overpegged(event: Event, _setup: Setup) -> str | None:
    """Muggins (M2) has told it already."""
    return "board.overpegged" if event.rule == "N11" else None


def _penalised(event: Event, _setup: Setup) -> str:
    return f"referee.{event.rule}"


def _skunked(event: Event, _setup: Setup) -> str:
    return "board.double_skunked" if event.points == _DOUBLE_SKUNK else "board.skunked"


def _won(event: Event, _setup: Setup) -> str:
    return "board.won" if event.points == 1 else "board.won_more"


_MOVES = (Kind.COUNTED, Kind.AWARDED)
_CHOICES: Mapping[Kind, Callable[[Event, Setup], str | None]] = MappingProxyType(
    {
        Kind.BOX_MOVED: _box_moved,
        Kind.OVERPEGGED: _overpegged,
        Kind.PENALISED: _penalised,
        Kind.SKUNKED: _skunked,
        Kind.WON: _won,
    }
)
