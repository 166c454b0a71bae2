"""The wire of a strip followed from run to run by asking where single LEDs are seen.

Runs are pieces of strip in one cut, each on the wire as a whole: the first LED of a run lies at
one of its ends, which tells the run and its direction, and the LED behind it belongs to the next
one. Where that is not so, LEDs were skipped within, and halving finds them. The questions are
yielded and the answers sent back in; nothing is lit and nobody is asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count, pairwise
from typing import Final, TypeAlias

from companion.lights.wiring.default import Run


class Asked(StrEnum):
    """What is asked of the LEDs that are lit."""

    WHERE = "where"
    """One LED: which light point shows it? None: no light is seen."""

    ANY = "any"
    """Several: is any light seen? Any point where one is, or None."""

    DARK = "dark"
    """A whole channel: which light point stays dark? None: no more do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lit:
    """A question: LEDs `first` to `last` of a channel are lit, all others are dark.

    `likely` are the light points where an answer is expected, for whoever draws them large;
    `doubt` says why the last answer could not be.
    """

    channel: int
    first: int
    last: int
    asked: Asked = Asked.WHERE
    likely: tuple[int, ...] = ()
    doubt: str = ""


Point: TypeAlias = int | None
"""A light point, or None for nowhere."""

Questions: TypeAlias = Generator[Lit, Point, None]
"""A dialogue: questions come out, answers go in."""


def asked_until(lit: Lit, fits: Callable[[Point], str]) -> Generator[Lit, Point, Point]:
    """The answer to a question, asked again, with the doubt that `fits` tells, until one does."""
    while True:
        point = yield lit
        doubt = fits(point)
        if not doubt:
            return point
        lit = replace(lit, doubt=doubt)


FARTHEST: Final = 128
"""No gap of skipped or dead LEDs is looked for beyond so many."""

Own: TypeAlias = Callable[[int], Sequence[int]]
"""The points where an LED may be seen, by its number."""


@dataclass(kw_only=True)
class Laid:
    """A run as it was found: its first LED, and the LEDs seen, each with its place in the run.

    `run` is in the order of the wire. Places count from 0.
    """

    run: Run
    reversed: bool
    start: int
    seen: dict[int, int] = field(default_factory=dict)
    skipped: set[int] = field(default_factory=set)

    @property
    def end(self) -> int:
        """The LED behind its last one, as far as skipped ones are known."""
        led = max(self.seen)
        return led + len(self.run.points) - self.seen[led]


