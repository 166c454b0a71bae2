"""House rules: named settings with defaults, and the presets that are sets of them (rule G7)."""

import dataclasses
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from companion.errors import EITHER, Message, RuleError, listed, suggest

_T = TypeVar("_T")


class Measure(StrEnum):
    """Measure of a skunk line: the loser's progress, or the winner's margin over it."""

    BELOW = "below"
    MARGIN = "margin"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkunkLine:
    """A skunk line: progress below `points`, or a margin above `points` (rules G4 to G6)."""

    measure: Measure
    points: int

    def crossed(self, progress: int, finish: int) -> bool:
        """Return True if a side with this progress is caught, the winner standing on `finish`."""
        match self.measure:
            case Measure.BELOW:
                return progress < self.points
            case Measure.MARGIN:
                return finish - progress > self.points

    def __str__(self) -> str:
        return f"{self.measure} {self.points}"


def _below(points: int) -> SkunkLine:
    return SkunkLine(measure=Measure.BELOW, points=points)


def _margin(points: int) -> SkunkLine:
    return SkunkLine(measure=Measure.MARGIN, points=points)


class _Choice:
    """Parser of a rule that takes one of a few texts."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices

    def __call__(self, text: str) -> str:
        if text not in self.choices:
            raise ValueError(listed(self.choices, EITHER))
        return text


def _switch(text: str) -> bool:
    return _Choice("true", "false")(text) == "true"


def _whole(low: int, *, none: str | None = None) -> Callable[[str], int | None]:
    def parse(text: str) -> int | None:
        if none is not None and text == none:
            return None
        if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) < low:
            also = Message(", or {none}", none) if none else ""
            raise ValueError(Message("a whole number from {low} to 9999{also}", low, also))
        return int(text)

    return parse


def _line(text: str) -> SkunkLine | None:
    if text == "off":
        return None
    found = re.fullmatch(r"(?:(below|margin)[ -])?([0-9]{1,4})", text)
    if not found:
        raise ValueError("below N, margin N, or off")
    measure = Measure(found[1] or Measure.BELOW)
    return SkunkLine(measure=measure, points=int(found[2]))


def _board(text: str) -> str:
    if not text:
        raise ValueError("the name of a board, or a board file")
    return text


def _rule(default: _T, parse: Callable[[str], object]) -> _T:
    """Return a house rule's field, with the parser of its value in settings and `--set`."""
    rule: _T = field(default=default, metadata={"parse": parse})
    return rule


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """Every house rule, by the name that settings and `--set` use. Defaults: Crib Wars.

    `game_to` None is the whole track. A skunk is worth 2 games, a double skunk 4; `match_to` None
    is a series without end.
    """

    board: str = _rule("crib-wars", _board)
    game_to: int | None = _rule(None, _whole(1, none="whole"))
    finish: str = _rule("overshoot", _Choice("overshoot", "exact"))
    skunk_at: str = _rule("121", _Choice("121", "finish", "off"))
    skunk: SkunkLine | None = _rule(_below(91), _line)
    double_skunk: SkunkLine | None = _rule(_below(61), _line)
    muggins: str = _rule("alley", _Choice("off", "alley", "on"))
    muggins_counts: str = _rule("missed", _Choice("missed", "missed-and-overcalled"))
    given_back: str = _rule("side", _Choice("side", "nobody"))
    heels_ban: int = _rule(3, _whole(0))
    starter: str = _rule("after-discards", _Choice("after-discards", "before-discards"))
    penalty_to: str = _rule("every-other-side", _Choice("every-other-side", "opponents", "nobody"))
    match_to: int | None = _rule(None, _whole(1, none="off"))
    first_dealer: str = _rule("loser", _Choice("loser", "next"))
    occupant_advance: str = _rule("box", _Choice("box", "track"))
    back_lands: bool = _rule(False, _switch)
    award_lands: bool = _rule(True, _switch)

    def length_on(self, track: int) -> int:
        """Return the hole at which a game ends on a track of this many holes (G3)."""
        return min(track, self.game_to or track)


SKUNK_GAMES: Mapping[str, int] = {"double_skunk": 4, "skunk": 2}
"""Games that a win is worth over a side behind each line, the worst line first (G4)."""

