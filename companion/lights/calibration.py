"""Calibration: finds a board's wiring by lighting LEDs and asking where light is seen.

It is a dialogue without I/O: `question` names the LEDs to light, `answer` takes the point where
light is seen, and `result` returns the settings of `[wiring]`. All answers are kept: `undo` drops
the last answer and replays the others from the beginning.

>>> from companion.board import load_board
>>> calibration = Calibration(load_board("classic"), per=Per.HOLE)
>>> calibration.answer(calibration.point(lane=1, hole=1))  # LED 0 is seen at hole 1
>>> calibration.question.first  # LEDs 0 to 39 light holes 1 to 40; LED 40 begins the next piece
40

Limits: A dead LED stays dark at its hole; a skipped LED lies under no hole. Side by side, the two
cannot be told apart. The direction of a piece of strip with one lit LED is unknown, and so is the
place of a dark piece. An LED that does not pass data on hides all LEDs behind it.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from companion.board.layout import Board, Hole
from companion.errors import NO_TEXT, BadInputError, StaleError, Text
from companion.lights.compositor import Per, Points
from companion.lights.tracer import (
    LONGEST_GAP_LEDS,
    LightQuestion,
    Point,
    QuestionKind,
    Questions,
    WireTracer,
)
from companion.lights.wiring import Place, runs

_TAP_TOLERANCE_MM: Final = 10.0  # within this distance of a tap, likely points come first


_OTHER_WIRE: Final = Text("that hole is on another data wire, or on none: tap another hole")


class Calibration:
    """Dialogue that ends when the wiring is known; every answer can be taken back.

    Args:
        board: the printed board.
        per: one LED per hole, or per hole and lane, which the calibration cannot find out.
        channels: number of data wires, 1 or 2.
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
        """Number of LEDs with which a channel must be opened; surplus LEDs do no harm."""
        return self.points.size + 2 * LONGEST_GAP_LEDS

    @property
    def answers(self) -> int:
        return len(self._answers)

    @property
    def found(self) -> tuple[str, ...]:
        return tuple(placed.run.name for _, placed in self._tracer.placed)

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of the rows of holes that were not found so far; lamps are optional."""
        return tuple(run.name for run in self._tracer.unplaced.values() if not run.is_lamp)

    def answer(self, point: Point) -> None:
        """Take the answer: the number of a light point (hole or lamp), or None (`QuestionKind`).

        Raises:
            BadInputError: the answer is impossible; the question remains.
            StaleError: the wiring is known already.
        """
        if self.question is None:
            raise StaleError("the wiring is known: go back to change an answer")
        if point is not None and point not in self._places:
            text = "there is no light point {point} on this board: tap a hole"
            raise BadInputError(text, point=point)
        if objection := self._advance(point):
            self._replay()
            raise BadInputError(objection)
        self._answers.append(point)

    def undo(self) -> None:
        del self._answers[-1:]
        self._replay()

    def point(self, lane: int, hole: Hole) -> int:
        """Return the light point of a hole; hole 0 is the lane's start lamp.

        Raises:
            BadInputError: the board has no such hole.
        """
        try:
            return self.points.index(lane, hole)
        except KeyError:
            text = "there is no hole {hole} in lane {lane}: tap a hole"
            raise BadInputError(text, hole=hole, lane=lane) from None

    def tapped(self, x_mm: float, y_mm: float) -> int:
        """Return the light point nearest to a tap on the sheet; prefer likely points nearby."""
        likely = self.question.likely if self.question else ()
        at = (x_mm, y_mm)
        near = [
            point for point in likely if math.dist(at, self._places[point]) <= _TAP_TOLERANCE_MM
        ]
        return min(near or self._places, key=lambda point: math.dist(at, self._places[point]))

    def result(self) -> dict[str, object]:
        """Return the settings of `[wiring]` that were found, in the form that `Wiring.make` takes.

        Raises:
            StaleError: questions are left.
            BadInputError: no light was seen in some rows of holes, or on the first data wire.
        """
        if self.question is not None:
            raise StaleError("the wiring is not known yet: answer the question")
        if self.missing:
            names = ", ".join(self.missing)
            text = "no light was seen in {names}: check that the data wire gets there, then go back"
            raise BadInputError(text, names=names)
        if self._tracer.placed and not self._length(0):
            raise BadInputError("no light was seen on the first data wire: swap the two data wires")
        wiring: dict[str, object] = {"per": str(self.points.per), "chains": list(self._chains())}
        spots = {"skipped": self._skipped(), "dead": self._dead()}
        return wiring | {key: sorted(map(list, found)) for key, found in spots.items() if found}

    # The dialogue

    def _replay(self) -> None:
        """Start again and repeat all answers, so that a dropped answer leaves no trace."""
        self._tracer = WireTracer(self._runs, self.leds)
        self._dark: set[int] = set()
        self._dialogue = self._questions()
        self.question: LightQuestion | None = next(self._dialogue)
        for point in self._answers:
            self._advance(point)

    def _advance(self, point: Point) -> Text:
        """Go on to the next question; return its objection to the answer, or an empty text."""
        try:
            self.question = self._dialogue.send(point)
        except StopIteration:
            self.question = None
            return NO_TEXT
        return self.question.objection

    def _questions(self) -> Questions:
        for channel in range(self.channels):
            yield from self._tracer.follow(channel)
        for channel in range(self.channels):
            yield from self._look_for_dark(channel)

    def _look_for_dark(self, channel: int) -> Questions:
        """Light a whole channel and ask for the points that stay dark: their LEDs are dead."""
        found = [placed.run for at, placed in self._tracer.placed if at == channel]
        shown = {point for run in found for point in run.points}
        if not shown:
            return
        last = self._length(channel) - 1
        question = LightQuestion(channel=channel, first=0, last=last, kind=QuestionKind.DARK)
        while (point := (yield question)) is not None:
            if point in shown:
                self._dark.add(point)
            question = replace(question, objection=NO_TEXT if point in shown else _OTHER_WIRE)

    # Results

    def _length(self, channel: int) -> int:
        return max((placed.end for at, placed in self._tracer.placed if at == channel), default=0)

    def _chains(self) -> Iterator[dict[str, object]]:
        for channel in range(self.channels):
            placed = [each for at, each in self._tracer.placed if at == channel]
            if placed:
                chain = {"channel": channel, "rows": [each.run.name for each in placed]}
                turned = [each.run.name for each in placed if each.reversed]
                yield chain | ({"reversed": turned} if turned else {})

    def _skipped(self) -> set[tuple[int, int]]:
        candidates = {(channel, led) for channel, led, _ in self._shown()}
        ends = {channel: self._length(channel) for channel in range(self.channels)}
        return {(channel, led) for channel, end in ends.items() for led in range(end)} - candidates

    def _dead(self) -> set[tuple[int, int]]:
        """Return the LEDs of light points that were dark for the tracer or in `_look_for_dark`."""
        return {
            (channel, led)
            for channel, led, point in self._shown()
            if point in self._dark or (channel, led) in self._tracer.dark
        }

    def _shown(self) -> Iterator[tuple[int, int, int]]:
        for channel, placed in self._tracer.placed:
            leds = (led for led in range(placed.start, placed.end) if led not in placed.skipped)
            for led, point in zip(leds, placed.run.points, strict=True):
                yield channel, led, point
