"""`cribwars run` and `cribwars demo`: the program's parts built in order, run, and ended."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from companion.runtime.start import LitTable, Options, light_table, write_line
from companion.settings import Rejected, SettingsFile
from companion.settings.load import Settings

if TYPE_CHECKING:  # imported once the board is lit
    from companion.runtime.demo import Demonstration

FAILED = 1
"""Exit status after a headless demo that a fault has ended."""


def run(
    settings: Settings,
    *,
    data: Path,
    simulate: bool,
    file: SettingsFile | None,
    rejected: Rejected | None,
    ready: Callable[[], None],
) -> bool:
    """Run the table until SIGTERM or Ctrl-C. Return True if a restart was requested.

    Args:
        settings: checked already, but for what only the hardware can tell.
        data: the folder of the journal.
        simulate: use mock pins, whatever this machine has.
        file: the settings file that the page changes; None if there is none.
        rejected: the settings that a start before this one failed with; None if none did.
        ready: is called once the first frame is lit and the page answers.

    Raises:
        CompanionError, HardwareError: it cannot start; what was lit is dark again.
    """
    return _run(
        Options(
            settings=settings,
            data=data,
            simulate=simulate,
            file=file,
            rejected=rejected,
            ready=ready,
        )
    )


def run_demo(settings: Settings, *, games: int | None, headless: bool) -> None:
    """Run a table that plays by itself and keeps nothing; its commentary goes to stderr.

    Args:
        settings: checked already, but for what only the hardware can tell.
        games: how many to play; None until SIGTERM or Ctrl-C.
        headless: only the lights, neither page nor buttons.

    Raises:
        CompanionError, HardwareError: it cannot start; what was lit is dark again.
    """
    _run(Options(settings=settings, simulate=headless, demo=True, games=games, headless=headless))


@dataclass(slots=True, kw_only=True)
class _Shutdown:
    """Request to end the program, or to restart it."""

    stop: asyncio.Event = field(default_factory=asyncio.Event)
    restart: bool = False

    def request_restart(self) -> None:
        """End the program, to be started again."""
        self.restart = True
        self.stop.set()


def _run(options: Options) -> bool:
    """Run until the end. Return True if a restart was requested."""
    logging.basicConfig(format="cribwars: %(message)s", stream=sys.stderr, level=logging.WARNING)
    shutdown = _Shutdown()
    if not asyncio.run(_until_stopped(options, shutdown)):
        sys.exit(FAILED)
    return shutdown.restart


async def _until_stopped(options: Options, shutdown: _Shutdown) -> bool:
    """Run; return False if a fault has ended a headless demo."""
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(signum, shutdown.stop.set)
    with ExitStack() as opened:
        lit = light_table(options, opened)
        demonstration = _demonstration(options, lit, shutdown.stop)
        lit.table.start()
        if options.demo:
            lit.table.demo(on=True)
        try:
            if options.headless:
                await shutdown.stop.wait()
            else:
                # Late, so that the board is lit before any of this is imported.
                from companion.runtime.page import serve_page  # noqa: PLC0415

                await serve_page(
                    options,
                    lit,
                    demonstration,
                    stop=shutdown.stop,
                    restart=shutdown.request_restart,
                )
        finally:
            await demonstration.close()
            lit.table.stop()
    return not (options.headless and demonstration.failed)


def _demonstration(options: Options, lit: LitTable, stop: asyncio.Event) -> Demonstration:
    """Return the demo of a table; one that was asked for tells on the console, and may end it."""
    # Late, so that the board is lit before any of this is imported.
    from companion.runtime.demo import Demonstration  # noqa: PLC0415

    def end() -> None:
        if options.headless or (options.games and not demonstration.failed):
            stop.set()

    demonstration = Demonstration(
        lit.table,
        options.settings,
        lit.fitting.begun,
        lit.names,
        changed=lit.broadcast.notify,
        told=_write if options.demo else _ignore,
        games=options.games,
        aloud=not options.headless,
        ended=end,
    )
    if demonstration.notice:
        lit.notice(demonstration.notice)
    return demonstration


def _write(line: str) -> None:
    with suppress(OSError):  # the reader may have gone: the board plays on
        write_line(line)


def _ignore(_line: str) -> None:
    """Leave it to the page and the voice."""
