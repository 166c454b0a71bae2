"""`cribwars lights`: commands that light a strip without a game.

The settings describe the strip; `--strip` changes them for this command. It has a driver's name and
options. `type` (of the LEDs) and `order` (of their colours) are settings; other options go to the
driver. For example, `--strip rpi_ws281x:pwm,order=RGBW,pins=18` sets `driver` and `order`, and
gives `pins=18` to the driver. The W (white) turns the type `sk6812` into `sk6812w`.
"""

import re
import time
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TextIO

import click

from companion.board import load_board
from companion.cli.language import tell
from companion.cli.options import (
    FILE,
    CompletedText,
    WholeGroup,
    board_option,
    config_option,
    overrides,
)
from companion.commentary import load_phrases
from companion.devices.assembly import game_request
from companion.devices.light_test import try_strip
from companion.devices.pattern_tests import PATTERNS
from companion.errors import BadInputError
from companion.lights import Palette
from companion.settings.paths import settings_in_force
from companion.settings.schema import Settings
from companion.toml import Value, is_one_line
from hardware.strips.drivers import driver_stems, only_type
from hardware.strips.protocol import COLOURS

MOST_LEDS = 5000  # most LEDs of a channel; more take over 0.15 s a frame
_CHANNELS = 2
_NUMBER = re.compile(r"[0-9]{1,4}")


@click.group("lights", cls=WholeGroup)
def lights_group() -> None:
    """Try the lights."""


@lights_group.command("test")
@click.option(
    "--strip",
    type=CompletedText(driver_stems),
    metavar="NAME[,OPTION=VALUE]...",
    help="The strip's driver, with options.",
)
@click.option("--leds", metavar="N[,N]", help="Number of LEDs of each channel.")
@click.option("--pattern", type=click.Choice(PATTERNS), help="One pattern; by default all in turn.")
@click.option(
    "--frames", type=click.IntRange(1, 1_000_000), help="Number of frames of each pattern."
)
@click.option("--budget-ma", type=float, metavar="M", help="Milliamps that the supply may give.")
@click.option(
    "--dump", type=FILE, metavar="FILE", help="Write one line of JSON for each frame; - for stdout."
)
@config_option
def lights_test(
    *,
    strip: str | None,
    leds: str | None,
    pattern: str | None,
    frames: int | None,
    budget_ma: float | None,
    dump: str | None,
    config_file: Path | None,
) -> None:
    """Show patterns on a strip, to check that it is built and set right.

    Options that you leave out come from the settings. --strip takes the options `type` and
    `order`, and those of its driver, such as rpi_ws281x:pwm,order=RGB,pins=18+13. A second has 30
    frames, or fewer on a very long strip: --frames 1800 shows a pattern for a minute.
    """
    name, options = _strip_texts(strip)
    changes: dict[str, Value] = overrides(budget_ma=budget_ma)
    if name is not None:
        changes |= _strip_settings(settings_in_force(config_file, {}), name, options)
    settings = settings_in_force(config_file, {"strip": changes})
    try_strip(
        settings,
        options=options,
        leds=None if leds is None else _leds(leds),
        names=PATTERNS if pattern is None else (pattern,),
        frames=frames,
        dump=dump,
        tell=partial(tell, err=True),
        clock=time.monotonic,
        sleep=time.sleep,
        now=lambda: datetime.now().astimezone(),
    )


@lights_group.command("card")
@click.argument("file", type=click.File("w", encoding="utf-8"))
@board_option
@config_option
def lights_card(file: TextIO, board: str | None, config_file: Path | None) -> None:
    """Draw the card of lights and buttons, an SVG page to print and fold; FILE - is stdout.

    Board, colours and language come from the settings.
    """
    from companion.kit.lights_card import draw_card  # noqa: PLC0415  # other commands do not need it

    settings = settings_in_force(config_file, overrides(board=board))
    lying = load_board(settings.board)
    setup = game_request(settings, lying).setup
    palette = Palette.make(settings.lights.colours)
    file.write(draw_card(lying, setup, palette, load_phrases(settings.language)))


def _strip_texts(strip: str | None) -> tuple[str | None, dict[str, str]]:
    if strip is None:
        return None, {}
    if not is_one_line(strip):
        text = "--strip {strip}: it contains control characters; take them out"
        raise BadInputError(text, strip=repr(strip))
    name, *pairs = strip.split(",")
    options: dict[str, str] = {}
    for pair in pairs:
        option, _, value = pair.partition("=")
        if not option or not value:
            text = '--strip {strip}: "{pair}" is no option; write {name},option=value'
            raise BadInputError(text, strip=strip, pair=pair, name=name)
        if option in options:
            text = "--strip {strip}: {option} comes twice; give it once"
            raise BadInputError(text, strip=strip, option=option)
        options[option] = value
    return name, options


def _strip_settings(usual: Settings, name: str, options: dict[str, str]) -> dict[str, Value]:
    """Return the settings that --strip changes, and take `type` and `order` out of `options`.

    With `type` alone, the order is the usual one of this type. With `order` alone, the settings'
    type stays, but `sk6812` becomes `sk6812w` if the order has a W, and the reverse if it has none.
    """
    changes: dict[str, Value] = {}
    if name != usual.strip.driver:
        changes["driver"] = name
    kind, order = options.pop("type", only_type(name) or None), options.pop("order", None)
    if kind is not None or order is not None:
        set_type = kind or usual.strip.type
        changes["type"] = _type_with(set_type.lower(), order) if order else set_type
        changes["order"] = order or ""
    return changes


def _type_with(kind: str, order: str) -> str:
    """Return the type, or its variant with the colours of an order."""
    plain = kind.removesuffix("w")
    fitting = f"{plain}w" if "W" in order.upper() else plain
    return fitting if {plain, f"{plain}w"} <= COLOURS.keys() else kind


def _leds(text: str) -> tuple[int, ...]:
    numbers = text.split(",")
    leds = tuple(int(number) if _NUMBER.fullmatch(number) else 0 for number in numbers)
    if len(leds) > _CHANNELS or not all(1 <= number <= MOST_LEDS for number in leds):
        problem = (
            "--leds {text}: write the LEDs of each channel, 1 to {most_leds}, such as 121, "
            "or 200,163 for two channels"
        )
        raise BadInputError(problem, text=text, most_leds=MOST_LEDS)
    return leds
