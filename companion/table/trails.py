"""Which counts a table shows as trails with a ghost: those pending, and those not yet walked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.game import Command, Peg


def trails(
    commands: Iterable[Command], pending: Mapping[int, int]
) -> tuple[tuple[tuple[int, int], ...], bool]:
    """Teams with their points, rising; and whether they start from what is only decided.

    A count of the `commands` that are decided and not yet on disk keeps its trail until the peg
    moves; of two counts of one side the first does, for only that one starts from where the peg
    is. A side that has one pending already sees that one, from where its peg will be.
    """
    entered: dict[int, int] = {}
    for command in commands:
        if isinstance(command, Peg):
            entered.setdefault(command.team, command.points)
    again = bool(entered.keys() & pending.keys())
    shown = pending if again else entered | dict(pending)
    return tuple(sorted(shown.items())), again
