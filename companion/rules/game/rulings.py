"""Rulings of the referee: mishaps in a game and their consequences (rules N1 to N17)."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources

import msgspec

from companion.errors import RuleError, Text

PENALTY_POINTS = 2  # points that each other side may take for a penalty (sheet 000)


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
