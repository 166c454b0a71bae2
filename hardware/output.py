"""Linear light in, bytes for the strip out: brightness, current limit, gamma, one rounding.

Nowhere else is light turned into bytes. Three promises: the estimated current never exceeds the
budget; an LED that is meant to glow is not rounded to darkness, and keeps its colour as far as
whole steps allow; the limit beats that floor where both cannot be had.
"""

from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from typing import Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hardware.errors import StripError
from hardware.strips.protocol import Frame, StripSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """Milliamperes of one LED: in the dark, and what each colour adds at full."""

    idle: float
    colour: float


POWER: Final = {
    # White at full 35 to 60 mA by make, planned here as WLED does (55 and 1 idle), spread evenly.
    "ws2812": Power(idle=1.0, colour=18.3),
    "ws2812b": Power(idle=1.0, colour=18.3),
    "ws2813": Power(idle=1.0, colour=18.3),
    # Data sheet: a constant 18.5 mA a colour.
    "ws2811": Power(idle=1.0, colour=18.5),
    # Measured 8 mA a colour and 16 mA white on one make; others draw as a WS2812B does.
    "sk6812": Power(idle=1.0, colour=18.3),
    "sk6812w": Power(idle=1.0, colour=18.3),
    # 12 V; data sheet 2.1 mA idle and 10 mA a colour, measured 12 (WLED).
    "ws2815": Power(idle=2.1, colour=12.0),
}
"""What each type of strip draws: estimates, for makes differ."""

_FULL: Final = 255
_HALF: Final = 0.5
_SUM_ERROR_MA: Final = 1e-6  # sums of another order differ in the last digits: they hold too
_SHARE_MARGIN: Final = 1 - 1e-5  # single precision must not round a step up over the limit

Light: TypeAlias = NDArray[np.float32]
_Indices: TypeAlias = NDArray[np.intp]
_Number = TypeVar("_Number", np.uint8, np.float32)


