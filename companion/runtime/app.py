"""Start, run and end of `cribwars run` and `cribwars demo`.

`light_table` (start.py) builds the parts that light the board and play the game. The demo, the
voice and the page are imported and built later. One event loop runs the game and the web page until
SIGTERM, Ctrl-C or a restart request. Then the parts close in reverse order, and lights go dark.
Under systemd a start counts as good after 60 s. If the strip does not answer for 15 s, the program
ends, and systemd starts it again.
"""

from __future__ import annotations

import asyncio
import faulthandler
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commentary import CommentaryLine, Commentator
from companion.devices.network_manager import PROGRAM, BoardNetwork, NetworkManager
from companion.errors import BadInputError, Fault, Text
from companion.runtime.log import log_to_console
from companion.runtime.service_manager import (
    GOOD_AFTER_S,
    feed_watchdog,
    is_service,
    watchdog_interval,
)
from companion.runtime.start import STRIP_TIMEOUT_S, Shutdown, StartedTable
from companion.runtime.start_lights import StartLights, look_at_machine
from companion.runtime.sticks import watch_sticks
from companion.settings.paths import runtime_folder, sticks_folder
from companion.settings.row import parse_broker
from companion.web.http.addresses import is_local, own_addresses
from hardware.pi import read_machine

if TYPE_CHECKING:  # imported once the board is lit
    from companion.night.table_night import TableNight
    from companion.runtime.demonstration import Demonstration

FAILED = 1  # exit status if a fault ends a demo that has neither page nor buttons


def run(
    light: Callable[[ExitStack], StartedTable],
    *,
    demo: bool = False,
    games: int | None = None,
    headless: bool = False,
) -> bool:
    """Run the table until SIGTERM or Ctrl-C. Return True if a restart was requested.

    Args:
        light: function that starts the board's lights and the game (`light_table`).
        demo: True if the demo begins at once.
        games: number of games in that demo; None to play until the demo is ended.
        headless: True for a demo with neither page nor buttons.

    Raises:
        CompanionError, HardwareError: the table cannot start; the lights are dark again.
    """
    log_to_console()
    return asyncio.run(_until_stopped(light, demo=demo, games=games, headless=headless))


async def _until_stopped(
    light: Callable[[ExitStack], StartedTable], *, demo: bool, games: int | None, headless: bool
) -> bool:
    shutdown = Shutdown()
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(signum, shutdown.stop.set)
    with ExitStack() as opened:
        lit = light(opened)
        network = _board_network(lit)
        start_lights = StartLights(
            lit.table,
            partial(look_at_machine, lit.data, lit.starts),
            network=lambda: network.state if network else None,
            is_wanted=is_service() and not demo,
        )
        demonstration = _demonstration(
            lit, shutdown.stop, demo=demo, games=games, headless=headless
        )
        if not headless:
            _speak(lit, opened)
        lit.table.start()
        start_lights.step(2)

        def show(faults: tuple[Fault, ...]) -> None:
            lit.table.notices.show_faults(faults)
            if lit.journal.has_unread_game and not lit.table.panel.counts.by_side:
                shutdown.request_restart()  # the next start reads the game on disk

        night = None if headless else _night(lit)
        tasks = [
            asyncio.create_task(lit.fallbacks.run(show, lit.workers.parts)),
            *_supervision(lit, network),
        ]
        if night:
            tasks.append(asyncio.create_task(night.run()))
        if demo:
            lit.table.demo(on=True)
        try:
            if headless:
                await shutdown.stop.wait()
            else:
                # The board is lit before the page is imported.
                from companion.runtime.page import serve_page  # noqa: PLC0415

                start_lights.step(3)
                await serve_page(
                    lit,
                    demonstration,
                    night,
                    network,
                    shutdown,
                    ready=lambda: tasks.append(asyncio.create_task(start_lights.report())),
                )
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await demonstration.close()
            lit.table.presses.stop()
    if headless and demonstration.failed:
        sys.exit(FAILED)
    return shutdown.restart


