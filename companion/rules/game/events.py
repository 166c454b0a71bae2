"""Events of a game, as frozen values of one shape, each with the rule that gives its reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.board.track import Hole


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
    MATCH_WON = "match_won"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One consequence: the team's front peg went from `origin` to `to`, for `rule`'s reason.

    For `dealt` both are seats: the dealer's lamp moved from one to the other. `points` are holes
    counted or awarded, points too many, hands to sit (`boxed`) or games (`skunked`, `won`).
    """

    kind: Kind
    team: int | None
    origin: Hole | None
    to: Hole | None
    rule: str | None
    points: int | None = None
