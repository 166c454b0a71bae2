"""The counts of a recorded game that stand (were not undone), each with its consequences.

A row of the journal is one command with its events. It can have several counts, because two sides
can each take a penalty. Therefore `counts` splits a row into groups of events. A group begins with
a count, an overpeg, a deal, or a boxed side's release or own move; its consequences follow.
An overpeg (N11, M2: a side pegged too much) takes back a count; its row has the corrected count.

Example: side 1 pegs 22 into a penalty box, which costs it 20 holes and awards them to side 2. Side
2 deals. Then it turns out that 22 was 1 too many: the game counts 21 and deals again. The rows have
the events `counted 22, folded, sent_back, awarded`, then `dealt`, then `overpegged, counted 21,
dealt`. After the first row, `counts` has one count, which changes the lead of side 1 by 2 - 20
holes. After the third row, it has one count of 21 with `step` 3; the deal is no consequence of it.
"""

from collections.abc import Iterator

from msgspec import Struct

from companion.board import Zone, ZoneKind
from companion.journal.replay import Past
from companion.rules.game import CountKind, Event, Kind, State, apply_all, first_landing

_OF_CARDS = ("P7", "G2")
"""The rules under which cards are pegged; G2 forfeits a count that is too long."""


class ReplayedCount(Struct, frozen=True, kw_only=True):
    """A count that stands, with its consequences.

    Attributes:
        step: the number, within the game, of the row with this count, from 1.
        events: the count and all its consequences.
        before: the state before these events.
        after: the state after these events.
    """

    step: int
    why: CountKind | None
    events: tuple[Event, ...]
    before: State
    after: State

    @property
    def side(self) -> int:
        return self.events[0].side or 0

    @property
    def points(self) -> int:
        return self.events[0].points or 0

    @property
    def rule(self) -> str:
        """The rule of the count: P7 for cards, N for a penalty, M for muggins."""
        rule = self.events[0].rule or ""
        return "P7" if rule in _OF_CARDS else rule

    @property
    def forfeited(self) -> bool:
        """True if the count was too long for an exact finish and moved no peg (G2)."""
        return self.events[0].kind is Kind.FORFEITED

    @property
    def met(self) -> tuple[tuple[int, ZoneKind], ...]:
        """The zones that acted after the count, each with the side that landed there (Z1 to Z5)."""
        kinds = ((event.side or 0, event.kind.facts.zone) for event in self.events)
        return tuple((side, kind) for side, kind in kinds if kind)

    @property
    def zone(self) -> Zone | None:
        """The zone in which the count itself ended, or None."""
        track = self.before.setup.track
        ends = self.events[0].to
        return track.zone_at(ends) if first_landing(self.events, self.side) and ends else None


def leads(state: State) -> tuple[int, ...]:
    """Return by how many holes each side leads the best other side; negative if it is behind."""
    *_, second, best = sorted(state.progresses)
    return tuple(mine - (second if mine == best else best) for mine in state.progresses)


def counts(past: Past) -> list[ReplayedCount]:
    """Return the counts of a game that stand, in order; counts corrected to 0 are left out."""
    found: list[ReplayedCount] = []
    before = past.start
    for number, step in enumerate(past.standing, start=1):
        made = step.entry.events
        for events in _apart(made):
            after = step.entry.state if len(events) == len(made) else apply_all(before, events)
            if events[0].kind is Kind.OVERPEGGED:
                found.pop()
            elif _is_count(events[0]):
                count = ReplayedCount(
                    step=number, why=step.why, events=events, before=before, after=after
                )
                found.append(count)
            before = after
    return [count for count in found if count.points]


def _apart(events: tuple[Event, ...]) -> Iterator[tuple[Event, ...]]:
    """Yield the events in groups; a group has one event and its consequences."""
    first = 0
    for index, event in enumerate(events[1:], start=1):
        if _is_count(event) or event.kind.facts.is_apart or _is_own_move(event):
            yield events[first:index]
            first = index
    if events:
        yield events[first:]


def _is_count(event: Event) -> bool:
    """Return True if an event is a count; a forfeited award (Z6) is not a count."""
    of_cards = event.kind is Kind.FORFEITED and event.rule != "Z6"  # not all: only these count
    return event.kind is Kind.COUNTED or of_cards


def _is_own_move(event: Event) -> bool:
    return event.kind is Kind.BOX_MOVED and event.rule == "Z7"
