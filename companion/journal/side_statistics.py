"""Figures of each side of one game."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.board import ZoneKind
from companion.journal.replay import Past, ReplayedCount, lead
from companion.rules.deal import CountKind
from companion.rules.game import Kind, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """Holes by which one count with all that followed changed a side's lead over the best other.

    `step` is the number of the step in which it was made.
    """

    holes: int
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ByReason:
    """Points of cards by what they were for; heels, go and last card are pegging."""

    hand: int
    crib: int
    pegging: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SideFigures:
    """Figures of a side in a game.

    `holes`: its progress at the end. `caught`: games that a skunk against it was worth, 0 for
    none. `counts`, `points` and `largest` are of cards; `penalty_points` (N) and `muggins_points`
    (M) were taken from others; `awards` are twenties received (Z6). `zones`: landings by kind.
    `best_swing` and `worst_swing`: the counts, anybody's, that gained and cost it most.
    `behind`: the most that it ever lay behind the best of the others. `deals` are hands that it
    sat in on, `cribs` those of them that it dealt. `by_reason` is None where the journal does not
    say what each count was for.
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
    """Return the figures of each side of a game, by its counts and the games that it was worth."""
    dealt = _deals(past)
    return {team: _side(team, past.end, made, worth, dealt) for team in past.end.setup.lanes}


def _side(
    team: int, end: State, made: Sequence[ReplayedCount], worth: int, dealt: Sequence[State]
) -> SideFigures:
    cards = [count for count in made if count.team == team and _of_cards(count)]
    points = [count.points for count in cards]
    best, worst = _swings(team, made)
    sat_in = [state for state in dealt if not state.side(team).boxed]
    return SideFigures(
        won=end.winner == team,
        # A skunk that did not make the win worth more did not count (G4).
        caught=dict(end.skunked).get(team, 0) if worth > 1 else 0,
        holes=end.progress(team),
        counts=len(points),
        points=sum(points),
        largest=max(points, default=0),
        penalty_points=_taken(team, made, "N"),
        muggins_points=_taken(team, made, "M"),
        awards=_awards(team, made),
        zones=dict(Counter(kind for count in made for landed, kind in count.met if landed == team)),
        best_swing=best,
        worst_swing=worst,
        behind=max((0, *(-lead(count.after, team) for count in made))),
        deals=len(sat_in),
        cribs=sum(state.setup.team_of(state.dealer) == team for state in sat_in),
        by_reason=_by_reason(cards) if _reasons_known(made) else None,
    )


def _of_cards(count: ReplayedCount) -> bool:
    return count.rule == "P7" and not count.forfeited


def _taken(team: int, made: Sequence[ReplayedCount], letter: str) -> int:
    return sum(
        count.points
        for count in made
        if count.team == team and count.rule.startswith(letter) and not count.forfeited
    )


def _awards(team: int, made: Sequence[ReplayedCount]) -> int:
    return sum(
        event.kind is Kind.AWARDED and event.team == team
        for count in made
        for event in count.events
    )


def _swings(team: int, made: Sequence[ReplayedCount]) -> tuple[Swing | None, Swing | None]:
    """Return the best and the worst swing of a side, the earlier one of two alike."""
    swings = [Swing(holes=count.swing(team), step=count.step) for count in made]
    best = max(swings, key=lambda swing: swing.holes, default=None)
    worst = min(swings, key=lambda swing: swing.holes, default=None)
    return (best if best and best.holes > 0 else None, worst if worst and worst.holes < 0 else None)


def _deals(past: Past) -> list[State]:
    """Return the state at the start of each hand."""
    begun: dict[int, State] = {}
    for state in (past.start, *(step.entry.state for step in past.standing)):
        if not state.counts_in_hand:
            begun[state.hand] = state
    return list(begun.values())


def _reasons_known(made: Sequence[ReplayedCount]) -> bool:
    """Return True if the journal has a reason for every count of cards."""
    whys = [count.why for count in made if _of_cards(count)]
    return bool(whys) and all(whys)


def _by_reason(cards: Sequence[ReplayedCount]) -> ByReason:
    points = Counter[CountKind | None]()
    for count in cards:
        points[count.why] += count.points
    hand, crib = points[CountKind.HAND], points[CountKind.CRIB]
    return ByReason(hand=hand, crib=crib, pegging=points.total() - hand - crib)
