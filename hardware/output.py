"""Output stage: the only place where linear light becomes pixels.

A frame goes through four steps:

1. Brightness and ceiling scale the light; `shadows` may raise dim light, so that it keeps its hue.
2. On LEDs with white, the common part of red, green and blue moves to white.
3. A strip shows light in steps, such as bytes. Each colour is split into whole steps and a rest; a
   rest of half a step rounds up. An LED below one step is raised until its largest colour shows
   one, so that the LED stays lit and keeps its hue as far as whole steps allow.
4. If a supply cannot feed these steps, the light of its LEDs is dimmed by one factor and split
   again. Current left over goes first to the LEDs below one step, then to the largest rests. The
   estimated current never exceeds the supply's budget; if necessary, LEDs stay dark.

Three LEDs draw 3 mA while they are dark; each colour at full draws 18.3 mA more. A supply of 2 A
feeds two amber LEDs and a dim red LED. A supply of 40 mA dims the amber LEDs to two thirds, while
the red LED keeps its single step:

>>> light = np.array([[1, 0.5, 0], [1, 0.5, 0], [0.0005, 0, 0]], np.float32)
>>> [Output(StripSpec(leds=(3,)), mA).render(light)[0].tolist() for mA in (2000, 40)]
[[[255, 128, 0], [255, 128, 0], [1, 0, 0]], [[171, 86, 0], [171, 86, 0], [1, 0, 0]]]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hardware.dither import FrameCycle, thresholds
from hardware.errors import StripError
from hardware.power import POWER, Budget, supplied_leds
from hardware.strips.protocol import Frame, StripSpec
from hardware.strips.scale import BYTES, CODE_MAX, Indices, LightSteps, LinearScale, Pixels, Scale

_HALF: Final = 0.5
_SHADOWS_MOST: Final = 0.6  # dim light is raised to at most this part of the brightness
_SHARE_MARGIN: Final = 1 - 1e-5  # keeps rounding errors of float32 within the budget

Light: TypeAlias = NDArray[np.float32]
_Number = TypeVar("_Number", np.uint8, np.uint16, np.float32)


class Output:
    """Output stage of one strip.

    Args:
        spec: the number and kind of the strip's LEDs.
        budget_ma: milliamps of the only supply, or a list with those of each channel's supply.
        scale: the steps in which the strip shows light, from its driver.
        white: factors on red, green and blue that make their mixture neutral white.
        shadows: (level, steps): light `level`, 0 to 1, is raised to `steps` steps, and dimmer light
            by the same factor. The limit, 0.6 of the brightness, keeps dim colours distinct.

    `brightness`, 0 to 1, is a factor on the light; no LED exceeds `ceiling`, a part of full light.
    `milliamps` is the estimated current of the last frame on all channels.

    Raises:
        StripError: a budget below the current of the dark LEDs, or a wrong number of budgets.
    """

    def __init__(
        self,
        spec: StripSpec,
        budget_ma: Budget = 2000.0,
        scale: Scale = BYTES,
        *,
        white: Sequence[float] = (1.0, 1.0, 1.0),
        shadows: tuple[float, int] = (1.0, 0),
    ) -> None:
        self._spec = spec
        self._leds = sum(spec.leds)
        self._scale = scale
        self._white = np.array(white, np.float32)
        self._shadows = shadows
        self._supplied = supplied_leds(spec, budget_ma)
        self._stages: dict[int, list[_Supply]] = {}
        self._supplies(0)
        self._power = POWER[spec.type]
        self.milliamps = self._leds * self._power.idle
        self._brightness = self._ceiling = 1.0

    @property
    def brightness(self) -> float:
        return self._brightness

    @brightness.setter
    def brightness(self, brightness: float) -> None:
        if not 0 <= brightness <= 1:
            text = "brightness = {brightness} is not between 0 and 1"
            raise StripError(text, brightness=f"{brightness:g}")
        self._brightness = brightness

    @property
    def ceiling(self) -> float:
        return self._ceiling

    @ceiling.setter
    def ceiling(self, ceiling: float) -> None:
        self._ceiling = 1.0 if ceiling >= 1 else self._scale.at_most(ceiling)

    @property
    def can_dither(self) -> bool:
        """True if the scale is bytes in equal steps, which `cycle` can dither."""
        return self._scale is BYTES

    def render(self, light: Light) -> Frame:
        """Return the pixels that show this light, in new arrays; see `cycle`."""
        return self.cycle(light).frame(0)

    def cycle(self, light: Light, bits: int = 0) -> FrameCycle:
        """Return 2**bits frames that show this light as their mean.

        Args:
            light: red, green and blue, 0 to 1, of the LEDs of all channels, shape (n, 3).
            bits: bits of dither, see `hardware.dither`; 0 gives a single frame.

        Raises:
            StripError: the shape does not fit the strip.
        """
        if light.shape != (self._leds, 3):
            text = "light has the shape {shape}, the strip {strip}"
            raise StripError(text, shape=light.shape, strip=(self._leds, 3))
        colours = self._colours(self._dimmed(light, self._supplies(bits)[0].step))
        peaks = _largest(colours)
        rounds_up = thresholds(light, bits) if bits else np.full((1, 1), _HALF, np.float32)
        parts: list[Pixels] = []
        spent = 0.0
        supplies = self._supplies(bits)
        for supply in supplies:
            shares = rounds_up[supply.leds] if bits else rounds_up
            pixels, light_of_them = supply.fitting(colours[supply.leds], peaks[supply.leds], shares)
            spent += light_of_them
            parts.append(pixels)
        self.milliamps = self._leds * self._power.idle + spent * self._power.colour
        channels = [supply.channels for supply in supplies]
        return FrameCycle(parts=parts, channels=channels, bits=bits)

    def _supplies(self, bits: int) -> list[_Supply]:
        if bits not in self._stages:
            scale = LinearScale(CODE_MAX << bits) if bits else self._scale
            # The total of a frame may exceed the mean of its cycle by one step of a byte.
            spare = BYTES.floor if bits else 0.0
            self._stages[bits] = [
                _Supply(leds, channels, max(0.0, room - spare), scale)
                for leds, channels, room in self._supplied
            ]
        return self._stages[bits]

    def _dimmed(self, light: Light, step: float) -> Light:
        """Return the light after brightness, ceiling and shadows; `step` is the light of a step."""
        factor = min(self._brightness, self._ceiling)
        shown = np.multiply(light, np.float32(factor), dtype=np.float32, order="C")
        level, steps = self._shadows
        least = min(steps * step, _SHADOWS_MOST * factor)
        if level * factor < least:
            peaks = _largest(shown)
            lifted = np.interp(peaks, [0, level * factor, factor], [0, least, factor])
            lift = np.divide(lifted, peaks, out=np.ones_like(lifted), where=peaks > 0)
            shown *= lift.astype(np.float32)[:, None]
        # The product may exceed the ceiling by an error of rounding.
        np.clip(shown, 0, self._ceiling, out=shown)
        return shown

    def _colours(self, shown: Light) -> Light:
        if self._spec.has_white:
            white = reduce(np.minimum, shown.T)
            mixed = np.empty((self._leds, self._spec.colours), np.float32)
            np.subtract(shown, white[:, None], out=mixed[:, :3])
            mixed[:, 3] = white
            shown = mixed
        if (self._white != 1).any():
            shown[:, :3] *= self._white
        return shown


class _Supply:
    """Power supply of the LEDs in the slice `leds`; `channels` divides these LEDs by channel.

    `room` is the most light that the budget feeds, as a sum over all colours of these LEDs.
    """

    def __init__(self, leds: slice, channels: Sequence[slice], room: float, scale: Scale) -> None:
        self.leds = leds
        self.channels = channels
        self._room = room
        self._scale = scale
        self.step = scale.floor

    def fitting(
        self, colours: Light, peaks: Light, rounds_up: NDArray[np.float32]
    ) -> tuple[Pixels, float]:
        """Return the pixels of the LEDs within the budget, and the sum of their light.

        Args:
            colours: light of each colour, (n, colours).
            peaks: the largest colour of each LED, (n,).
            rounds_up: each LED rounds up a rest of at least this, 0 to 1; (n, 1) or (1, 1).
        """
        # Rounding takes less than a step off each colour, so light above the room may still fit.
        roundings = colours.size * self._scale.largest_rise
        if float(colours.sum()) <= self._room + roundings:
            steps, _ = self._split(colours, peaks, 1.0)
            steps.whole += steps.rest >= rounds_up
            spent = self._scale.total(steps)
            if spent <= self._room:
                return self._scale.pixels(steps), spent
        steps = self._limited(colours, peaks, rounds_up)
        return self._scale.pixels(steps), self._scale.total(steps)

    def _split(self, colours: Light, peaks: Light, share: float) -> tuple[LightSteps, Indices]:
        """Return the steps of the light times `share`, and the indices of the LEDs below one step.

        The rests of an LED below one step are scaled up until the largest is 1, so that rounding
        leaves this colour lit and the other colours in proportion.
        """
        if share < 1:
            steps = self._scale.split(colours * np.float32(share), peaks * np.float32(share))
        else:
            steps = self._scale.split(colours, peaks)
        below = np.flatnonzero((peaks > 0) & (_largest(steps.whole) == 0))
        if below.size:
            steps.rest[below] = colours[below] / peaks[below, None]
        return steps, below

    def _limited(self, colours: Light, peaks: Light, rounds_up: NDArray[np.float32]) -> LightSteps:
        """Return the steps that show the light, dimmed as far as the budget requires.

        All light is multiplied by `_share`, so that the whole steps fit. The budget left over goes
        to the LEDs below one step, the brightest first, and then to the largest rests. Equal rests
        round up together or not at all, so that LEDs of equal light stay equal.
        """
        steps, below = self._split(colours, peaks, self._share(colours, peaks))
        rest = steps.rest
        wanted = np.flatnonzero(rest >= rounds_up)
        rest[below] = 1 + peaks[below, None]
        rises = self._scale.rises(steps, wanted)
        left = self._room - self._scale.total(steps)
        if rises.sum() > left:
            urgency = -rest.take(wanted)
            order = np.argsort(urgency)
            wanted, urgency = wanted.take(order), urgency.take(order)
            count = np.searchsorted(np.cumsum(rises.take(order)), left, side="right")
            if count < len(wanted) and urgency[count] > -1:
                count = np.searchsorted(urgency, urgency[count])
            wanted = wanted[:count]
        steps.whole.ravel()[wanted] += 1
        return steps

    def _share(self, colours: Light, peaks: Light) -> float:
        """Return the part of the light, at most 1, that the budget feeds.

        Dimming brings LEDs below one step, the dimmest first. Such an LED is held: its largest
        colour, and others of at least half of that, get one step instead of their share. As few
        LEDs as possible are held; each other lit LED has a step or more at the returned share.
        """
        floor = self._scale.floor
        totals = colours @ np.ones(colours.shape[1], np.float32)
        everything = float(totals.sum(dtype=np.float64))
        glowing = np.count_nonzero(peaks)
        # Lower bound of the share: each colour of each lit LED gets a step. An LED whose largest
        # colour is a step or more at this bound is not held.
        least = max(0.0, self._room - glowing * colours.shape[1] * floor) / everything
        dim = np.flatnonzero((peaks > 0) & (peaks * least < floor))
        dim = dim[np.argsort(peaks[dim])]
        # One entry for each dim LED, then one that stands for all brighter LEDs.
        peak = np.append(peaks[dim], np.inf)[:glowing]
        total = np.append(totals[dim], 0.0)[:glowing]
        # Upper bound: a held LED lights its largest colour, and others of at least half of that.
        lit = np.minimum(1 + (total / peak - 1) / _HALF, colours.shape[1])
        held = lit * floor
        left = everything - (np.cumsum(total) - total)
        shares = np.minimum((self._room - (np.cumsum(held) - held)) / left, 1) * _SHARE_MARGIN
        fitting = np.flatnonzero(shares * peak * _SHARE_MARGIN >= floor)
        return float(shares[fitting[0]]) if fitting.size else 0.0


def _largest(rows: NDArray[_Number]) -> NDArray[_Number]:
    """Return the largest value of each row; `rows.max(axis=1)` would be slow on short rows."""
    return reduce(np.maximum, rows.T)
