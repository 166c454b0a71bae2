"""Calls of muggins for tests, and a table where one has just counted."""

import dataclasses
from typing import Literal

from companion.board.track import Hole
from companion.rules.game import HouseRules, Muggins
from tests.companion.rules.game.tables import NO_SKUNKS, Table

EVERYWHERE = dataclasses.replace(NO_SKUNKS, muggins="on", muggins_counts="missed-and-overcalled")
ALLEY = dataclasses.replace(EVERYWHERE, muggins="alley")


def missed(
    points: int = 2,
    *,
    erring: int = 1,
    by: int = 2,
    where: Literal["play", "show"] = "show",
    given_back: bool = False,
) -> Muggins:
    """Return a call: by default the second side claims points that the first missed."""
    return Muggins(
        erring=erring, by=by, points=points, where=where, kind="missed", given_back=given_back
    )


def overcalled(points: int = 2, *, by: int = 2, given_back: bool = False) -> Muggins:
    """Return a call: the first side counted points that it did not have."""
    return Muggins(
        erring=1, by=by, points=points, where="show", kind="overcalled", given_back=given_back
    )


def counted(points: int, rules: HouseRules = EVERYWHERE, *, start: Hole = 0) -> Table:
    """Return a table at which the first side has just counted; the second is on 50."""
    table = Table(rules=rules, stand={1: start, 2: 50})
    table.peg(1, points)
    return table
