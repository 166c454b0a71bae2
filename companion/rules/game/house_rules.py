"""House rules: named settings with defaults, and presets, which set all of them (rule G7).

A house rule is a field of `HouseRules`; the field's metadata has its values and their names for
people. Settings file, `--set`, web page and documents all read these from `HOUSE_RULES`. Values are
read and written as texts, because settings, journal and command line hold texts.

>>> rules = with_rule(preset("electronic"), "skunk", "off")
>>> rules.skunk, as_settings(rules)["double_skunk"]
(None, 'margin 60')
"""

import dataclasses
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, TypeVar

from companion.board import Board
from companion.errors import HouseRuleError, RuleError, Text, joined, suggest

_T = TypeVar("_T")
_LURCHES: Final[dict[str, dict[int, int]]] = {"lurch": {121: 91, 61: 31}, "family": {}}
"""Skunk line by a game's length, for two presets; for a length not listed it is half the length."""


class Measure(StrEnum):
    """Measure of a skunk line: the loser's progress, or the winner's margin over the loser."""

    BELOW = "below"
    MARGIN = "margin"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkunkLine:
    """A skunk line: progress below `points`, or a margin above `points` (rules G4 to G6)."""

    measure: Measure
    points: int

    def crossed(self, progress: int, finish: int) -> bool:
        """Return True if a side with `progress` is skunked when the winner is on `finish`."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRule:
    """House rule: the parser of its values, and the texts that people read about it.

    Args:
        takes: description of its values.
        parse: function from a text to its value; raises LookupError or ValueError for a wrong text.
        words: name of each value for people; empty for switches, and for values without a list.
    """

    takes: Text
    parse: Callable[[str], object]
    words: Mapping[str, str] = field(default_factory=dict)
    label: str = ""
    help: str = ""


def _choice(words: Mapping[str, str]) -> HouseRule:
    parse = {value: value for value in words}.__getitem__
    return HouseRule(takes=joined(" or ", words), parse=parse, words=words)


_SWITCH = HouseRule(
    takes=joined(" or ", ("true", "false")), parse={"true": True, "false": False}.__getitem__
)


def _whole(low: int, *, none: str | None = None) -> HouseRule:
    def parse(text: str) -> int | None:
        if text == none:
            return None
        if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) < low:
            raise ValueError(text)
        return int(text)

    also = Text(", or {none}", none=none) if none else ""
    takes = Text("a whole number from {low} to 9999{also}", low=low, also=also)
    return HouseRule(takes=takes, parse=parse)


def _parse_line(text: str) -> SkunkLine | None:
    if text == "off":
        return None
    found = re.fullmatch(r"(?:(below|margin)[ -])?([0-9]{1,4})", text)
    if not found:
        raise ValueError(text)
    measure = Measure(found[1] or Measure.BELOW)
    return SkunkLine(measure=measure, points=int(found[2]))


def _parse_board(text: str) -> str:
    if not text:
        raise ValueError(text)
    return text


_LINE = HouseRule(takes=Text("below N, margin N, or off"), parse=_parse_line)
_BOARD = HouseRule(takes=Text("the name of a board, or a board file"), parse=_parse_board)


def _rule(default: _T, values: HouseRule, label: str, help: str) -> _T:  # noqa: A002  # a field of `HouseRule`
    row = dataclasses.replace(values, label=label, help=help)
    rule: _T = field(default=default, metadata={"row": row})
    return rule


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """Every house rule, by the name that settings and `--set` use. The defaults are for Crib Wars.

    If `game_to` is None, a game takes the whole track; if `match_to` is None, a series has no end.
    A skunk is worth 2 games, a double skunk is worth 4 games.
    """

    board: str = _rule("crib-wars", _BOARD, "Board", "The board that the rules are made for.")
    game_to: int | None = _rule(
        None, _whole(1, none="whole"), "Game to", "Holes to the end of a game."
    )
    finish: str = _rule(
        "overshoot",
        _choice({"overshoot": "May be too long", "exact": "Exact"}),
        "Finish",
        "Whether the last count may be too long, or must be exact.",
    )
    skunk_at: str = _rule(
        "121",
        _choice({"121": "At hole 121", "finish": "At the finish", "off": "Never"}),
        "Skunk at",
        "Where skunks are measured: at hole 121, or at the finish.",
    )
    skunk: SkunkLine | None = _rule(
        _below(91), _LINE, "Skunk line", "A loser this far behind gives away two games."
    )
    double_skunk: SkunkLine | None = _rule(
        _below(61), _LINE, "Double skunk line", "A loser this far behind gives away four games."
    )
    muggins: str = _rule(
        "alley",
        _choice({"off": "Off", "alley": "In Muggers Alley", "on": "Everywhere"}),
        "Muggins",
        "Whether sides may claim points that others have missed; alley: only up to hole 121.",
    )
    muggins_counts: str = _rule(
        "missed",
        _choice(
            {"missed": "Missed points", "missed-and-overcalled": "Missed and overcalled points"}
        ),
        "Muggins counts",
        "What may be claimed: only missed points, or also points counted too many.",
    )
    given_back: str = _rule(
        "side",
        _choice({"side": "The side that erred", "nobody": "Nobody"}),
        "Given back to",
        "Who pegs the points that the caller of muggins gives back.",
    )
    worth_told: bool = _rule(
        True,
        _SWITCH,
        "Worth told",
        "Whether a line says what a wrong count was worth once muggins can no longer be called on "
        "it; never at game nights.",
    )
    heels_ban: int = _rule(
        3,
        _whole(0),
        "Heels ban",
        "Number of holes before the finish on which the dealer gets nothing for a jack turned up.",
    )
    starter: str = _rule(
        "after-discards",
        _choice({"after-discards": "After the discards", "before-discards": "Before the discards"}),
        "Starter",
        "Whether the starter is cut after the cards for the crib are thrown, or before.",
    )
    penalty_to: str = _rule(
        "every-other-side",
        _choice(
            {
                "every-other-side": "Every other side",
                "opponents": "The opponents",
                "nobody": "Nobody",
            }
        ),
        "Penalty to",
        "Who pegs the points of a penalty.",
    )
    match_to: int | None = _rule(None, _whole(1, none="off"), "Match to", "Games that win a match.")
    first_dealer: str = _rule(
        "loser",
        _choice({"loser": "The loser's side", "next": "The next seat"}),
        "First dealer",
        "Who deals first in the next game.",
    )
    occupant_advance: str = _rule(
        "box",
        _choice({"box": "In the box", "track": "On the track"}),
        "Occupant advance",
        "Where a boxed side moves on one hole when another lands in a box: "
        "in the box, or on the track.",
    )
    back_lands: bool = _rule(
        False,
        _SWITCH,
        "Back lands",
        "Whether a zone acts on a peg that is sent back into it.",
    )
    award_lands: bool = _rule(
        True,
        _SWITCH,
        "Award lands",
        "Whether a zone acts on a peg that an award of 20 holes moves into it.",
    )

    def length_on(self, track: int) -> int:
        return min(track, self.game_to or track)


SKUNK_GAMES: Mapping[str, int] = {"double_skunk": 4, "skunk": 2}
"""Games that a win is worth over a loser behind the line; the first such line counts (G4)."""

HOUSE_RULES: Mapping[str, HouseRule] = {
    rule.name: rule.metadata["row"] for rule in dataclasses.fields(HouseRules)
}

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
"""The house rules of each preset, as in the table under rule G7."""


def preset(name: str) -> HouseRules:
    """Return a preset's house rules; an unknown name is a `RuleError` with a suggestion (G7)."""
    if name not in PRESETS:
        remedy = suggest(name, PRESETS)
        raise RuleError("no preset {name}", name=repr(name), remedy=remedy, rule="G7")
    return PRESETS[name]


