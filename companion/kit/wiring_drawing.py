"""Pins of the buttons and of the data lines, and the drawing of the wiring.

The drawing has the strips, seen from the front, and a list of pins and supplies.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from companion.board.drawing.svg import circle, rect, sheet, stroke, tag, way, words
from companion.board.layout import Board
from companion.buttons import button_names
from companion.commentary import Phrases
from companion.errors import NO_TEXT, Text, joined
from companion.kit.power import Piece, PowerSupply, PowerTap
from companion.settings.schema import Settings

MODE_PIN: Final = 3
"""Pin that has its own pull-up; the filter of its button takes a smaller resistor."""

# fmt: off
_HEADER: Final = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21,
    25: 22, 11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36,
    26: 37, 20: 38, 21: 40,
}
# fmt: on
"""Place of each pin on the 40-pin header, by the pin's BCM number."""
_DATA_PINS: Final = {
    "spi:ws2812b": (10,),
    "spi:sk6812w": (10,),
    "rpi_ws281x:spi": (10,),
    "rpi_ws281x:pwm": (18, 13),
    "rpi_ws281x:pcm": (21,),
    "pio": (10, 18, 13, 21),
}


class WiredButton(NamedTuple):
    """Button: name, pin, and the pin's place on the `header`, 0 for a pin of a microcontroller."""

    name: str
    pin: int
    header: int

    @property
    def place(self) -> Text:
        if self.header:
            return _on_header(self.pin, self.header)
        return Text("place {pin}", pin=self.pin)


def buttons(board: Board, settings: Settings) -> list[WiredButton]:
    """Return the buttons of a board's sides and of the table, in the order of the settings."""
    cable = settings.panel.buttons != "gpio"
    pins = settings.panel.places if cable else settings.panel.pins
    return [
        WiredButton(name, pin, 0 if cable else _HEADER[pin])
        for name, pin in pins.items()
        if name in button_names(board.track.lanes)
    ]


def data_pin(settings: Settings, channel: int, *, behind_cable: bool = False) -> Text:
    """Return where the data wire of a channel begins."""
    driver = settings.strip.driver
    if behind_cable:
        return Text("the data pin of the microcontroller")
    stem, _, argument = driver.partition(":")
    if stem == "spi" and driver not in _DATA_PINS:
        data, clock = (_on_header(pin, _HEADER[pin]) for pin in (10, 11))
        return Text("data {data}; clock {clock}", data=data, clock=clock)
    usual = _DATA_PINS.get(driver) or _DATA_PINS.get(stem) or _DATA_PINS["rpi_ws281x:spi"]
    if stem == "neopixel" and argument.isdecimal():
        usual = (int(argument),)
    pins = settings.strip.pins or usual
    pin = pins[min(channel, len(pins) - 1)]
    return _on_header(pin, _HEADER[pin]) if pin in _HEADER else Text("GPIO {pin}", pin=pin)


def _on_header(pin: int, header: int) -> Text:
    return Text("GPIO {pin}, header {header}", pin=pin, header=header)


_CHANNEL_INKS: Final = ("#b0480e", "#0e5fb0")
_INK, _FAINT, _PLUS = "#222222", "#bbbbbb", "#c01818"
_PANEL_MM = 190.0
_LINE_MM, _TYPE_MM = 6.0, 4.0
_LABEL_MM = 3.0
_STRIP_MM = 3.0
_HEAD_MM = 2.5


def wiring_svg(
    board: Board,
    *,
    pieces: Sequence[Piece],
    supplies: Sequence[PowerSupply],
    data_pins: Sequence[Text],
    buttons: Sequence[WiredButton],
    phrases: Phrases,
) -> str:
    """Return the drawing in millimetres; `data_pins` has the pin of each channel in turn."""
    lines = [
        (phrases.message(text), ink) for text, ink in _panel_lines(supplies, data_pins, buttons)
    ]
    width = board.width_mm + _PANEL_MM
    height = max(board.height_mm, (len(lines) + 2) * _LINE_MM)
    return sheet(
        width,
        height,
        rect(0, complex(width, height), fill="#ffffff"),
        rect(0, complex(board.width_mm, board.height_mm), fill="none", stroke=_FAINT),
        *_data_wires(board, pieces),
        *(_strip(board, piece, phrases) for piece in pieces),
        *_panel(board.width_mm + _LINE_MM, lines),
        font_family="Liberation Sans, Arial, sans-serif",
    )


