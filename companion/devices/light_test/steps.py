"""The patterns of `cribwars lights test`, with words: what should be seen and what it draws."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import inf
from typing import Final, TypeAlias

import numpy as np

from companion.lights import Palette, Wiring, patterns
from companion.lights.patterns import Pattern
from hardware.output import Light, Output
from hardware.strips import Strip, StripSpec

PATTERNS: Final = ("index", "order", "white", "zones")

_PATTERN_S: Final = 10.0
_STEP_S: Final = 3.0
_ALL: Final = 100
_UNSEEN: Final = 2 / 255  # part of full light that may be missed by day
_MORE: Final = "fewer --leds or a bigger --budget-ma"

Caption: TypeAlias = Callable[[int, int], str]
"""Caption from frame k of `frames` on; "" if it is that of the frame before."""


class Bench:
    """A strip on trial, and what light costs there with the supply's limit and without.

    Raises:
        StripError: the supply is too small for the strip.
    """

    def __init__(self, strip: Strip, budget_ma: float | Sequence[float]) -> None:
        self.strip = strip
        self.output = Output(strip.spec, budget_ma=budget_ma, response=strip.response)
        self._unlimited = Output(strip.spec, budget_ma=inf, response=strip.response)

    def wanted(self, light: Light) -> float:
        """Return the milliamperes of this light without the supply's limit."""
        self._unlimited.render(light)
        return self._unlimited.milliamps

    def is_limited(self, light: Light) -> bool:
        """Return True if the supply gives less than this light needs."""
        given, wanted = self.output.render(light), self._unlimited.render(light)
        return not all(map(np.array_equal, given, wanted))

    def colours(self, light: Light) -> int:
        """Count the colours in this light within the limit; dark is none."""
        lit = (pixels[pixels.any(axis=1)] for pixels in self.output.render(light))
        return len(np.unique(np.concatenate(list(lit)), axis=0))

    def current(self, light: Light) -> str:
        """Describe the milliamperes of this light within the limit, and without if that differs."""
        if not self.is_limited(light):
            return f"{self.output.milliamps:.0f} mA"
        peak = max(int(pixels.max()) for pixels in self.output.render(light))
        lit = "nothing" if peak == 0 else "hardly anything"
        unseen = self.strip.response[peak] <= _UNSEEN
        wanted = f"dimmed from {self.wanted(light):.0f} mA"
        told = f"; {lit} is lit, it takes {_MORE}" if unseen else ""
        return f"{self.output.milliamps:.0f} mA, {wanted}{told}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A pattern, the seconds that it should take, and words for whoever looks at it."""

    pattern: Pattern
    caption: Caption
    seconds: float = _PATTERN_S
    preface: Sequence[str] = ()


def make_trial(name: str, bench: Bench, wiring: Wiring | None) -> Trial:
    """Return the trial of one of `PATTERNS`; only `zones` needs a wiring."""
    spec = bench.strip.spec
    match name:
        case "index":
            return _index(bench)
        case "order":
            return _order(spec)
        case "white":
            return _white(bench)
        case _:
            assert wiring is not None  # noqa: S101  # see above
            pattern = patterns.zones(spec.leds, wiring, Palette.make())
            seen = _zones_seen(spec, wiring)
            unseen = () if pattern(0, 1).any() else (_zones_unseen(wiring),)
            return Trial(pattern=pattern, caption=_at_first(seen), preface=unseen)


def _at_first(seen: str) -> Caption:
    return lambda k, frames: "" if k else seen  # noqa: ARG005  # it holds for all frames


def _index(bench: Bench) -> Trial:
    pattern = patterns.index(bench.strip.spec.leds)
    leds, colours = sum(bench.strip.spec.leds), bench.colours(pattern(0, 1))
    alike = (
        f"index: dimmed, the {leds} LEDs have {colours} different colours: all of them need "
        f"{bench.wanted(pattern(0, 1)):.0f} mA, so it takes {_MORE}"
    )
    seen = "index: every LED in a colour of its own, the first three red, green, blue"
    return Trial(
        pattern=pattern,
        caption=_at_first(seen if colours == leds else "index: LEDs far apart may look the same"),
        preface=() if colours == leds else (alike,),
    )


def _order(spec: StripSpec) -> Trial:
    channels = len(spec.leds)
    steps = channels * spec.colours

    def caption(k: int, frames: int) -> str:
        step = patterns.order_step(channels, spec.colours, k, frames)
        if k and step == patterns.order_step(channels, spec.colours, k - 1, frames):
            return ""
        short = k == frames - 1 and frames < steps
        left_out = f" (the last of {frames} frames, the {steps} steps take {steps})"
        return f"order: all of channel {step[0]} {step[1]}{left_out if short else ''}"

    return Trial(
        pattern=patterns.order(spec.leds, spec.colours),
        seconds=_STEP_S * steps,
        caption=caption,
        preface=tuple(_mending(spec.order)),
    )


def _mending(order: str) -> Iterator[str]:
    """Yield the order to set for each way in which the colours seen may differ."""
    names = {name[0].upper(): name for name in patterns.COLOURS}
    yield f"order: {order} is set; if you see other colours than are told here, set instead"
    for seen in permutations("RGB"):
        if seen != tuple("RGB"):
            said = ", ".join(names[letter] for letter in seen)
            mended = patterns.corrected_order(order, "".join(seen))
            yield f"order:   {mended} if red, green, blue come as {said}"
    for colour, swapped in zip("RGB", ("WGBR", "RWBG", "RGWB"), strict=True):
        if "W" in order:
            mended = patterns.corrected_order(order, swapped)
            yield f"order:   {mended} if white and {names[colour]} come in each other's place"
    yield "order:   another type if neighbours differ: one with white, or without"


def _white(bench: Bench) -> Trial:
    pattern = patterns.white(bench.strip.spec.leds)

    def caption(k: int, frames: int) -> str:
        tenth_before, tenth = 10 * k // frames, 10 * (k + 1) // frames
        return f"white: level {(k + 1) / frames:.0%}" if tenth > tenth_before else ""

    return Trial(pattern=pattern, caption=caption, preface=(_limit_told(bench, pattern(0, 1)),))


def _limit_told(bench: Bench, full: Light) -> str:
    """Return a sentence with the percentage from which the supply limits this light."""
    told = f"white: rising to full, {bench.wanted(full):.0f} mA"
    percent = 1 + bisect_left(
        range(1, 101), x=True, key=lambda level: bench.is_limited(full * np.float32(level / 100))
    )
    if percent > _ALL:
        return f"{told}, which the supply gives"
    unseen = f": too soon to see it rise, it takes {_MORE}" if percent == 1 else ""
    return f"{told}; from level {percent}% on the supply limits it{unseen}"


def _zones_unseen(wiring: Wiring) -> str:
    first = patterns.first_printed_hole(wiring)
    if first is None:
        return "zones: nothing is lit, this board has no print"
    return (
        f"zones: nothing is lit, the board has no print on the holes before {first}: "
        f"it takes --leds {first} or more"
    )


def _zones_seen(spec: StripSpec, wiring: Wiring) -> str:
    board = wiring.points.board
    if spec.leds == wiring.leds:
        return f"zones: the print of {board.title}, as the settings wire it"
    wired = " and ".join(map(str, wiring.leds))
    return f"zones: LED n as hole n + 1 of {board.title} (the settings wire {wired} LEDs)"
