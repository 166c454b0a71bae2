"""`python -m tests.bench [name...]`: the promised numbers, measured here, as plain tables."""

import importlib
import os
import platform
import sys
from pathlib import Path
from typing import Final

from tests.bench.rig import Report

PROMISES: Final = {
    "bridge": "bridge:measure",
    "cards": "games:measure_cards",
    "deal": "games:deals",
    "demo": "games:nights",
    "dim_light": "lights:dim_light",
    "lights": "lights:frames",
    "page": "page:measure_page",
    "players": "games:measure_players",
    "program": "program:measure_program",
    "records": "page:measure_records",
    "simulate": "games:simulated_games",
    "strips": "strips:measure",
    "table": "program:measure_table",
}
"""The module and function that measures what is promised, by name."""


def main() -> None:
    """Print the tables of the named measurements, or of all."""
    names = sys.argv[1:] or [*PROMISES]
    for name in names:
        if name not in PROMISES:
            sys.exit(f"bench: there is no {name}; there are {', '.join(PROMISES)}")
    print(f"Python {platform.python_version()}, {os.cpu_count()} x {_processor()}, {_load()}")
    for name in names:
        module, _, function = PROMISES[name].partition(":")
        for table in getattr(importlib.import_module(f"tests.bench.{module}"), function)():
            print(f"\n{_text(table)}", flush=True)


def _processor() -> str:
    """Return the processor as Linux calls it, or else the machine."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _load() -> str:
    """Return the load of the machine, which affects the slowest times."""
    return f"load {os.getloadavg()[0]:.1f}"


def _text(table: Report) -> str:
    """Return a title and its rows; the first column is aligned left, the others right."""
    title, header, rows = table
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [title]
    for first, *others in (header, *rows):
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join(("", first.ljust(widths[0]), *cells)).rstrip())
    return "\n".join(lines)


if __name__ == "__main__":
    main()