def _strip(board: Board, piece: Piece, phrases: Phrases) -> str:
    """Draw a piece of strip with its number at the end where data enters, and its direction."""
    ink = _CHANNEL_INKS[piece.channel]
    start, end = _ends(board, piece)
    onward = (end - start) / abs(end - start) if end != start else 1 + 0j
    aside = onward * 1j
    back, wide = end - onward * _HEAD_MM, aside * _HEAD_MM
    tip = way("M", back - wide, "L", end + onward, back + wide)
    strip = way("M", start, "L", end)
    text, length = "{order}. {piece}: {leds} LEDs, {length} mm", f"{piece.length_mm:.0f}"
    title = Text(text, order=piece.order, piece=piece.name, leds=piece.leds, length=length)
    return tag(
        "g",
        tag("title", phrases.message(title)),
        stroke(strip, ink, _STRIP_MM, stroke_opacity=0.3),
        stroke(tip, ink, 0.8),
        circle(start, 2.6, fill="#ffffff", stroke=ink, stroke_width=0.5),
        words(str(piece.order), start + 1j, font_size=_LABEL_MM, fill=ink, text_anchor="middle"),
    )


def _data_wires(board: Board, pieces: Sequence[Piece]) -> Iterator[str]:
    for before, after in pairwise(pieces):
        if before.channel == after.channel:
            wire = way("M", _ends(board, before)[1], "L", _ends(board, after)[0])
            yield stroke(wire, _CHANNEL_INKS[after.channel], 0.4, stroke_dasharray="2 1.5")


def _ends(board: Board, piece: Piece) -> tuple[complex, complex]:
    start, end = (complex(at.x, board.height_mm - at.y) for at in (piece.start, piece.end))
    return start, end


def _panel(left: float, lines: Sequence[tuple[str, str]]) -> Iterator[str]:
    for line, (text, ink) in enumerate(lines, start=1):
        yield words(text, complex(left, (line + 0.5) * _LINE_MM), font_size=_TYPE_MM, fill=ink)


def _panel_lines(
    supplies: Sequence[PowerSupply], data_pins: Sequence[Text], buttons: Sequence[WiredButton]
) -> Iterator[tuple[Text, str]]:
    """Yield lines of text with their ink: data, power, then the buttons."""
    yield Text("Data: numbers show the order of the wire, arrows its direction"), _INK
    for channel, pin in enumerate(data_pins):
        ink = _CHANNEL_INKS[channel]
        yield (
            Text(
                "channel {channel}: {pin} > 74AHCT125 > 330 \u03a9 > DIN", channel=channel, pin=pin
            ),
            ink,
        )
        yield Text("10 k\u03a9 from {pin} to ground", pin=pin), ink
    for supply in supplies:
        fed = ", ".join(map(str, supply.channels))
        text = "Power for channel {fed}: 5 V {supply} A, fuse {fuse} A"
        rating, fuse = f"{supply.rating_a:g}", f"{supply.fuse_a:g}"
        yield NO_TEXT, _INK
        yield Text(text, fed=fed, supply=rating, fuse=fuse), _PLUS
        yield Text("1000 \u00b5F across the supply; one ground for all"), _INK
        for tap in supply.taps:
            yield _tap_line(tap, names_channel=len(data_pins) > 1), _INK
    yield NO_TEXT, _INK
    yield Text("Buttons, each to ground, 100 nF from pin to ground"), _INK
    for button in buttons:
        ohms = "100 \u03a9" if button.pin == MODE_PIN and button.header else "1 k\u03a9"
        yield Text("{name}: {place}, {ohms}", name=button.name, place=button.place, ohms=ohms), _INK


def _tap_line(tap: PowerTap, *, names_channel: bool) -> Text:
    name = Text("tap {name}", name=tap.name)
    channel = Text("channel {channel}", channel=tap.channel)
    named = joined(", ", (name, channel)) if names_channel else name
    length, size = f"{tap.length_mm / 1000:.2f}", f"{tap.wire_mm2:g}"
    text = "{tap}: {length} m of {size} mm\u00b2, {volts} V at its far end"
    return Text(text, tap=named, length=length, size=size, volts=f"{tap.far_v:.2f}")
