"""Power of strips: the current of LEDs by type, and the light that a supply can feed."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, TypeAlias

from hardware.errors import StripError
from hardware.strips.protocol import StripSpec
from hardware.text import NO_TEXT, Text

Budget: TypeAlias = float | Sequence[float]
"""Milliamps of one supply of all channels, or of each channel's."""

_SUM_ERROR_MA: Final = 1e-6  # sums in another order may differ in the last digits


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
    # Data sheets: 18 to 20 mA a colour, less than 1 idle.
    **dict.fromkeys(("apa102", "sk9822", "hd107s", "hd108"), Power(idle=1.0, colour=20.0)),
}
"""Current by type of strip; estimates, as makes differ."""


def supplied_leds(spec: StripSpec, budget_ma: Budget) -> list[tuple[slice, Sequence[slice], float]]:
    """Return for each supply its slice of all LEDs, its channels' slices of those, and its room.

    The room is the light of all colours together that the budget feeds.

    Raises:
        StripError: a budget below the current of the dark LEDs, or a wrong number of budgets.
    """
    slices = _slices(spec.leds)
    if not isinstance(budget_ma, Sequence):
        return [(slice(None), slices, _room(spec.type, sum(spec.leds), budget_ma))]
    if len(budget_ma) != len(spec.leds):
        text = "budget_ma is a list of {budget_ma}, the channels are {leds}"
        remedy = Text("set one number for all of them, or a list with one for each")
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
        remedy = Text("set what the supply gives, at least {idle}", idle=least)
        text = "budget_ma = {budget}{where} is below the {idle} mA of {leds} dark LEDs ({kind})"
        values = {"budget": f"{budget:g}", "where": where, "leds": leds, "kind": kind}
        raise StripError(text, remedy=remedy, key="strip.budget_ma", idle=least, **values)
    return max(0.0, budget - idle - _SUM_ERROR_MA) / power.colour


def _slices(leds: Sequence[int]) -> list[slice]:
    return [slice(end - n, end) for n, end in zip(leds, accumulate(leds), strict=True)]
