"""Strips as built: the light point of each LED, independent of `Wiring`."""

import random
from dataclasses import dataclass, field

import numpy as np

from companion.board import Board
from companion.errors import BadInputError
from companion.lights import Per, Points, Wiring
from companion.lights.calibration import Calibration
from companion.lights.tracer import LightQuestion, QuestionKind
from companion.lights.wiring import Run, runs


@dataclass(kw_only=True)
class BuiltStrips:
    """Points of the LEDs of each channel, None for skipped ones; `dead` LEDs do not light."""

    channels: list[list[int | None]]
    dead: set[tuple[int, int]] = field(default_factory=set)

    def seen(self, channel: int, led: int) -> int | None:
        """Return the point of this LED, or None if it gives no light."""
        if led >= len(self.channels[channel]) or (channel, led) in self.dead:
            return None
        return self.channels[channel][led]

    def reply(self, lit: LightQuestion, reported: set[int]) -> int | None:
        """Return an observer's answer; known dark holes are left out."""
        leds = range(lit.first, lit.last + 1)
        if lit.kind is QuestionKind.DARK:
            chain = self.channels[lit.channel]
            dark = (chain[led] for led in leds if (lit.channel, led) in self.dead)
            return next((point for point in dark if point not in (None, *reported)), None)
        lights = (self.seen(lit.channel, led) for led in leds)
        return next((point for point in lights if point is not None), None)

    def shown(self) -> set[tuple[int, int, int]]:
        """Each LED that is seen: its channel, its number and its point."""
        return {
            (channel, led, point)
            for channel, leds in enumerate(self.channels)
            for led in range(len(leds))
            if (point := self.seen(channel, led)) is not None
        }


def answered(calibration: Calibration, bench: BuiltStrips) -> int:
    """Answer all questions from these strips. Return their number."""
    reported: set[int] = set()
    while (lit := calibration.question) is not None:
        assert 0 <= lit.first <= lit.last < calibration.leds
        point = bench.reply(lit, reported)
        if lit.kind is QuestionKind.DARK and point is not None:
            reported.add(point)
            refused(calibration, point)  # a lamp that never shone hangs nowhere
        else:
            calibration.answer(point)
    return calibration.answers


def dead_points(board: Board, result: dict[str, object]) -> set[int]:
    """Return the points whose LEDs a result calls dead."""
    wiring = Wiring.make(board, result)
    alive = Wiring.make(board, {**result, "dead": []})
    return {point for *_, point in shown(alive)} - {point for *_, point in shown(wiring)}


def shown(wiring: Wiring) -> set[tuple[int, int, int]]:
    """Each LED that a wiring lights: its channel, its number and its point."""
    light = np.arange(1, wiring.points.size + 1, dtype=np.float32)[:, None].repeat(3, axis=1)
    spread = wiring.spread(light)[:, 0].astype(int).tolist()
    spots = [(n, led) for n, count in enumerate(wiring.leds) for led in range(count)]
    return {(*spot, point - 1) for spot, point in zip(spots, spread, strict=True) if point}


def random_strips(
    board: Board, per: Per, chance: random.Random, *, channels: int, skips: int, dead: int
) -> BuiltStrips:
    """Return runs in any order and direction, with skipped and dead LEDs anywhere."""
    pieces = list(runs(Points(board, per)).values())
    chance.shuffle(pieces)
    cuts = sorted(chance.randrange(1, len(pieces)) for _ in range(channels - 1))
    chains: list[list[int | None]] = []
    for first, last in zip([0, *cuts], [*cuts, len(pieces)], strict=True):
        chains.append([point for run in pieces[first:last] for point in _either_way(run, chance)])
    for _ in range(skips):
        chain = chance.choice(chains)
        at = chance.randrange(len(chain))
        chain[at:at] = [None] * chance.choice((1, 1, 1, 2, 5))
    leds = [(n, led) for n, chain in enumerate(chains) for led in range(len(chain))]
    return BuiltStrips(channels=chains, dead=set(chance.sample(leds, dead)))


def _either_way(run: Run, chance: random.Random) -> tuple[int, ...]:
    return chance.choice((run, run.reversed())).points


def refused(calibration: Calibration, point: int | None) -> str:
    """Return why an answer was refused, or an empty text."""
    try:
        calibration.answer(point)
    except BadInputError as error:
        return str(error)
    return ""
