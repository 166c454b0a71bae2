"""Report of a number: the measurement, its value, the promise, and whether it is kept."""

import math
from collections.abc import Iterable, Sequence

Table = tuple[str, list[str], list[list[str]]]
"""Title, header, rows."""


def table(title: str, rows: Iterable[list[str]]) -> Table:
    """Return a table whose rows are made by `row`."""
    return title, ["what", "measured", "target", ""], [*rows]


def row(
    what: str,
    measured: float,
    unit: str,
    *,
    below: float | None = None,
    at_least: float | None = None,
) -> list[str]:
    """A row of `table`; `below` or `at_least` is the target, if there is one.

    >>> row("of the wire's rate", 94.3, "%", at_least=95)
    ["of the wire's rate", '94.3 %', '>= 95 %', 'MISSED']
    """
    value = f"{_figures(measured)} {unit}"
    if below is not None:
        return [what, value, f"< {below:g} {unit}", _verdict(holds=measured < below)]
    if at_least is not None:
        return [what, value, f">= {at_least:g} {unit}", _verdict(holds=measured >= at_least)]
    return [what, value, "", ""]


def _verdict(*, holds: bool) -> str:
    return "holds" if holds else "MISSED"


def _figures(value: float) -> str:
    """Return a number with three digits; large numbers get no invented ones."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def percentile(values: Sequence[float], part: float) -> float:
    """The value that `part` (0 to 1) of all values do not exceed.

    >>> percentile([3, 1, 2, 4], 0.5)
    2
    """
    return sorted(values)[max(0, math.ceil(part * len(values)) - 1)]
