"""Single commands on a table, described in each language."""

from dataclasses import replace

from companion.rules.game import Command, HouseRules, Muggins
from tests.companion.commentary.tables import commentators
from tests.companion.rules.game.tables import NO_SKUNKS, Table

EVERYWHERE = replace(NO_SKUNKS, muggins="on", muggins_counts="missed-and-overcalled")


def reported(table: Table, command: Command) -> list[str]:
    """Return a command's entry, described in each language."""
    entry = table.history.do(command)
    return [each.entry(entry) for each in commentators(table.state.setup)]


def two(one: int, other: int = 50, *, rules: HouseRules = NO_SKUNKS, landed: bool = False) -> Table:
    """Return two sides on these holes; the first one has landed there if requested."""
    return Table(rules=rules, stand={1: one, 2: other}, landed=(1,) if landed else ())


def counted(points: int, rules: HouseRules = EVERYWHERE) -> Table:
    """Return a table at which the first side has just counted; the second is on 50."""
    table = two(0, rules=rules)
    table.peg(1, points)
    return table


def missed(points: int, *, given_back: bool = False) -> Muggins:
    """Return a call: the second side claims points that the first missed."""
    return Muggins(
        erring=1, by=2, points=points, where="show", kind="missed", given_back=given_back
    )


def overcalled(points: int) -> Muggins:
    """Return a call: the first side counted points that it did not have."""
    return Muggins(erring=1, by=2, points=points, where="show", kind="overcalled")
