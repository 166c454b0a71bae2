"""The number of examples of a search, in proportion to the run: few in `make test`, many apart."""

from typing import Final

from hypothesis import HealthCheck, settings

TIMELESS: Final = (HealthCheck.too_slow,)
"""The checks that would fail a search for how busy the machine is."""
SHARED_FIXTURES: Final = (*TIMELESS, HealthCheck.function_scoped_fixture)
"""These, and that for fixtures of a test that all its examples may share."""


def share(of_usual: float) -> int:
    """Return that share of the examples which the run gives a search."""
    return max(1, round(settings().max_examples * of_usual))
