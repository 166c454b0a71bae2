"""Events of a game, as frozen values of one shape, each with the rule that gives its reason."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from msgspec import Struct, field

from companion.board.track import Hole, ZoneKind


class Kind(StrEnum):
    """The kinds of event; each names what happened to the team, or to the table."""

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


class Event(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One consequence: the team's front peg went from `origin` to `to`, for `rule`'s reason.

    For `dealt` both are seats: the dealer's lamp moved from one to the other; for `placed` they
    are the holes of the back and the front peg. `points` are holes counted or awarded, points too
    many, hands to sit (`boxed`), games (`skunked`, `won`) or those of a corrected count.
    """

    kind: Kind
    team: int | None
    origin: Hole | None = field(name="from")
    to: Hole | None
    points: int | None = None
    rule: str | None


LANDING_ZONES: Mapping[Kind, ZoneKind] = {
    Kind.SLID: ZoneKind.RED_SLIDE,
    Kind.TRAPPED: ZoneKind.TIME_TRAP,
    Kind.ADVANCED: ZoneKind.GREEN_ADVANCE,
    Kind.FOLDED: ZoneKind.PENALTY_BOX,
}
"""The kind of zone of each kind of landing (Z2 to Z5); other events are no landings."""


def first_landing(events: Iterable[Event], team: int) -> ZoneKind | None:
    """Return the kind of zone that a team lands in first by these events; None for no landing."""
    kinds = (LANDING_ZONES.get(event.kind) for event in events if event.team == team)
    return next((kind for kind in kinds if kind), None)
