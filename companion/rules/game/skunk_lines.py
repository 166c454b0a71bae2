"""Skunk lines of a game whose length differs from the length in its preset (rules G4, G5)."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from companion.errors import HouseRuleError, Text
from companion.rules.game.house_rules import SKUNK_GAMES, HouseRules, Measure, SkunkLine

_LURCHES: Final[dict[str, dict[int, int]]] = {"lurch": {121: 91, 61: 31}, "family": {}}
"""Skunk line by a game's length, for two presets; for a length not listed it is half the length."""


def fit_skunk_lines(
    rules: HouseRules, *, preset: str, finish: int, by_name: Collection[str]
) -> HouseRules:
    """Return house rules whose skunk lines fit a game that ends at `finish`.

    The presets "lurch" and "family" have a line for every length. In other presets, a line at or
    beyond the finish is turned off: every loser would be skunked. A skunk by margin always fits.

    Args:
        rules: the house rules of the preset, with changes.
        preset: the name of the preset.
        finish: the hole at which the game ends.
        by_name: names of the house rules that the user has set; their lines are kept.

    Raises:
        HouseRuleError: a line that the user has set is at or beyond the finish.
    """
    for name in SKUNK_GAMES:
        line: SkunkLine | None = getattr(rules, name)
        if line is None or line.measure is Measure.MARGIN:
            continue
        if name not in by_name:
            rules = replace(rules, **{name: _fitting(line, preset, finish)})  # type: ignore[arg-type]  # a skunk line
        elif line.points >= finish:
            text = "house rule {name} cannot be {value}"
            remedy = Text("the game ends at {finish}: take less, or off", finish=finish)
            raise HouseRuleError(
                text, name=name, value=repr(str(line)), remedy=remedy, key=f"rules.{name}"
            )
    return rules


def _fitting(line: SkunkLine, preset: str, finish: int) -> SkunkLine | None:
    if preset in _LURCHES:
        half = (finish + 1) // 2
        return SkunkLine(measure=Measure.BELOW, points=_LURCHES[preset].get(finish, half))
    return line if line.points < finish else None
