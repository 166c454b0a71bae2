"""What the settings become: board, game, lights and panel, checked whole before anything starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from companion.board import Board, board_source, load_board
from companion.config import Settings
from companion.errors import CompanionError, SettingsError
from companion.game import Setup
from companion.game.house_rules import with_rule
from companion.lights import Palette, Scene, Wiring
from companion.table import Begun, Light
from hardware.buttons import DEFAULT_PINS, pin_faults, unknown_button
from hardware.errors import HardwareError
from hardware.output import Output
from hardware.strips import Strip, StripSpec, make_strip

_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """Everything that settings alone decide; no hardware has been touched for it.

    `pins` is the BCM pin of each button, `actions` what each button does.
    """

    board: Board
    begun: Begun
    light: Light
    pins: Mapping[str, int]
    actions: Mapping[str, str]


def fit(settings: Settings) -> Fitting:
    """The parts that the settings ask for.

    Raises:
        SettingsError: every fault in any of them, each with where it was set.
    """
    parts = _Parts(settings)
    board = parts.make("", lambda: load_board(settings.board))
    begun = board and parts.make("rules", lambda: _begun(settings, board))
    strip = _strip(settings, parts, board)
    colours = cast("dict[str, str]", settings.tables["lights.colours"])
    palette = parts.make("lights.colours", lambda: Palette.make(colours))
    light = (
        board
        and strip
        and palette
        and parts.make("strip", lambda: _light(settings, board, palette, strip))
    )
    actions = parts.make("panel.actions", lambda: _actions(settings))
    pins = parts.make("panel.pins", lambda: _pins(settings, strip))
    if parts.faults:
        raise SettingsError(tuple(dict.fromkeys(parts.faults)))
    assert board and begun and light and actions and pins  # noqa: S101, PT018  # else faults
    return Fitting(board=board, begun=begun, light=light, pins=pins, actions=actions)


class _Parts:
    """Makes parts one after the other and keeps the faults of those that cannot be made."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.faults: list[str] = []

    def make(self, table: str, part: Callable[[], _Part]) -> _Part | None:
        """A part made from the settings of a table; None if that has faults."""
        try:
            return part()
        except (CompanionError, HardwareError) as error:
            where = f"{self._settings.where(table)}: " if table else ""
            self.faults += [f"{where}{line}" for line in str(error).splitlines()]
            return None


def _begun(settings: Settings, board: Board) -> Begun:
    lanes = tuple(range(1, settings.teams + 1))
    rules = with_rule(settings.rules, "board", settings.board)
    setup = Setup.make(board.track, rules, lanes=lanes, players=settings.players)
    names = cast("dict[str, str]", settings.tables["names"])
    return Begun(board_file=board_source(settings.board), setup=setup, names=names)


def _strip(settings: Settings, parts: _Parts, board: Board | None) -> Strip | None:
    """The strip, still closed; without a board its other settings are looked at all the same."""
    wiring = board and parts.make("wiring", lambda: Wiring.make(board, settings.tables["wiring"]))
    leds = wiring.leds if wiring else (1,)
    kind, order = settings.text("strip", "type"), settings.text("strip", "order")
    spec = parts.make("strip", lambda: StripSpec(leds=leds, type=kind, order=order))
    driver, pins = settings.text("strip", "driver"), settings.pins("strip", "pins")
    options = {"pins": pins} if pins else {}
    known = spec or StripSpec(leds=leds)
    return parts.make("strip", lambda: make_strip(driver, known, **options))


def _light(settings: Settings, board: Board, palette: Palette, strip: Strip) -> Light:
    wiring = Wiring.make(board, settings.tables["wiring"])
    output = Output(strip.spec, budget_ma=settings.number("strip", "budget_ma"))
    output.brightness = settings.number("lights", "brightness")
    scene = Scene(board, palette, points=wiring.points, calm=settings.switch("lights", "calm"))
    return Light(palette=palette, scene=scene, wiring=wiring, output=output, strip=strip)


def _pins(settings: Settings, strip: Strip | None) -> dict[str, int]:
    pins = cast("dict[str, int]", settings.tables["panel.pins"])
    reserved = dict.fromkeys(strip.pins if strip else (), "the strip")
    faults = pin_faults(pins, reserved)
    if faults:
        raise SettingsError(tuple(faults))
    return pins


def _actions(settings: Settings) -> dict[str, str]:
    """What each button does: what it is called, unless the settings give it another action."""
    actions = {button: button for button in settings.tables["panel.pins"]}
    others = cast("dict[str, str]", settings.tables["panel.actions"])
    unknown = [name for name in (*others, *others.values()) if name not in DEFAULT_PINS]
    if unknown:
        faults = (f"panel.actions: {unknown_button(name, DEFAULT_PINS)}" for name in unknown)
        raise SettingsError(tuple(faults))
    return actions | others
