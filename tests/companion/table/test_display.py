"""Trails of counts whose pegs have not walked yet."""

from companion.rules.game import Command, Deal, Peg
from companion.table.display import trails


def test_what_is_pending_is_shown() -> None:
    """Pending counts start at the pegs, and are sorted by side."""
    assert (((1, 4), (3, 2)), False) == trails([], {3: 2, 1: 4})


def test_what_is_not_on_disk_yet_keeps_its_trail() -> None:
    """Of two counts of one side only the first has a trail, as it starts at the peg."""
    commands: list[Command] = [
        Peg(side=1, points=5),
        Deal(),
        Peg(side=1, points=6),
        Peg(side=2, points=7),
    ]
    assert (((1, 5), (2, 7), (3, 1)), False) == trails(commands, {3: 1})


def test_a_side_that_goes_on_sees_what_is_pending() -> None:
    """Then every trail starts where the pegs will be after the decided counts."""
    assert (((1, 2), (2, 3)), True) == trails([Peg(side=1, points=5)], {1: 2, 2: 3})
