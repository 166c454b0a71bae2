"""Shopping list and cut list for building a board with its strips, power supplies and buttons.

A line of the shopping list has a part, its quantity and unit, and a note. The quantities follow
from the pieces of strip, the supplies that feed them, the buttons and the volume of the light grid:
a strip of 8.4 m needs 9 m to buy (5 % more, in whole metres), and two channels need one level
shifter, whose four gates are enough for them. Both lists are CSV; the shopping list is in the
language of the kit.
"""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Final, NamedTuple

from companion.board.layout import Board
from companion.commentary import Phrases
from companion.errors import Text, filled, joined
from companion.kit.power import LEAST_V, Piece, PowerSupply, PowerTap
from companion.kit.wiring_drawing import MODE_PIN, WiredButton

_CUTS_HEAD: Final = (
    *("channel", "order", "piece", "leds", "length_mm"),
    *("from_x_mm", "from_y_mm", "to_x_mm", "to_y_mm"),
)
_SPARE: Final = 1.05
_SHIFTER_GATES = 4
_FILAMENT_G_CM3 = 1.24


class BoughtPart(NamedTuple):
    """A line of the shopping list."""

    part: Text
    quantity: float
    unit: Text
    note: Text


def parts(
    board: Board,
    *,
    strip: str,
    pieces: Sequence[Piece],
    supplies: Sequence[PowerSupply],
    buttons: Sequence[WiredButton],
    grid_cm3: float,
) -> list[BoughtPart]:
    """Return the shopping list for a board; `strip` is the type of LED, such as ws2812b."""
    wire = sum(
        math.dist(before.end, after.start)
        for before, after in pairwise(pieces)
        if before.channel == after.channel
    )
    note = Text("stranded, from each piece to the next")
    grams = math.ceil(grid_cm3 * _FILAMENT_G_CM3)
    size = Text("{width} x {height} mm", width=f"{board.width_mm:g}", height=f"{board.height_mm:g}")
    thick = Text("{size}, opal, 2 to 3 mm thick", size=size)
    return [
        *_strips(board, strip, pieces, supplies),
        *chain.from_iterable(map(_supply_parts, supplies)),
        *_signal_parts(sum(len(supply.channels) for supply in supplies)),
        _bought("wire 0.25 mm\u00b2, data", round(wire / 1000, 3), "m", note),
        *_button_parts(buttons),
        _bought("filament", grams, "g", "PLA, black, for the light grid"),
        _bought("base plate", 1, "piece", size),
        _bought("diffuser plate", 1, "piece", thick),
    ]


def _bought(part: str | Text, quantity: float, unit: str, note: str | Text) -> BoughtPart:
    return BoughtPart(filled(part, {}), quantity, Text(unit), filled(note, {}))


def parts_csv(found: Iterable[BoughtPart], phrases: Phrases) -> str:
    """Return the shopping list as CSV."""
    rows = (
        (phrases.message(part), f"{quantity:g}", phrases.message(unit), phrases.message(note))
        for part, quantity, unit, note in found
    )
    return _csv(BoughtPart._fields, rows)


def cuts_csv(pieces: Iterable[Piece]) -> str:
    """Return the cut list as CSV: the pieces of strip in the order in which data reaches them."""
    rows = (
        (
            str(piece.channel),
            str(piece.order),
            piece.name,
            str(piece.leds),
            *(f"{size:.3f}" for size in (piece.length_mm, *piece.start, *piece.end)),
        )
        for piece in pieces
    )
    return _csv(_CUTS_HEAD, rows)


