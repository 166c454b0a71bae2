"""Power of strips: the current of LEDs by type, and the light that a supply can feed."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, TypeAlias

from hardware.errors import NO_TEXT, StripError, Text
from hardware.strips.protocol import StripSpec

Budget: TypeAlias = float | Sequence[float]
"""Milliamps of one supply for all channels, or of one supply for each channel."""

_SUM_ERROR_MA: Final = 1e-6  # sums in another order may differ in the last digits


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """Current of one LED in mA: `idle` while dark, and `colour` more for each colour at full."""

    idle: float
    colour: float


_USUAL: Final = Power(idle=1.0, colour=18.3)

POWER: Final = {
    # Brands draw 35 to 60 mA for full white. Like WLED, we assume 55 mA, and 1 mA in the dark.
    **dict.fromkeys(("ws2812", "ws2812b", "ws2813"), _USUAL),
    # One brand draws 8 mA a colour and 16 mA for white; others draw as much as a WS2812B.
    **dict.fromkeys(("sk6812", "sk6812w"), _USUAL),
    # The data sheet says 18.5 mA a colour.
    "ws2811": Power(idle=1.0, colour=18.5),
    # At 12 V the data sheet says 2.1 mA in the dark and 10 mA a colour; WLED has measured 12 mA.
    "ws2815": Power(idle=2.1, colour=12.0),
    # The data sheets say 18 to 20 mA a colour, and less than 1 mA in the dark.
    **dict.fromkeys(("apa102", "sk9822", "hd107s", "hd108"), Power(idle=1.0, colour=20.0)),
}
"""Estimated current by type of strip; brands differ."""


def supplied_leds(spec: StripSpec, budget_ma: Budget) -> list[tuple[slice, Sequence[slice], float]]:
    """Return each supply's LEDs, the slices that divide these LEDs by channel, and the room.

    The room is the most light that the budget feeds, as a sum over all colours of the LEDs; a
    colour at full is 1.

    Raises:
        StripError: a budget below the current of the dark LEDs, or a wrong number of budgets.
    """
    slices = [slice(end - n, end) for n, end in zip(spec.leds, accumulate(spec.leds), strict=True)]
    if not isinstance(budget_ma, Sequence):
        return [(slice(None), slices, _room(spec.type, sum(spec.leds), budget_ma))]
    if len(budget_ma) != len(spec.leds):
        text = (
            "the length of the list budget_ma is {budget_ma}, but the number of channels is {leds}"
        )
        remedy = Text("set one number for all channels, or a list with one number for each channel")
        counts = {"budget_ma": len(budget_ma), "leds": len(spec.leds)}
        raise StripError(text, remedy=remedy, key="strip.budget_ma", **counts)
    rooms = [
        _room(spec.type, number, budget, Text(" for channel {n}", n=n))
        for n, (number, budget) in enumerate(zip(spec.leds, budget_ma, strict=True))
    ]
    return [(leds, [slice(None)], room) for leds, room in zip(slices, rooms, strict=True)]


def _room(kind: str, leds: int, budget: float, where: Text = NO_TEXT) -> float:
    power = POWER[kind]
    idle = leds * power.idle
    if not budget >= idle - _SUM_ERROR_MA:
        least = f"{idle:g}"
        remedy = Text("set the milliamps of the supply, at least {idle}", idle=least)
        text = "budget_ma = {budget}{where} is below the {idle} mA of {leds} dark LEDs ({kind})"
        values = {"budget": f"{budget:g}", "where": where, "leds": leds, "kind": kind}
        raise StripError(text, remedy=remedy, key="strip.budget_ma", idle=least, **values)
    return max(0.0, budget - idle - _SUM_ERROR_MA) / power.colour
