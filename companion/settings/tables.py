"""Tables of the settings file, each as a class: a field is one setting, described by its row.

A row has default, check, label and help. The file of defaults, `cribwars config` and the form
of the set-up page are made from the rows; in the form `hold_ms` is a number field with a unit:

>>> from companion.settings.schema import ROWS
>>> ROWS["panel.hold_ms"].default, ROWS["panel.hold_ms"].check.high, ROWS["panel.hold_ms"].unit
(3, 100, 'ms')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.board.drawing.finish import FINISHES
from companion.buttons import DEFAULT_PINS, DEFAULT_PLACES
from companion.lights.limits import parse_hours
from companion.settings.row import (
    BAUD,
    BUDGET,
    BUTTONS,
    NIGHT,
    PINS,
    PLAYERS,
    WHITE,
    WIFI_NAME,
    WIFI_PASSWORD,
    parse_broker,
    parsed_by,
    setting,
)
from companion.toml import LINE, SWITCH, TEXT, TEXTS, Value, choice, number


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSettings:
    """The printed sheet."""

    finish: str = setting(
        "night",
        choice(*FINISHES),
        label="Finish of the sheet",
        help='Finish of the sheet: "night" for film with lights behind it, "day" for paper.',
        words={"night": "For lights behind film", "day": "For paper"},
    )
    title: str = setting("", LINE, label="Title", help='Title; "" means the title of the board.')


@dataclass(frozen=True, slots=True, kw_only=True)
class StripSettings:
    """The strip of lights; `options` has settings that only its driver knows, by name."""

    driver: str = setting(
        "virtual",
        TEXT,
        label="Driver",
        help="Driver of the strip: virtual (drawn on the page), null (no strip), "
        "spi:ws2812b|sk6812w|apa102|sk9822|hd107s|hd108, rpi_ws281x:spi|pwm|pcm, pio:<device>, "
        "neopixel:<pin> or serial (a microcontroller at a USB port).",
        words={
            "virtual": "No lights: the board is drawn on the page",
            "spi:ws2812b": "A WS2812B strip on GPIO 10",
            "spi:sk6812w": "An SK6812 strip with white on GPIO 10",
            "rpi_ws281x:spi": "Another strip on GPIO 10, Raspberry Pi up to 4",
            "rpi_ws281x:pwm": "A strip on GPIO 18, Raspberry Pi up to 4, as root",
            "pio:/dev/leds0": "A strip on a Raspberry Pi 5",
            "spi:apa102": "An APA102 strip with a clock wire, on GPIO 10 and 11",
            "spi:sk9822": "An SK9822 strip with a clock wire, on GPIO 10 and 11",
            "spi:hd108": "An HD108 strip with a clock wire, on GPIO 10 and 11",
            "serial": "A strip behind a board at a USB port",
        },
        other="Something else",
    )
    type: str = setting(
        "ws2812b", TEXT, label="Type of strip", help="The type printed on the reel."
    )
    order: str = setting(
        "",
        LINE,
        label="Order of colours",
        help='Order of colours on the wire, such as "RGB"; "" means the usual order of the type.',
    )
    pins: tuple[int, ...] = setting(
        (),
        PINS,
        label="Data pins",
        help="BCM number of each channel's data pin (only rpi_ws281x); [] means the usual pins.",
    )
    baud: int = setting(
        0,
        BAUD,
        label="Baud",
        help="Baud rate of a microcontroller at a USB port; 0 means the usual rate of its "
        "firmware. [strip] can also have options of the driver: see docs/bridge.md.",
    )
    budget_ma: float | tuple[float, ...] = setting(
        2000,
        BUDGET,
        label="Supply",
        unit="mA",
        help="Milliamperes of the strip's supply, or a list with those of each channel's supply. "
        "Without this setting a strip fed by a USB port gets at most 500 mA.",
    )
    white_balance: tuple[float, ...] = setting(
        (1, 1, 1),
        WHITE,
        label="White: parts of red, green and blue",
        help="Parts of red, green and blue, each from 0.2 to 1, that together look white.",
    )
    options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LightsSettings:
    """The light on the board."""

    brightness: float = setting(
        0.5,
        number(0.05, 1),
        label="Brightness",
        help="Part of full light, from 0.05 to 1; the supply can limit it further. A press of Mode "
        "changes the brightness until the next start.",
        at_once=True,
    )
    calm: bool = setting(
        False, SWITCH, label="Calm", help="Fades replace all motion.", at_once=True
    )
    dither: bool = setting(
        True,
        SWITCH,
        label="Dither",
        help="Fast strips show light between two steps of brightness by switching between the "
        "steps. Calm turns this off.",
        at_once=True,
    )
    night: str = setting(
        "",
        parsed_by(parse_hours),
        label="Hours of the night limit",
        help='Hours in which the night limit applies, such as "22:00-07:00"; "" means never.',
        at_once=True,
    )
    night_limit: float = setting(
        0.02,
        number(0.005, 1),
        label="Night limit",
        help="The most light that an LED gives in the hours of the night limit, from 0.005 to 1 of "
        "its full light.",
        at_once=True,
    )
    speed: float = setting(
        1.0,
        number(0.25, 4),
        label="Speed",
        help="Speed of moves, slides and boxes on the board, from 0.25 to 4; 2.0 is twice as fast. "
        "A press of a button ends a move at once.",
        at_once=True,
    )
    colours: Mapping[str, str] = setting(
        {},
        TEXT,
        label="Colours",
        help='Colours of the sides by number, such as "1" = "#ffb000".',
        at_once=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelSettings:
    """The buttons."""

    buttons: str = setting(
        "gpio",
        BUTTONS,
        label="Buttons",
        help='"gpio": the buttons are on the pins of this machine. "serial": on the '
        'microcontroller at a USB port. "serial:<port>": on the microcontroller at this port.',
    )
    bounce_ms: float = setting(
        40,
        number(0, 1000),
        label="Bounce",
        unit="ms",
        help="A contact is ignored this long after a press or release; 0 to 1000 milliseconds.",
    )
    hold_ms: float = setting(
        3,
        number(0, 100),
        label="Hold",
        unit="ms",
        help="A press or release shorter than this is ignored; 0 to 100 milliseconds.",
    )
    sleep_minutes: float = setting(
        30,
        number(0.1, 1440),
        label="Sleep",
        unit="minutes",
        help="Minutes without a press until the board dims, 0.1 to 1440.",
    )
    pins: Mapping[str, int] = setting(
        DEFAULT_PINS,
        number(0, 27, whole=True),
        label="Pins",
        help="BCM number of each button's pin. The button is wired between this pin and ground.",
    )
    places: Mapping[str, int] = setting(
        DEFAULT_PLACES,
        number(0, 31, whole=True),
        label="Places",
        help="Number of each button on a microcontroller at a USB port; see docs/bridge.md.",
    )
    actions: Mapping[str, str] = setting(
        {},
        TEXT,
        label="Actions",
        help='Buttons with another action: "1.undo" = "deal" makes Undo of side 1 a second Deal.',
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """The page."""

    host: str = setting(
        "127.0.0.1",
        TEXT,
        label="Address",
        help='Address at which the page is served: "127.0.0.1" for this machine alone, "0.0.0.0" '
        "for every phone in the house.",
        words={"127.0.0.1": "This machine alone", "0.0.0.0": "Every phone in the house"},  # noqa: S104  # the user's choice
        other="Another address",
    )
    port: int = setting(
        8000,
        number(0, 65535, whole=True),
        label="Port",
        help="Port of the page; 0 picks a free one.",
    )
    hosts: tuple[str, ...] = setting(
        (), TEXTS, label="Further names", help="More names of this machine that browsers use."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkSettings:
    """The board's own Wi-Fi network."""

    hotspot: bool = setting(
        True,
        SWITCH,
        label="Own network",
        help="A Raspberry Pi that is in no network for a minute opens its own Wi-Fi network.",
    )
    name: str = setting(
        "Crib Wars",
        WIFI_NAME,
        label="Name of the own network",
        help="Name of this network. The labels of the kit have name and password.",
    )
    password: str = setting(
        "fifteen-two",
        WIFI_PASSWORD,
        label="Password of the own network",
        help="Password of this network. Who knows it can watch the game, as in the home network.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoSettings:
    """The demo."""

    idle_minutes: float = setting(
        0,
        number(0, 1440),
        label="Idle",
        unit="minutes",
        help="Minutes without a press until the demo begins; 0 means only by holding Mode.",
        at_once=True,
    )
    players: tuple[str, ...] = setting(
        ("shark",),
        PLAYERS,
        label="Players",
        help="Computer players of the demo: child, regular or shark. The seats take them from this "
        "list in turn.",
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
        1.0,
        number(0.1, 100),
        label="Speed",
        help="Speed of play in the demo, from 0.1 to 100; 2.0 is twice as fast.",
        at_once=True,
    )
    voice: bool = setting(
        True,
        SWITCH,
        label="Voice",
        help="A voice speaks in the demo and the tour of the lights, if espeak-ng is installed.",
        at_once=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NightSettings:
    """The game night that this table belongs to."""

    broker: str = setting(
        "",
        parsed_by(parse_broker),
        label="Broker",
        help='Address of the broker of a game night, such as "mqtt://night.local"; "" means no '
        "game night. See docs/game-night.md.",
    )
    name: str = setting(
        "night",
        NIGHT,
        label="Name of the night",
        help="Name of the game night, the same at all tables: small letters, digits and hyphens.",
    )
    table: int = setting(
        0,
        number(0, 9999, whole=True),
        label="Number of this table",
        help="Number of this table in the game night, from 1 to 9999; 0 means no number.",
    )
    password: str = setting(
        "",
        LINE,
        label="Password of this table",
        help="Password with which this table logs in to the broker.",
        secret=True,
    )
