"""`cribwars run`: everything put together, from the pins to the page, and taken apart again."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from math import inf
from pathlib import Path
from typing import Final, cast

import click

from companion.board import Board, board_source, load_board
from companion.config import Settings
from companion.desk import TableDesk
from companion.errors import SettingsError
from companion.game import History, Setup
from companion.game.house_rules import with_rule
from companion.lights import Palette, Scene, Wiring, look_alikes
from companion.table import Begun, Journal, Lamps, Light, Panel, Table
from hardware.buttons import DEFAULT_PINS, Buttons, open_pin_factory, unknown_button
from hardware.debounce import Debouncer
from hardware.mock import MockPanel
from hardware.output import Output
from hardware.strips import StripSpec, make_strip

STRIP_PINS: Final = {
    "rpi_ws281x:spi": {10: "SPI data"},
    "rpi_ws281x:pwm": {18: "PWM data", 13: "PWM data"},
    "rpi_ws281x:pcm": {21: "PCM data"},
}
"""Pins that each driver of a strip takes from the buttons."""


def run(settings: Settings, *, data: Path, simulate: bool) -> None:
    """Run the table until SIGTERM or Ctrl-C.

    Args:
        settings: checked already, but for what only the hardware can tell.
        data: the folder of the journal.
        simulate: mock pins, whatever this machine has.

    Raises:
        CompanionError, HardwareError: it cannot start; what was lit is dark again.
    """
    logging.basicConfig(format="cribwars: %(message)s", stream=sys.stderr, level=logging.WARNING)
    asyncio.run(_run(settings, data, simulate=simulate))


async def _run(settings: Settings, data: Path, *, simulate: bool) -> None:
    stop = asyncio.Event()
    for signum in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(signum, stop.set)
    with ExitStack() as running:
        desk, table = _start(settings, data, running, simulate=simulate)
        await _serve(settings, desk, stop)
        table.stop()


def _start(
    settings: Settings, data: Path, running: ExitStack, *, simulate: bool
) -> tuple[TableDesk, Table]:
    """Light the board and take presses; `running` takes all apart in the reverse order."""
    board = load_board(settings.board)
    actions = _actions(settings)
    light = _light(board, settings)
    factory, mock_because = open_pin_factory(simulate=simulate)
    journal = Journal(data)
    running.callback(journal.close)
    history, seq = journal.begin(_begun(board, settings))
    notices = tuple(filter(None, (journal.notice, *look_alikes(light.palette))))
    for line in filter(None, (mock_because, *notices)):
        click.echo(f"cribwars: {line}", err=True)
    desk = TableDesk(board, light.palette, light.wiring, settings.text("strip", "driver"))
    lamps = Lamps(light, seen=desk.seen)
    panel = _panel(history, board, actions, settings)
    debouncer = _debouncer(settings)
    table = Table(
        history,
        panel,
        journal,
        lamps,
        seq=seq,
        debouncer=debouncer,
        calm=settings.switch("lights", "calm"),
        notices=notices,
        changed=desk.changed,
    )
    running.callback(lamps.stop)
    lamps.start(table.news.view)
    pins = cast("dict[str, int]", settings.tables["panel.pins"])
    reserved = STRIP_PINS.get(settings.text("strip", "driver"), {})
    running.enter_context(Buttons(pins, table.edge, reserved=reserved, pin_factory=factory))
    fingers = MockPanel(pins, factory) if mock_because else None
    desk.serves(table, tuple(pins), fingers, rest_s=debouncer.rest)
    table.start()
    return desk, table


async def _serve(settings: Settings, desk: TableDesk, stop: asyncio.Event) -> None:
    """Serve the page until `stop`; imported late, so that the board is lit first."""
    from companion.web.app import make_app  # noqa: PLC0415  # see above
    from companion.web.serve import serve  # noqa: PLC0415  # see above

    host = settings.text("web", "host")
    shown = f"[{host}]" if ":" in host else host
    ending = asyncio.create_task(_close_on(stop, desk))
    await serve(
        make_app(desk, hosts=settings.texts("web", "hosts")),
        host=host,
        port=int(settings.number("web", "port")),
        on_ready=lambda port: click.echo(f"ready http://{shown}:{port}/"),
        stop=stop,
    )
    ending.cancel()


async def _close_on(stop: asyncio.Event, desk: TableDesk) -> None:
    await stop.wait()
    desk.closing.set()


def _light(board: Board, settings: Settings) -> Light:
    """The lights as the settings have them; what is refused is so before the first frame."""
    palette = Palette.make(cast("dict[str, str]", settings.tables["lights.colours"]))
    wiring = Wiring.make(board, settings.tables["wiring"])
    order, calm = settings.text("strip", "order"), settings.switch("lights", "calm")
    spec = StripSpec(leds=wiring.leds, type=settings.text("strip", "type"), order=order)
    output = Output(spec, budget_ma=settings.number("strip", "budget_ma"))
    output.brightness = settings.number("lights", "brightness")
    return Light(
        palette=palette,
        scene=Scene(board, palette, points=wiring.points, calm=calm),
        wiring=wiring,
        output=output,
        strip=make_strip(settings.text("strip", "driver"), spec),
    )


def _begun(board: Board, settings: Settings) -> Begun:
    """The game as the settings ask for it."""
    lanes = tuple(range(1, settings.teams + 1))
    rules = with_rule(settings.rules, "board", settings.board)
    setup = Setup.make(board.track, rules, lanes=lanes, players=settings.players)
    return Begun(board_file=board_source(settings.board), setup=setup)


def _panel(history: History, board: Board, actions: Mapping[str, str], settings: Settings) -> Panel:
    show_after = settings.number("demo", "idle_minutes") * 60
    return Panel(
        history.state,
        actions=actions,
        lanes=board.track.lanes,
        sleep_after=settings.number("panel", "sleep_minutes") * 60,
        show_after=show_after or inf,
        now=time.monotonic(),
    )


def _debouncer(settings: Settings) -> Debouncer:
    ms = 0.001
    return Debouncer(
        hold=settings.number("panel", "hold_ms") * ms,
        bounce=settings.number("panel", "bounce_ms") * ms,
    )


def _actions(settings: Settings) -> dict[str, str]:
    """What each button does: what it is called, unless the settings give it another action."""
    actions = {button: button for button in settings.tables["panel.pins"]}
    others = cast("dict[str, str]", settings.tables["panel.actions"])
    unknown = [name for name in (*others, *others.values()) if name not in DEFAULT_PINS]
    if unknown:
        faults = (f"panel.actions: {unknown_button(name, DEFAULT_PINS)}" for name in unknown)
        raise SettingsError(tuple(faults))
    return actions | others
