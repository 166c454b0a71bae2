"""Output stage: linear light in, bytes out; brightness, current limit, response, one rounding.

Light becomes bytes only here. The estimated current never exceeds the budget of any supply. An LED
with light is not rounded to darkness, and keeps its colour as far as whole steps allow; where the
budget does not allow that, the current limit takes precedence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from typing import Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hardware.errors import StripError
from hardware.strips.protocol import LINEAR, Frame, StripSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """Current of one LED in mA: in the dark, and added by each colour at full."""

    idle: float
    colour: float


_USUAL: Final = Power(idle=1.0, colour=18.3)

POWER: Final = {
    # White at full 35 to 60 mA by make, planned here as WLED does (55 and 1 idle), spread evenly.
    **dict.fromkeys(("ws2812", "ws2812b", "ws2813"), _USUAL),
    # Measured 8 mA a colour and 16 mA white on one make; others draw as a WS2812B does.
    **dict.fromkeys(("sk6812", "sk6812w"), _USUAL),
    # Data sheet: a constant 18.5 mA a colour.
    "ws2811": Power(idle=1.0, colour=18.5),
    # 12 V; data sheet 2.1 mA idle and 10 mA a colour, measured 12 (WLED).
    "ws2815": Power(idle=2.1, colour=12.0),
}
"""Current by type of strip; estimates, as makes differ."""

_FULL: Final = 255
_HALF: Final = 0.5
_SUM_ERROR_MA: Final = 1e-6  # sums of another order differ in the last digits: they hold too
_SHARE_MARGIN: Final = 1 - 1e-5  # single precision must round no step up over the limit, or away

Light: TypeAlias = NDArray[np.float32]
Budget: TypeAlias = float | Sequence[float]
_Steps: TypeAlias = NDArray[np.uint8]
_Rests: TypeAlias = NDArray[np.floating]
_Indices: TypeAlias = NDArray[np.intp]
_Number = TypeVar("_Number", np.uint8, np.float32)


class Output:
    """Output stage of one strip.

    Args:
        budget_ma: current of the supply of all channels together, or of each channel's supply.
        response: the strip's, see `Strip.response`; current is proportional to light.

    Raises:
        StripError: a budget below the dark LEDs' current, a wrong number of budgets, no response.
    """

    def __init__(
        self, spec: StripSpec, budget_ma: Budget = 2000.0, response: NDArray[np.float64] = LINEAR
    ) -> None:
        self._spec = spec
        self._leds = sum(spec.leds)
        self._levels = _LightSteps(response)
        self._supplies = _supplies(spec, budget_ma, self._levels)
        self._power = POWER[spec.type]
        self._milliamps = self._leds * self._power.idle
        self._brightness = 1.0

    @property
    def brightness(self) -> float:
        """Factor on the linear light, 0 to 1."""
        return self._brightness

    @brightness.setter
    def brightness(self, brightness: float) -> None:
        if not 0 <= brightness <= 1:
            raise StripError(f"brightness = {brightness:g} is not between 0 and 1")
        self._brightness = brightness

    @property
    def milliamps(self) -> float:
        """Estimated current of the last frame, all channels; before the first, of the dark."""
        return self._milliamps

    def render(self, light: Light) -> Frame:
        """Return the bytes that show this light, in arrays of their own.

        `light` is red, green and blue, 0 to 1, of the LEDs of all channels in turn, shape (n, 3).

        Raises:
            StripError: the shape does not fit the strip.
        """
        if light.shape != (self._leds, 3):
            raise StripError(f"light has the shape {light.shape}, the strip {(self._leds, 3)}")
        colours = self._colours(light)
        peaks = _largest(colours)
        frame: list[_Steps] = []
        spent = 0.0
        for supply in self._supplies:
            steps, light_of_them = supply.fitting(colours[supply.leds], peaks[supply.leds])
            spent += light_of_them
            shown = self._levels.bytes_of(steps)
            frame += [shown[channel] for channel in supply.channels]
        self._milliamps = self._leds * self._power.idle + spent * self._power.colour
        return tuple(frame)

    def _colours(self, light: Light) -> Light:
        """Return the light of each colour after brightness, white separate if the strip has it."""
        shown = np.multiply(light, np.float32(self._brightness), dtype=np.float32, order="C")
        np.clip(shown, 0, 1, out=shown)
        if self._spec.colours == light.shape[1]:
            return shown
        white = reduce(np.minimum, shown.T)
        mixed = np.empty((self._leds, self._spec.colours), np.float32)
        np.subtract(shown, white[:, None], out=mixed[:, :3])
        mixed[:, 3] = white
        return mixed


class _LightSteps:
    """Steps of light of a strip, dark first, and the lowest byte for each.

    `light` is the light of each step, `rises` how far the next is above it.
    """

    def __init__(self, response: NDArray[np.float64]) -> None:
        response = np.asarray(response, np.float64)
        if response.shape != LINEAR.shape or not (
            response[0] == 0 and response[-1] == 1 and (np.diff(response) >= 0).all()
        ):
            raise StripError("the strip's driver must give a response of 256 values from 0 up to 1")
        self.light, self._bytes = np.unique(response, return_index=True)
        self.rises = np.append(np.diff(self.light), np.inf)
        self.floor = float(self.light[1])
        self.largest_rise = float(self.rises[:-1].max())
        self._is_linear = np.array_equal(response, LINEAR)

    def split(self, light: Light) -> tuple[_Steps, _Rests]:
        """Return the step at or below each light, and how much of the way to the next is left."""
        if self._is_linear:
            steps = light * np.float32(_FULL)
            whole = steps.astype(np.uint8)
            return whole, steps - whole
        below = np.searchsorted(self.light, light, side="right") - 1
        rest = (light - self.light.take(below)) / self.rises.take(below)
        return below.astype(np.uint8), rest

    def light_of(self, steps: _Steps) -> float:
        """Return the total light of these steps, to which the current is proportional."""
        return float(self.light.take(steps).sum())

    def bytes_of(self, steps: _Steps) -> _Steps:
        """Return the byte of each step."""
        return steps if self._is_linear else self._bytes.take(steps).astype(np.uint8)


class _Supply:
    """Supply of some LEDs, for at most `room` light of all their colours together.

    `leds` is their slice of the LEDs of all channels, `channels` the slice of each channel in them.
    """

    def __init__(
        self, leds: slice, channels: Sequence[slice], room: float, levels: _LightSteps
    ) -> None:
        self.leds = leds
        self.channels = channels
        self._room = room
        self._levels = levels

    def fitting(self, colours: Light, peaks: Light) -> tuple[_Steps, float]:
        """Return the steps that show its LEDs within the budget, and the light of them all.

        `peaks` is the largest colour of each LED.
        """
        # Rounding takes half a step off each colour at most: this is more.
        roundings = colours.size * self._levels.largest_rise
        if float(colours.sum()) <= self._room + roundings:
            steps = self._nearest(colours, peaks)
            spent = self._levels.light_of(steps)
            if spent <= self._room:
                return steps, spent
        steps = self._limited(colours, peaks)
        return steps, self._levels.light_of(steps)

    def _nearest(self, colours: Light, peaks: Light) -> _Steps:
        """Return the steps nearest to the light, without a limit."""
        whole, rest, _ = self._split(colours, peaks, 1.0)
        return whole + (rest >= _HALF)

    def _split(self, colours: Light, peaks: Light, share: float) -> tuple[_Steps, _Rests, _Indices]:
        """Return whole steps, the rest of each towards the next, and the LEDs below one step.

        The rest of those LEDs is what it is with their largest colour at one whole step: so
        rounding leaves that one lit and the others in proportion.
        """
        whole, rest = self._levels.split(colours * np.float32(share))
        below = np.flatnonzero((peaks > 0) & (_largest(whole) == 0))
        rest[below] = colours[below] / peaks[below, None]
        return whole, rest, below

    def _limited(self, colours: Light, peaks: Light) -> _Steps:
        """Return the steps nearest to the light's share that the budget allows.

        Whole steps fit by the choice of the share. What is left of the budget goes first to the
        LEDs below one step, the brightest first, then to the largest rests; equal rests rise
        together or not at all, so that an even field stays even.
        """
        whole, rest, below = self._split(colours, peaks, self._share(colours, peaks))
        wanted = np.flatnonzero(rest >= _HALF)
        rest[below] = 1 + peaks[below, None]
        urgency = -rest.take(wanted)
        order = np.argsort(urgency)
        wanted, urgency = wanted.take(order), urgency.take(order)
        rises = self._levels.rises.take(whole.take(wanted))
        spent = self._levels.light_of(whole) + np.cumsum(rises)
        count = np.searchsorted(spent, self._room, side="right")
        if count < len(wanted) and urgency[count] > -1:
            count = np.searchsorted(urgency, urgency[count])
        whole.ravel()[wanted[:count]] += 1
        return whole

    def _share(self, colours: Light, peaks: Light) -> float:
        """Return the part of the light that fits into the budget beside the floor, at most 1.

        Dimming puts LEDs below one step, the dimmest first; there they cost the floor, and no less
        however dim. As few are held there as leave each of the others a step or more.
        """
        floor = self._levels.floor
        totals = colours @ np.ones(colours.shape[1], np.float32)
        everything = float(totals.sum(dtype=np.float64))
        glowing = np.count_nonzero(peaks)
        # This share is left with all of them at the floor: whatever it lights is not held.
        least = max(0.0, self._room - glowing * colours.shape[1] * floor) / everything
        dim = np.flatnonzero((peaks > 0) & (peaks * least < floor))
        dim = dim[np.argsort(peaks[dim])]
        # The brighter ones come last and as one, if there are any.
        peak = np.append(peaks[dim], np.inf)[:glowing]
        total = np.append(totals[dim], 0.0)[:glowing]
        # No more colours than this are lit at the floor: each has half a step or more.
        lit = np.minimum(1 + (total / peak - 1) / _HALF, colours.shape[1])
        held = lit * floor
        left = everything - (np.cumsum(total) - total)
        shares = np.minimum((self._room - (np.cumsum(held) - held)) / left, 1) * _SHARE_MARGIN
        fitting = np.flatnonzero(shares * peak * _SHARE_MARGIN >= floor)
        return float(shares[fitting[0]]) if fitting.size else 0.0


def _supplies(spec: StripSpec, budget_ma: Budget, levels: _LightSteps) -> list[_Supply]:
    """Return the supply of all channels, or one of each channel."""
    slices = _slices(spec.leds)
    if not isinstance(budget_ma, Sequence):
        room = _room(spec.type, sum(spec.leds), budget_ma)
        return [_Supply(slice(None), slices, room, levels)]
    if len(budget_ma) != len(spec.leds):
        raise StripError(
            f"budget_ma is a list of {len(budget_ma)}, the channels are {len(spec.leds)}",
            remedy="set one number for all of them, or a list with one for each",
            key="strip.budget_ma",
        )
    rooms = [
        _room(spec.type, number, budget, f" for channel {n}")
        for n, (number, budget) in enumerate(zip(spec.leds, budget_ma, strict=True))
    ]
    return [
        _Supply(leds, [slice(None)], room, levels) for leds, room in zip(slices, rooms, strict=True)
    ]


def _room(kind: str, leds: int, budget: float, where: str = "") -> float:
    """Return the light of all colours that a budget feeds beside the dark current."""
    power = POWER[kind]
    idle = leds * power.idle
    if not budget >= idle - _SUM_ERROR_MA:
        raise StripError(
            f"budget_ma = {budget:g}{where} is below the {idle:g} mA of {leds} dark LEDs ({kind})",
            remedy=f"set what the supply gives, at least {idle:g}",
            key="strip.budget_ma",
        )
    return max(0.0, budget - idle - _SUM_ERROR_MA) / power.colour


def _slices(leds: Sequence[int]) -> list[slice]:
    """Return the slice of each channel in the LEDs of all."""
    return [slice(end - n, end) for n, end in zip(leds, accumulate(leds), strict=True)]


def _largest(rows: NDArray[_Number]) -> NDArray[_Number]:
    """Return the largest of each row; column by column, as numpy is slow along short rows."""
    return reduce(np.maximum, rows.T)
