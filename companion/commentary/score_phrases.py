"""Sums of counts as players say them: "fifteen-two, fifteen-four and a pair is six".

If a run can be formed in several ways, its points include its pairs: a double run of three is
eight, and the pair is not said again.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from companion.commentary.phrases import Phrases
from companion.rules.cards import PAIR_KINDS, Part, PartKind

_RUNS = {1: "run", 2: "double-run", 3: "triple-run", 4: "double-double-run"}
"""Phrase of a run by the number of ways to form it."""


def sum_phrase(parts: Sequence[Part], phrases: Phrases) -> str:
    """Return the phrase for one or more parts of a count, each with the total so far."""
    phrased: list[str] = []
    total = 0
    for what, points in _terms(parts, phrases):
        total += points
        number = phrases.number(total)
        if what is None:
            phrased.append(phrases.say("adds_up.fifteen", total=number))
        else:
            key = "adds_up.then" if phrased else "adds_up.first"
            phrased.append(phrases.say(key, what=what, total=number))
    return phrases.joined("sums", phrased)


def _terms(parts: Sequence[Part], phrases: Phrases) -> Iterator[tuple[str | None, int]]:
    """Yield phrase and points of each part; the phrase is None for a fifteen (see `sum_phrase`)."""
    runs = [part for part in parts if part.kind is PartKind.RUN]
    doubled = len(runs) > 1
    paired = sum(part.points for part in parts if part.kind in PAIR_KINDS)
    for kind, group in groupby(parts, key=attrgetter("kind")):
        if kind is PartKind.RUN:
            length = phrases.number(len(runs[0].cards))
            points = sum(run.points for run in runs) + paired * doubled
            yield phrases.say(f"adds_up.{_RUNS[len(runs)]}", length=length), points
        elif not (doubled and kind in PAIR_KINDS):
            yield from _alike(kind, list(group), phrases)


def _alike(
    kind: PartKind, parts: Sequence[Part], phrases: Phrases
) -> Iterator[tuple[str | None, int]]:
    for place, part in enumerate(parts):
        if kind is PartKind.FIFTEEN:  # partial: each other kind has a phrase
            yield None, part.points
        elif kind is PartKind.FLUSH:
            length = phrases.number(len(part.cards))
            yield phrases.say("adds_up.flush", length=length), part.points
        else:
            key = "other-pair" if place and kind is PartKind.PAIR else kind.value
            yield phrases.say(f"adds_up.{key}"), part.points
