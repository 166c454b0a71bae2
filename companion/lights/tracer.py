"""Tracing of a strip's wire from run to run, by asking where single LEDs are seen.

A run is a piece of strip for a row of holes or for one lamp. The place of a run's first LED shows
which run it is, and its direction. The LED after a run belongs to the next run, so about one
question a run is enough. If an answer does not fit, bisection finds the skipped LEDs, which lie
under no hole. The tracer is a generator of questions; its caller lights the LEDs.

For example, LED 0 is seen at hole 1, the end of run `1-40`. So LEDs 0 to 39 are holes 1 to 40, and
the next question is about LED 40. If it is seen at hole 41 or 81, the run that begins there is
next. If it is seen at hole 40, one of LEDs 1 to 39 is skipped, and bisection finds out which.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count, pairwise
from typing import Final, TypeAlias

from companion.errors import NO_TEXT, Text
from companion.lights.wiring import Run


class QuestionKind(StrEnum):
    """Kinds of question about the lit LEDs. A light point is an LED's place: a hole or lamp."""

    WHERE = "where"
    """The answer is the light point that shows the one lit LED, or None if the LED is dark."""

    ANY = "any"
    """The answer is any point that shows one of several LEDs, or None if all are dark."""

    DARK = "dark"
    """The answer is a point that stays dark while its channel is lit, or None after the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LightQuestion:
    """Question that is asked while LEDs `first` to `last` of a channel are the only ones lit.

    `likely` has the light points that are expected as answers; `objection` says why the last answer
    is impossible.
    """

    channel: int
    first: int
    last: int
    kind: QuestionKind = QuestionKind.WHERE
    likely: tuple[int, ...] = ()
    objection: Text = NO_TEXT


Point: TypeAlias = int | None  # a light point, or None for nowhere

Questions: TypeAlias = Generator[LightQuestion, Point, None]  # takes the answers


def ask_until_accepted(
    question: LightQuestion, check: Callable[[Point], Text]
) -> Generator[LightQuestion, Point, Point]:
    """Repeat a question until `check` returns no objection to the answer; return the answer."""
    while True:
        point = yield question
        objection = check(point)
        if not objection:
            return point
        question = replace(question, objection=objection)


LONGEST_GAP_LEDS: Final = 128
"""Longest gap of skipped or dead LEDs; the tracer does not look for light behind it."""

Candidates: TypeAlias = Callable[[int], Sequence[int]]  # from an LED to the points where it may be


@dataclass(kw_only=True)
class PlacedRun:
    """Run whose points are in the order of the wire; its first LED is `start`.

    `seen` has the LEDs that were seen, each with the index of its point in the run.
    """

    run: Run
    reversed: bool
    start: int
    seen: dict[int, int] = field(default_factory=dict)
    skipped: set[int] = field(default_factory=set)

    @property
    def end(self) -> int:
        """Number of the LED after the run's last LED, as far as skipped LEDs are known."""
        led = max(self.seen)
        return led + len(self.run.points) - self.seen[led]


