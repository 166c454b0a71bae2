"""Finding out how a board's strips lie, by lighting LEDs and being told where light is seen.

Pure: `question` says what to light, `answer` takes what was seen, `result` is the `[wiring]` that
follows. What it cannot tell: of LEDs in a row that all show nothing, which are dead and which are
skipped (the lit ones are right either way); which way round a piece of strip lies of which a single
LED lights; where one lies of which none does; and anything behind an LED that passes no data on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from companion.board.layout import Board
from companion.board.track import Hole
from companion.errors import BadInputError, StaleError
from companion.lights.pixels import Per, Points
from companion.lights.wiring.default import Place, runs
from companion.lights.wiring.questions import FARTHEST, Asked, Follower, Lit, Point, Questions

_SLIP_MM: Final = 10.0
"""A tap so near to where light is likely is meant for it."""


class Calibration:
    """Questions one after the other until the wiring is known; every answer can be taken back.

    Args:
        board: what is printed.
        per: what there is one LED for; nobody can see that from the light.
        channels: how many data wires there are, 1 or 2.
    """

    def __init__(self, board: Board, *, per: Per = Per.HOLE_AND_LANE, channels: int = 1) -> None:
        self.points = Points(board, per)
        self.channels = channels
        self._runs = runs(self.points)
        self._places: dict[int, Place] = {
            point: place
            for run in self._runs.values()
            for point, place in zip(run.points, run.places, strict=True)
        }
        self._answers: list[Point] = []
        self._replay()

    @property
    def leds(self) -> int:
        """How many LEDs a channel must be opened with; those that are not there do no harm."""
        return self.points.size + 2 * FARTHEST

    @property
    def question(self) -> Lit | None:
        """What to light and to ask; None when all is known."""
        return self._question

    @property
    def answers(self) -> int:
        """How many questions were answered."""
        return len(self._answers)

    @property
    def found(self) -> tuple[str, ...]:
        """The runs found so far, in the order of the wire."""
        return tuple(laid.run.name for _, laid in self._follower.laid)

    @property
    def missing(self) -> tuple[str, ...]:
        """The rows of holes not found so far; lamps may be left out."""
        return tuple(run.name for run in self._follower.left.values() if not run.is_lamp)

    def answer(self, point: Point) -> None:
        """Take where light is seen, or None for nowhere; `Asked` says what that means.

        Raises:
            BadInputError: that cannot be, for a reason told; the question stands.
            StaleError: nothing is asked.
        """
        if self._question is None:
            raise StaleError("the wiring is known, and nothing is asked: go back to change it")
        if point is not None and point not in self._places:
            raise BadInputError(f"there is no light point {point} on this board: tap a hole")
        self._advance(point)
        if doubt := self._doubt():
            self._replay()
            raise BadInputError(doubt)
        self._answers.append(point)

    def undo(self) -> None:
        """Take the last answer back; without one nothing happens."""
        del self._answers[-1:]
        self._replay()

    def point(self, lane: int, hole: Hole) -> int:
        """The light point of a hole as a tap names it; hole 0 is the lane's start lamp.

        Raises:
            BadInputError: the board has no such hole.
        """
        try:
            return self.points.index(lane, hole)
        except KeyError:
            raise BadInputError(f"there is no hole {hole} in lane {lane}: tap a hole") from None

    def tapped(self, x_mm: float, y_mm: float) -> int:
        """The light point meant by a tap on the sheet: a likely one close by, or the nearest."""
        likely = self._question.likely if self._question else ()
        at = (x_mm, y_mm)
        near = [point for point in likely if math.dist(at, self._places[point]) <= _SLIP_MM]
        return min(near or self._places, key=lambda point: math.dist(at, self._places[point]))

    def result(self) -> dict[str, object]:
        """The `[wiring]` that was found, as `Wiring.make` takes it.

        Raises:
            StaleError: there are questions left.
            BadInputError: rows of holes were not found, so that there is no wiring yet.
        """
        if self._question is not None:
            raise StaleError("the wiring is not known yet: answer what is asked")
        if self.missing:
            names = ", ".join(self.missing)
            text = f"no light was seen in {names}: see that the data wire gets there, then go back"
            raise BadInputError(text)
        if self._follower.laid and not self._length(0):
            raise BadInputError("no light was seen on the first data wire: swap the two")
        wiring: dict[str, object] = {"per": str(self.points.per), "chains": list(self._chains())}
        spots = {"skipped": self._skipped(), "dead": self._dead()}
        return wiring | {key: sorted(map(list, found)) for key, found in spots.items() if found}

    # The dialogue

    def _replay(self) -> None:
        """Begin anew and give all answers again: so that one taken back leaves nothing behind."""
        self._follower = Follower(self._runs, self.leds)
        self._dark: set[int] = set()
        self._dialogue = self._questions()
        self._question: Lit | None = next(self._dialogue)
        for point in self._answers:
            self._advance(point)

    def _doubt(self) -> str:
        """Why the last answer cannot be; nothing if it can."""
        return self._question.doubt if self._question else ""

    def _advance(self, point: Point) -> None:
        try:
            self._question = self._dialogue.send(point)
        except StopIteration:
            self._question = None

    def _questions(self) -> Questions:
        for channel in range(self.channels):
            yield from self._follower.follow(channel)
        for channel in range(self.channels):
            yield from self._look_for_dark(channel)

    def _look_for_dark(self, channel: int) -> Questions:
        """Light all of a channel: what stays dark has a dead LED."""
        shown = {
            point for at, laid in self._follower.laid if at == channel for point in laid.run.points
        }
        if not shown:
            return
        lit = Lit(channel=channel, first=0, last=self._length(channel) - 1, asked=Asked.DARK)
        while (point := (yield lit)) is not None:
            if point in shown:
                self._dark.add(point)
                doubt = ""
            else:
                doubt = "that hole's light hangs on another data wire, or on none: tap another"
            lit = Lit(channel=channel, first=0, last=lit.last, asked=Asked.DARK, doubt=doubt)

    # What was found

    def _length(self, channel: int) -> int:
        """The LEDs of a channel up to the last one that shows something."""
        return max((laid.end for at, laid in self._follower.laid if at == channel), default=0)

    def _chains(self) -> Iterator[dict[str, object]]:
        for channel in range(self.channels):
            laid = [each for at, each in self._follower.laid if at == channel]
            if laid:
                chain = {"channel": channel, "rows": [each.run.name for each in laid]}
                turned = [each.run.name for each in laid if each.reversed]
                yield chain | ({"reversed": turned} if turned else {})

    def _skipped(self) -> set[tuple[int, int]]:
        """All LEDs up to a channel's last one that are no run's."""
        own = {(channel, led) for channel, led, _ in self._shown()}
        ends = {channel: self._length(channel) for channel in range(self.channels)}
        return {(channel, led) for channel, end in ends.items() for led in range(end)} - own

    def _dead(self) -> set[tuple[int, int]]:
        """The LEDs of runs that showed nothing when they were lit, and those of dark holes."""
        return {
            (channel, led)
            for channel, led, point in self._shown()
            if point in self._dark or (channel, led) in self._follower.dark
        }

    def _shown(self) -> Iterator[tuple[int, int, int]]:
        """Each LED of a run with its channel, and the light point that it shows."""
        for channel, laid in self._follower.laid:
            leds = (led for led in range(laid.start, laid.end) if led not in laid.skipped)
            for led, point in zip(leds, laid.run.points, strict=True):
                yield channel, led, point
