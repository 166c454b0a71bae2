"""Reports of a tally: the JSON value of the contract, and lines for people."""

from collections import Counter
from collections.abc import Iterator

from companion.players.simulation.tally import SimulationTally

MINUTES_A_DEAL = 3
"""Time that people take for a deal at a table, in minutes: a game lasts one to two hours."""


def json_value(tally: SimulationTally, *, seconds: float) -> dict[str, object]:
    """Return the JSON value of `cribwars simulate --json`, with the seconds it has taken."""
    plan, games = tally.plan, tally.games
    return {
        "games": games,
        "wins": [tally.wins[kind] for kind in range(len(plan.kinds))],
        "deals_per_game": tally.deals_per_game,
        "points_per_deal": {
            "dealer": tally.points_per_deal(own=True),
            "pone": tally.points_per_deal(own=False),
        },
        "zones": {zone.id: tally.zones[zone.id] / games for zone in plan.setup.track.zones},
        "first_dealer_wins": tally.first_dealer_wins,
        "seconds": seconds,
    }


def table(tally: SimulationTally, *, seconds: float) -> Iterator[str]:
    """Yield the lines of the report."""
    setup = tally.plan.setup
    yield (
        f"{setup.board}, {setup.track.finish} holes, {setup.players} seats:"
        f" {tally.games:,} games, seed {tally.plan.seed}, {seconds:.1f} s"
    )
    yield from _wins(tally)
    yield from _length(tally)
    yield from _shares(tally)
    yield from _zones(tally)


def _wins(tally: SimulationTally) -> Iterator[str]:
    yield ""
    yield "games won (all move on by a seat from game to game)"
    for place, kind in enumerate(tally.plan.kinds):
        yield f"  {kind:<26} {tally.wins[place]:>8,}  {_share(tally, tally.wins[place]):>6}"


def _length(tally: SimulationTally) -> Iterator[str]:
    deals = tally.deals_per_game
    hours, minutes = divmod(round(deals * MINUTES_A_DEAL), 60)
    low, high = (_quantile(tally.deals, part) for part in (0.05, 0.95))
    yield ""
    yield f"{'deals a game':<28} {deals:>8.1f}  nine in ten games {low} to {high}"
    yield f"{'time at a table':<28} {hours:>4} h {minutes:02}  at {MINUTES_A_DEAL} minutes a deal"
    for whose, own in (("dealer", True), ("pone", False)):
        yield f"{f'points a deal, {whose}':<28} {tally.points_per_deal(own=own):>8.2f}"


def _shares(tally: SimulationTally) -> Iterator[str]:
    even = 1 / len(tally.plan.setup.lanes)
    edge = (tally.first_dealer_wins / tally.games - even) * 100
    yield ""
    yield (
        f"{'won by the first dealer':<28} {_share(tally, tally.first_dealer_wins):>8}"
        f"  {edge:+.1f} on an even share"
    )
    yield f"{'won by a skunk':<28} {_share(tally, tally.worth[2]):>8}"
    yield f"{'won by a double skunk':<28} {_share(tally, tally.worth[4]):>8}"
    if tally.last_trap:
        decided = f"decided by {tally.last_trap}"
        yield f"{decided:<28} {_share(tally, tally.decided):>8}  a loser led, and landed there"


def _zones(tally: SimulationTally) -> Iterator[str]:
    zones = tally.plan.setup.track.zones
    if zones:
        yield ""
        yield "visits a game"
    for zone in zones:
        visits = tally.zones[zone.id] / tally.games
        yield f"  {zone.id:<12} {f'{zone.box[0]}-{zone.box[-1]}':<13} {visits:>8.2f}  {zone.kind}"


def _share(tally: SimulationTally, games: int) -> str:
    return f"{games / tally.games:.1%}"


def _quantile(counts: Counter[int], part: float) -> int:
    """Return the value that `part` of all do not exceed."""
    values = sorted(counts.elements())
    return values[round(part * (len(values) - 1))]
