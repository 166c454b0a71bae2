"""Patterns of `cribwars lights test`, with captions about their light and its current.

A frame of a pattern is rendered with and without the limit of the power supply, so that captions
can say when a supply is too small. For example, a supply of 500 mA limits white on 100 LEDs from
level 8% up; at level 50% the caption ends with "488 mA, dimmed from 2856 mA".
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import inf
from typing import Final, TypeAlias

import numpy as np

from companion.errors import NO_TEXT, Text, joined
from companion.lights import Palette, Wiring, patterns
from companion.lights.patterns import Pattern
from hardware.output import Light, Output
from hardware.strips import Strip, StripSpec

PATTERNS: Final = ("index", "order", "white", "zones")

_PATTERN_S: Final = 10.0
_STEP_S: Final = 3.0
_ALL: Final = 100
_UNSEEN: Final = 2 / 255  # fraction of full light that people hardly see by day
_MORE: Final = Text("use fewer --leds or a bigger --budget-ma")

Caption: TypeAlias = Callable[[int, int], Text]
"""Function that takes frame k and the number of frames; it returns "" to keep the last caption."""


class StripUnderTest:
    """Strip with a power supply; its light and current are computed with and without the limit.

    Raises:
        StripError: the supply is too small for the strip.
    """

    def __init__(self, strip: Strip, budget_ma: float | Sequence[float]) -> None:
        self.strip = strip
        self.output = Output(strip.spec, budget_ma=budget_ma, scale=strip.scale)
        self._unlimited = Output(strip.spec, budget_ma=inf, scale=strip.scale)

    def unlimited_ma(self, light: Light) -> float:
        self._unlimited.render(light)
        return self._unlimited.milliamps

    def is_limited(self, light: Light) -> bool:
        limited, unlimited = self.output.render(light), self._unlimited.render(light)
        return not all(map(np.array_equal, limited, unlimited))

    def colours(self, light: Light) -> int:
        lights = np.concatenate([*map(self.strip.scale.light, self.output.render(light))])
        return len(np.unique(lights[lights.any(axis=1)], axis=0))

    def current(self, light: Light) -> Text:
        """Return the current as text; for dimmed light, also the current without the limit."""
        if not self.is_limited(light):
            return Text("{current} mA", current=f"{self.output.milliamps:.0f}")
        lights = map(self.strip.scale.light, self.output.render(light))
        peak = max(float(light.max()) for light in lights)
        dimmed = Text(
            "{current} mA, dimmed from {unlimited} mA",
            current=f"{self.output.milliamps:.0f}",
            unlimited=f"{self.unlimited_ma(light):.0f}",
        )
        if peak > _UNSEEN:
            return dimmed
        unseen = "hardly anything is lit: {remedy}" if peak else "nothing is lit: {remedy}"
        return joined("; ", (dimmed, Text(unseen, remedy=_MORE)))


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternTest:
    """Pattern with its duration, its captions, and notes to show before it."""

    name: str
    pattern: Pattern
    caption: Caption
    seconds: float = _PATTERN_S
    notes: Sequence[Text] = ()


def pattern_test(name: str, tested: StripUnderTest, wiring: Wiring | None) -> PatternTest:
    """Return the test of one of `PATTERNS`; only `zones` needs a wiring."""
    match name:
        case "index":
            return _index(tested)
        case "order":
            return _order(tested.strip.spec)
        case "white":
            return _white(tested)
        case _:
            assert wiring is not None  # noqa: S101  # callers pass a wiring for `zones`
            return _zones(tested.strip.spec, wiring)


def _only_first(caption: Text) -> Caption:
    return lambda k, frames: NO_TEXT if k else caption  # noqa: ARG005  # a `Caption` takes both


def _index(tested: StripUnderTest) -> PatternTest:
    pattern = patterns.index(tested.strip.spec.leds)
    light = pattern(0, 1)
    leds, colours = len(light), tested.colours(light)
    if colours == leds:
        caption = Text("every LED has a different colour; the first three are red, green and blue")
        return PatternTest(name="index", pattern=pattern, caption=_only_first(caption))
    text = (
        "the supply limits the light, so the {leds} LEDs have only {colours} different "
        "colours; to be all different they need {current} mA: {remedy}"
    )
    note = Text(
        text, leds=leds, colours=colours, current=f"{tested.unlimited_ma(light):.0f}", remedy=_MORE
    )
    alike = _only_first(Text("LEDs far apart may look the same"))
    return PatternTest(name="index", pattern=pattern, caption=alike, notes=(note,))


def _order(spec: StripSpec) -> PatternTest:
    channels = len(spec.leds)
    steps = channels * spec.colours

    def caption(k: int, frames: int) -> Text:
        step = patterns.order_step(channels, spec.colours, k, frames)
        if k and step == patterns.order_step(channels, spec.colours, k - 1, frames):
            return NO_TEXT
        is_short = k == frames - 1 and frames < steps
        channel, colour = step
        text = Text("all of channel {channel} {colour}", channel=channel, colour=colour)
        if colour == "white":  # the catalogue translates "white" alone as the name of a pattern
            text = Text("all of channel {channel} white", channel=channel)
        if not is_short:
            return text
        left_out = "{shown} (the last frame; all {steps} steps need --frames {steps} or more)"
        return Text(left_out, shown=text, steps=steps)

    return PatternTest(
        name="order",
        pattern=patterns.order(spec.leds, spec.colours),
        seconds=_STEP_S * steps,
        caption=caption,
        notes=tuple(_order_notes(spec.order)),
    )


def _order_notes(order: str) -> Iterator[Text]:
    names = {name[0].upper(): name for name in patterns.COLOURS}
    yield Text(
        "{order} is set; if the strip shows other colours than the captions, set one of these",
        order=order,
    )
    for seen in permutations("RGB"):
        if seen != tuple("RGB"):
            colours = joined(", ", (names[letter] for letter in seen))
            corrected = patterns.corrected_order(order, "".join(seen))
            yield Text(
                "  {order} if red, green, blue come as {colours}", order=corrected, colours=colours
            )
    for colour, swapped in zip("RGB", ("WGBR", "RWBG", "RGWB"), strict=True):
        if "W" in order:
            corrected = patterns.corrected_order(order, swapped)
            text = "  {order} if white and {colour} are swapped"
            yield Text(text, order=corrected, colour=names[colour])
    yield Text("  another type, with white LEDs or without, if neighbouring LEDs differ in colour")


def _white(tested: StripUnderTest) -> PatternTest:
    pattern = patterns.white(tested.strip.spec.leds)

    def caption(k: int, frames: int) -> Text:
        tenth_before, tenth = 10 * k // frames, 10 * (k + 1) // frames
        if tenth <= tenth_before:
            return NO_TEXT
        return Text("level {percent}%", percent=f"{(k + 1) / frames * 100:.0f}")

    notes = (_limit(tested, pattern(0, 1)),)
    return PatternTest(name="white", pattern=pattern, caption=caption, notes=notes)


def _limit(tested: StripUnderTest, full: Light) -> Text:
    note = Text("full white needs {current} mA", current=f"{tested.unlimited_ma(full):.0f}")
    percent = 1 + bisect_left(
        range(1, 101), x=True, key=lambda level: tested.is_limited(full * np.float32(level / 100))
    )
    if percent > _ALL:
        return Text("{light}; the supply is big enough", light=note)
    limited = Text(
        "{light}; the supply limits the light from level {percent}% up", light=note, percent=percent
    )
    if percent > 1:
        return limited
    return Text("{limited}, so the light does not rise: {remedy}", limited=limited, remedy=_MORE)


def _zones(spec: StripSpec, wiring: Wiring) -> PatternTest:
    pattern = patterns.zones(spec.leds, wiring, Palette.make())
    title = wiring.points.board.title
    caption = Text("the printed zones of {board}, as wired in the settings", board=title)
    if spec.leds != wiring.leds:
        text = "LED n shows hole n + 1 of {board} (the wiring in the settings has {leds} LEDs)"
        caption = Text(text, board=title, leds=joined(" and ", wiring.leds))
    notes = () if pattern(0, 1).any() else (_unlit_zones(wiring),)
    return PatternTest(name="zones", pattern=pattern, caption=_only_first(caption), notes=notes)


def _unlit_zones(wiring: Wiring) -> Text:
    first = patterns.first_printed_hole(wiring)
    if first is None:
        return Text("nothing is lit: this board has no printed zones and marks")
    text = "nothing is lit: the first printed hole is {hole}: use --leds {hole} or more"
    return Text(text, hole=first)