class WireTracer:
    """Tracer of the wire; `placed` has the runs found so far and their channels.

    Args:
        runs: all runs of the board by name; runs found on no channel stay `unplaced`.
        leds: number of LEDs of a channel that may be lit.
    """

    def __init__(self, runs: Mapping[str, Run], leds: int) -> None:
        self.unplaced = dict(runs)
        self.placed: list[tuple[int, PlacedRun]] = []
        self.dark: set[tuple[int, int]] = set()
        self._leds = leds
        self._known: dict[tuple[int, int], int] = {}
        self._at = {
            point: (run, index) for run in runs.values() for index, point in enumerate(run.points)
        }

    def follow(self, channel: int) -> Questions:
        placed: PlacedRun | None = None
        while self.unplaced or (placed and not (yield from self._is_whole(channel, placed))):
            at = placed.end if placed else 0
            found = yield from self._next_light(channel, at, _behind(placed))
            if found is None:
                break
            led, point = found
            run, index = self._at[point]
            if placed and run.name == placed.run.name:
                placed.seen[led] = placed.run.points.index(point)
                continue
            if placed:
                first = led - min(index, len(run.points) - 1 - index)
                yield from self._find_skipped(channel, placed, first, gap=led > at)
            placed = yield from self._place(
                channel, run, index, led, led - (placed.end if placed else 0)
            )
        if placed:
            yield from self._find_skipped(channel, placed, None, gap=True)

    # One run

    def _place(
        self, channel: int, run: Run, index: int, led: int, dark: int
    ) -> Generator[LightQuestion, Point, PlacedRun]:
        """Place the run of a seen `led`; `dark` is the number of dark LEDs since the last run."""
        last = len(run.points) - 1
        turned = index > dark
        if last and not turned and last - index <= dark:
            turned = yield from self._is_turned(channel, run, index, led)
        index = last - index if turned else index
        placed = PlacedRun(
            run=run.reversed() if turned else run,
            reversed=turned,
            start=led - index,
            seen={led: index},
        )
        del self.unplaced[run.name]
        self.placed.append((channel, placed))
        return placed

    def _is_turned(
        self, channel: int, run: Run, index: int, led: int
    ) -> Generator[LightQuestion, Point, bool]:
        """Find the direction of a run by its next LED; return True if it is reversed."""
        found = yield from self._next_light(channel, led + 1, lambda _: run.points)
        if found is None:
            return False
        ahead, point = found
        other, next_index = self._at[point]
        if other.name == run.name:
            return next_index < index
        room = ahead - led - min(next_index, len(other.points) - 1 - next_index)
        return room < len(run.points) - index

    def _is_whole(self, channel: int, placed: PlacedRun) -> Generator[LightQuestion, Point, bool]:
        """Ask for the last LED of a run; return False if it is dark, so the run may go on later."""
        while (led := placed.end - 1) not in placed.seen:
            if (channel, led) in self.dark:
                return False
            yield from self._look(channel, placed, led, None)
        return True

    def _find_skipped(
        self, channel: int, placed: PlacedRun, following: int | None, *, gap: bool
    ) -> Questions:
        """Find the skipped LEDs of a run; `following` is the next run's first LED, if known.

        Without a `gap` between the two runs, the LED before `following` is the last of the run.
        """
        if not gap:
            placed.seen[placed.end - 1] = len(placed.run.points) - 1
        while True:
            ends = range(placed.end - 1, -1, -1)
            led = next(led for led in ends if (channel, led) not in self.dark)
            if led in placed.seen:
                break
            yield from self._look(channel, placed, led, following)
        for (one, index), (other, next_index) in pairwise(sorted(placed.seen.items())):
            yield from self._halve(channel, placed, (one, index), (other, next_index))

    def _halve(
        self, channel: int, placed: PlacedRun, one: tuple[int, int], other: tuple[int, int]
    ) -> Questions:
        between = range(one[0] + 1, other[0])
        skipped = len(between) + 1 - (other[1] - one[1])
        unknown = [led for led in between if (channel, led) not in self.dark]
        if skipped in (0, len(between)) or not unknown:
            placed.skipped.update(between[:skipped])  # if all are dark, any may count as skipped
            return
        middle = unknown[len(unknown) // 2]
        yield from self._look(channel, placed, middle, None)
        if middle not in placed.seen:
            yield from self._halve(channel, placed, one, other)
            return
        found = (middle, placed.seen[middle])
        yield from self._halve(channel, placed, one, found)
        yield from self._halve(channel, placed, found, other)

    def _look(self, channel: int, placed: PlacedRun, led: int, following: int | None) -> Questions:
        """Ask where an LED of a run is seen; an earlier LED of the run was seen already."""
        before = max(seen for seen in placed.seen if seen < led)
        size = len(placed.run.points)
        end = led + size if following is None else following
        later = ((seen, at) for seen, at in placed.seen.items() if seen > led)
        behind, index = min(later, default=(end, size))
        lowest = max(placed.seen[before] + 1, index - (behind - led))
        highest = min(placed.seen[before] + led - before, index - 1)
        likely = placed.run.points[lowest : highest + 1][::-1]
        lit = LightQuestion(channel=channel, first=led, last=led, likely=likely)
        point = yield from ask_until_accepted(
            lit, lambda point: NO_TEXT if point in (None, *likely) else _ELSEWHERE
        )
        if point is None:
            self.dark.add((channel, led))
        else:
            placed.seen[led] = placed.run.points.index(point)

    # The next LED that is seen

    def _next_light(
        self, channel: int, at: int, candidates: Candidates
    ) -> Generator[LightQuestion, Point, tuple[int, int] | None]:
        """Return the first LED from `at` on that is seen, with its point, or None if all are dark.

        The point is one of the LED's `candidates`, or near an end of an unplaced run.
        """
        first = next(led for led in count(at) if (channel, led) not in self.dark)
        for led in range(first, min(first + 2, self._leds)):
            point = yield from self._where(channel, led, at, candidates)
            if point is not None:
                return led, point
            self.dark.add((channel, led))
        first, last = first + 2, min(first + 1 + LONGEST_GAP_LEDS, self._leds - 1)
        if first > last or not (yield from self._is_any(channel, first, last)):
            return None
        while first < last:
            middle = (first + last) // 2
            if (yield from self._is_any(channel, first, middle)):
                last = middle
            else:
                self.dark.update((channel, led) for led in range(first, middle + 1))
                first = middle + 1
        point = yield from self._where(channel, first, at, candidates, seen=True)
        assert point is not None  # noqa: S101  # the question is repeated until there is one
        return first, point

    def _is_any(self, channel: int, first: int, last: int) -> Generator[LightQuestion, Point, bool]:
        point = yield LightQuestion(channel=channel, first=first, last=last, kind=QuestionKind.ANY)
        return point is not None

    def _where(
        self, channel: int, led: int, at: int, candidates: Candidates, *, seen: bool = False
    ) -> Generator[LightQuestion, Point, Point]:
        """Ask where an LED is seen that comes after all known LEDs, perhaps after a gap."""
        allowed = tuple(dict.fromkeys((*self._ends(led - at), *candidates(led))))
        if self._known.get((channel, led)) in allowed:
            return self._known[channel, led]
        lit = LightQuestion(channel=channel, first=led, last=led, likely=allowed)

        def check(point: Point) -> Text:
            if point is None:
                return _SEEN_BEFORE if seen else NO_TEXT
            if point in allowed:
                return NO_TEXT
            return _NO_END if self._at[point][0].name in self.unplaced else _FOUND_BEFORE

        point = yield from ask_until_accepted(lit, check)
        if point is not None:
            self._known[channel, led] = point
        return point

    def _ends(self, dark: int) -> Iterator[int]:
        """Yield the points at the ends of unplaced runs, up to `dark` points from an end."""
        for run in self.unplaced.values():
            yield from run.points[: dark + 1]
            yield from run.points[-dark - 1 :]


def _behind(placed: PlacedRun | None) -> Candidates:
    """Return a function that gives the possible points of an LED after a run's last seen LED."""

    def candidates(led: int) -> Sequence[int]:
        if placed is None:
            return ()
        last = max(placed.seen)
        index = placed.seen[last]
        return placed.run.points[index + 1 : index + 1 + led - last]

    return candidates


_AGAIN = Text("tap again, or go back if an earlier tap was wrong")
_ELSEWHERE = Text(
    "this LED lies between two LEDs that were seen, and cannot be there: {again}",
    again=_AGAIN,
)
_FOUND_BEFORE = Text("that piece of strip was found already: {again}", again=_AGAIN)
_NO_END = Text(
    "a piece of strip begins at an end of a row, not at this hole: {again}",
    again=_AGAIN,
)
_SEEN_BEFORE = Text("light was seen just now, and it came from this LED: {again}", again=_AGAIN)
