"""How a number is told: what was measured, the value, what we stand by, and whether it holds."""

from __future__ import annotations

import math
from collections.abc import Sequence

Table = tuple[str, list[str], list[list[str]]]
"""Title, header, rows."""

HEADER = ["what", "measured", "target", ""]


def row(what: str, measured: float, unit: str, *, below: float | None = None) -> list[str]:
    """A row under `HEADER`; `below` is the target, if there is one."""
    value = f"{_figures(measured)} {unit}"
    if below is None:
        return [what, value, "", ""]
    return [what, value, f"< {below:g} {unit}", "holds" if measured < below else "MISSED"]


def _figures(value: float) -> str:
    """Three figures, and no digits made up for large numbers."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def percentile(values: Sequence[float], part: float) -> float:
    """The value that `part` (0 to 1) of all values do not exceed.

    >>> percentile([3, 1, 2, 4], 0.5)
    2
    """
    return sorted(values)[max(0, math.ceil(part * len(values)) - 1)]
