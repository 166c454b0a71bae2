"""The demo through a night in virtual time: its cost, and whether anything grows."""

from __future__ import annotations

import asyncio
import gc
import resource
import threading
import time
from pathlib import Path

from tests.bench.promise import HEADER, Table, row
from tests.support.night import Night, open_files

_WARM, _DEALS = 1_000, 10_000
_PAGE_MB = resource.getpagesize() / 1e6


def measure() -> list[Table]:
    """Return a table of a night of children, at a table of two sides and one of three."""
    return [_night(players) for players in (2, 3)]


def _night(players: int) -> Table:
    night = Night(players=players, keep=False)
    first, last, seconds = asyncio.run(_play(night))
    hours = (night.time.now - night.began) / 3600
    title = f"A night of {night.deals:,} deals, {players} sides, {hours:.0f} hours at the table"
    return (
        title,
        HEADER,
        [
            row("deals", night.deals, "", at_least=_DEALS),
            row(f"resident memory more than after {_WARM:,}", last[0] - first[0], "MB", below=2),
            row("threads more", last[1] - first[1], "", below=1),
            row("open files more", last[2] - first[2], "", below=1),
            row("a deal, but for the thinking", seconds / night.deals * 1e3, "ms"),
        ],
    )


async def _play(night: Night) -> tuple[_Use, _Use, float]:
    began = time.perf_counter()
    while night.deals < _WARM:
        await night.demo.run(1)
    first = _use()
    while night.deals < _DEALS:
        await night.demo.run(2)
    return first, _use(), time.perf_counter() - began


_Use = tuple[float, int, int]


def _use() -> _Use:
    """Return megabytes resident, threads, and open files."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * _PAGE_MB, threading.active_count(), open_files()
