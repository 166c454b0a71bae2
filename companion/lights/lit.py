"""A question of calibration: which LEDs are lit, and what is asked of them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias


class Asked(StrEnum):
    """What is asked of the LEDs that are lit."""

    WHERE = "where"
    """One LED: which light point shows it? None: no light is seen."""

    ANY = "any"
    """Several: is any light seen? Any point where one is, or None."""

    DARK = "dark"
    """A whole channel: which light point stays dark? None: no more do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lit:
    """A question: LEDs `first` to `last` of a channel are lit, all others are dark.

    `likely` are the light points where an answer is expected, for whoever draws them large;
    `doubt` says why the last answer could not be.
    """

    channel: int
    first: int
    last: int
    asked: Asked = Asked.WHERE
    likely: tuple[int, ...] = ()
    doubt: str = ""


Point: TypeAlias = int | None
"""A light point, or None for nowhere."""

Questions: TypeAlias = Generator[Lit, Point, None]
"""A dialogue: questions come out, answers go in."""


def asked_until(lit: Lit, fits: Callable[[Point], str]) -> Generator[Lit, Point, Point]:
    """The answer to a question, asked again, with the doubt that `fits` tells, until one does."""
    while True:
        point = yield lit
        doubt = fits(point)
        if not doubt:
            return point
        lit = replace(lit, doubt=doubt)
