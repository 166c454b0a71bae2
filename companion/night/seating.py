"""Pairings of a night: rounds in which each entrant meets another one, nobody twice if possible.

While the entrants stay the same, rounds are drawn by the circle method: one entrant stays, the
others walk round. Once entrants come or leave, the remaining rounds are found by a search.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

SEARCH_LIMIT: Final = 20_000
"""Pairs tried for one round before pairs may meet once more."""

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Pairs of one round by table, the first at table 1, and the entrant who sits out, if any."""

    pairs: tuple[Pair, ...]
    bye: int | None = None


def draw_rounds(entrants: Sequence[int], number: int, played: Sequence[Round] = ()) -> list[Round]:
    """Return the next rounds of a night.

    Args:
        entrants: the ids of those who play on, each once; two at least.
        number: the rounds to draw.
        played: the rounds before.
    """
    rounds = list(played)
    fresh = not played or set(entrants) == _entrants_of(played[0])
    if fresh and list(played) == (cycle := _circle(entrants, len(played) + number))[: len(played)]:
        return cycle[len(played) :]
    for _ in range(number):
        rounds.append(_search_round(entrants, rounds))
    return rounds[len(played) :]


def meetings(rounds: Iterable[Round]) -> Counter[frozenset[int]]:
    """Return the number of times that two entrants have met, by pair."""
    return Counter(frozenset(pair) for each in rounds for pair in each.pairs)


def _entrants_of(drawn: Round) -> set[int]:
    return {name for pair in drawn.pairs for name in pair} | {drawn.bye or drawn.pairs[0][0]}


def _circle(entrants: Sequence[int], number: int) -> list[Round]:
    """Return rounds of the circle method, which begins again after a full turn."""
    seats: list[int | None] = [*entrants, *([None] if len(entrants) % 2 else [])]
    rounds: list[Round] = []
    for turn in range(number):
        fixed, *walking = seats
        shift = turn % len(walking)
        around = [fixed, *walking[shift:], *walking[:shift]]
        half = len(around) // 2
        opposite = zip(around[:half], reversed(around[half:]), strict=True)
        rounds.append(_round(opposite))
    return rounds


def _round(opposite: Iterable[tuple[int | None, int | None]]) -> Round:
    pairs: list[Pair] = []
    bye = None
    for one, other in opposite:
        if one is not None and other is not None:
            pairs.append((one, other))
        else:
            bye = one or other
    return Round(pairs=tuple(pairs), bye=bye)


def _search_round(entrants: Sequence[int], rounds: Sequence[Round]) -> Round:
    """Return the next round, with as few repeated meetings as the search finds."""
    byes = Counter(each.bye for each in rounds)
    bye = None
    if len(entrants) % 2:
        bye = min(reversed(entrants), key=lambda name: byes[name])
    playing = [name for name in entrants if name != bye]
    met = meetings(rounds)
    most = 0
    while True:
        left = iter(range(SEARCH_LIMIT))
        pairs = _match(playing, met, most, left)
        if pairs is not None:
            return Round(pairs=tuple(pairs), bye=bye)
        most += 1


def _match(
    names: Sequence[int], met: Counter[frozenset[int]], most: int, left: Iterator[int]
) -> list[Pair] | None:
    """Pair all names so that no pair has met more than `most` times.

    Return None if that is impossible, or if `left`, which counts the tries, is exhausted.
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