_PARSERS: Mapping[str, Callable[[str], object]] = {
    rule.name: rule.metadata["parse"] for rule in dataclasses.fields(HouseRules)
}

_REMOVED: Mapping[str, str] = {
    "misdeal": Message("delete it, it decides nothing: the referee quotes both sheets (N8)")
}
"""Remedies for house rules that settings of an earlier program may have."""

_CLASSIC = HouseRules(
    board="classic",
    game_to=121,
    skunk_at="finish",
    muggins="off",
    heels_ban=0,
    penalty_to="opponents",
)


PRESETS: Mapping[str, HouseRules] = {
    "crib-wars": HouseRules(),
    "classic-121": _CLASSIC,
    "classic-61": dataclasses.replace(
        _CLASSIC, board="classic-61", game_to=61, skunk=_below(31), double_skunk=None
    ),
    "electronic": dataclasses.replace(
        _CLASSIC,
        skunk=_margin(30),
        double_skunk=_margin(60),
        muggins_counts="missed-and-overcalled",
        starter="before-discards",
        penalty_to="nobody",
        match_to=7,
    ),
    "lurch": dataclasses.replace(_CLASSIC, double_skunk=None, muggins="on"),
    "family": dataclasses.replace(_CLASSIC, skunk=_below(61), double_skunk=None),
}
"""The table under rule G7: what each sheet plays."""


def preset(name: str) -> HouseRules:
    """Return a preset's house rules; an unknown name is a `RuleError` with a suggestion (G7)."""
    if name not in PRESETS:
        remedy = suggest(name, PRESETS)
        raise RuleError("no preset {name}", repr(name), remedy=remedy, rule="G7")
    return PRESETS[name]


def presets_for(rules: HouseRules) -> dict[str, HouseRules]:
    """Return the choices for a game on the board of these rules, by preset (G7).

    The first, named "", are the rules themselves; presets of another board are left out.
    """
    fitting = {name: each for name, each in PRESETS.items() if each.board == rules.board}
    return {"": rules} | {name: each for name, each in fitting.items() if each != rules}


def preset_name(rules: HouseRules) -> str:
    """Return the name of the preset with these house rules, "" if none has them (G7)."""
    return next((name for name, each in PRESETS.items() if each == rules), "")


def with_rule(rules: HouseRules, name: str, value: str) -> HouseRules:
    """Return the rules with one changed by name, as settings and `--set` give it (G7).

    >>> with_rule(HouseRules(), "finish", "exact").finish
    'exact'
    """
    if name not in _PARSERS:
        remedy = _REMOVED.get(name) or suggest(name, _PARSERS)
        raise RuleError("no house rule {name}", repr(name), remedy=remedy, rule="G7")
    try:
        parsed = _PARSERS[name](value)
    except ValueError as error:
        text, remedy = "house rule {name} cannot be {value}", Message("it takes {error}", error)
        raise RuleError(text, name, repr(value), remedy=remedy, rule="G7") from None
    return dataclasses.replace(rules, **{name: parsed})  # type: ignore[arg-type]  # typed by its parser


def rule_takes(name: str) -> str:
    """Describe the values that a house rule takes.

    >>> rule_takes("finish")
    'overshoot or exact'
    """
    try:
        _PARSERS[name]("")
    except ValueError as error:
        return str(error)
    raise AssertionError(name)  # no rule takes nothing


def rule_choices(name: str) -> tuple[str, ...]:
    """Return all values of a house rule if it takes only a few; none for true or false.

    >>> rule_choices("finish"), rule_choices("back_lands")
    (('overshoot', 'exact'), ())
    """
    parser = _PARSERS[name]
    return parser.choices if isinstance(parser, _Choice) else ()


def as_settings(rules: HouseRules) -> dict[str, str]:
    """Return each house rule's value as `with_rule` reads it back."""
    return {name: _as_text(name, getattr(rules, name)) for name in _PARSERS}


def _as_text(name: str, value: object) -> str:
    if value is None:
        return "whole" if name == "game_to" else "off"
    return str(value).lower() if isinstance(value, bool) else str(value)