class Output:
    """The last stage before a strip; `render` is its one verb.

    `budget_ma` is what the supply gives to the LEDs, all channels together. `gamma` is the strip's
    response, light = (byte / 255) ** gamma: 1.0 for strips that dim by pulse width, as nearly all
    do. Current goes with light.

    Raises:
        StripError: a budget below what the LEDs draw in the dark, or a gamma that is none.
    """

    def __init__(self, spec: StripSpec, budget_ma: float = 2000.0, gamma: float = 1.0) -> None:
        leds = sum(spec.leds)
        power = POWER[spec.type]
        idle = leds * power.idle
        if not budget_ma >= idle:
            raise StripError(
                f"[strip] budget_ma = {budget_ma:g} is below the {idle:g} mA that {leds} LEDs "
                f"({spec.type}) draw in the dark; set what the supply gives, more than {idle:g}"
            )
        if not gamma > 0:
            raise StripError(f"[strip] gamma = {gamma:g} is not above 0; most strips need 1.0")
        self._spec = spec
        self._leds = leds
        ends = accumulate(spec.leds)
        self._channels = [slice(end - n, end) for n, end in zip(spec.leds, ends, strict=True)]
        self._gamma = gamma
        self._light = (np.arange(_FULL + 1) / _FULL) ** gamma
        self._rises = np.diff(self._light)
        self._floor = float(self._light[1])
        # Rounding takes half a step off each colour at most: this is more.
        self._roundings = leds * spec.colours * float(self._rises.max())
        self._idle = idle
        self._colour = power.colour
        self._room = max(0.0, budget_ma - idle - _SUM_ERROR_MA) / power.colour
        self._milliamps = idle
        self._brightness = 1.0

    @property
    def brightness(self) -> float:
        """Part of the light that is shown, 0 to 1, in linear light."""
        return self._brightness

    @brightness.setter
    def brightness(self, brightness: float) -> None:
        if not 0 <= brightness <= 1:
            raise StripError(f"brightness = {brightness:g} is not between 0 and 1")
        self._brightness = brightness

    @property
    def milliamps(self) -> float:
        """Estimated current of the last frame, that of the dark strip before the first."""
        return self._milliamps

    def render(self, light: Light) -> Frame:
        """Return the bytes that show this light, in arrays of their own.

        `light` is (n, 3), red, green and blue from 0 to 1, n the LEDs of all channels in turn;
        what is outside 0 to 1 is cut off.

        Raises:
            StripError: the shape does not fit the strip.
        """
        if light.shape != (self._leds, 3):
            raise StripError(f"light has the shape {light.shape}, the strip {(self._leds, 3)}")
        colours = self._colours(light)
        peaks = _largest(colours)
        if float(colours.sum()) > self._room + self._roundings:
            levels = self._limited(colours, peaks)
        else:
            levels = self._nearest(colours, peaks)
        spent = self._spent(levels)
        if spent > self._room:
            levels = self._limited(colours, peaks)
            spent = self._spent(levels)
        self._milliamps = self._idle + spent * self._colour
        return tuple(levels[channel] for channel in self._channels)

    def _colours(self, light: Light) -> Light:
        """Return what each colour shall give, white on its own where the strip has it."""
        shown = light.astype(np.float32, copy=False) * np.float32(self._brightness)
        np.clip(shown, 0, 1, out=shown)
        if self._spec.colours == light.shape[1]:
            return shown
        white = reduce(np.minimum, shown.T)
        mixed = np.empty((self._leds, self._spec.colours), np.float32)
        np.subtract(shown, white[:, None], out=mixed[:, :3])
        mixed[:, 3] = white
        return mixed

    def _nearest(self, colours: Light, peaks: Light) -> NDArray[np.uint8]:
        """Return the bytes nearest to the light, whatever they draw."""
        whole, rest, _ = self._split(colours, peaks, 1.0)
        return whole + (rest >= _HALF)

    def _split(
        self, colours: Light, peaks: Light, share: float
    ) -> tuple[NDArray[np.uint8], Light, _Indices]:
        """Return whole steps, the rest of each towards the next, and the LEDs below one step.

        The rest of those LEDs is what it is with their largest colour at one whole step: so
        rounding leaves that one lit and the others in proportion.
        """
        steps = self._response(colours * np.float32(share)) * _FULL
        whole = steps.astype(np.uint8)
        rest = steps - whole
        below = np.flatnonzero((peaks > 0) & (_largest(whole) == 0))
        rest[below] = self._response(colours[below] / peaks[below, None])
        return whole, rest, below

    def _response(self, light: Light) -> Light:
        return light if self._gamma == 1 else light ** np.float32(1 / self._gamma)

    def _spent(self, levels: NDArray[np.uint8]) -> float:
        """Return the light of all colours together, which the current goes with."""
        return float(self._light.take(levels).sum())

    def _limited(self, colours: Light, peaks: Light) -> NDArray[np.uint8]:
        """Return the bytes nearest to the light's share that the budget allows.

        Whole steps fit by the choice of the share. What is left of the budget goes first to the
        LEDs below one step, the brightest first, then to the largest rests; rests that are equal
        rise together or not at all, for an even field must stay even.
        """
        whole, rest, below = self._split(colours, peaks, self._share(colours, peaks))
        wanted = np.flatnonzero(rest >= _HALF)
        rest[below] = 1 + peaks[below, None]
        urgency = -rest.take(wanted)
        order = np.argsort(urgency)
        wanted, urgency = wanted.take(order), urgency.take(order)
        spent = self._spent(whole) + np.cumsum(self._rises.take(whole.take(wanted)))
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
        totals = colours @ np.ones(colours.shape[1], np.float32)
        everything = float(totals.sum(dtype=np.float64))
        glowing = np.count_nonzero(peaks)
        # This share is left with all of them at the floor: whatever it lights is not held.
        least = max(0.0, self._room - glowing * colours.shape[1] * self._floor) / everything
        dim = np.flatnonzero((peaks > 0) & (peaks * least < self._floor))
        dim = dim[np.argsort(peaks[dim])]
        # The brighter ones come last and as one, if there are any.
        peak = np.append(peaks[dim], np.inf)[:glowing]
        total = np.append(totals[dim], 0.0)[:glowing]
        # No more colours than this are lit at the floor: each has half a step or more.
        lit = np.minimum(1 + (total / peak - 1) / _HALF**self._gamma, colours.shape[1])
        held = lit * self._floor
        left = everything - (np.cumsum(total) - total)
        shares = np.minimum((self._room - (np.cumsum(held) - held)) / left, 1)
        fitting = np.flatnonzero(shares * peak >= self._floor)
        return float(shares[fitting[0]]) * _SHARE_MARGIN if fitting.size else 0.0


def _largest(rows: NDArray[_Number]) -> NDArray[_Number]:
    """Return the largest of each row; column by column, as numpy is slow along short rows."""
    return reduce(np.maximum, rows.T)
