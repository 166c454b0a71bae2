"""Parts built from settings: board, game, lights and panel, checked before anything starts.

No hardware is opened. If a part cannot be made, its faults are kept and the other parts are still
made, so that all faults are reported at once. Each fault names its setting and that setting's file.

>>> assemble(Settings()).light.wiring.leds
(1206,)
>>> try:
...     assemble(Settings().with_values({"board": "clasic", "strip.order": "RGX"}))
... except SettingsError as error:
...     [fault.key for fault in error.faults]
['board', 'strip.order']
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

from companion.board import Board, board_source, load_board
from companion.buttons import BUTTONS
from companion.devices.light_thread import LightSource
from companion.errors import (
    NO_TEXT,
    BoardFileError,
    CompanionError,
    Fault,
    FaultsError,
    RuleError,
    SettingsError,
    Text,
    as_text,
)
from companion.journal.setup import GameRequest
from companion.lights import Palette, Scene, Wiring
from companion.lights.limits import NightLimit
from companion.lights.scene.scene import ZONE_LEVEL
from companion.rules.game import Setup
from companion.rules.game.house_rules import fit_skunk_lines, with_rule
from companion.settings.schema import COMMAND_LINE, DEFAULT, Settings
from companion.toml import Value
from hardware.buttons import pin_faults, unknown_button
from hardware.errors import ButtonError, HardwareError, StripError
from hardware.output import Output
from hardware.strips import Strip, StripSpec, make_strip, read_options
from hardware.strips.drivers import find_driver, only_type
from hardware.strips.protocol import usual_order

ONLY_BOARD = "auto"  # port name that selects the only microcontroller board
_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """Parts of the program that follow from settings alone.

    Attributes:
        pins: the BCM pin of each button.
        board_port: serial port of the microcontroller board that reads the buttons; "" for none.
        strip_port: serial port of the microcontroller board that drives the strip; "" for none.
        places: the number of each button on the microcontroller board.
        actions: the actions of buttons that do something else than their name says.
    """

    board: Board
    request: GameRequest
    light: LightSource
    pins: Mapping[str, int]
    board_port: str
    strip_port: str
    places: Mapping[str, int]
    actions: Mapping[str, str]


def assemble(settings: Settings) -> Assembly:
    """Build the parts of these settings.

    Raises:
        SettingsError: the faults of all parts, each with the file of its setting.
    """
    parts = _Parts(settings)
    board = parts.make("board", lambda: load_board(settings.board))
    request = board and parts.make("teams", lambda: game_request(settings, board))
    wired = settings.wiring
    wiring = board and parts.make("wiring", lambda: Wiring.make(board, wired))
    strip = _strip(settings, parts, wiring.leds if wiring else (1,))
    palette = parts.make("lights.colours", lambda: Palette.make(settings.lights.colours))
    light = (
        wiring
        and strip
        and palette
        and parts.make("strip", lambda: _light(settings, wiring, palette, strip))
    )
    actions = parts.make("panel.actions", lambda: _actions(settings))
    pins = parts.make("panel.pins", lambda: _pins(settings, strip))
    places = parts.make("panel.places", lambda: _places(settings))
    if parts.faults:
        raise SettingsError(*dict.fromkeys(parts.faults))
    assert board and request and light and actions is not None  # noqa: S101, PT018  # there are no faults
    assert pins and places  # noqa: S101, PT018  # there are no faults
    return Assembly(
        board=board,
        request=request,
        light=light,
        pins=pins,
        board_port=_board_port(settings),
        strip_port=_strip_port(settings),
        places=places,
        actions=actions,
    )


def in_force(settings: Settings) -> Settings:
    """Return the settings in force: values left open, such as the strip's order, are filled in.

    Raises:
        SettingsError: the faults of all parts; see `assemble`.
    """
    assembly = assemble(settings)
    light = assembly.light
    spec, wired = light.strip.spec, settings.wiring
    wiring: dict[str, Value] = {"per": str(light.wiring.points.per), "skipped": [], "dead": []}
    if "chains" not in wired:
        wiring["channels"] = len(light.wiring.leds)
    values = {"strip.type": spec.type, "strip.order": spec.order, "wiring": {**wiring, **wired}}
    filled = with_strip(settings).with_values(values)
    return with_rules_in_force(filled, assembly.request)


def with_rules_in_force(settings: Settings, request: GameRequest) -> Settings:
    """Return the settings with the house rules of a game's request."""
    rules = replace(request.setup.rules, board=settings.rules.board)
    return replace(settings, rules=rules)


