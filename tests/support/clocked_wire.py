"""Decoder of the bytes for LEDs with a clock line, bit by bit as in their data sheets.

It is the independent oracle of `hardware.strips.clocked`; it shares nothing with it.
"""

from collections.abc import Iterator
from fractions import Fraction

Shown = list[tuple[Fraction, Fraction, Fraction]]
"""Red, green and blue light of each LED, 0 to 1."""


def shown(chip: str, wire: bytes, leds: int, order: str) -> Shown:
    """Return the light of the LEDs of a strip after these bytes.

    Raises:
        ValueError: the bytes are no frame that the LEDs would show.
    """
    bits = "".join(f"{byte:08b}" for byte in wire)
    return (_of_words if chip == "hd108" else _of_codes)(bits, leds, order)


def _of_codes(bits: str, leds: int, order: str) -> Shown:
    """Read 32 zeros, 32 bits for each LED, and the clocks after them."""
    start, frame, end = bits[:32], bits[32 : 32 + 32 * leds], bits[32 + 32 * leds :]
    if "1" in start + end or len(start) < 32:
        raise ValueError("the start or the end is not zeros")
    if len(end) < 32 + leds / 2:
        raise ValueError("the last LED does not get its clock, or an SK9822 does not show it")
    lights: Shown = []
    for led in _cut(frame, 32):
        if not led.startswith("111"):
            raise ValueError("an LED does not begin with three ones")
        current = int(led[3:8], 2)
        codes = [int(code, 2) for code in _cut(led[8:], 8)]
        lights.append(_in_order([Fraction(current * code, 31 * 255) for code in codes], order))
    return lights


def _of_words(bits: str, leds: int, order: str) -> Shown:
    """Read 128 zeros, 64 bits for each LED, and the clocks after them."""
    start, frame, end = bits[:128], bits[128 : 128 + 64 * leds], bits[128 + 64 * leds :]
    if "1" in start + end or len(end) < leds / 2:
        raise ValueError("the start or the end is not zeros, or too short")
    lights: Shown = []
    for led in _cut(frame, 64):
        gains = [int(gain, 2) for gain in _cut(led[1:16], 5)]
        if led[0] != "1" or 0 in gains:
            raise ValueError("an LED does not begin with a one, or has no gain")
        words = [int(word, 2) for word in _cut(led[16:], 16)]
        colours = zip(gains, words, strict=True)
        lights.append(
            _in_order([Fraction(gain * word, 31 * 65535) for gain, word in colours], order)
        )
    return lights


def _cut(bits: str, length: int) -> Iterator[str]:
    return (bits[start : start + length] for start in range(0, len(bits), length))


def _in_order(values: list[Fraction], order: str) -> tuple[Fraction, Fraction, Fraction]:
    red, green, blue = (values[order.index(colour)] for colour in "RGB")
    return red, green, blue
