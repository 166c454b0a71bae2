"""Events of a game, as frozen values of one class, each with the rule that gives its reason.

The commentary, the lights, the statistics and the page do not list kinds: they read the facts of an
event's kind. The kinds of landings, for example, are those with a zone:

>>> [kind.value for kind in Kind if kind.facts.zone]
['slid', 'trapped', 'advanced', 'folded']

If phrases.toml has `event_signs.<kind>`, the page shows this phrase as a sign over the board, or
the phrase `event_signs.<kind>_<rule>` if the event's rule has one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from typing import Final

from msgspec import Struct, field

from companion.board import Hole, ZoneKind


class Movement(StrEnum):
    """Way in which an event moves a peg."""

    WALKS = auto()  # hole by hole as the track leads: a count, or the 20 holes of rule Z6
    STRAIGHT = auto()  # over the holes of the main track, forwards or backwards
    AT_ONCE = auto()  # without the holes between: the pegs are at once on their new holes


@dataclass(frozen=True, slots=True)
class ChartMark:
    """Mark of an event in the chart of a game.

    `rank` 1 is the most notable. `shape` is SVG path data. `ink` is a colour as sRGB hex, or "" for
    the colour of the page's text.
    """

    rank: int
    shape: str
    ink: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFacts:
    """Facts about a kind of event.

    Attributes:
        movement: how the event moves a peg; None if it moves no peg.
        zone: the kind of zone in which a peg landed (rules Z2 to Z5); None if it landed in none.
        names_hole: True if the phrase for the event names the hole where the last move ended.
        is_highlight: True if the event is announced even if ordinary counts are not.
        is_apart: True if the event does not follow from the count before it.
        tune: notes in hertz.
        mark: the mark in the chart of a game; None if the event is not notable.
        sign_rank: signs of higher rank are shown first; a rank above 0 also removes older signs.
    """

    movement: Movement | None = None
    zone: ZoneKind | None = None
    names_hole: bool = False
    is_highlight: bool = False
    is_apart: bool = False
    tune: tuple[int, ...] = ()
    mark: ChartMark | None = None
    sign_rank: int = 0


class Kind(StrEnum):
    """The kinds of event; each names what happened to the side, or to the table.

    >>> Kind.SENT_BACK == "sent_back"
    True
    """

    COUNTED = "counted"
    SLID = "slid"
    TRAPPED = "trapped"
    ADVANCED = "advanced"
    FOLDED = "folded"
    BOXED = "boxed"
    SENT_BACK = "sent_back"
    AWARDED = "awarded"
    SKIPPED = "skipped"
    BOX_MOVED = "box_moved"
    RELEASED = "released"
    FORFEITED = "forfeited"
    OVERPEGGED = "overpegged"
    PENALISED = "penalised"
    CLAIMED = "claimed"
    SKUNKED = "skunked"
    WON = "won"
    DEALT = "dealt"
    UNDONE = "undone"
    PLACED = "placed"
    CORRECTED = "corrected"
    MATCH_WON = "match_won"

    @property
    def facts(self) -> EventFacts:
        return EVENT_FACTS[self]


def _landing(zone: ZoneKind, mark: ChartMark | None = None, *, slides: bool = False) -> EventFacts:
    return EventFacts(
        movement=Movement.STRAIGHT if slides else None,
        zone=zone,
        names_hole=True,
        is_highlight=True,
        tune=zone.facts.tune,
        mark=mark and replace(mark, ink=zone.facts.night_ink),
    )


_UP, _DOWN, _DIAMOND = "M0 -6 L5 4 H-5 Z", "M0 6 L5 -4 H-5 Z", "M0 -6 L6 0 L0 6 L-6 0 Z"
_SQUARE = "M-4.5 -4.5 H4.5 V4.5 H-4.5 Z"
_STAR = "M0 -8 L2 -2.6 L7.6 -2.5 L3.2 1 L4.7 6.5 L0 3.2 L-4.7 6.5 L-3.2 1 L-7.6 -2.5 L-2 -2.6 Z"

EVENT_FACTS: Final[Mapping[Kind, EventFacts]] = {
    Kind.COUNTED: EventFacts(movement=Movement.WALKS),
    Kind.SLID: _landing(ZoneKind.RED_SLIDE, ChartMark(3, _UP), slides=True),
    Kind.TRAPPED: _landing(ZoneKind.TIME_TRAP, ChartMark(4, _DOWN)),
    Kind.ADVANCED: _landing(ZoneKind.GREEN_ADVANCE, ChartMark(5, _UP)),
    Kind.FOLDED: replace(_landing(ZoneKind.PENALTY_BOX), sign_rank=1),
    Kind.BOXED: EventFacts(
        movement=Movement.STRAIGHT,
        is_highlight=True,
        tune=ZoneKind.PENALTY_BOX.facts.tune,
        mark=ChartMark(2, _SQUARE, ZoneKind.PENALTY_BOX.facts.night_ink),
        sign_rank=1,
    ),
    Kind.SENT_BACK: EventFacts(movement=Movement.STRAIGHT),
    Kind.AWARDED: EventFacts(movement=Movement.WALKS),
    Kind.SKIPPED: EventFacts(movement=Movement.STRAIGHT, names_hole=True),
    Kind.BOX_MOVED: EventFacts(movement=Movement.STRAIGHT),
    Kind.RELEASED: EventFacts(movement=Movement.STRAIGHT, is_highlight=True, is_apart=True),
    Kind.FORFEITED: EventFacts(),
    Kind.OVERPEGGED: EventFacts(movement=Movement.AT_ONCE, is_apart=True),
    Kind.PENALISED: EventFacts(mark=ChartMark(7, _DIAMOND)),
    Kind.CLAIMED: EventFacts(mark=ChartMark(6, _DIAMOND)),
    Kind.SKUNKED: EventFacts(is_highlight=True, tune=(294, 277, 262), sign_rank=1),
    Kind.WON: EventFacts(
        names_hole=True,
        is_highlight=True,
        tune=(392, 494, 587, 784, 988),
        mark=ChartMark(1, _STAR),
        sign_rank=2,
    ),
    Kind.DEALT: EventFacts(is_apart=True),
    Kind.UNDONE: EventFacts(),
    Kind.PLACED: EventFacts(movement=Movement.AT_ONCE),
    Kind.CORRECTED: EventFacts(),
    Kind.MATCH_WON: EventFacts(is_highlight=True, sign_rank=2),
}


class Event(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One consequence of a command: a side's front peg went from `origin` to `to` by `rule`.

    For `dealt`, `origin` and `to` are the seats of the last and the new dealer. For `placed` they
    are the holes of the back and the front peg.

    `points` is the number of points of a count, and of surplus points for `overpegged`. It is the
    number of holes for `awarded` and `sent_back`, of hands for `boxed`, and of games for `skunked`,
    `won` and `match_won`.

    >>> from msgspec import json
    >>> event = Event(kind=Kind.COUNTED, side=1, origin=0, to=12, points=12, rule="P7")
    >>> json.encode(event).decode()
    '{"kind":"counted","team":1,"from":0,"to":12,"points":12,"rule":"P7"}'
    """

    kind: Kind
    side: int | None = field(name="team")
    origin: Hole | None = field(name="from")
    to: Hole | None
    points: int | None = None
    rule: str | None


def first_landing(events: Iterable[Event], side: int) -> ZoneKind | None:
    """Return the kind of the zone in which a side lands first; None if it lands in no zone."""
    kinds = (event.kind.facts.zone for event in events if event.side == side)
    return next((kind for kind in kinds if kind), None)