def strip_type(settings: Settings) -> str:
    """Return the LED type of the strip.

    If the driver can drive one type only, that type is returned in two cases: no type is set, or
    the command line sets the driver but not the type.
    """
    type_from, driver_from = map(settings.origin_of, ("strip.type", "strip.driver"))
    by_driver = type_from == DEFAULT or (COMMAND_LINE == driver_from != type_from)
    return (by_driver and only_type(settings.strip.driver)) or settings.strip.type


def strip_budget(settings: Settings) -> float | tuple[float, ...]:
    """Return each supply's milliamperes: the setting, else the USB port's, else the default."""
    if not settings.was_set("strip.budget_ma") and (milliamps := usb_ma(settings)):
        return milliamps
    return settings.strip.budget_ma


def usb_ma(settings: Settings) -> int | None:
    """Return the milliamperes of a USB port if it feeds the strip, else None."""
    with suppress(StripError):  # reported when the strip is made
        return find_driver(settings.strip.driver).usb_ma
    return None


def with_strip(settings: Settings) -> Settings:
    """Return the settings with the type and the budget that follow from the strip's driver."""
    values = {"strip.type": strip_type(settings), "strip.budget_ma": strip_budget(settings)}
    return settings.with_values(values)


def strip_spec(settings: Settings, leds: tuple[int, ...]) -> StripSpec:
    """Return the strip's specification; if no order of colours is set, use the type's usual one.

    Raises:
        StripError: the type is unknown, or the order does not fit it.
    """
    kind = strip_type(settings).lower()
    order = settings.strip.order.upper() or usual_order(kind)
    return StripSpec(leds=leds, type=kind, order=order)


def configured_strip(
    settings: Settings, leds: tuple[int, ...], options: Mapping[str, object] = MappingProxyType({})
) -> Strip:
    """Return the strip of the settings without opening it.

    Args:
        settings: settings with the strip's driver, type, order and options.
        leds: number of LEDs of each channel.
        options: options of the driver that replace those of the settings.

    Raises:
        StripError: the driver is unknown or does not take this strip.
    """
    spec, every = strip_spec(settings, leds), strip_options(settings) | dict(options)
    return make_strip(settings.strip.driver, spec, **every)


def strip_options(settings: Settings) -> dict[str, object]:
    """Return the options of the settings for the strip's driver.

    If the command line names the driver, options in files are ignored: they are for another driver.

    Raises:
        StripError: the driver does not know an option, or rejects its value.
    """
    named = settings.origin_of("strip.driver")
    given: dict[str, Value] = {"pins": settings.strip.pins, "baud": settings.strip.baud}
    given = {
        name: value
        for name, value in {**given, **settings.strip.options}.items()
        if named != COMMAND_LINE or settings.origin_of(f"strip.{name}") == COMMAND_LINE
    }
    pins, baud = given.pop("pins", ()), given.pop("baud", 0)
    options: dict[str, object] = {"pins": pins} if pins else {}
    if baud and "baud" in find_driver(settings.strip.driver).options:
        options["baud"] = baud
    texts = {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in given.items()
    }
    return options | read_options(settings.strip.driver, texts)


def reserved_pins(driver: str, pins: Sequence[int]) -> dict[int, Text]:
    """Return a mapping from each pin of a strip to the strip's name in messages."""
    by_overlay = Text(" (to free this pin, write gpio=10 in the line of its overlay)")
    label = Text(
        "the strip{by_overlay}", by_overlay=by_overlay if driver.startswith("pio:") else NO_TEXT
    )
    return dict.fromkeys(pins, label)


