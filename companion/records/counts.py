"""The counts of a recorded game that stand (were not undone), and the figures of the game's sides.

A row of the journal is one command with its events. It can have several counts, because two sides
can each take a penalty. Therefore `counts` splits a row into groups of events. A group begins with
a count, an overpeg, a deal, or a side's move in or out of a penalty box (Z7); consequences follow.
An overpeg (N11, M2: a side pegged too much) takes back a count; its row has the corrected count.

Example: side 1 pegs 22 into a penalty box, which costs it 20 holes and awards them to side 2. Side
2 deals. Then it turns out that 22 was 1 too many: the game counts 21 and deals again. The rows have
the events `counted 22, folded, sent_back, awarded`, then `dealt`, then `overpegged, counted 21,
dealt`. After the first row, `counts` has one count, which changes the lead of side 1 by 22 - 20 -
20 holes. After the third row, it has one count of 21 with `step` 3, without the deal.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """Change of a side's lead over the best other side, by one count and its consequences.

    `step` is the number, within the game, of the command that made this count, from 1.
    """

    holes: int
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ByReason:
    """Points from cards, by the reason of the count; pegging includes heels, go and last card."""

    hand: int
    crib: int
    pegging: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SideFigures:
    """Figures of a side in a game.

    Attributes:
        caught: the number of games that the win counted for if this side was skunked, else 0.
        holes: the side's progress at the end.
        counts: the number of its counts from cards.
        points: the sum of these counts.
        largest: the largest of these counts.
        penalty_points: points for penalties of other sides (rules N).
        muggins_points: points that other sides missed or counted too many (rules M).
        awards: the number of awards of 20 holes that the side received (rule Z6).
        zones: the number of its landings, by kind of zone.
        best_swing: the swing that gained the side most, from a count of any side.
        worst_swing: the swing that cost the side most, from a count of any side.
        behind: the most holes that the side was behind the best other side.
        deals: the number of hands that the side played.
        cribs: the number of hands that the side dealt.
        by_reason: None if the journal does not have the reason of each count.
    """

    won: bool
    caught: int
    holes: int
    counts: int
    points: int
    largest: int
    penalty_points: int
    muggins_points: int
    awards: int
    zones: dict[ZoneKind, int]
    best_swing: Swing | None
    worst_swing: Swing | None
    behind: int
    deals: int
    cribs: int
    by_reason: ByReason | None


def side_figures(past: Past, made: Sequence[ReplayedCount], worth: int) -> dict[int, SideFigures]:
    """Return the figures of each side of a game.

    Args:
        past: the game.
        made: the counts of the game, from the function `counts`.
        worth: number of games that the win counted for; 1 if nobody has won.
    """
    end = past.end
    sides = end.setup.sides
    cards: dict[int, list[ReplayedCount]] = {side: [] for side in sides}
    taken, awards = Counter[tuple[int, str]](), Counter[int]()
    landed: dict[int, Counter[ZoneKind]] = {side: Counter() for side in sides}
    for count in made:
        rule = count.rule
        if rule == "P7" and not count.forfeited:
            cards[count.side].append(count)
        elif not count.forfeited:
            taken[count.side, rule[:1]] += count.points
        if len(count.events) > 1:
            for side, kind in count.met:
                landed[side][kind] += 1
            awards.update(each.side or 0 for each in count.events if each.kind is Kind.AWARDED)
    whys = [count.why for own in cards.values() for count in own]
    known = bool(whys) and all(whys)
    skunked, dealt, around = dict(end.skunked), _deals(past), _leads_around(made)
    figures = {}
    for number, side in enumerate(sides):
        points = [count.points for count in cards[side]]
        sat_in = [state for state in dealt if not state.pegs(side).boxed]
        gains = [after[number] - before[number] for before, after in around]
        best, worst = max(gains, default=0), min(gains, default=0)
        figures[side] = SideFigures(
            won=end.winner == side,
            # A skunk that did not raise the worth of the win did not count (G4).
            caught=skunked.get(side, 0) if worth > 1 else 0,
            holes=end.progress(side),
            counts=len(points),
            points=sum(points),
            largest=max(points, default=0),
            penalty_points=taken[side, "N"],
            muggins_points=taken[side, "M"],
            awards=awards[side],
            zones=dict(landed[side]),
            best_swing=_swing(best, made[gains.index(best)]) if best > 0 else None,
            worst_swing=_swing(worst, made[gains.index(worst)]) if worst < 0 else None,
            behind=max((0, *(-after[number] for _, after in around))),
            deals=len(sat_in),
            cribs=sum(state.setup.side_of(state.dealer) == side for state in sat_in),
            by_reason=_by_reason(cards[side]) if known else None,
        )
    return figures


def _swing(holes: int, count: ReplayedCount) -> Swing:
    return Swing(holes=holes, step=count.step)


def _leads_around(made: Sequence[ReplayedCount]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the lead of each side before and after each count."""
    found = []
    state: State | None = None
    after: tuple[int, ...] = ()
    for count in made:
        before = after if count.before is state else leads(count.before)
        state, after = count.after, leads(count.after)
        found.append((before, after))
    return found


def _deals(past: Past) -> list[State]:
    """Return the state at the start of each hand."""
    begun: dict[int, State] = {}
    for state in (past.start, *(step.entry.state for step in past.standing)):
        if not state.counts_in_hand:
            begun[state.hand] = state
    return list(begun.values())


def _by_reason(cards: Sequence[ReplayedCount]) -> ByReason:
    points = Counter[CountKind | None]()
    for count in cards:
        points[count.why] += count.points
    hand, crib = points[CountKind.HAND], points[CountKind.CRIB]
    return ByReason(hand=hand, crib=crib, pegging=points.total() - hand - crib)
