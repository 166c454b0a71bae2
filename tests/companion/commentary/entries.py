"""Single commands on a table, described in each language."""

from companion.rules.game import Command, HouseRules
from tests.companion.commentary.tables import commentators
from tests.companion.rules.game.tables import NO_SKUNKS, Table


def reported(table: Table, command: Command) -> list[str]:
    """Return a command's entry, described in each language."""
    entry = table.history.do(command)
    return [each.entry(entry) for each in commentators(table.state.setup)]


def two(one: int, other: int = 50, *, rules: HouseRules = NO_SKUNKS, landed: bool = False) -> Table:
    """Return two sides on these holes; the first one has landed there if requested."""
    return Table(rules=rules, stand={1: one, 2: other}, landed=(1,) if landed else ())
