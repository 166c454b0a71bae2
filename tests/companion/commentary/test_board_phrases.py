"""Phrases for what happens on the board, for rulings and for the table's own commands.

An example in `examples.txt` is one of the rules' form, but after the last command it has its line
in English, then in French.
"""

import pytest

from companion.rules.deal import Count, CountKind
from companion.rules.game import HouseRules, Peg, Penalty, Undo
from companion.rules.game.rulings import RULINGS
from tests.companion.commentary.tables import commentators, reported, two
from tests.companion.rules.game.tables import Table
from tests.companion.rules.game.test_examples import command_of, examples, numbers, table_of
from tests.support.program import ROOT

EXAMPLES = list(examples(ROOT / "tests/companion/commentary/examples.txt"))


@pytest.mark.parametrize("number", sorted({n for rule, _ in EXAMPLES for n in numbers(rule)}))
def test_rule(number: str) -> None:
    """The last command of each example of a rule has these words in each language."""
    for rule, (start, *commands, last, english, french) in EXAMPLES:
        if number in numbers(rule):
            table = table_of(start)
            for command in commands:
                table.do(command_of(command))
            assert [english, french] == reported(table, command_of(last)), rule


@pytest.mark.parametrize(
    ("table", "points"),
    [
        (two(130, landed=True), 4),
        (two(200, landed=True), 8),
        (Table(rules=HouseRules(finish="exact", skunk_at="off"), stand={1: 360, 2: 50}), 6),
    ],
)
def test_the_way_is_named_beside_the_cards_reason(table: Table, points: int) -> None:
    """Z3, Z4, G2: a hand down a path, off it, or too long is told as a count by hand is."""
    entry = table.history.decide(Peg(side=1, points=points))
    count = Count(seat=1, points=points, why=CountKind.HAND)
    for each in commentators(table.state.setup):
        assert each.entry(entry) == each.count(count, None, entry.events)


@pytest.mark.parametrize(
    ("table", "points", "line"),
    [
        (two(70), 6, ""),
        (
            two(20, 50),
            2,
            "Amber folds in the penalty box on 22, and goes back to 2; White is awarded",
        ),
        (two(360, 80, rules=HouseRules(skunk_at="finish")), 3, "Amber wins for two games; White"),
    ],
)
def test_highlights(table: Table, points: int, line: str) -> None:
    """Landings, skunks and wins are short, without the count; a plain count is empty."""
    entry = table.history.decide(Peg(side=1, points=points))
    said = commentators(table.state.setup)[0].highlights(entry)
    assert said.startswith(line)
    assert bool(line) == bool(said)


def test_every_penalty_has_words_of_its_own() -> None:
    """N1 to N17: each ruling has its own words for the offender."""
    each = [reported(two(70), Penalty(rule=rule, by=1, taken=())) for rule in RULINGS]
    for name, lines in zip(("Amber ", "Ambre "), zip(*each, strict=True), strict=True):
        assert len(RULINGS) == len(set(lines))
        assert all(line.startswith(name) for line in lines)


def test_undo() -> None:
    """An undo names what it takes back, if that is known."""
    table = two(70)
    done = table.history.do(Peg(side=1, points=6))
    undone = table.history.do(Undo())
    each = commentators(table.state.setup)
    assert ["The last command is taken back.", "La dernière commande est reprise."] == [
        one.entry(undone) for one in each
    ]
    assert [
        "Taken back: Amber counts six, to 76.",
        "Repris\u00a0: Ambre compte six, jusqu'à 76.",
    ] == [one.entry(undone, undone=done.events) for one in each]
