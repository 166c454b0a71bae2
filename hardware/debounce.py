"""Debounce: raw edges become presses and releases. No clock or thread; callers pass the times.

The debounced level of a contact, down or up, is the one reported last. When an edge leaves this
level, the contact is unsettled until no edge has come for `hold` seconds. If it is then at the new
level, a change is reported with the time of the *first* unsettled edge. If it is back at the old
level, the edges were a spike and nothing is reported. For `bounce` seconds after the time of a
change, the contact is ignored. If its level at the end of this pause is not the debounced level, a
change with the time of the last edge is reported. So a release in the pause is late, but not lost.

A press at 10.000 s bounces at 10.001 and 10.002, holds from then on, and is certain at 10.005:

>>> debouncer = Debouncer(hold=0.003)
>>> for t, down in (10.0, True), (10.001, False), (10.002, True):
...     debouncer.feed(Edge(button="deal", down=down, t=t))
>>> debouncer.deadline
10.005
>>> debouncer.settle(10.005)
[Change(button='deal', down=True, t=10.0)]
"""

from dataclasses import dataclass
from math import inf

HOLD_S = 0.003
"""Time that a level must hold: longer than the spikes that a data line induces in a wire."""

BOUNCE_S = 0.040
"""Time that a contact is ignored after a change: longer than cheap push buttons bounce."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """Raw edge of a contact: `down` is the level after the edge; `t` is in monotonic seconds."""

    button: str
    down: bool
    t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Debounced press (`down`) or release, which began at `t` in monotonic seconds."""

    button: str
    down: bool
    t: float


@dataclass(slots=True, kw_only=True)
class _DebouncedContact:
    """Contact; `debounced` is the reported level, `seen` the level after the latest edge."""

    hold: float
    bounce: float
    debounced: bool = False
    seen: bool = False
    seen_since: float = -inf
    ignored_until: float = -inf
    unsettled_since: float | None = None

    @property
    def deadline(self) -> float | None:
        """Time when the next change is certain if no edge comes; None if no change is due."""
        return None if self.seen == self.debounced else self._settled_at

    @property
    def _settled_at(self) -> float:
        return max(self.ignored_until, self.seen_since + self.hold)

    def advance(self, now: float) -> tuple[bool, float] | None:
        if self.unsettled_since is None or now < self._settled_at:
            return None
        began, self.unsettled_since = self.unsettled_since, None
        if self.seen == self.debounced:
            return None
        self.debounced = self.seen
        self.ignored_until = began + self.bounce
        return self.debounced, began

    def see(self, t: float, *, down: bool) -> None:
        """Handle an edge at the time `t`, after `advance(t)`."""
        if down == self.seen:
            return
        self.seen, self.seen_since = down, t
        if t < self.ignored_until:
            self.unsettled_since = None if down == self.debounced else t
        elif down != self.debounced and self._begins_transition(t):
            self.unsettled_since = t

    def _begins_transition(self, t: float) -> bool:
        # A contact unsettled for more than the bounce time is noisy; a press that ends the noise
        # must not get the time at which the noise began.
        return self.unsettled_since is None or t - self.unsettled_since > self.bounce


class Debouncer:
    """Debouncer of all the buttons of a panel, each independent of the others.

    Args:
        hold: seconds that a level must hold to count.
        bounce: seconds from a change during which its contact is ignored.

    The changes depend on the edges alone, not on how often `settle` is called. An edge that repeats
    the level is ignored. If an edge is earlier than the last edge of its button, it gets the time
    of that last edge.
    """

    def __init__(self, *, hold: float = HOLD_S, bounce: float = BOUNCE_S) -> None:
        self._hold = hold
        self._bounce = bounce
        self._contacts: dict[str, _DebouncedContact] = {}
        self._changes: list[Change] = []

    @property
    def settle_time(self) -> float:
        """Seconds for which an edge can affect later edges of its button."""
        return self._hold + self._bounce

    @property
    def deadline(self) -> float | None:
        """Time when `settle` will return a change if no edge comes; None if no change is due."""
        deadlines = [contact.deadline for contact in self._contacts.values()]
        known = [deadline for deadline in deadlines if deadline is not None]
        return min((*known, *(change.t for change in self._changes)), default=None)

    def feed(self, edge: Edge) -> None:
        """Take a button's next edge."""
        contact = self._contacts.get(edge.button)
        if contact is None:
            contact = _DebouncedContact(hold=self._hold, bounce=self._bounce)
            self._contacts[edge.button] = contact
        t = max(edge.t, contact.seen_since)
        self._advance(edge.button, contact, t)
        contact.see(t, down=edge.down)

    def settle(self, now: float) -> list[Change]:
        """Return the new changes that are certain by `now`, in the order of their times.

        A button that bounces for long does not delay the others. So a later call can return a
        change that began before the changes of this call.
        """
        for button, contact in self._contacts.items():
            self._advance(button, contact, now)
        changes = sorted(self._changes, key=lambda change: change.t)
        self._changes.clear()
        return changes

    def _advance(self, button: str, contact: _DebouncedContact, now: float) -> None:
        decided = contact.advance(now)
        if decided is not None:
            down, t = decided
            self._changes.append(Change(button=button, down=down, t=t))