def _csv(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return written.getvalue()


def _strips(
    board: Board, strip: str, pieces: Sequence[Piece], supplies: Sequence[PowerSupply]
) -> Iterator[BoughtPart]:
    leds = sum(supply.leds for supply in supplies)
    metres = leds * board.pitch_mm / 1000
    density = round(1000 / board.pitch_mm)
    note = Text(
        "5 V, {strip}, {density} LEDs a metre, bare (12 mm wide)", strip=strip, density=density
    )
    yield _bought("LED strip", round(metres, 3), "m", note)
    yield _bought("LED strip to buy", math.ceil(metres * _SPARE), "m", "5 % more than the pieces")
    note = Text("in {pieces} pieces: see cuts.csv", pieces=len(pieces))
    yield _bought("LEDs", leds, "piece", note)


def _supply_parts(supply: PowerSupply) -> Iterator[BoughtPart]:
    many = len(supply.channels) > 1
    fed = Text("channels {fed}" if many else "channel {fed}", fed=joined(" and ", supply.channels))
    note = Text("5 V, {current} A, for {fed}", current=f"{supply.rating_a:g}", fed=fed)
    yield _bought("supply", 1, "piece", note)
    note = Text(
        "{current} A, at the supply's plus, for {fed}", current=f"{supply.fuse_a:g}", fed=fed
    )
    yield _bought("fuse", 1, "piece", note)
    note = Text("6.3 V or more, where the supply enters, for {fed}", fed=fed)
    yield _bought("capacitor 1000 \u00b5F", 1, "piece", note)
    dark = Text("all LEDs black")
    limited = Text("budget_ma in the settings: the program stays below")
    full = Text("all LEDs white: the program prevents it, the fuse too")
    yield _current_part(Text("current, dark"), supply.idle_a, fed, dark)
    yield _current_part(Text("current, limited"), supply.limited_a, fed, limited)
    yield _current_part(Text("current, full"), supply.full_a, fed, full)
    for tap in supply.taps:
        name = Text("tap {name}", name=tap.name)
        yield _bought(name, round(tap.length_mm / 1000, 3), "m", _tap_note(tap))
    sizes = sorted({tap.wire_mm2 for tap in supply.taps})
    for size in sizes:
        metres = sum(tap.length_mm for tap in supply.taps if tap.wire_mm2 == size) / 1000
        for colour in (Text("red"), Text("black")):
            wire = Text("wire {size} mm\u00b2, {colour}", size=f"{size:g}", colour=colour)
            note = Text("all taps of {fed}", fed=fed)
            yield _bought(wire, round(metres, 3), "m", note)


def _current_part(part: Text, amperes: float, fed: Text, note: Text) -> BoughtPart:
    return _bought(part, round(amperes * 1000, 3), "mA", joined(": ", (fed, note)))


def _tap_note(tap: PowerTap) -> Text:
    text = (
        "channel {channel}, {leds} LEDs, red and black {size} mm\u00b2, "
        "at most {current} A, {volts} V at the far end"
    )
    size, current = f"{tap.wire_mm2:g}", f"{tap.worst_a:.2f}"
    note = Text(
        text,
        channel=tap.channel,
        leds=tap.leds,
        size=size,
        current=current,
        volts=f"{tap.far_v:.2f}",
    )
    if tap.far_v >= LEAST_V:
        return note
    warning = Text("under {volts} V: move the supply nearer", volts=f"{LEAST_V:g}")
    return joined(", ", (note, warning))


def _signal_parts(channels: int) -> Iterator[BoughtPart]:
    shifters = math.ceil(channels / _SHIFTER_GATES)
    yield _bought("level shifter 74AHCT125", shifters, "piece", "one gate a channel; or 74HCT125")
    yield _bought("capacitor 100 nF", shifters, "piece", "across the shifter's pins 14 and 7")
    yield _bought("resistor 330 \u03a9", channels, "piece", "in the data wire, at the strip's end")
    yield _bought("resistor 10 k\u03a9", channels, "piece", "from the data pin to ground")


def _button_parts(buttons: Sequence[WiredButton]) -> Iterator[BoughtPart]:
    pulled_up = sum(button.pin == MODE_PIN and button.header > 0 for button in buttons)
    yield _bought("button", len(buttons), "piece", "one contact each, to ground")
    yield _bought("resistor 1 k\u03a9", len(buttons) - pulled_up, "piece", "filter of a button")
    if pulled_up:
        yield _bought("resistor 100 \u03a9", pulled_up, "piece", "filter of the button on GPIO 3")
    yield _bought("capacitor 100 nF, buttons", len(buttons), "piece", "filter, at the header's end")
