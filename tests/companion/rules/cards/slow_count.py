"""The slow twin: shows and plays counted from the text of the rules alone, by trying everything.

It knows nothing of the companion: cards are texts, such as "TH".
"""

from collections.abc import Iterable, Sequence
from itertools import chain, combinations

LETTERS = "A23456789TJQK"
OF_A_KIND = {2: ("pair", 2), 3: ("pair-royal", 6), 4: ("double-pair-royal", 12)}


def rank(card: str) -> int:
    """Return 1 for the ace to 13 for the king."""
    return LETTERS.index(card[0]) + 1


def pips(cards: Iterable[str]) -> int:
    """Return the sum of the cards; court cards are tens."""
    return sum(min(10, rank(card)) for card in cards)


def in_sequence(cards: Iterable[str]) -> bool:
    """Return True if cards, in any order, are three or more neighbouring ranks without a gap."""
    ranks = sorted(map(rank, cards))
    return len(ranks) >= 3 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def slow_show(hand: Sequence[str], starter: str, *, crib: bool) -> dict[str, int]:
    """Return the points of each kind by S2 to S4, from all sets of the five cards."""
    five = (*hand, starter)
    sets = list(chain.from_iterable(combinations(five, size) for size in range(1, 6)))
    runs = [found for found in sets if in_sequence(found)]
    longest = [run for run in runs if not any(set(run) < set(other) for other in runs)]
    suits = [card[1] for card in hand]
    whole = len({*suits, starter[1]}) == 1
    return {
        "fifteens": 2 * sum(pips(found) == 15 for found in sets),
        "pairs": 2 * sum(rank(one) == rank(other) for one, other in combinations(five, 2)),
        "runs": sum(map(len, longest)),
        "flush": 5 if whole else 4 if len(set(suits)) == 1 and not crib else 0,
        "nobs": int("J" + starter[1] in hand),
    }


def slow_play(pile: Sequence[str]) -> list[tuple[str, int]]:
    """Return the parts that the last card makes by P5 and P6, from each end of the pile."""
    parts = [
        (name, 2) for name, sum_ in (("fifteen", 15), ("thirty-one", 31)) if sum_ == pips(pile)
    ]
    ends = [pile[-length:] for length in range(1, len(pile) + 1)]
    alike = [len(end) for end in ends if len(set(map(rank, end))) == 1]
    runs = [len(end) for end in ends if in_sequence(end)]
    parts += [OF_A_KIND[max(alike)]] if alike and max(alike) > 1 else []
    parts += [("run", max(runs))] if runs else []
    return parts