class _Parts:
    """Builder of parts; if a part cannot be made, `faults` has the reasons."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.faults: list[Fault] = []

    def make(self, key: str, part: Callable[[], _Part]) -> _Part | None:
        try:
            return part()
        except (CompanionError, HardwareError) as error:
            self.faults += settings_faults(self._settings, key, error)
            return None


def settings_faults(
    settings: Settings, key: str, error: CompanionError | HardwareError
) -> tuple[Fault, ...]:
    """Convert the error of a part that could not be made into faults of its settings.

    If the error names no setting, its fault gets `key`: the part's setting, or table of settings.
    """
    match error:
        case BoardFileError():
            faults = tuple(
                Fault(key=key, problem=fault.cause, remedy=fault.remedy) for fault in error.faults
            )
        case FaultsError():
            faults = error.faults
        case RuleError() | HardwareError():
            found = getattr(error, "key", "") or key
            faults = (Fault(key=found, problem=error.problem, remedy=error.remedy),)
        case _:
            faults = (Fault(key=key, problem=as_text(error)),)
    return tuple(replace(fault, file=fault.file or settings.origin(fault.key)) for fault in faults)


def game_request(settings: Settings, board: Board) -> GameRequest:
    """Return the request for games with these settings.

    Raises:
        RuleError: the house rules contradict each other, or the board has too few lanes.
    """
    sides = tuple(range(1, settings.teams + 1))
    rules = with_rule(settings.rules, "board", settings.board)
    rules = fit_skunk_lines(
        rules,
        preset=settings.preset,
        finish=rules.length_on(board.track.finish),
        by_name=settings.set_in("rules"),
    )
    setup = Setup.make(board.track, rules, sides=sides, players=settings.seats)
    source = board_source(settings.board)
    return GameRequest(board_file=source, setup=setup, names=settings.names)


def _strip(settings: Settings, parts: _Parts, leds: tuple[int, ...]) -> Strip | None:
    spec = parts.make("strip", lambda: strip_spec(settings, leds))
    driver, known = settings.strip.driver, spec or StripSpec(leds=leds)
    # A patient strip waits for its microcontroller board while the game goes on without light.
    patient = {"patient": True} if settings.strip_kind == "serial" else {}
    return parts.make(
        "strip", lambda: make_strip(driver, known, **strip_options(settings), **patient)
    )


def _light(settings: Settings, wiring: Wiring, palette: Palette, strip: Strip) -> LightSource:
    white = settings.strip.white_balance
    output = Output(
        strip.spec,
        budget_ma=strip_budget(settings),
        scale=strip.scale,
        white=white,
        shadows=(ZONE_LEVEL, palette.distinct_steps(white)),
    )
    output.brightness = settings.lights.brightness
    calm = settings.lights.calm
    return LightSource(
        palette=palette,
        scene=Scene(wiring.points.board, palette, points=wiring.points, calm=calm),
        wiring=wiring,
        output=output,
        strip=strip,
        dithers=settings.lights.dither and not calm,
        night=night_limit(settings),
    )


def night_limit(settings: Settings) -> NightLimit | None:
    """Return the night limit of these settings."""
    return NightLimit.make(settings.lights.night, settings.lights.night_limit)


def _pins(settings: Settings, strip: Strip | None) -> Mapping[str, int]:
    pins = settings.panel.pins
    driver = settings.strip.driver
    of_strip = strip.pins if strip and not _board_port(settings) else ()
    _refuse(settings, "panel.pins", pin_faults(pins, reserved_pins(driver, of_strip), BUTTONS))
    return pins


def _places(settings: Settings) -> Mapping[str, int]:
    places = settings.panel.places
    unknown = [button for button in places if button not in BUTTONS]
    faults = [unknown_button(button, BUTTONS, "panel.places") for button in unknown]
    if settings.set_in("panel.places"):
        from firmware_bridge.drivers.bridge_board import place_faults  # noqa: PLC0415  # most tables do not need it

        faults += place_faults(places)
    _refuse(settings, "panel.places", faults)
    return places


def _board_port(settings: Settings) -> str:
    """Return the port of the board that reads the buttons; "" if this machine reads them."""
    where, _, port = settings.panel.buttons.partition(":")
    return "" if where == "gpio" else port or _strip_port(settings) or ONLY_BOARD


def _strip_port(settings: Settings) -> str:
    _, _, port = settings.strip.driver.partition(":")
    return (port or ONLY_BOARD) if settings.strip_kind == "serial" else ""


def _actions(settings: Settings) -> Mapping[str, str]:
    others = settings.panel.actions
    unknown = [name for name in (*others, *others.values()) if name not in BUTTONS]
    _refuse(settings, "panel.actions", [unknown_button(name, BUTTONS) for name in unknown])
    return others


def _refuse(settings: Settings, table: str, errors: Sequence[ButtonError]) -> None:
    faults = [fault for error in errors for fault in settings_faults(settings, table, error)]
    if faults:
        raise SettingsError(*faults)