def presets_for(rules: HouseRules) -> dict[str, HouseRules]:
    """Return the house rules that can be chosen on the board of `rules`, by name (G7).

    The name "" means `rules` themselves. Presets of other boards are left out.
    """
    fitting = {name: each for name, each in PRESETS.items() if each.board == rules.board}
    return {"": rules} | {name: each for name, each in fitting.items() if each != rules}


def preset_name(rules: HouseRules) -> str:
    """Return the name of the preset with these house rules, or "" (G7)."""
    return next((name for name, each in PRESETS.items() if each == rules), "")


def with_rule(rules: HouseRules, name: str, value: str) -> HouseRules:
    """Return the rules with the rule `name` changed; `value` is a text as in the settings (G7)."""
    if name not in HOUSE_RULES:
        remedy = suggest(name, HOUSE_RULES)
        raise RuleError("no house rule {name}", name=repr(name), remedy=remedy, rule="G7")
    rule = HOUSE_RULES[name]
    try:
        parsed = rule.parse(value)
    except (LookupError, ValueError):
        text, remedy = (
            "house rule {name} cannot be {value}",
            Text("it takes {error}", error=rule.takes),
        )
        raise RuleError(text, name=name, value=repr(value), remedy=remedy, rule="G7") from None
    return dataclasses.replace(rules, **{name: parsed})  # type: ignore[arg-type]  # typed by its parser


def as_settings(rules: HouseRules) -> dict[str, str]:
    """Return the value of each house rule as the text that `with_rule` reads."""
    return {name: _as_text(name, getattr(rules, name)) for name in HOUSE_RULES}


def _as_text(name: str, value: object) -> str:
    if value is None:
        return "whole" if name == "game_to" else "off"
    return str(value).lower() if isinstance(value, bool) else str(value)


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


def choose_rules(
    preset_name: str,
    changes: Mapping[str, str],
    board_name: str | None,
    load: Callable[[str], Board],
) -> tuple[HouseRules, Board]:
    """Return the rules of a preset with these changes, and the named board or the rules' board.

    Args:
        preset_name: the name of the preset.
        changes: values of house rules, by name.
        board_name: the name or path of a board; None for the board of the rules.
        load: returns the board of a name or path; its errors are passed on.

    Raises:
        RuleError: there is no such preset or house rule, or a rule cannot have this value (G7).
    """
    rules = preset(preset_name)
    for name, value in changes.items():
        rules = with_rule(rules, name, value)
    if board_name is not None:
        rules = with_rule(rules, "board", board_name)
    board = load(rules.board)
    finish = rules.length_on(board.track.finish)
    return fit_skunk_lines(rules, preset=preset_name, finish=finish, by_name=changes), board
