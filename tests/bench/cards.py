"""Hands counted a second, one by one and in bulk, beside other packages in the same run.

The other packages are no dependencies. To have them in the table, install them into a folder of
their own and name it:

    pip install --no-deps --target DIR cribbage-scorer pycribbage cribbage more-itertools
    CRIBWARS_BENCH_SITE=DIR python -m tests.bench cards
"""

import os
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from timeit import repeat

import numpy as np

from companion.rules.cards import (
    DECK,
    Card,
    count_play,
    count_show,
    count_shows,
    distribution,
    play_points,
    show_points,
)
from tests.bench.promise import Table, row, table

SITE = "CRIBWARS_BENCH_SITE"

_HANDS = 2_000
_IN_BULK = 1_000_000
_ROUNDS = 5

_Five = tuple[list[Card], Card]


def measure() -> list[Table]:
    """Return tables of hands a second beside other packages, of all combinations, and of plays."""
    fives = _fives()
    others = {name: _rate_of(make, fives) for name, make in _OTHERS.items()}
    singly = _rate(partial(_each, show_points, fives), _HANDS)
    bulk = _bulk_rate()
    return [
        _beside(f"{_HANDS:,} hands one by one, beside others", singly, others, times=5),
        _beside(f"{_IN_BULK:,} hands in bulk, beside others one by one", bulk, others, times=50),
        table("All 12,994,800 hands with their starters", _whole()),
        ("Other counts", ["what", "a second"], _other_counts(fives)),
    ]


def _fives() -> list[_Five]:
    rng = random.Random(363)
    dealt = [rng.sample(DECK, 5) for _ in range(_HANDS)]
    return [(hand, starter) for *hand, starter in dealt]


def _rate(run: Callable[[], object], number: int) -> float:
    """Return the rate a second in the best of a few rounds, since other programs run too."""
    return number / min(repeat(run, number=1, repeat=_ROUNDS))


def _each(count: Callable[..., object], arguments: Sequence[tuple[object, ...]]) -> None:
    for given in arguments:
        count(*given)


def _bulk_rate() -> float:
    numbers = np.random.default_rng(363).random((_IN_BULK // 10, len(DECK)), dtype=np.float32)
    fives = np.tile(numbers.argpartition(5)[:, :5].astype(np.uint8), (10, 1))
    return _rate(partial(count_shows, fives[:, :4], fives[:, 4]), len(fives))


def _beside(title: str, ours: float, others: Mapping[str, float | None], *, times: int) -> Table:
    """Return our rate, then each other package's and how many times faster ours is."""
    rows = [["ours", f"{ours:,.0f}", "", "", ""]]
    for name, theirs in others.items():
        if theirs is None:
            rows.append([name, "not installed", "", "", f"see {SITE}"])
            continue
        reported = "holds" if ours >= times * theirs else "MISSED"
        rows.append(
            [name, f"{theirs:,.0f}", f"{ours / theirs:,.0f} times", f">= {times}", reported]
        )
    return title, ["what", "hands/s", "ours is faster", "target", ""], rows


def _whole() -> list[list[str]]:
    return [
        row(name, min(repeat(partial(distribution, crib=crib), number=1, repeat=2)), "s", below=10)
        for name, crib in (("as hands", False), ("as cribs", True))
    ]


def _other_counts(fives: Sequence[_Five]) -> list[list[str]]:
    piles = [(hand[:3],) for hand, _ in fives]
    counts: list[tuple[str, Callable[..., object], Sequence[tuple[object, ...]]]] = [
        ("a hand with all its parts", lambda *five: count_show(*five).parts, fives),
        ("a card played, its points", play_points, piles),
        ("a card played, with its parts", count_play, piles),
    ]
    return [
        [name, f"{_rate(partial(_each, count, given), _HANDS):,.0f}"]
        for name, count, given in counts
    ]


_Made = tuple[Callable[..., object], list[tuple[object, ...]]]
"""A function that counts a hand, and for each hand what it takes."""


def _rate_of(make: Callable[[Sequence[_Five]], _Made], fives: Sequence[_Five]) -> float | None:
    """Return the hands a second of another package, if installed; its cards are made before."""
    site = os.environ.get(SITE)
    if site and site not in sys.path:
        sys.path.append(site)
    try:
        count, arguments = make(fives)
    except ImportError:
        return None
    return _rate(partial(_each, count, arguments), len(fives))


def _cribbage_scorer(fives: Sequence[_Five]) -> _Made:
    count = import_module("cribbage_scorer.cribbage_scorer").show_calc_score

    def pair(card: Card) -> tuple[int, str]:
        return card.rank, card.suit

    return count, [(pair(starter), [pair(card) for card in hand]) for hand, starter in fives]


def _pycribbage(fives: Sequence[_Five]) -> _Made:
    count = import_module("pycribbage.scorer").ScoreTheShow
    tools = import_module("pycribbage.deck_tools")

    def held(hand: list[Card], starter: Card) -> tuple[object]:
        made = tools.Hand()
        for card in (*hand, starter):
            made.add_card(tools.Card("CDHS".index(card.suit), card.rank))
        return (made,)

    return count, [held(hand, starter) for hand, starter in fives]


def _cribbage(fives: Sequence[_Five]) -> _Made:
    count = import_module("cribbage.score").score_hand
    tools = import_module("cribbage.card")

    def made(card: Card) -> object:
        return tools.Card("DCHS".index(card.suit) * 13 + card.rank - 1)

    return count, [([made(card) for card in hand], made(starter)) for hand, starter in fives]


_OTHERS = {"cribbage-scorer": _cribbage_scorer, "pycribbage": _pycribbage, "cribbage": _cribbage}
