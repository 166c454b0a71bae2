"""Tables of the settings: each field is one setting, with the row of all facts about it.

The file of defaults, the checks, `cribwars config` and the form of the set-up page are made from
the rows. So `hold_ms` appears in all of them; in the form it is a number field with the unit "ms":

>>> from companion.settings.schema import ROWS
>>> ROWS["panel.hold_ms"].default, ROWS["panel.hold_ms"].check.high, ROWS["panel.hold_ms"].unit
(3, 100, 'ms')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.board.drawing.finish import FINISHES
from companion.buttons import DEFAULT_PINS, DEFAULT_PLACES
from companion.lights.night_hours import parse_hours
from companion.settings.broker import parse_broker
from companion.settings.checks import BAUD, BUDGET, BUTTONS, NIGHT, PINS, PLAYERS, WHITE, parsed_by
from companion.settings.row import setting
from companion.toml.checks import LINE, SWITCH, TEXT, TEXTS, choice, number
from companion.toml.text import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSettings:
    """The printed sheet."""

    finish: str = setting(
        "night",
        choice(*FINISHES),
        label="Finish of the sheet",
        help='finish of the printed sheet: "night" for light through film, "day" for paper',
        words={"night": "For lights behind film", "day": "For paper"},
    )
    title: str = setting("", LINE, label="Title", help='title of the sheet; "": that of the board')


@dataclass(frozen=True, slots=True, kw_only=True)
class StripSettings:
    """The strip; `options` has the options of its driver by name."""

    driver: str = setting(
        "virtual",
        TEXT,
        label="Driver",
        help="or null, spi:apa102|sk9822|hd107s|hd108, rpi_ws281x:spi|pwm|pcm, "
        "pio:<device>, neopixel:<pin>, serial",
        words={
            "virtual": "No lights: the board is drawn on the page",
            "rpi_ws281x:spi": "A strip on GPIO 10, Raspberry Pi up to 4",
            "rpi_ws281x:pwm": "A strip on GPIO 18, Raspberry Pi up to 4, as root",
            "pio:/dev/leds0": "A strip on a Raspberry Pi 5",
            "spi:apa102": "An APA102 strip with a clock wire, on GPIO 10 and 11",
            "spi:sk9822": "An SK9822 strip with a clock wire, on GPIO 10 and 11",
            "spi:hd108": "An HD108 strip with a clock wire, on GPIO 10 and 11",
            "serial": "A strip behind a board at a USB port",
        },
        other="Something else",
    )
    type: str = setting("ws2812b", TEXT, label="Type of strip", help="what is printed on the reel")
    order: str = setting(
        "",
        LINE,
        label="Order of colours",
        help='order of colours on the wire, such as "RGB"; "": the usual one of the type',
    )
    pins: tuple[int, ...] = setting(
        (),
        PINS,
        label="Data pins",
        help="the data pin of each channel (BCM) for rpi_ws281x; []: the usual one",
    )
    baud: int = setting(
        0,
        BAUD,
        label="Baud",
        help="speed of a board behind a cable; 0: the usual one of its firmware. Other options "
        "of a driver are keys as well: see docs/bridge.md",
    )
    budget_ma: float | tuple[float, ...] = setting(
        2000,
        BUDGET,
        label="Supply",
        unit="mA",
        help="milliamps of the strip's supply, or a list with one number for each channel; "
        "if not set, 500 where a USB port feeds the strip",
    )
    white_balance: tuple[float, ...] = setting(
        (1, 1, 1),
        WHITE,
        label="White: parts of red, green and blue",
        help="parts of red, green and blue, 0.2 to 1, that look white together",
    )
    options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LightsSettings:
    """The light on the board."""

    brightness: float = setting(
        0.5,
        number(0.05, 1),
        label="Brightness",
        help="0.05 to 1.0 of the light that the budget allows; Mode steps it",
        at_once=True,
    )
    calm: bool = setting(
        False, SWITCH, label="Calm", help="true turns all motion into fades", at_once=True
    )
    dither: bool = setting(
        True,
        SWITCH,
        label="Dither",
        help="shows light between two steps, on strips that are quick enough; not if calm",
        at_once=True,
    )
    night: str = setting(
        "",
        parsed_by(parse_hours),
        label="Hours of the night limit",
        help='hours such as "22:00-07:00" in which no light exceeds night_limit',
        at_once=True,
    )
    night_limit: float = setting(
        0.02,
        number(0.005, 1),
        label="Night limit",
        help="0.005 to 1.0 of an LED's full light",
        at_once=True,
    )
    speed: float = setting(
        1.0,
        number(0.25, 4),
        label="Speed",
        help="2.0 shows moves, slides and boxes twice as fast; a press skips them",
        at_once=True,
    )
    colours: Mapping[str, str] = setting(
        {},
        TEXT,
        label="Colours",
        help='"1" = "#ffb000" and so on: other colours for the sides',
        at_once=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelSettings:
    """The buttons."""

    buttons: str = setting(
        "gpio",
        BUTTONS,
        label="Buttons",
        help='"gpio": on this machine; "serial": on the board of the strip; '
        '"serial:<port>": on another board',
    )
    bounce_ms: float = setting(
        40,
        number(0, 1000),
        label="Bounce",
        unit="ms",
        help="a button is ignored for this long after each press",
    )
    hold_ms: float = setting(
        3, number(0, 100), label="Hold", unit="ms", help="a press must last this long to count"
    )
    sleep_minutes: float = setting(
        30,
        number(0.1, 1440),
        label="Sleep",
        unit="minutes",
        help="dims the board after this long without a press",
    )
    pins: Mapping[str, int] = setting(
        DEFAULT_PINS,
        number(0, 27, whole=True),
        label="Pins",
        help="the button of each pin (BCM numbers), between the pin and ground",
    )
    places: Mapping[str, int] = setting(
        DEFAULT_PLACES,
        number(0, 31, whole=True),
        label="Places",
        help="the number of each button on a board behind a cable, see docs/bridge.md",
    )
    actions: Mapping[str, str] = setting(
        {}, TEXT, label="Actions", help='"1.undo" = "deal" and so on: other actions for the buttons'
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """The page."""

    host: str = setting(
        "127.0.0.1",
        TEXT,
        label="Address",
        help='"0.0.0.0" lets every phone in the house open the pages',
        words={"127.0.0.1": "This machine alone", "0.0.0.0": "Every phone in the house"},  # noqa: S104  # as asked
        other="Another address",
    )
    port: int = setting(
        8000, number(0, 65535, whole=True), label="Port", help="0 picks one that is free"
    )
    hosts: tuple[str, ...] = setting(
        (), TEXTS, label="Further names", help="more names that this machine answers to"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoSettings:
    """The demo."""

    idle_minutes: float = setting(
        0,
        number(0, 1440),
        label="Idle",
        unit="minutes",
        help="minutes without a press until the demo begins; 0: only by Mode",
        at_once=True,
    )
    players: tuple[str, ...] = setting(
        ("shark",),
        PLAYERS,
        label="Players",
        help="kinds of players, which take the seats in turn: child, regular, shark",
        words={
            "child": "Children",
            "regular": "Regulars",
            "shark": "Sharks",
            "shark,regular": "Shark and regular in turn",
            "shark,regular,child": "All three in turn",
        },
        at_once=True,
    )
    speed: float = setting(
        1.0, number(0.1, 100), label="Speed", help="2.0 plays twice as fast", at_once=True
    )
    voice: bool = setting(
        True,
        SWITCH,
        label="Voice",
        help="says aloud what happens, and speaks in the tour of the lights; needs espeak-ng",
        at_once=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NightSettings:
    """The game night that this table belongs to."""

    broker: str = setting(
        "",
        parsed_by(parse_broker),
        label="Broker",
        help='of a game night, such as "mqtt://night.local"; "": none. See docs/game-night.md',
    )
    name: str = setting(
        "night",
        NIGHT,
        label="Name of the night",
        help="name of the night, the same at all tables: small letters, digits and hyphens",
    )
    table: int = setting(
        0,
        number(0, 9999, whole=True),
        label="Number of this table",
        help="the number of this table",
    )
    password: str = setting(
        "", LINE, label="Password of this table", help="password at the broker", secret=True
    )