class Follower:
    """What is known of the wire so far: runs by channel, and LEDs that show nothing.

    Args:
        runs: all runs of the board by name; those that hang on no channel stay `left`.
        leds: no LED beyond so many of a channel is lit.
    """

    def __init__(self, runs: Mapping[str, Run], leds: int) -> None:
        self.left = dict(runs)
        self.laid: list[tuple[int, Laid]] = []
        self.dark: set[tuple[int, int]] = set()
        self._leds = leds
        self._known: dict[tuple[int, int], int] = {}
        self._at = {
            point: (run, place) for run in runs.values() for place, point in enumerate(run.points)
        }

    def follow(self, channel: int) -> Questions:
        """Find all runs on a channel, in the order of its wire."""
        laid: Laid | None = None
        while self.left or (laid and not (yield from self._is_whole(channel, laid))):
            at = laid.end if laid else 0
            found = yield from self._next_light(channel, at, _behind(laid))
            if found is None:
                break
            led, point = found
            run, place = self._at[point]
            if laid and run.name == laid.run.name:
                laid.seen[led] = laid.run.points.index(point)
                continue
            if laid:
                first = led - min(place, len(run.points) - 1 - place)
                yield from self._close(channel, laid, first, gap=led > at)
            laid = yield from self._begin(channel, run, place, led, led - (laid.end if laid else 0))
        if laid:
            yield from self._close(channel, laid, None, gap=True)

    # One run

    def _begin(
        self, channel: int, run: Run, place: int, led: int, dark: int
    ) -> Generator[Lit, Point, Laid]:
        """A run of which one LED is seen, so many dark ones behind what was known before."""
        last = len(run.points) - 1
        turned = place > dark
        if last and not turned and last - place <= dark:
            turned = yield from self._is_turned(channel, run, place, led)
        place = last - place if turned else place
        laid = Laid(
            run=run.reversed() if turned else run,
            reversed=turned,
            start=led - place,
            seen={led: place},
        )
        del self.left[run.name]
        self.laid.append((channel, laid))
        return laid

    def _is_turned(
        self, channel: int, run: Run, place: int, led: int
    ) -> Generator[Lit, Point, bool]:
        """Which way a run goes if its place cannot tell, so many being dark: by the next LED."""
        found = yield from self._next_light(channel, led + 1, lambda _: run.points)
        if found is None:
            return False
        ahead, point = found
        other, next_place = self._at[point]
        if other.name == run.name:
            return next_place < place
        room = ahead - led - min(next_place, len(other.points) - 1 - next_place)
        return room < len(run.points) - place

    def _is_whole(self, channel: int, laid: Laid) -> Generator[Lit, Point, bool]:
        """Whether the last LED of a run is seen; else the rest of it may come behind a gap."""
        while (led := laid.end - 1) not in laid.seen:
            if (channel, led) in self.dark:
                return False
            yield from self._look(channel, laid, led, None)
        return True

    def _close(self, channel: int, laid: Laid, following: int | None, *, gap: bool) -> Questions:
        """Settle which LEDs of a run are skipped; it ends before the `following` run's first."""
        if not gap:
            laid.seen[laid.end - 1] = len(laid.run.points) - 1
        while True:
            ends = range(laid.end - 1, -1, -1)
            led = next(led for led in ends if (channel, led) not in self.dark)
            if led in laid.seen:
                break
            yield from self._look(channel, laid, led, following)
        for (one, place), (other, next_place) in pairwise(sorted(laid.seen.items())):
            yield from self._halve(channel, laid, (one, place), (other, next_place))

    def _halve(
        self, channel: int, laid: Laid, one: tuple[int, int], other: tuple[int, int]
    ) -> Questions:
        """Find the skipped LEDs between two that are seen."""
        between = range(one[0] + 1, other[0])
        skipped = len(between) + 1 - (other[1] - one[1])
        unknown = [led for led in between if (channel, led) not in self.dark]
        if skipped in (0, len(between)) or not unknown:
            laid.skipped.update(between[:skipped])  # of dark ones it is all the same which
            return
        middle = unknown[len(unknown) // 2]
        yield from self._look(channel, laid, middle, None)
        if middle not in laid.seen:
            yield from self._halve(channel, laid, one, other)
            return
        found = (middle, laid.seen[middle])
        yield from self._halve(channel, laid, one, found)
        yield from self._halve(channel, laid, found, other)

    def _look(self, channel: int, laid: Laid, led: int, following: int | None) -> Questions:
        """Ask where an LED of a run is seen that lies behind one and perhaps before another."""
        before = max(seen for seen in laid.seen if seen < led)
        behind, place = len(laid.run.points) + led, len(laid.run.points)
        if following is not None:
            behind = following
        behind, place = min(
            ((seen, at) for seen, at in laid.seen.items() if seen > led), default=(behind, place)
        )
        lowest = max(laid.seen[before] + 1, place - (behind - led))
        highest = min(laid.seen[before] + led - before, place - 1)
        likely = laid.run.points[lowest : highest + 1][::-1]
        lit = Lit(channel=channel, first=led, last=led, likely=likely)
        point = yield from asked_until(
            lit, lambda point: "" if point in (None, *likely) else _ELSEWHERE
        )
        if point is None:
            self.dark.add((channel, led))
        else:
            laid.seen[led] = laid.run.points.index(point)

    # The next LED that is seen

    def _next_light(
        self, channel: int, at: int, own: Own
    ) -> Generator[Lit, Point, tuple[int, int] | None]:
        """The first LED from `at` on that is seen, and where; None if there is none.

        `own` are the points where it may be seen beside the ends of other runs.
        """
        first = next(led for led in count(at) if (channel, led) not in self.dark)
        for led in range(first, min(first + 2, self._leds)):
            point = yield from self._where(channel, led, at, own)
            if point is not None:
                return led, point
            self.dark.add((channel, led))
        first, last = first + 2, min(first + 1 + FARTHEST, self._leds - 1)
        if first > last or not (yield from self._is_any(channel, first, last)):
            return None
        while first < last:
            middle = (first + last) // 2
            if (yield from self._is_any(channel, first, middle)):
                last = middle
            else:
                self.dark.update((channel, led) for led in range(first, middle + 1))
                first = middle + 1
        point = yield from self._where(channel, first, at, own, seen=True)
        assert point is not None  # noqa: S101  # asked for until there is one
        return first, point

    def _is_any(self, channel: int, first: int, last: int) -> Generator[Lit, Point, bool]:
        point = yield Lit(channel=channel, first=first, last=last, asked=Asked.ANY)
        return point is not None

    def _where(
        self, channel: int, led: int, at: int, own: Own, *, seen: bool = False
    ) -> Generator[Lit, Point, Point]:
        """Where an LED is seen that lies behind all that is known; a gap may lie before it."""
        allowed = tuple(dict.fromkeys((*self._ends(led - at), *own(led))))
        if self._known.get((channel, led)) in allowed:
            return self._known[channel, led]
        lit = Lit(channel=channel, first=led, last=led, likely=allowed)

        def fits(point: Point) -> str:
            if point is None:
                return _SEEN_BEFORE if seen else ""
            if point in allowed:
                return ""
            return self._is_free(point) or _NO_END

        point = yield from asked_until(lit, fits)
        if point is not None:
            self._known[channel, led] = point
        return point

    def _ends(self, dark: int) -> Iterator[int]:
        """Where the runs left may be seen first, so many LEDs at most being dark before."""
        for run in self.left.values():
            yield from run.points[: dark + 1]
            yield from run.points[-dark - 1 :]

    def _is_free(self, point: Point) -> str:
        if point is None or self._at[point][0].name in self.left:
            return ""
        return _FOUND_BEFORE


def _behind(laid: Laid | None) -> Own:
    """Where an LED of a run may be seen that lies behind all those that were."""

    def own(led: int) -> Sequence[int]:
        if laid is None:
            return ()
        last = max(laid.seen)
        place = laid.seen[last]
        return laid.run.points[place + 1 : place + 1 + led - last]

    return own


_AGAIN = "tap again, or go back if an earlier tap was wrong"
_ELSEWHERE = f"this light lies between two that were seen, and cannot be there: {_AGAIN}"
_FOUND_BEFORE = f"that piece of strip was found already: {_AGAIN}"
_NO_END = f"a piece of strip begins at one of its ends, and that is none: {_AGAIN}"
_SEEN_BEFORE = f"some light was seen just now, and this is the one: {_AGAIN}"
