"""Commands of a game, as frozen values, and the rulings on which penalties and claims are based.

`decide` returns the events of each command or raises `RuleError`. A ruling is about mishaps in a
game and their consequences (rules N1 to N17).

`companion.rules.game.notation` reads commands from JSON and writes them as JSON.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct, field

from companion.board.layout import Hole
from companion.errors import RuleError, Text

PENALTY_POINTS = 2  # points that each other side may take for a penalty (rule sheet 000)


class CountKind(StrEnum):
    """Occasion on which cards make points."""

    HEELS = "heels"
    PLAY = "play"
    GO = "go"
    LAST = "last"
    HAND = "hand"
    CRIB = "crib"


class Deal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Begin the next hand, or before the first count of a game, only set its dealer (rule T2).

    `dealer` is the seat that deals; None means the next seat to the left.
    """

    dealer: int | None = None


class Peg(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One count of one side, 1 to 29 points (P7).

    `why` is None for a count that is entered with buttons.
    """

    side: int = field(name="team")
    points: int
    why: CountKind | None = None


class MoveInBox(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A side that sits in a penalty box moves its own peg there, once a hand (Z7)."""

    side: int = field(name="team")


class Overpeg(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The side's last count was `extra` points too many; side `taken_by` takes them (N11)."""

    side: int = field(name="team")
    extra: int
    taken_by: int | None = None


class Penalty(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A penalty (N1 to N17): each side in `taken` takes two points for a mishap of side `by`."""

    rule: str
    by: int
    taken: tuple[int, ...]


class Claim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The game goes to side `game_to` for a mishap of side `by` (N10, N13, N14)."""

    rule: str
    by: int
    game_to: int


class Muggins(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Side `by` calls points that side `erring` missed or counted too many (M1 to M4).

    If `given_back` is True, the points go to `erring`, or by a house rule to nobody (M3).
    """

    erring: int = field(name="from")
    by: int
    points: int
    where: Literal["play", "show"]
    kind: Literal["missed", "overcalled"]
    given_back: bool = False


class SetPegs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Place a side's pegs, and let no zone act, to go on with a game that began without lights."""

    side: int = field(name="team")
    front: Hole
    back: Hole


class Correct(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change the points of a count in the running game, or remove the count if `points` is None.

    `entry` is the number of the count's command in this game, from 1, without undone commands.
    """

    entry: int
    points: int | None = None


class NewGame(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Begin a new game.

    Attributes:
        sides: the sides that take part; by default those of the last game.
        dealer: the seat that deals first; by default 1.
        players: the number of players; by default each side has as many as in the last game.
        preset: the name of the house rules (G7); "" for the rules of the settings, None for the
            preset of the last game.
    """

    sides: tuple[int, ...] | None = field(name="lanes", default=None)
    dealer: int | None = None
    players: int | None = None
    preset: str | None = None


class Undo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take back the last accepted command with all its effects."""


GameCommand: TypeAlias = Deal | Peg | MoveInBox | Overpeg | Penalty | Claim | Muggins | SetPegs
"""A command within one game, as `decide` takes it."""

Command: TypeAlias = GameCommand | Correct | NewGame | Undo
"""A command that a `History` takes: one within a game, a correction, a new game or an undo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """Ruling of the referee on one kind of mishap.

    `what` is the mishap, `follows` the consequence. If `points` is True, each side that is not at
    fault may take two points; if `claim` is True, one of these sides may claim the game. `sources`
    has the numbers of the rule sheets, and `words` has the words that players search for.
    """

    rule: str
    what: Text
    follows: Text
    points: bool = False
    claim: bool = False
    sources: tuple[str, ...] = ("000", "003")
    words: Text


def _shipped() -> Iterator[Ruling]:
    text = (resources.files("companion.rules.game") / "rulings.toml").read_text("utf-8")
    for rule, fields in tomllib.loads(text).items():
        texts = {name: Text(fields.pop(name, "")) for name in ("what", "follows", "words")}
        yield msgspec.convert({"rule": rule, **texts, **fields}, Ruling)


RULINGS: Mapping[str, Ruling] = {ruling.rule: ruling for ruling in _shipped()}
"""Every ruling by its rule's number, in the order of the rules."""


def ruling(rule: str) -> Ruling:
    """Return the ruling of a rule; an unknown number is a `RuleError`."""
    if rule not in RULINGS:
        rulings = ", ".join(RULINGS)
        raise RuleError(
            Text("no penalty {rule}: there are {rulings}", rule=repr(rule), rulings=rulings)
        )
    return RULINGS[rule]