def _supervision(lit: StartedTable, network: BoardNetwork | None) -> Iterator[asyncio.Task[None]]:
    """Begin a service's tasks: note a good start, follow network and sticks, feed the watchdog."""

    async def prove_good() -> None:
        await asyncio.sleep(GOOD_AFTER_S)
        lit.starts.succeed()
        await asyncio.to_thread(lit.guard.prove)

    def find_frozen() -> Text | None:
        is_frozen = lit.lamps.frozen_s > STRIP_TIMEOUT_S and not lit.starts.calls_for_safety
        text = "the strip has not answered for {seconds} s"
        return Text(text, seconds=f"{STRIP_TIMEOUT_S:g}") if is_frozen else None

    def give_up(frozen: Text) -> None:
        lit.starts.fail(frozen)
        lit.console.report(Text("{reason}: the program is started again", reason=frozen))

    yield asyncio.create_task(prove_good())
    if network:
        yield asyncio.create_task(network.run())
    sticks = sticks_folder()
    if sticks:
        yield asyncio.create_task(watch_sticks(lit.table, sticks, answers=runtime_folder()))
    interval = watchdog_interval()
    if interval is not None:
        faulthandler.enable()  # prints all threads when systemd ends a frozen program
        yield asyncio.create_task(feed_watchdog(interval, find_frozen, give_up))


def _demonstration(
    lit: StartedTable, stop: asyncio.Event, *, demo: bool, games: int | None, headless: bool
) -> Demonstration:
    """Return the demo of a table. A run without a page, or with `games`, ends with the demo."""
    # The board is lit before players and commentary are imported.
    from companion.runtime.demonstration import Demonstration  # noqa: PLC0415

    def end() -> None:
        if headless or (games and not demonstration.failed):
            stop.set()

    demonstration = Demonstration(
        lit.table,
        lit.live,
        lit.workers.thinking,
        changed=lit.broadcast.notify,
        narrate=_commentary(lit) if demo else lambda _line: None,
        games=games,
        aloud=not headless,
        ended=end,
    )
    if demonstration.notice:
        lit.notice(demonstration.notice)
    return demonstration


def _board_network(lit: StartedTable) -> BoardNetwork | None:
    """Return the network of a service on a Raspberry Pi, or None if it must not open a hotspot."""
    settings = lit.live.now.settings
    is_board = is_service() and read_machine(Path("/")).model and shutil.which(PROGRAM)
    if not (is_board and settings.network.hotspot) or is_local(settings.web.host):
        return None
    return BoardNetwork(
        NetworkManager(own_addresses),
        name=settings.network.name,
        password=settings.network.password,
        clock=time.monotonic,
        report=lit.console.report,
    )


def _commentary(lit: StartedTable) -> Callable[[CommentaryLine], None]:
    now = lit.live.now
    words = Commentator.speaking(lit.console.phrases, now.names, now.assembly.request.setup)
    return lambda line: lit.console.write(line.in_words(words))


def _night(lit: StartedTable) -> TableNight | None:
    """Return a table's part in a game night, or None; report a fault if it cannot take part."""
    night = lit.live.now.settings.night
    if not night.broker:
        return None
    if not night.table or lit.data is None:
        no_number = "this table has no number in the night: set table in [night]"
        no_journal = "a game night needs the journal of the table: set --data"
        error = BadInputError(no_journal if night.table else no_number)
        fault = lit.fallbacks.fault("night.broker", error)
        lit.fallbacks.watch(lambda: fault)
        return None
    # Only a table that takes part in a night imports these modules.
    from companion.night.broker import TableTopics  # noqa: PLC0415
    from companion.night.table_night import TableNight  # noqa: PLC0415

    return TableNight(
        lit.table,
        TableTopics(night.name, night.table),
        parse_broker(night.broker),
        password=night.password,
        folder=lit.data,
        board=lit.live.now.assembly.board.name,
        colours=lambda: lit.live.now.colours,
        changed=lit.broadcast.notify,
        worker=lit.workers.disk,
    )


def _speak(lit: StartedTable, opened: ExitStack) -> None:
    """Speak about the games of a table, if the settings ask for it and a voice is installed."""
    # The board is lit before the voice is imported.
    from companion.runtime.voice import open_voice  # noqa: PLC0415

    notice = open_voice(lit.live, lit.table, opened)
    if notice:
        lit.notice(notice)
