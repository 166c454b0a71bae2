"""Debounce: raw edges in, presses and releases out. No clock and no thread; times are arguments.

A contact that leaves its decided level is unsettled until either level has held `hold` seconds.
If it comes to rest at the other level, that is one change, at the time of the *first* edge of the
unrest; if it falls back, it was a spike and nothing happened. After a change the contact is
ignored for `bounce` seconds, counted from the change's own time. Then its level is looked at
again: if it differs, the edge which brought it begins the next unrest, so that a release within
the ignored time is late but never lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

HOLD = 0.003
"""Seconds that a level must hold: longer than what a data line beside the wire induces."""

BOUNCE = 0.040
"""Seconds that a contact is ignored after a change: longer than cheap push buttons bounce."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A raw edge of a contact: `down` is the level after it, `t` monotonic seconds."""

    button: str
    down: bool
    t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A press (`down`) or release that counts; `t` is when it began, in the edges' seconds."""

    button: str
    down: bool
    t: float


@dataclass(slots=True, kw_only=True)
class _Contact:
    """One contact: the level decided, the level last seen, and the unrest between the two."""

    hold: float
    bounce: float
    decided: bool = False
    seen: bool = False
    seen_since: float = -inf
    ignored_until: float = -inf
    unrest_since: float | None = None

    @property
    def deadline(self) -> float | None:
        """When the level seen becomes a change if no edge comes; None while there is none."""
        return None if self.seen == self.decided else self._rests_at

    @property
    def _rests_at(self) -> float:
        return max(self.ignored_until, self.seen_since + self.hold)

    def advance(self, now: float) -> tuple[bool, float] | None:
        """The level and time of the change which is decided by `now`, if there is one."""
        if self.unrest_since is None or now < self._rests_at:
            return None
        began, self.unrest_since = self.unrest_since, None
        if self.seen == self.decided:
            return None
        self.decided = self.seen
        self.ignored_until = began + self.bounce
        return self.decided, began

    def see(self, t: float, *, down: bool) -> None:
        """Take an edge at `t`, up to which the contact has been advanced."""
        if down == self.seen:
            return
        self.seen, self.seen_since = down, t
        if t < self.ignored_until:
            self.unrest_since = None if down == self.decided else t
        elif down != self.decided and self._begins_unrest(t):
            self.unrest_since = t

    def _begins_unrest(self, t: float) -> bool:
        # Unrest that outlasts the bounce time is noise; a press that ends it is not to be dated
        # back to where the noise began.
        return self.unrest_since is None or t - self.unrest_since > self.bounce


class Debouncer:
    """Debounces all the buttons of a panel, each by itself.

    Args:
        hold: seconds that a level must hold to count.
        bounce: seconds from a change during which its contact is ignored.

    What comes out depends on the edges alone, not on how often `settle` is called. An edge that
    repeats the level, or whose time lies before the last one of its button, is tolerated: the
    first says nothing new, the second counts at the time of the one before.

    >>> debouncer = Debouncer()
    >>> debouncer.feed(Edge(button="deal", down=True, t=10.0))
    >>> debouncer.deadline
    10.003
    >>> debouncer.settle(10.003)
    [Change(button='deal', down=True, t=10.0)]
    """

    def __init__(self, *, hold: float = HOLD, bounce: float = BOUNCE) -> None:
        self._hold = hold
        self._bounce = bounce
        self._contacts: dict[str, _Contact] = {}
        self._changes: list[Change] = []

    @property
    def rest(self) -> float:
        """Seconds after an edge from which another counts, whatever the contact did before."""
        return self._hold + self._bounce

    @property
    def deadline(self) -> float | None:
        """When `settle` has something to return, unless edges come first; None at rest."""
        deadlines = [contact.deadline for contact in self._contacts.values()]
        known = [deadline for deadline in deadlines if deadline is not None]
        return min((*known, *(change.t for change in self._changes)), default=None)

    def feed(self, edge: Edge) -> None:
        """Take one edge; those of one button come in the order in which they happened."""
        contact = self._contacts.get(edge.button)
        if contact is None:
            contact = _Contact(hold=self._hold, bounce=self._bounce)
            self._contacts[edge.button] = contact
        t = max(edge.t, contact.seen_since)
        self._advance(edge.button, contact, t)
        contact.see(t, down=edge.down)

    def settle(self, now: float) -> list[Change]:
        """The changes decided by `now` and not returned before, in the order of their times.

        The order holds within one answer: a button that bounces long does not keep the others
        waiting, so a later answer may hold an earlier time.
        """
        for button, contact in self._contacts.items():
            self._advance(button, contact, now)
        changes = sorted(self._changes, key=lambda change: change.t)
        self._changes.clear()
        return changes

    def _advance(self, button: str, contact: _Contact, now: float) -> None:
        decided = contact.advance(now)
        if decided is not None:
            down, t = decided
            self._changes.append(Change(button=button, down=down, t=t))
