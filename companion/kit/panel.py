"""Pins of the machine: the pins of the buttons, and the pin where each channel's data leaves."""

from typing import Final, NamedTuple

from companion.board.layout import Board
from companion.buttons import button_names
from companion.errors import Text
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
    "rpi_ws281x:spi": (10,),
    "rpi_ws281x:pwm": (18, 13),
    "rpi_ws281x:pcm": (21,),
    "pio": (10, 18, 13, 21),
}


class WiredButton(NamedTuple):
    """Button: name in the settings, pin, and the pin's `header` place, 0 on a microcontroller."""

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
    if stem == "spi":
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
