"""Figures of each side of one game."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.board import ZoneKind
from companion.journal.replay import Past
from companion.records.counts import ReplayedCount, leads
from companion.rules.deal import CountKind
from companion.rules.game import Kind, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """Change of a side's lead over the best other side, by one count and its consequences.

    `step` is the number of the command with this count in the game, from 1.
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
        made: the counts of the game, from `companion.records.counts.counts`.
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
    whys = [count.why for counts in cards.values() for count in counts]
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
