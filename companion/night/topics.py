"""Topics of a night on its broker: each table writes below its own number alone."""

import re
from typing import Final

from companion.errors import BadInputError

ROOT: Final = "cribwars"
ONLINE, STATE, ENTRY, PLAN = "online", "state", "entry", "plan"


class TableTopics:
    """Topics of one table of a night.

    Attributes:
        online: of its presence; also that of its last will.
        state: of its state.
        plan: of its copy of the plan, which it holds while the organiser's is missing.
        request: of the organiser's requests to it.
    """

    def __init__(self, night: str, table: int) -> None:
        self.night, self.table = night, table
        self._branch = f"{ROOT}/{night}/{table}"
        self.online, self.state, self.plan = (
            f"{self._branch}/{kind}" for kind in (ONLINE, STATE, PLAN)
        )
        self.request = f"{ROOT}/{night}/organiser/request/{table}"

    def entry(self, seq: int) -> str:
        return f"{self._branch}/{ENTRY}/{seq}"


def plan_topic(night: str) -> str:
    """Return the topic of the organiser's plan."""
    return f"{ROOT}/{night}/organiser/night"


def organiser_topics(night: str) -> tuple[str, ...]:
    """Return the filters of what the organiser needs: all but the entries of games, which are many.

    A broker drops messages for a client that does not keep up with them.
    """
    kinds = (ONLINE, STATE, PLAN)
    return (plan_topic(night), *(f"{ROOT}/{night}/+/{kind}" for kind in kinds))


def parse_table_topic(topic: str) -> tuple[int, str]:
    """Return the table and the kind of a table's topic.

    >>> parse_table_topic("cribwars/friday/5/entry/17")
    (5, 'entry')

    Raises:
        BadInputError: it is any other topic; tables are numbered from 1, without zeros in front.
    """
    parts = topic.split("/")
    kinds = {(4, ONLINE), (4, STATE), (4, PLAN), (5, ENTRY)}
    if parts[0] != ROOT or len(parts) not in (4, 5) or (len(parts), parts[3]) not in kinds:
        raise BadInputError("no topic of a table")
    table = parts[2]
    if not re.fullmatch("[1-9][0-9]{0,4}", table):
        raise BadInputError("no number of a table")
    return int(table), parts[3]
