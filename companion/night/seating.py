"""Seating of a night: the pairs of each round, if possible of entrants who have not met before.

While the entrants stay the same, rounds are drawn by the circle method: one entrant keeps its seat,
and the others move round by one seat. Once entrants come or leave, a search finds further rounds.
The same entrants and rounds always give the same next round, so it can be shown in advance.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Final

from companion.errors import BadInputError
from companion.night.messages import SIDES, NightPlan, NightRound, SeatedPair

SEARCH_LIMIT: Final = 20_000
"""Most pairs that a search tries. A new search then allows pairs one more earlier meeting."""

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Pairs of a round in the order of the tables, and the entrant who sits out, or None."""

    pairs: tuple[Pair, ...]
    bye: int | None = None


def next_round(plan: NightPlan) -> NightRound | None:
    """Return the round that would be seated next, or None if fewer than two entrants play.

    Raises:
        BadInputError: the plan has too few tables.
    """
    playing = [each.id for each in plan.entrants if each.playing]
    if len(playing) < SIDES:
        return None
    drawn = _draw(tuple(playing), plan.rounds)
    tables = plan.tables or range(1, len(drawn.pairs) + 1)
    seated = zip(tables, drawn.pairs, strict=False)
    pairs = tuple(SeatedPair(table=table, entrants=pair) for table, pair in seated)
    if len(pairs) < len(drawn.pairs):
        text = "{pairs} pairs need as many tables, and there are {tables}: add tables to the format"
        raise BadInputError(text, pairs=len(drawn.pairs), tables=len(pairs))
    return NightRound(pairs=pairs, bye=drawn.bye)


@lru_cache(maxsize=2)
def _draw(playing: tuple[int, ...], rounds: tuple[NightRound, ...]) -> Round:
    """Draw the next round; cached, as each page asks for it and a search may take 0.1 s."""
    played = [Round(pairs=tuple(p.entrants for p in each.pairs), bye=each.bye) for each in rounds]
    return draw_round(playing, played)


def draw_round(entrants: Sequence[int], played: Sequence[Round] = ()) -> Round:
    """Return the next round of two or more entrants, after the rounds `played`."""
    cycle = _circle(entrants, len(played) + 1)
    return cycle[-1] if list(played) == cycle[:-1] else _search_round(entrants, played)


def meetings(rounds: Iterable[Round]) -> Counter[frozenset[int]]:
    """Return for each pair of entrants the number of rounds in which they have met."""
    return Counter(frozenset(pair) for each in rounds for pair in each.pairs)


def _circle(entrants: Sequence[int], number: int) -> list[Round]:
    """Return `number` rounds of the circle method; after a full turn the rounds repeat."""
    seats: list[int | None] = [*entrants, *([None] if len(entrants) % 2 else [])]
    fixed, *walking = seats
    half = len(seats) // 2
    rounds: list[Round] = []
    for turn in range(number):
        shift = turn % len(walking)
        around = [fixed, *walking[shift:], *walking[:shift]]
        opposite = list(zip(around[:half], reversed(around[half:]), strict=True))
        pairs = tuple((one, other) for one, other in opposite if one and other)
        bye = next((one or other for one, other in opposite if not (one and other)), None)
        rounds.append(Round(pairs=pairs, bye=bye))
    return rounds


def _search_round(entrants: Sequence[int], rounds: Sequence[Round]) -> Round:
    """Return the next round, with as few repeated meetings as the search finds."""
    byes = Counter(each.bye for each in rounds)
    bye = min(reversed(entrants), key=lambda name: byes[name]) if len(entrants) % 2 else None
    playing = [name for name in entrants if name != bye]
    met = meetings(rounds)
    tries = (_match(playing, met, most, iter(range(SEARCH_LIMIT))) for most in count())
    return Round(pairs=tuple(next(filter(None, tries))), bye=bye)


def _match(
    names: Sequence[int], met: Counter[frozenset[int]], most: int, left: Iterator[int]
) -> list[Pair] | None:
    """Pair all names so that no pair has met more than `most` times before.

    Return None if this is impossible, or if all tries in `left` are used.
    """
    if not names:
        return []
    choices = {
        name: [other for other in names if other != name and met[frozenset((name, other))] <= most]
        for name in names
    }
    name = min(names, key=lambda each: len(choices[each]))
    for other in sorted(choices[name], key=lambda each: len(choices[each])):
        if next(left, None) is None:
            return None
        rest = [each for each in names if each not in {name, other}]
        found = _match(rest, met, most, left)
        if found is not None:
            return [(name, other), *found]
    return None
