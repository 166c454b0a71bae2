"""The number of examples of a search, in proportion to the run: few in `make test`, many apart."""

from hypothesis import settings


def share(of_usual: float) -> int:
    """Return that share of the examples which the run gives a search."""
    return max(1, round(settings().max_examples * of_usual))
